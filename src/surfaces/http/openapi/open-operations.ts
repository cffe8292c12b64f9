// Operations without a token, as the document describes them: their own answers, and what the server refuses for them.

import type { JsonSchema } from '../../../kit/field.ts';
import type { RefusalCode } from '../../../model/refusals/refusals.ts';
import { byStatus, openRefusalsOf } from '../operation/possible-refusals.ts';
import type { OpenOperation } from '../operation/open-operation.ts';
import type { Operation } from '../operation/operation.ts';
import type { Wire } from '../operation/wire.ts';
import { answerExample, mediaOf } from './media.ts';
import type { Shared } from './operations.ts';
import { describeCodes, headersOf, ownHeaders } from './responses.ts';
import { pascalCase } from './schemas.ts';
import { serversFor } from './servers.ts';
import { openTagOf } from './tags.ts';

export class OpenOperations {
  readonly #shared: Shared;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  describe(operation: OpenOperation): JsonSchema {
    const { id, host, summary, description } = operation;
    return {
      operationId: id,
      tags: [openTagOf(operation)],
      summary,
      ...(description === undefined ? {} : { description }),
      ...serversFor(host, this.#shared.addresses),
      security: [],
      ...this.#bodyOf(operation),
      responses: this.#answersOf(operation),
    };
  }

  #bodyOf({ id, bodies }: OpenOperation): { requestBody?: JsonSchema } {
    if (bodies === undefined) return {};
    const content = Object.entries(bodies).map(([mediaType, { schema, example }]) => {
      const names = [pascalCase(`${id} body`), pascalCase(`${id} ${mediaType.split('/')[1]} body`)];
      return [mediaType, mediaOf(this.#shared.schemas.put(schema, names), example)];
    });
    return { requestBody: { required: true, content: Object.fromEntries(content) } };
  }

  #answersOf(operation: OpenOperation): JsonSchema {
    const wire = problemWireOf(operation, this.#shared.operations);
    const codes = openRefusalsOf(operation);
    const answers: Record<string, JsonSchema> = this.#shared.responses.refusing(wire, codes);
    const refused = byStatus(codes);
    for (const status of Object.keys(operation.answers)) {
      const alike = refused.get(Number(status)) ?? [];
      answers[status] = this.#answerOf(operation, status, { wire, codes: alike });
    }
    return answers;
  }

  /** An answer of its own, beside which the server may give refusals with the same status. */
  #answerOf(
    { id, answers }: OpenOperation,
    status: string,
    { wire, codes }: { wire: Wire; codes: readonly RefusalCode[] },
  ): JsonSchema {
    const { description, schema, mediaType = 'application/json', headers = {} } = answers[Number(status)]!;
    const named = schema && this.#shared.schemas.put(schema, [pascalCase(`${id} ${status}`)]);
    const own = { [mediaType]: mediaOf(named, answerExample(id, status)) };
    const described = { headers: { ...headersOf(), ...ownHeaders(headers) } };
    if (codes.length === 0) return { description, ...described, content: own };
    const content = { ...own, ...this.#shared.responses.problemContent(wire, codes) };
    return { description: `${description}\n\n${describeCodes(codes)}`, ...described, content };
  }
}

/** The wire whose problems a path without a token gives: that of its neighbours, else the one of the active track. */
function problemWireOf({ path }: OpenOperation, operations: readonly Operation[]): Wire {
  const [, track] = path.split('/');
  const beside = operations.find((operation) => operation.path.startsWith(`/${track}/`));
  const active = operations.find(({ wire }) => wire.keepsAnswers);
  const found = beside ?? active ?? operations[0];
  if (found === undefined) throw new Error('Without an operation there is no wire to refuse on.');
  return found.wire;
}
