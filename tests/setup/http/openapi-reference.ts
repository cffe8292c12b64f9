// Reads the served OpenAPI document for tests: lists its operations and validates answers against it.

import { createRequire } from 'node:module';
import type { Caller, Reply } from './caller.ts';

const require = createRequire(import.meta.url);
const { Ajv2020 } = require('ajv/dist/2020.js') as { Ajv2020: new (options: object) => any };
const addFormats = require('ajv-formats') as (ajv: unknown) => void;

type Json = any;

export interface DocumentedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly needsToken: boolean;
  /** The documented statuses, without `default`. */
  readonly statuses: readonly number[];
  /** An example body by media type. */
  readonly bodies: Readonly<Record<string, Json>>;
}

export class OpenApiReference {
  readonly document: Json;
  readonly operations: readonly DocumentedOperation[];
  readonly #ajv: any;
  /** By method and number of parts of the path; those with fewer parameters come first. */
  readonly #candidates: ReadonlyMap<string, readonly DocumentedOperation[]>;
  /** By the schema, and by its text: most answers refer to the same few. */
  readonly #validators = new Map<unknown, any>();
  readonly #seen = new Map<string, Set<number>>();

  constructor(document: Json) {
    this.document = document;
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
    addFormats(this.#ajv);
    this.#ajv.addFormat('decimal', /^-?\d+(\.\d+)?$/);
    this.#ajv.addSchema(document, 'openapi');
    this.operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
      Object.entries<Json>(item).map(([method, operation]) => describeOperation(method, path, operation)),
    );
    const parameterCount = ({ path }: DocumentedOperation): number => path.split('{').length;
    this.#candidates = Map.groupBy(
      this.operations.toSorted((a, b) => parameterCount(a) - parameterCount(b)),
      ({ method, path }) => `${method} ${path.split('/').length}`,
    );
  }

  static async create(caller: Caller): Promise<OpenApiReference> {
    return new OpenApiReference((await caller.get('/openapi.json')).body);
  }

  find(method: string, address: string): DocumentedOperation | undefined {
    const given = address.split('?')[0]!.split('/');
    const wanted = method === 'HEAD' ? 'GET' : method;
    return this.#candidates.get(`${wanted} ${given.length}`)?.find(({ path }) => matches(path, given));
  }

  /** Lists how an answer violates the document; empty if it conforms. */
  findViolations(method: string, address: string, reply: Reply): string[] {
    const operation = this.find(method, address);
    if (operation === undefined) return [];
    this.#recordSeen(operation.id, reply.status);
    const item = this.document.paths[operation.path][operation.method.toLowerCase()];
    const response = this.#resolve(
      item.responses[reply.status] ?? (reply.status === 500 ? item.responses['default'] : undefined),
    );
    const label = `${method} ${address} ${reply.status}`;
    if (response === undefined) return [`${label} is not documented`];
    if (reply.text === '' || method === 'HEAD') return [];
    const type = (reply.headers.get('content-type') ?? '').split(';')[0]!;
    const media = response.content?.[type];
    if (media === undefined) return [`${label} is documented, but not as ${type}`];
    if (media.schema === undefined || reply.body === undefined) return [];
    return this.#validate(media.schema, reply.body).map((fault) => `${label}: ${fault}`);
  }

  #validate(schema: Json, body: Json): string[] {
    const validate = this.#validators.get(schema) ?? this.#makeValidator(schema);
    return validate(body) ? [] : validate.errors.map((error: Json) => `${error.instancePath} ${error.message}`);
  }

  #makeValidator(schema: Json): any {
    const text = JSON.stringify(schema);
    const validate = this.#validators.get(text) ?? this.#ajv.compile(absoluteRefs(schema));
    this.#validators.set(text, validate).set(schema, validate);
    return validate;
  }

  #resolve(part: Json): Json {
    if (part?.$ref === undefined) return part;
    return part.$ref
      .slice(2)
      .split('/')
      .reduce((node: Json, name: string) => node[name.replaceAll('~1', '/').replaceAll('~0', '~')], this.document);
  }

  #recordSeen(id: string, status: number): void {
    this.#seen.set(id, (this.#seen.get(id) ?? new Set()).add(status));
  }

  /** Documented answers that no request has received so far. */
  unseenResponses(): string[] {
    return this.operations.flatMap(({ id, statuses }) =>
      statuses.filter((status) => !this.#seen.get(id)?.has(status)).map((status) => `${id} ${status}`),
    );
  }
}

function describeOperation(method: string, path: string, operation: Json): DocumentedOperation {
  const content = Object.entries<Json>(operation.requestBody?.content ?? {});
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    needsToken: (operation.security ?? []).length > 0,
    statuses: Object.keys(operation.responses)
      .filter((status) => status !== 'default')
      .map(Number),
    bodies: Object.fromEntries(content.map(([type, { example }]) => [type, example])),
  };
}

/** The parts of the documented paths. */
const partsOf = new Map<string, readonly string[]>();

function matches(pattern: string, given: readonly string[]): boolean {
  const parts = partsOf.get(pattern) ?? pattern.split('/');
  partsOf.set(pattern, parts);
  return parts.every((part, index) => part.startsWith('{') || part === given[index]);
}

/** Makes references inside a schema point into the whole document, which has the id `openapi`. */
export function absoluteRefs(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(absoluteRefs);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' ? `openapi${value as string}` : absoluteRefs(value),
    ]),
  );
}
