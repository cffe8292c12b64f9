// Gives the page of the reference a token of the demo, so that requests can be tried out at once. Only served while the service is tried
// out on one machine, and only to the page itself: other sites, and browsers that were led here by another name, are told nothing.

import { isIP } from 'node:net';
import type { IssuedToken } from '../../../actions/access/token.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { jsonResponse, type OpenOperation, type ParsedOpenRequest } from '../operation/open-operation.ts';

export const referenceTokenPath = '/docs/token';

/** Whether a name or address always means this machine. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(name) === 0) return name === 'localhost';
  return name === '::1' || name.replace(/^::ffff:/, '').startsWith('127.');
}

/** A browser says where a request comes from, and no page can say it in its place. A proxy in between would hide it. */
function isFromThePage({ headers, address }: Pick<ParsedOpenRequest, 'headers' | 'address'>): boolean {
  const { host = '', origin } = headers;
  const isForwarded = headers['forwarded'] !== undefined || headers['x-forwarded-for'] !== undefined;
  return (
    isLoopback(address) &&
    isLoopback(host.replace(/:\d+$/, '')) &&
    origin === `http://${host}` &&
    headers['sec-fetch-site'] === 'same-origin' &&
    !isForwarded
  );
}

export function referenceToken(issue: () => Promise<IssuedToken | undefined>): OpenOperation {
  return {
    id: 'reference.token',
    host: 'any',
    method: 'POST',
    path: referenceTokenPath,
    summary: 'A token of the demo, for the page of the reference',
    group: 'reference',
    responses: { 200: { description: 'The token.' } },
    async handle(parsed) {
      const issued = isFromThePage(parsed) ? await issue() : undefined;
      if (issued === undefined) throw new Refusal('path-not-found', 'There is no such path. Check the URL.');
      return jsonResponse(200, { access_token: issued.accessToken }, { 'cache-control': 'no-store' });
    },
  };
}
