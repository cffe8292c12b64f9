// The API reference as it is served: the document, the page that shows it, and the page of errors. Nothing of it is made
// before it is asked for, and nothing of it comes from anywhere else.

import { hash } from 'node:crypto';
import manifest from '../../../../package.json' with { type: 'json' };
import type { Addresses } from '../../../actions/core/context.ts';
import { errorsPage, errorsPolicy } from './errors-page.ts';
import type { OpenOperation } from '../operation/open-operation.ts';
import { openApiDocument, type ServedApi } from '../openapi/openapi-document.ts';
import { loadReferenceBundle } from './reference-bundle.ts';
import { referencePage, referencePolicy, startScript } from './reference-page.ts';

/** A text that is served as it is. */
interface StaticText {
  readonly text: string;
  readonly etag: string;
  readonly policy?: string;
}

function staticText(text: string, policy?: string): StaticText {
  const etag = `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
  return policy === undefined ? { text, etag } : { text, etag, policy };
}

/** Makes a sheet when it is first asked for. One that could not be made is tried again. */
function loadOnce(make: () => StaticText | Promise<StaticText>): () => Promise<StaticText> {
  let made: Promise<StaticText> | undefined;
  const attempt = async (): Promise<StaticText> => {
    try {
      return await make();
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
  return () => (made ??= attempt());
}

interface StaticPath {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly mediaType: string;
  readonly cacheControl: string;
  sheet(): Promise<StaticText>;
}

function staticOperation({ id, path, summary, mediaType, cacheControl, sheet }: StaticPath): OpenOperation {
  const describedHeaders = { ETag: 'Its entity tag.', 'Cache-Control': `\`${cacheControl}\`` };
  return {
    id: `reference.${id}`,
    host: 'any',
    method: 'GET',
    path,
    summary,
    group: 'reference',
    responses: { 200: { description: summary, mediaType: mediaType.split(';')[0]!, headers: describedHeaders } },
    async handle() {
      const { text, etag, policy } = await sheet();
      const securityHeaders =
        policy === undefined ? {} : { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' };
      return {
        status: 200,
        headers: { 'content-type': mediaType, etag, 'cache-control': cacheControl, ...securityHeaders },
        text,
      };
    },
  };
}

const alwaysRevalidated = 'public, no-cache';
const asDocument = { mediaType: 'application/json', cacheControl: alwaysRevalidated };
const asPage = { mediaType: 'text/html; charset=utf-8', cacheControl: alwaysRevalidated };
/** Scripts are named together with a mark of their content, and so never change under their name. */
const asScript = { mediaType: 'text/javascript; charset=utf-8', cacheControl: 'public, max-age=31536000, immutable' };

async function versionedAddress({ path, sheet }: StaticPath): Promise<string> {
  return `${path}?v=${(await sheet()).etag.slice(1, -1)}`;
}

function pagePaths(addresses: Addresses): readonly StaticPath[] {
  const bundle: StaticPath = {
    ...asScript,
    id: 'bundle',
    path: '/docs/reference.js',
    summary: 'The script that draws the page',
    sheet: loadOnce(async () => staticText(await loadReferenceBundle())),
  };
  const start: StaticPath = {
    ...asScript,
    id: 'start',
    path: '/docs/start.js',
    summary: 'The script that starts it',
    sheet: loadOnce(() => staticText(startScript(addresses))),
  };
  const sheet = loadOnce(async () => {
    const page = referencePage({ bundle: await versionedAddress(bundle), start: await versionedAddress(start) });
    return staticText(page, referencePolicy(addresses));
  });
  return [{ ...asPage, id: 'page', path: '/docs', summary: 'This reference as a page', sheet }, bundle, start];
}

const errorsPath: StaticPath = {
  ...asPage,
  id: 'errors',
  path: '/docs/errors',
  summary: 'All error codes as a page',
  sheet: loadOnce(() => staticText(errorsPage(), errorsPolicy)),
};

export function referenceOperations(
  addresses: Addresses,
  { operations, openOperations, webhooks }: Pick<ServedApi, 'operations' | 'openOperations' | 'webhooks'>,
): readonly OpenOperation[] {
  const sheet = loadOnce(() => {
    const { version } = manifest;
    const served = {
      addresses,
      operations,
      openOperations: [...openOperations, ...referenceOps],
      version,
      webhooks: webhooks ?? {},
    };
    return staticText(JSON.stringify(openApiDocument(served)));
  });
  const documentPath = {
    ...asDocument,
    id: 'document',
    path: '/openapi.json',
    summary: 'This reference as an OpenAPI document',
    sheet,
  };
  const referenceOps = [documentPath, ...pagePaths(addresses), errorsPath].map(staticOperation);
  return referenceOps;
}
