// Describes the operations that need a token.

import type { JsonSchema, WritingStyle } from '../../../kit/field.ts';
import type { Resource } from '../../../kit/resource.ts';
import type { Addresses } from '../../../actions/core/context.ts';
import { isConditional, possibleRefusals } from '../operation/possible-refusals.ts';
import { columnsOf } from '../bulk/csv-rows.ts';
import type { BulkFormat } from '../bulk/bulk-rows.ts';
import {
  isIdempotent,
  type BulkDescription,
  type UploadDescription,
  type Operation,
  type ResponseDescription,
} from '../operation/operation.ts';
import { requestStyle } from '../../../kit/kind.ts';
import { responseExample, mediaContent } from './media.ts';
import { operationText } from './operation-text.ts';
import { operationParameters } from './parameters.ts';
import { entityTagHeader, responseHeaders, ownHeaders, type Responses } from './responses.ts';
import type { Schemas } from './schemas.ts';
import { operationServers } from './servers.ts';
import { tagOf } from './tags.ts';

export interface SharedParts {
  readonly addresses: Addresses;
  readonly schemas: Schemas;
  readonly responses: Responses;
  /** All operations that need a token. */
  readonly operations: readonly Operation[];
}

export class Operations {
  readonly #shared: SharedParts;
  /** By their name in paths. */
  readonly #resources: ReadonlyMap<string, Resource>;

  constructor(shared: SharedParts) {
    this.#shared = shared;
    const served = shared.operations.flatMap(({ resource }) => resource ?? []);
    this.#resources = new Map(served.map((resource) => [resource.plural, resource]));
  }

  /** Names the schemas of reads first, so that records get the short names. */
  nameSchemas(): void {
    for (const operation of this.#shared.operations) if (operation.method === 'GET') this.#describeResponses(operation);
  }

  describe(operation: Operation): JsonSchema {
    const { id, wire, right, summary } = operation;
    return {
      operationId: id,
      tags: [tagOf(operation)],
      summary,
      description: operationText(operation),
      ...operationServers(wire.host, this.#shared.addresses),
      security: [{ accessToken: [] }, { clientCredentials: right === 'any' ? [] : [right] }],
      parameters: operationParameters(operation, this.#resources),
      ...this.#describeBody(operation),
      responses: {
        ...this.#describeResponses(operation),
        ...this.#shared.responses.refusalResponses(wire, possibleRefusals(operation)),
      },
    };
  }

  #describeBody(operation: Operation): { requestBody?: JsonSchema } {
    const { body, bulk, upload, wire } = operation;
    if (upload !== undefined) return { requestBody: describeUpload(upload, wire.style) };
    if (bulk !== undefined) return { requestBody: this.#describeBulk(operation, bulk) };
    if (body === undefined) return {};
    const content = {
      [wire.mediaType]: mediaContent(this.#shared.schemas.putBody(operation, body.schema), body.example),
    };
    return { requestBody: { required: true, content } };
  }

  /** Describes the rows in every format that is accepted. */
  #describeBulk(operation: Operation, { row, example }: BulkDescription): JsonSchema {
    const data = { type: 'array', items: row };
    const whole = { type: 'object', required: ['data'], properties: { data }, additionalProperties: false };
    const columns = columnsOf(row).known.filter((name) => example.some((one) => one[name] !== undefined));
    const lines = [columns, ...example.map((one) => columns.map((name) => one[name] ?? ''))];
    const text = { type: 'string' };
    const content: Record<BulkFormat, JsonSchema> = {
      'application/json': mediaContent(this.#shared.schemas.putBody(operation, whole), { data: example }),
      'application/x-ndjson': mediaContent(text, example.map((one) => `${JSON.stringify(one)}\n`).join('')),
      'text/csv': mediaContent(text, lines.map((line) => `${line.join(',')}\r\n`).join('')),
    };
    return { required: true, content };
  }

  #describeResponses(operation: Operation): Record<string, JsonSchema> {
    const responses: Record<string, JsonSchema> = {};
    for (const [status, response] of Object.entries(operation.responses))
      responses[status] = this.#describeResponse(operation, status, response);
    return isConditional(operation) ? { ...responses, 304: this.#shared.responses.notModified() } : responses;
  }

  #describeResponse(
    operation: Operation,
    status: string,
    { description, schema, headers = {} }: ResponseDescription,
  ): JsonSchema {
    const { wire, alternativeMediaTypes: alsoAs = [] } = operation;
    const shared = isIdempotent(operation)
      ? responseHeaders('Idempotent-Replayed')
      : { ...responseHeaders(), ...(isConditional(operation) ? entityTagHeader(alsoAs) : {}) };
    const described = { description, headers: { ...shared, ...ownHeaders(headers) } };
    if (schema === undefined) return described;
    const named = this.#shared.schemas.putResponse(operation, schema);
    const media = mediaContent(named, responseExample(operation.id, status));
    const texts = Object.fromEntries(alsoAs.map((type) => [type, { schema: { type: 'string' } }]));
    return { ...described, content: { [wire.mediaType]: media, ...texts } };
  }
}

/** Describes the file as any of its media types, and as a part of a form. */
function describeUpload(
  { description, mediaTypes, example, fields }: UploadDescription,
  style: WritingStyle,
): JsonSchema {
  const file = { type: 'string', format: 'binary', description: 'The file.' };
  const others = Object.entries(fields).map(([name, { kind, description: meaning }]) => [
    name,
    { ...kind.schema(requestStyle(style)), description: meaning },
  ]);
  const form = {
    type: 'object',
    required: ['file'],
    properties: { file, ...Object.fromEntries(others) },
    additionalProperties: false,
  };
  const raw = Object.fromEntries(mediaTypes.map((type) => [type, mediaContent({ type: 'string' }, example)]));
  const content = { ...raw, 'multipart/form-data': mediaContent(form, { file: example }) };
  return { description, required: true, content };
}
