// The API reference as it is served: the document, the page that shows it, and the page of errors. Nothing of it is made
// before it is asked for, and nothing of it comes from anywhere else.

import { hash } from 'node:crypto';
import manifest from '../../../../package.json' with { type: 'json' };
import type { Addresses } from '../../../actions/core/context.ts';
import { errorsPage, errorsPolicy } from './errors-page.ts';
import type { OpenOperation } from '../operation/open-operation.ts';
import { openApiDocument, type Served } from '../openapi/openapi-document.ts';
import { loadReferenceBundle } from './reference-bundle.ts';
import { referencePage, referencePolicy, startScript } from './reference-page.ts';

/** A text that is served as it is. */
interface Sheet {
  readonly text: string;
  readonly etag: string;
  readonly policy?: string;
}

function sheetOf(text: string, policy?: string): Sheet {
  const etag = `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
  return policy === undefined ? { text, etag } : { text, etag, policy };
}

/** Makes a sheet when it is first asked for. One that could not be made is tried again. */
function lazily(make: () => Sheet | Promise<Sheet>): () => Promise<Sheet> {
  let made: Promise<Sheet> | undefined;
  const attempt = async (): Promise<Sheet> => {
    try {
      return await make();
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
  return () => (made ??= attempt());
}

interface SheetPath {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly mediaType: string;
  readonly cacheControl: string;
  sheet(): Promise<Sheet>;
}

function operationOf({ id, path, summary, mediaType, cacheControl, sheet }: SheetPath): OpenOperation {
  const described = { ETag: 'Its entity tag.', 'Cache-Control': `\`${cacheControl}\`` };
  return {
    id: `reference.${id}`,
    host: 'any',
    method: 'GET',
    path,
    summary,
    group: 'reference',
    answers: { 200: { description: summary, mediaType: mediaType.split(';')[0]!, headers: described } },
    async handle() {
      const { text, etag, policy } = await sheet();
      const guard = policy === undefined ? {} : { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' };
      return {
        status: 200,
        headers: { 'content-type': mediaType, etag, 'cache-control': cacheControl, ...guard },
        text,
      };
    },
  };
}

const checkedAlways = 'public, no-cache';
const asDocument = { mediaType: 'application/json', cacheControl: checkedAlways };
const asPage = { mediaType: 'text/html; charset=utf-8', cacheControl: checkedAlways };
/** Scripts are named together with a mark of their content, and so never change under their name. */
const asScript = { mediaType: 'text/javascript; charset=utf-8', cacheControl: 'public, max-age=31536000, immutable' };

async function addressOf({ path, sheet }: SheetPath): Promise<string> {
  return `${path}?v=${(await sheet()).etag.slice(1, -1)}`;
}

function pagePaths(addresses: Addresses): readonly SheetPath[] {
  const bundle: SheetPath = {
    ...asScript,
    id: 'bundle',
    path: '/docs/reference.js',
    summary: 'The script that draws the page',
    sheet: lazily(async () => sheetOf(await loadReferenceBundle())),
  };
  const start: SheetPath = {
    ...asScript,
    id: 'start',
    path: '/docs/start.js',
    summary: 'The script that starts it',
    sheet: lazily(() => sheetOf(startScript(addresses))),
  };
  const sheet = lazily(async () => {
    const page = referencePage({ bundle: await addressOf(bundle), start: await addressOf(start) });
    return sheetOf(page, referencePolicy(addresses));
  });
  return [{ ...asPage, id: 'page', path: '/docs', summary: 'This reference as a page', sheet }, bundle, start];
}

const errorsPath: SheetPath = {
  ...asPage,
  id: 'errors',
  path: '/docs/errors',
  summary: 'All error codes as a page',
  sheet: lazily(() => sheetOf(errorsPage(), errorsPolicy)),
};

export function referenceOperations(
  addresses: Addresses,
  { operations, openOperations, webhooks }: Pick<Served, 'operations' | 'openOperations' | 'webhooks'>,
): readonly OpenOperation[] {
  const sheet = lazily(() => {
    const { version } = manifest;
    const served = {
      addresses,
      operations,
      openOperations: [...openOperations, ...own],
      version,
      webhooks: webhooks ?? {},
    };
    return sheetOf(JSON.stringify(openApiDocument(served)));
  });
  const documentPath = {
    ...asDocument,
    id: 'document',
    path: '/openapi.json',
    summary: 'This reference as an OpenAPI document',
    sheet,
  };
  const own = [documentPath, ...pagePaths(addresses), errorsPath].map(operationOf);
  return own;
}
