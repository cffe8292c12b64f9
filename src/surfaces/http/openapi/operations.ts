// Operations that take a token, as the document describes them.

import type { JsonSchema } from '../../../kit/field.ts';
import type { Addresses } from '../../../actions/house.ts';
import { isConditional, refusalsOf } from '../answers.ts';
import { isIdempotent, type AnswerDescription, type Operation } from '../operation.ts';
import { mediaOf } from './media.ts';
import { parametersOf } from './parameters.ts';
import { headersOf, ownHeaders, type Responses } from './responses.ts';
import type { Schemas } from './schemas.ts';
import { serversFor } from './servers.ts';
import { tagOf } from './tags.ts';

export interface Shared {
  readonly addresses: Addresses;
  readonly schemas: Schemas;
  readonly responses: Responses;
}

export class Operations {
  readonly #shared: Shared;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /** What is read gives a thing its name; what only a write answers gets a longer one. */
  nameThings(operations: readonly Operation[]): void {
    for (const operation of operations) if (operation.method === 'GET') this.#answersOf(operation);
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
      parameters: parametersOf(operation),
      ...this.#bodyOf(operation),
      responses: { ...this.#answersOf(operation), ...this.#shared.responses.refusing(wire, refusalsOf(operation)) },
    };
  }

  #bodyOf(operation: Operation): { requestBody?: JsonSchema } {
    const { body, wire } = operation;
    if (body === undefined) return {};
    const content = { [wire.mediaType]: mediaOf(this.#shared.schemas.putBody(operation, body.schema), body.example) };
    return { requestBody: { required: true, content } };
  }

  #answersOf(operation: Operation): Record<string, JsonSchema> {
    const answers: Record<string, JsonSchema> = {};
    for (const [status, answer] of Object.entries(operation.answers))
      answers[status] = this.#answerOf(operation, answer);
    return isConditional(operation) ? { ...answers, 304: this.#shared.responses.notModified() } : answers;
  }

  #answerOf(operation: Operation, { description, schema, headers = {}, example }: AnswerDescription): JsonSchema {
    const shared = isIdempotent(operation)
      ? headersOf('Idempotent-Replayed')
      : headersOf(...(isConditional(operation) ? (['ETag'] as const) : []));
    const described = { description, headers: { ...shared, ...ownHeaders(headers) } };
    if (schema === undefined) return described;
    const named = this.#shared.schemas.putAnswer(operation, schema);
    return { ...described, content: { [operation.wire.mediaType]: mediaOf(named, example) } };
  }
}
