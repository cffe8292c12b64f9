// The contract that a deployment states of itself, in its OpenAPI document: its operations, and whether an answer is as documented.

import type { Answer } from '../api.ts';
import { resolveReference, SchemaValidator, type Json } from './json-schema.ts';

export type Right = 'read' | 'write' | 'admin';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly example: string | undefined;
  readonly schema: Json;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** `v1`, `json-api` or `plain`; others are open to everybody. */
  readonly surface: string;
  readonly needsToken: boolean;
  readonly right: Right | undefined;
  readonly parameters: readonly Parameter[];
  /** The status of its success. */
  readonly success: number;
  readonly statuses: readonly number[];
  /** Of its body. */
  readonly mediaType: string | undefined;
  readonly body: Json;
  /** An example of the file that it takes, instead of JSON. */
  readonly file: string | undefined;
  /** Of its success. */
  readonly answer: Json;
  /** Where it is served, if not at the address of v1. */
  readonly server: string | undefined;
}

const jsonTypes = ['application/json', 'application/vnd.api+json'];

export class Contract {
  readonly operations: readonly Operation[];
  readonly #document: Json;
  readonly #validator: SchemaValidator;
  readonly #byShape = new Map<string, Operation[]>();

  constructor(document: Json) {
    this.#document = document;
    this.#validator = new SchemaValidator(document);
    this.operations = Object.entries<Json>(document.paths ?? {}).flatMap(([path, item]) =>
      Object.entries<Json>(item).map(([method, one]) => this.#describe(method, path, one)),
    );
    for (const operation of this.operations) {
      const shape = shapeOf(operation.method, operation.path);
      this.#byShape.set(shape, [...(this.#byShape.get(shape) ?? []), operation]);
    }
  }

  /** The operation that answers a request. A path with fixed names wins over one with ids. */
  find(method: string, path: string): Operation | undefined {
    const given = (path.split('?')[0] ?? '').split('/');
    const matching = (this.#byShape.get(shapeOf(method, given.join('/'))) ?? []).filter((one) =>
      one.path.split('/').every((part, index) => part.startsWith('{') || part === given[index]),
    );
    return matching.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)[0];
  }

  get(id: string): Operation | undefined {
    return this.operations.find((one) => one.id === id);
  }

  /** How an answer differs from what is documented; empty if it does not, or if the operation is not documented. */
  faults(method: string, path: string, answer: Answer): readonly string[] {
    const operation = this.find(method, path);
    if (operation === undefined) return [];
    const responses = this.#document.paths[operation.path][method.toLowerCase()].responses;
    const response = this.#resolve(responses[answer.status] ?? (answer.status >= 500 ? responses.default : undefined));
    const label = `${method} ${path.split('?')[0]} answered ${answer.status}`;
    if (response === undefined) return [`${label}, which is not documented`];
    const faults = [...this.#ofHeaders(response, answer), ...this.#ofBody(response, answer)];
    return faults.map((fault) => `${label}: ${fault}`);
  }

  #ofHeaders({ headers = {} }: Json, answer: Answer): string[] {
    return Object.entries<Json>(headers).flatMap(([name, stated]) => {
      const { required = false, schema } = this.#resolve(stated);
      const value = answer.headers.get(name);
      if (value === null) return required ? [`the header ${name} is missing`] : [];
      const isNumber = schema?.type === 'integer' || schema?.type === 'number';
      return this.#validator.faults(schema, isNumber ? Number(value) : value, name);
    });
  }

  #ofBody({ content }: Json, { headers, text, body }: Answer): string[] {
    if (text === '') return [];
    const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
    const media = content?.[type];
    if (media === undefined) return [`${type || 'a body'} is not documented`];
    if (body === undefined) return jsonTypes.includes(type) ? ['the body is not JSON'] : [];
    return [...this.#validator.faults(media.schema, body), ...ofCodes(media, body)];
  }

  #resolve(part: Json): Json {
    return part?.$ref === undefined ? part : resolveReference(this.#document, part.$ref);
  }

  #describe(method: string, path: string, one: Json): Operation {
    const statuses = Object.keys(one.responses).map(Number).filter(Number.isInteger);
    const success = Math.max(...statuses.filter((status) => status < 300));
    const content = one.requestBody?.content ?? {};
    const jsonType = jsonTypes.find((type) => content[type] !== undefined);
    const mediaType = jsonType ?? Object.keys(content)[0];
    const scopes: readonly Right[] = (one.security ?? []).flatMap((each: Json) => each.clientCredentials ?? []);
    const [answer] = Object.values<Json>(this.#resolve(one.responses[success])?.content ?? {});
    return {
      id: one.operationId,
      method: method.toUpperCase(),
      path,
      surface: one.operationId.split('.')[0],
      needsToken: (one.security ?? []).length > 0,
      right: scopes[0],
      parameters: (one.parameters ?? []).map((each: Json) => ({ required: false, ...this.#resolve(each) })),
      success,
      statuses,
      mediaType,
      body: jsonType === undefined ? undefined : content[jsonType].example,
      file: jsonType === undefined && mediaType !== undefined ? content[mediaType].example : undefined,
      answer: answer?.example,
      server: one.servers?.[0]?.url,
    };
  }
}

/** Refusals have codes, and each answer lists those that it can have. */
function ofCodes({ examples }: Json, body: Json): string[] {
  const codes: readonly string[] = (body.errors ?? []).map(({ code }: Json) => code).filter(Boolean);
  const main = body.code ?? codes[0];
  if (examples === undefined || main === undefined || Object.hasOwn(examples, main)) return [];
  return [`the code ${main} is not among ${Object.keys(examples).join(', ')}`];
}

const shapeOf = (method: string, path: string): string => `${method} ${path.split('/').length}`;
