// Serves the API reference: the OpenAPI document, the page that shows it, and the page of errors. Each is built on the first request.

import manifest from '../../../../package.json' with { type: 'json' };
import type { IssuedToken } from '../../../actions/access/token.ts';
import type { Addresses } from '../../../actions/core/context.ts';
import { errorsPage, errorsPolicy } from './errors-page.ts';
import { compress, type Encoding } from '../negotiation/content-encoding.ts';
import { entityTag, findTag, notModified } from '../negotiation/entity-tag.ts';
import type { OpenOperation } from '../operation/open-operation.ts';
import { modelMapPath, modelMapSvg } from '../openapi/model-map.ts';
import exampleIds from '../openapi/example-ids.json' with { type: 'json' };
import { openApiDocument, type ServedApi } from '../openapi/openapi-document.ts';
import { loadReferenceBundle } from './reference-bundle.ts';
import { referencePage, referencePolicy, startScript } from './reference-page.ts';
import { demoDocument, referenceToken } from './reference-token.ts';

/** A text with its entity tag and content security policy, compressed once in each way that is asked for. */
interface StaticText {
  readonly text: string;
  readonly etag: string;
  readonly policy?: string;
  compressed(encoding: Encoding): Promise<Uint8Array>;
}

function staticText(text: string, policy?: string): StaticText {
  const byEncoding = new Map<Encoding, Promise<Uint8Array>>();
  const compressed = (encoding: Encoding): Promise<Uint8Array> => {
    const bytes = byEncoding.get(encoding) ?? compress(Buffer.from(text), encoding, 'thorough');
    byEncoding.set(encoding, bytes);
    return bytes;
  };
  const made = { text, etag: entityTag(text), compressed };
  return policy === undefined ? made : { ...made, policy };
}

/** Makes something on the first request, and again when it is older than this. A failed attempt is repeated on the next. */
function makeOnce<T>(make: () => T | Promise<T>, keptMs = Infinity): () => Promise<T> {
  let kept: Promise<T> | undefined;
  let madeAt = 0;
  const attempt = async (): Promise<T> => {
    try {
      return await make();
    } catch (error) {
      kept = undefined;
      throw error;
    }
  };
  return () => {
    if (performance.now() - madeAt > keptMs) kept = undefined;
    if (kept === undefined) madeAt = performance.now();
    return (kept ??= attempt());
  };
}

interface StaticPath {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly mediaType: string;
  readonly cacheControl: string;
  load(): Promise<StaticText>;
}

