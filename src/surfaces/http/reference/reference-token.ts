// Gives the page of the reference a token of the demo, so that requests can be tried out at once, and a document with its answers. Only served while the service is tried
// out on one machine, and only to the page itself: other sites, and browsers that were led here by another name, are told nothing.

import type { IssuedToken } from '../../../actions/access/token.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { isFromThisMachine } from '../negotiation/loopback.ts';
import { jsonResponse, type OpenOperation, type ParsedOpenRequest } from '../operation/open-operation.ts';

export const referenceTokenPath = '/docs/token';
export const demoDocumentPath = '/docs/demo';

/** A browser says where a request comes from, and no page can say it in its place. A proxy in between would hide it. */
function isFromThePage(request: Pick<ParsedOpenRequest, 'headers' | 'address'>): boolean {
  const { host = '', origin, 'sec-fetch-site': site } = request.headers;
  return isFromThisMachine(request) && origin === `http://${host}` && site === 'same-origin';
}

const common = { host: 'any', method: 'POST', group: 'reference' } as const;
const neverKept = { 'cache-control': 'no-store' };

/** Makes something for the page. For anyone else, and if there is nothing, there is no such path. */
async function makeForThePage<T>(parsed: ParsedOpenRequest, make: () => Promise<T | undefined>): Promise<T> {
  const made = isFromThePage(parsed) ? await make() : undefined;
  if (made === undefined) throw new Refusal('path-not-found', 'There is no such path. Check the URL.');
  return made;
}

export function referenceToken(issue: () => Promise<IssuedToken | undefined>): OpenOperation {
  return {
    ...common,
    id: 'reference.token',
    path: referenceTokenPath,
    summary: 'A token of the demo, for the page of the reference',
    responses: { 200: { description: 'The token.' } },
    async handle(parsed) {
      const { accessToken } = await makeForThePage(parsed, issue);
      return jsonResponse(200, { access_token: accessToken }, neverKept);
    },
  };
}

export function demoDocument(describe: () => Promise<string | undefined>): OpenOperation {
  return {
    ...common,
    id: 'reference.demo',
    path: demoDocumentPath,
    summary: 'The reference with answers of the demo, for its page',
    responses: { 200: { description: 'The document.' } },
    isCompressible: true,
    async handle(parsed) {
      const text = await makeForThePage(parsed, describe);
      return { status: 200, headers: { 'content-type': 'application/json', ...neverKept }, text };
    },
  };
}
