// Tells whether an address can be reached from outside: anything but this machine and a private network.

import { isIP } from 'node:net';
import { isPublicAddress } from '../gateways/public-address.ts';

/** Names that no public server can have: RFC 6761, RFC 6762, RFC 8375 and ICANN's `internal`. */
const privateSuffix = /(?:^|\.)(?:localhost|local|internal|home\.arpa|test|example|invalid)$/;

/** A name without a dot is one of a local network. The address that stands for all of a machine's addresses counts as public. */
export function isPublicHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(name) !== 0) return name === '0.0.0.0' || /^[0:]+$/.test(name) || isPublicAddress(name);
  return name.includes('.') && !privateSuffix.test(name);
}