function staticOperation({ id, path, summary, description, mediaType, cacheControl, load }: StaticPath): OpenOperation {
  const describedHeaders = { ETag: 'The entity tag.', 'Cache-Control': `\`${cacheControl}\`` };
  return {
    id: `reference.${id}`,
    host: 'any',
    method: 'GET',
    path,
    summary,
    description,
    group: 'reference',
    responses: { 200: { description: summary, mediaType: mediaType.replace(/;.*/, ''), headers: describedHeaders } },
    isConditional: true,
    isCompressible: true,
    isAlwaysAnswered: true,
    async handle({ headers }) {
      const { text, etag, policy, compressed } = await load();
      const securityHeaders =
        policy === undefined ? {} : { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' };
      const common = { 'cache-control': cacheControl, ...securityHeaders };
      const known = findTag(headers['if-none-match'] ?? '', etag, 'weak');
      if (known !== undefined) return notModified(known, common);
      return { status: 200, headers: { 'content-type': mediaType, etag, ...common }, text, compressed };
    },
  };
}

const alwaysRevalidated = 'public, no-cache';
const asDocument = { mediaType: 'application/json', cacheControl: alwaysRevalidated };
const asPage = { mediaType: 'text/html; charset=utf-8', cacheControl: alwaysRevalidated };
/** The address of a script contains a hash of its content, so that it can be cached forever. */
const asScript = { mediaType: 'text/javascript; charset=utf-8', cacheControl: 'public, max-age=31536000, immutable' };

async function versionedAddress({ path, load }: StaticPath): Promise<string> {
  return `${path}?v=${(await load()).etag.slice(1, -1)}`;
}

function pagePaths(addresses: Addresses, { isTrial }: { isTrial: boolean }): readonly StaticPath[] {
  const bundle: StaticPath = {
    ...asScript,
    id: 'bundle',
    path: '/docs/reference.js',
    summary: 'Script that renders the page',
    description: 'The viewer, which the page loads by itself. Its address contains its version, so browsers keep it.',
    load: makeOnce(async () => staticText(await loadReferenceBundle())),
  };
  const start: StaticPath = {
    ...asScript,
    id: 'start',
    path: '/docs/start.js',
    summary: 'Script that starts the viewer',
    description:
      'The settings of the viewer, which the page loads by itself: it contacts this service and nobody else.',
    load: makeOnce(() => staticText(startScript(addresses, { isTrial }))),
  };
  const load = makeOnce(async () => {
    const page = referencePage({ bundle: await versionedAddress(bundle), start: await versionedAddress(start) });
    return staticText(page, referencePolicy(addresses));
  });
  const page: StaticPath = {
    ...asPage,
    id: 'page',
    path: '/docs',
    summary: 'This reference as a page',
    description: 'For people: every operation with its purpose, parameters, examples and a way to try it out.',
    load,
  };
  return [page, bundle, start];
}

const errorsPath: StaticPath = {
  ...asPage,
  id: 'errors',
  path: '/docs/errors',
  summary: 'All error codes as a page',
  description: 'What each code means and what to do. The `type` of every problem of v1 leads to its place here.',
  load: makeOnce(() => staticText(errorsPage(), errorsPolicy)),
};

const modelMap: StaticPath = {
  id: 'model',
  path: modelMapPath,
  summary: 'Map of the model as a picture',
  description: 'How the records belong together. A fragment such as `#account` marks one of the boxes.',
  mediaType: 'image/svg+xml',
  cacheControl: alwaysRevalidated,
  load: makeOnce(() => staticText(modelMapSvg(), "default-src 'none'; style-src 'unsafe-inline'")),
};

/** The answers of the demo change while the service runs. All of them take a good part of its request budget. */
const demoMs = 60_000;

/** What the reference takes from the demo while the service is tried out on one machine; nothing if there is no demo. */
export interface ReferenceTrial {
  issueToken(): Promise<IssuedToken | undefined>;
  /** The document about records of the demo, with the answers that it gives now. */
  withAnswers(document: string): Promise<string | undefined>;
}

/** Puts other ids in place of those that examples are declared with. */
export function withIds(document: string, ids: Iterable<readonly [example: string, id: string]>): string {
  let text = document;
  for (const [example, id] of ids) text = text.replaceAll(example, id);
  return text;
}

interface ReferenceParts extends Pick<ServedApi, 'operations' | 'openOperations' | 'webhooks'> {
  readonly trial?: ReferenceTrial | undefined;
}

export function referenceOperations(
  addresses: Addresses,
  { operations, openOperations, webhooks, trial }: ReferenceParts,
): readonly OpenOperation[] {
  /** With the ids that examples are declared with. */
  const describe = (): string => {
    const { version } = manifest;
    const served = {
      addresses,
      operations,
      openOperations: [...openOperations, ...referenceOps],
      version,
      webhooks: webhooks ?? {},
    };
    return JSON.stringify(openApiDocument(served));
  };
  const documentPath = {
    ...asDocument,
    id: 'document',
    path: '/openapi.json',
    summary: 'This reference as an OpenAPI document',
    description:
      'For generators of clients, linters and test tools: OpenAPI 3.1, made from the declarations that the service runs on. Ask again with `If-None-Match` to see whether it has changed.',
    load: makeOnce(() => staticText(withIds(describe(), Object.entries(exampleIds)))),
  };
  const pages = pagePaths(addresses, { isTrial: trial !== undefined });
  const referenceOps = [documentPath, ...pages, errorsPath, modelMap].map(staticOperation);
  if (trial === undefined) return referenceOps;
  const describeDemo = makeOnce(() => trial.withAnswers(describe()), demoMs);
  return [...referenceOps, referenceToken(() => trial.issueToken()), demoDocument(describeDemo)];
}
