// Checks the URL that a webhook is registered for and sent to. The addresses that its name resolves to are checked on connection.

import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

export interface TargetRules {
  /** Allows plain HTTP, private addresses and any port: in development, or if the operator says so. */
  readonly allowPrivate: boolean;
}

export class TargetFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TargetFault';
  }
}

/** In characters. */
export const targetLengthMax = 2048;

/** Lower ports belong to other protocols, except 443. */
const firstFreePort = 1024;

/** Names that are never public (RFC 6761, 6762, 8375, 9476; ICANN for `internal`). */
const localNames =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa|alt|onion|test|invalid)$/;

/** Parses the URL, or throws a `TargetFault` that says what is wrong with it. */
export function checkTarget(text: string, { allowPrivate }: TargetRules): URL {
  const url = parseTarget(text);
  checkParts(url);
  if (allowPrivate) return url;
  if (url.protocol !== 'https:') throw new TargetFault('The URL of a webhook must begin with https://.');
  if (url.port !== '' && Number(url.port) < firstFreePort) {
    throw new TargetFault(`The port of a webhook must be 443, or ${firstFreePort} or higher.`);
  }
  checkHost(hostWithoutBrackets(url));
  return url;
}

function parseTarget(text: string): URL {
  if (text.length > targetLengthMax) throw new TargetFault(`The URL may have at most ${targetLengthMax} characters.`);
  // The parser would drop these silently, and the URL called would differ from the one registered.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0020\u007f\\]/.test(text))
    throw new TargetFault('The URL must not contain spaces, control characters or backslashes.');
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\/[^/]/i.test(text))
    throw new TargetFault('This is not a URL that begins with https://.');
  return url;
}

function checkParts(url: URL): void {
  if (url.username !== '' || url.password !== '') {
    throw new TargetFault('The URL must not contain a user name or a password: deliveries are signed instead.');
  }
  if (url.hash !== '' || url.href.endsWith('#'))
    throw new TargetFault('The URL must not contain a fragment (#), which would never be sent.');
  if (url.port === '0') throw new TargetFault('The port must not be 0.');
}

/** Removes the brackets of an IPv6 address. */
export function hostWithoutBrackets({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function checkHost(host: string): void {
  if (isIP(host) !== 0) {
    if (!isPublicAddress(host)) throw new TargetFault('This address is private or reserved. Use a public address.');
    return;
  }
  const name = host.replace(/\.$/, '');
  if (!name.includes('.') || localNames.test(name)) {
    throw new TargetFault('This name belongs to a private network. Use a public name.');
  }
}
