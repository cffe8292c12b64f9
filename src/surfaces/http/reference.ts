// The API reference as it is served: the document, the page that shows it, and the page of errors. Nothing of it is made
// before it is asked for, and nothing of it comes from anywhere else.

import { hash } from 'node:crypto';
import manifest from '../../../package.json' with { type: 'json' };
import type { Addresses } from '../../actions/house.ts';
import { errorsPage, errorsPolicy } from './errors-page.ts';
import type { OpenOperation } from './open-operation.ts';
import { openApiDocument, type Served } from './openapi.ts';
import { loadReferenceBundle } from './reference-bundle.ts';
import { referencePage, referencePolicy, startScript } from './reference-page.ts';

const html = 'text/html; charset=utf-8';
const javaScript = 'text/javascript; charset=utf-8';

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

function sheetPath({ id, path, summary, mediaType, cacheControl, sheet }: SheetPath): OpenOperation {
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

/** For what is named together with a mark of its content, and so never changes under its name. */
const forGood = 'public, max-age=31536000, immutable';
const checkedAlways = 'public, no-cache';

function addressOf(path: string, { etag }: Sheet): string {
  return `${path}?v=${etag.slice(1, -1)}`;
}

export function referenceOperations(
  addresses: Addresses,
  { operations, openOperations }: Pick<Served, 'operations' | 'openOperations'>,
): readonly OpenOperation[] {
  const paths = { bundle: '/docs/reference.js', start: '/docs/start.js' };
  const bundle = lazily(async () => sheetOf(await loadReferenceBundle()));
  const start = lazily(() => sheetOf(startScript(addresses)));
  const page = lazily(async () => {
    const scripts = { bundle: addressOf(paths.bundle, await bundle()), start: addressOf(paths.start, await start()) };
    return sheetOf(referencePage(scripts), referencePolicy(addresses));
  });
  const errors = lazily(() => sheetOf(errorsPage(), errorsPolicy));
  const document = lazily(() => {
    const all = [...openOperations, ...own];
    const { version } = manifest;
    return sheetOf(JSON.stringify(openApiDocument({ addresses, operations, openOperations: all, version })));
  });
  const asScript = { mediaType: javaScript, cacheControl: forGood };
  const asPage = { mediaType: html, cacheControl: checkedAlways };
  const own = [
    sheetPath({
      id: 'document',
      path: '/openapi.json',
      summary: 'This reference as an OpenAPI document',
      mediaType: 'application/json',
      cacheControl: checkedAlways,
      sheet: document,
    }),
    sheetPath({ ...asPage, id: 'page', path: '/docs', summary: 'This reference as a page', sheet: page }),
    sheetPath({ ...asPage, id: 'errors', path: '/docs/errors', summary: 'All error codes as a page', sheet: errors }),
    sheetPath({
      ...asScript,
      id: 'bundle',
      path: paths.bundle,
      summary: 'The script that draws the page',
      sheet: bundle,
    }),
    sheetPath({ ...asScript, id: 'start', path: paths.start, summary: 'The script that starts it', sheet: start }),
  ];
  return own;
}
