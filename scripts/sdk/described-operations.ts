// Reads the operations of v1 from the served document, and gives each its place in the client: `v1.client.read` → `clients.get`.

import { assert, defined } from '../../src/kit/assert.ts';
import type { OpenApiDocument } from '../../src/surfaces/http/openapi/openapi-document.ts';
import type { Schema } from './schema-types.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Media {
  readonly schema?: Schema;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

export interface ClientOperation {
  readonly group: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly pathParameters: readonly string[];
  readonly query: readonly Parameter[];
  readonly headers: ReadonlySet<string>;
  /** The rows are the `data` of the schema. */
  readonly body: { readonly kind: 'json' | 'rows'; readonly schema: Schema } | { readonly kind: 'file' } | undefined;
  /** Absent where the answer has no body. */
  readonly answer: Schema | undefined;
  /** The list that the answer is a page of. */
  readonly isPage: boolean;
  /** Other formats of the answer, by the value of `format`. */
  readonly formats: readonly string[];
}

const verbs: Readonly<Record<string, string>> = { read: 'get', change: 'update' };
const uncounted = new Set(['me', 'usage', 'request-log']);
const formatNames: Readonly<Record<string, string>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'text/plain': 'text',
};

function camelCase(words: string): string {
  return words.replaceAll(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function plural(noun: string): string {
  if (uncounted.has(noun) || /[^s]s$/.test(noun)) return noun;
  if (/[^aeou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(ss|ch|x)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** Reports are one group, each named like its path; everything else is grouped by what it is about. */
function placeOf(operationId: string, path: string, isPage: boolean): { group: string; name: string } {
  const [, noun = '', verb = ''] = operationId.split('.');
  if (verb === 'report') return { group: 'reports', name: camelCase(path.slice(path.lastIndexOf('/') + 1)) };
  const name = verb === 'read' && isPage ? 'list' : (verbs[verb] ?? verb);
  return { group: camelCase(plural(noun)), name: camelCase(name) };
}

export function describedOperations(document: OpenApiDocument): readonly ClientOperation[] {
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    path.startsWith('/v1/')
      ? Object.entries(methods).map(([method, described]) =>
          readOperation(document, { path, method, described: described as unknown as Described }),
        )
      : [],
  );
  const names = found.map(({ group, name }) => `${group}.${name}`);
  assert(new Set(names).size === names.length, 'every operation has a method of its own');
  return found;
}

interface Place {
  readonly path: string;
  readonly method: string;
  readonly described: Described;
}

function readOperation(document: OpenApiDocument, { path, method, described }: Place): ClientOperation {
  const { operationId, summary, parameters = [], requestBody, responses } = described;
  const named = parameters.filter((parameter): parameter is Parameter => !('$ref' in parameter));
  const shared = parameters.flatMap((parameter) => ('$ref' in parameter ? [parameter.$ref.replace(/.*\//, '')] : []));
  const good = defined(
    Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1],
    `${operationId} has an answer`,
  );
  const { 'application/json': json, ...others } = good.content ?? {};
  const formats =
    json === undefined ? [] : Object.keys(others).map((type) => defined(formatNames[type], `${type} has a name`));
  const query = named.filter((one) => one.in === 'query' && (formats.length === 0 || one.name !== 'format'));
  const isPage = query.some(({ name }) => name === 'cursor') && isPageSchema(document, json?.schema);
  return {
    ...placeOf(operationId, path, isPage),
    method: method.toUpperCase(),
    path,
    summary,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => defined(name, 'it has matched')),
    query,
    headers: new Set(shared),
    body: readBody(requestBody?.content),
    answer: json?.schema,
    isPage,
    formats,
  };
}

export function resolve(document: OpenApiDocument, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  return defined(document.components['schemas']?.[schema.$ref.replace(/.*\//, '')], `${schema.$ref} exists`) as Schema;
}

function isPageSchema(document: OpenApiDocument, schema: Schema | undefined): boolean {
  const { properties } = schema === undefined ? {} : resolve(document, schema);
  return properties?.['data']?.type === 'array' && 'next_cursor' in properties;
}

function readBody(content: Readonly<Record<string, Media>> | undefined): ClientOperation['body'] {
  if (content === undefined) return undefined;
  if ('multipart/form-data' in content) return { kind: 'file' };
  const schema = defined(content['application/json']?.schema, 'a body is JSON or a file');
  return { kind: 'application/x-ndjson' in content ? 'rows' : 'json', schema };
}
