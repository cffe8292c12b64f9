// Checks what a request says about its target before anything relies on it: one host, and an address on that host.

import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../../kit/refusal.ts';

const absoluteForm = /^(https?):\/\/([^/?#]*)/i;

/** A default port may be given or left out. */
function canonicalAuthority(authority: string, scheme: string): string {
  const defaultPort = scheme.toLowerCase() === 'https' ? ':443' : ':80';
  const lower = authority.toLowerCase();
  return lower.endsWith(defaultPort) ? lower.slice(0, -defaultPort.length) : lower;
}

/** Turns an absolute address on the request's own host into its path, which is what everything else reads. */
export function usePathOnly(request: IncomingMessage): void {
  const { url = '', headers } = request;
  if (url.startsWith('/')) return;
  const [origin = '', scheme = '', authority = ''] = absoluteForm.exec(url) ?? [];
  if (origin === '' || canonicalAuthority(authority, scheme) !== canonicalAuthority(headers.host ?? '', scheme)) return;
  const path = url.slice(origin.length);
  request.url = path.startsWith('/') ? path : `/${path}`;
}

/** Counts in the raw headers: Node keeps only the first of several. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Returns why a request must be refused. Call it after `usePathOnly`: an address that is still absolute is on another host. */
export function findTargetFault(request: IncomingMessage): Refusal | undefined {
  const { url = '', headers, rawHeaders, httpVersion } = request;
  const hosts = countHosts(rawHeaders);
  if (hosts > 1) return malformed('The request has more than one `Host` header. Send one.', 'Host');
  if (hosts === 0 && httpVersion === '1.1') return malformed('The request has no `Host` header. Send one.', 'Host');
  if (absoluteForm.test(url))
    return malformed(
      'The URL names another host than the `Host` header. Send the path alone, or the same host.',
      'Host',
    );
  const { expect } = headers;
  if (expect !== undefined && httpVersion === '1.1' && !/(?:^|\W)100-continue(?:$|\W)/i.test(expect)) {
    const detail = 'The only expectation that can be met is `100-continue`. Leave out the `Expect` header.';
    return new Refusal('expectation-failed', detail, {
      faults: [{ code: 'expectation-failed', detail, header: 'Expect' }],
    });
  }
  return undefined;
}

function malformed(detail: string, header: string): Refusal {
  return new Refusal('malformed-request', detail, { faults: [{ code: 'malformed-request', detail, header }] });
}
