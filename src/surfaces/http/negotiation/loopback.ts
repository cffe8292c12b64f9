// Says whether a request comes from a program on this machine that calls the service directly, and not through a proxy for somebody else.

import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/** Whether a name or address always means this machine. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(name) === 0) return name === 'localhost';
  return name === '::1' || name.replace(/^::ffff:/, '').startsWith('127.');
}

/** What proxies add to the requests that they pass on. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** The host that was called must be this machine too: a browser can be led here by another name. */
export function isFromThisMachine({
  headers,
  address,
}: {
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
}): boolean {
  return (
    isLoopback(address) &&
    isLoopback((headers.host ?? '').replace(/:\d+$/, '')) &&
    proxyHeaders.every((name) => headers[name] === undefined)
  );
}
