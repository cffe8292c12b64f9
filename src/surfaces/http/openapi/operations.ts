// Operations that take a token, as the document describes them.

import type { JsonSchema } from '../../../kit/field.ts';
import type { Resource } from '../../../kit/resource.ts';
import type { Addresses } from '../../../actions/core/context.ts';
import { isConditional, refusalsOf } from '../operation/possible-refusals.ts';
import { columnsOf } from '../bulk/csv-rows.ts';
import type { BulkFormat } from '../bulk/bulk-rows.ts';
import { isIdempotent, type BulkDescription, type Operation } from '../operation/operation.ts';
import { answerExample, mediaOf } from './media.ts';
import { parametersOf } from './parameters.ts';
import { headersOf, ownHeaders, type Responses } from './responses.ts';
import type { Schemas } from './schemas.ts';
import { serversFor } from './servers.ts';
import { tagOf } from './tags.ts';

export interface Shared {
  readonly addresses: Addresses;
  readonly schemas: Schemas;
  readonly responses: Responses;
  /** All that take a token. */
  readonly operations: readonly Operation[];
}

export class Operations {
  readonly #shared: Shared;
  /** By the name they have in paths. */
  readonly #resources: ReadonlyMap<string, Resource>;

  constructor(shared: Shared) {
    this.#shared = shared;
    const served = shared.operations.flatMap(({ resource }) => resource ?? []);
    this.#resources = new Map(served.map((resource) => [resource.plural, resource]));
  }

  /** What is read gives a thing its name; what only a write answers gets a longer one. */
  nameThings(): void {
    for (const operation of this.#shared.operations) if (operation.method === 'GET') this.#answersOf(operation);
  }

  describe(operation: Operation): JsonSchema {
    const { id, wire, right, summary, description } = operation;
    const needed = right === 'any' ? 'Any token will do.' : `Takes the right \`${right}\`.`;
    return {
      operationId: id,
      tags: [tagOf(operation)],
      summary,
      description: description === undefined ? needed : `${description}\n\n${needed}`,
      ...serversFor(wire.host, this.#shared.addresses),
      security: [{ accessToken: right === 'any' ? [] : [right] }],
      parameters: parametersOf(operation, this.#resources),
      ...this.#bodyOf(operation),
      responses: { ...this.#answersOf(operation), ...this.#shared.responses.refusing(wire, refusalsOf(operation)) },
    };
  }

  #bodyOf(operation: Operation): { requestBody?: JsonSchema } {
    const { body, bulk, wire } = operation;
    if (bulk !== undefined) return { requestBody: this.#bulkOf(operation, bulk) };
    if (body === undefined) return {};
    const content = { [wire.mediaType]: mediaOf(this.#shared.schemas.putBody(operation, body.schema), body.example) };
    return { requestBody: { required: true, content } };
  }

  /** The same rows in every format that they may be sent in. */
  #bulkOf(operation: Operation, { row, example }: BulkDescription): JsonSchema {
    const data = { type: 'array', items: row };
    const whole = { type: 'object', required: ['data'], properties: { data }, additionalProperties: false };
    const columns = columnsOf(row).known.filter((name) => example.some((one) => one[name] !== undefined));
    const lines = [columns, ...example.map((one) => columns.map((name) => one[name] ?? ''))];
    const text = { type: 'string' };
    const content: Record<BulkFormat, JsonSchema> = {
      'application/json': mediaOf(this.#shared.schemas.putBody(operation, whole), { data: example }),
      'application/x-ndjson': mediaOf(text, example.map((one) => `${JSON.stringify(one)}\n`).join('')),
      'text/csv': mediaOf(text, lines.map((line) => `${line.join(',')}\r\n`).join('')),
    };
    return { required: true, content };
  }

  #answersOf(operation: Operation): Record<string, JsonSchema> {
    const answers: Record<string, JsonSchema> = {};
    for (const status of Object.keys(operation.answers)) answers[status] = this.#answerOf(operation, status);
    return isConditional(operation) ? { ...answers, 304: this.#shared.responses.notModified() } : answers;
  }

  #answerOf(operation: Operation, status: string): JsonSchema {
    const { description, schema, headers = {} } = operation.answers[Number(status)]!;
    const shared = isIdempotent(operation)
      ? headersOf('Idempotent-Replayed')
      : headersOf(...(isConditional(operation) ? (['ETag'] as const) : []));
    const described = { description, headers: { ...shared, ...ownHeaders(headers) } };
    if (schema === undefined) return described;
    const named = this.#shared.schemas.putAnswer(operation, schema);
    const media = mediaOf(named, answerExample(operation.id, status));
    const { wire, alsoAs = [] } = operation;
    const texts = Object.fromEntries(alsoAs.map((type) => [type, { schema: { type: 'string' } }]));
    return { ...described, content: { [wire.mediaType]: media, ...texts } };
  }
}
