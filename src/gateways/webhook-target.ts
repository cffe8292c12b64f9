// Which addresses a webhook may be registered for and sent to, as far as the address itself tells. What a name leads to is checked
// where it is looked up.

import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

export interface TargetRules {
  /** In development, and where the operator allows it: plain HTTP, private addresses, any port. */
  readonly allowPrivate: boolean;
}

export class TargetFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TargetFault';
  }
}

export const targetLengthMax = 2048;

/** Ports below this one are other protocols', but for the one of HTTPS. */
const firstFreePort = 1024;

/** Names that are never public (RFC 6761, 6762, 8375, 9476; ICANN for `internal`). */
const localNames =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa|alt|onion|test|invalid)$/;

/** The address taken apart, or a `TargetFault` that says what is wrong with it. */
export function checkTarget(text: string, { allowPrivate }: TargetRules): URL {
  const url = parseTarget(text);
  checkParts(url);
  if (allowPrivate) return url;
  if (url.protocol !== 'https:') throw new TargetFault('A webhook is sent to an https address.');
  if (url.port !== '' && Number(url.port) < firstFreePort) {
    throw new TargetFault(`The port of a webhook is 443, or one from ${firstFreePort} on.`);
  }
  checkHost(hostWithoutBrackets(url));
  return url;
}

function parseTarget(text: string): URL {
  if (text.length > targetLengthMax) throw new TargetFault(`An address has at most ${targetLengthMax} characters.`);
  // The parser would drop these in silence, and then another address would be called than the one that was read.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0020\u007f\\]/.test(text)) throw new TargetFault('An address has no spaces and no backslashes.');
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\/[^/]/i.test(text))
    throw new TargetFault('This is not an address that begins with https://.');
  return url;
}

function checkParts(url: URL): void {
  if (url.username !== '' || url.password !== '') {
    throw new TargetFault('An address has no user name and no password: deliveries are signed instead.');
  }
  if (url.hash !== '' || url.href.endsWith('#'))
    throw new TargetFault('An address has no fragment (#): it would never be sent.');
  if (url.port === '0') throw new TargetFault('There is no port 0.');
}

/** Without the brackets that an IPv6 address has in a URL. */
export function hostWithoutBrackets({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function checkHost(host: string): void {
  if (isIP(host) !== 0) {
    if (!isPublicAddress(host))
      throw new TargetFault('This address is private or reserved. A webhook is sent to a public one.');
    return;
  }
  const name = host.replace(/\.$/, '');
  if (!name.includes('.') || localNames.test(name)) {
    throw new TargetFault('This name is of a private network. A webhook is sent to a public one.');
  }
}
