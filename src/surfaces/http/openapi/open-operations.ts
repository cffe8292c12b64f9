// Describes the operations that need no token: their own answers, and the refusals of the server.

import { defined } from '../../../kit/assert.ts';
import type { JsonSchema } from '../../../kit/field.ts';
import type { RefusalCode } from '../../../model/refusals/refusals.ts';
import { groupByStatus, possibleOpenRefusals } from '../operation/possible-refusals.ts';
import type { OpenOperation } from '../operation/open-operation.ts';
import type { Operation, Wire } from '../operation/operation.ts';
import { responseExample, mediaContent } from './media.ts';
import { openOperationText } from './operation-text.ts';
import type { SharedParts } from './operations.ts';
import { describeCodes, responseHeaders, ownHeaders } from './responses.ts';
import { pascalCase } from './schemas.ts';
import { operationServers } from './servers.ts';
import { openTagOf } from './tags.ts';

export class OpenOperations {
  readonly #shared: SharedParts;

  constructor(shared: SharedParts) {
    this.#shared = shared;
  }

  describe(operation: OpenOperation): JsonSchema {
    const { id, host, summary } = operation;
    return {
      operationId: id,
      tags: [openTagOf(operation)],
      summary,
      description: openOperationText(operation),
      ...operationServers(host, this.#shared.addresses),
      security: [],
      ...(operation.isConditional ? { parameters: [{ $ref: '#/components/parameters/If-None-Match' }] } : {}),
      ...this.#describeBody(operation),
      responses: this.#describeResponses(operation),
    };
  }

  #describeBody({ id, bodies }: OpenOperation): { requestBody?: JsonSchema } {
    if (bodies === undefined) return {};
    const content = Object.entries(bodies).map(([mediaType, { schema, example }]) => {
      const names = [pascalCase(`${id} body`), pascalCase(`${id} ${mediaType.split('/')[1]} body`)];
      return [mediaType, mediaContent(this.#shared.schemas.put(schema, names), example)];
    });
    return { requestBody: { required: true, content: Object.fromEntries(content) } };
  }

  #describeResponses(operation: OpenOperation): JsonSchema {
    const wire = problemWire(operation, this.#shared.operations);
    const codes = possibleOpenRefusals(operation);
    const responses: Record<string, JsonSchema> = this.#shared.responses.refusalResponses(wire, codes);
    const refused = groupByStatus(codes);
    for (const status of Object.keys(operation.responses)) {
      const sameStatusCodes = refused.get(Number(status)) ?? [];
      responses[status] = this.#describeResponse(operation, status, { wire, codes: sameStatusCodes });
    }
    return operation.isConditional ? { ...responses, 304: this.#shared.responses.notModified() } : responses;
  }

  /** Describes a declared answer together with the refusals that have the same status. */
  #describeResponse(
    { id, responses }: OpenOperation,
    status: string,
    { wire, codes }: { wire: Wire; codes: readonly RefusalCode[] },
  ): JsonSchema {
    const response = defined(responses[Number(status)], 'the status is one of the declared answers');
    const { description, schema, mediaType = 'application/json', headers = {} } = response;
    const named = schema && this.#shared.schemas.put(schema, [pascalCase(`${id} ${status}`)]);
    const ownContent = { [mediaType]: mediaContent(named, responseExample(id, status)) };
    const describedHeaders = { headers: { ...responseHeaders(), ...ownHeaders(headers) } };
    if (codes.length === 0) return { description, ...describedHeaders, content: ownContent };
    const content = { ...ownContent, ...this.#shared.responses.problemContent(wire, codes) };
    return { description: `${description}\n\n${describeCodes(codes)}`, ...describedHeaders, content };
  }
}

/** The wire that formats the problems of a path without a token: that of the neighbouring paths, or else the active one. */
function problemWire({ path }: OpenOperation, operations: readonly Operation[]): Wire {
  const [, track] = path.split('/');
  const neighbour = operations.find((operation) => operation.path.startsWith(`/${track}/`));
  const active = operations.find(({ wire }) => wire.supportsIdempotencyAndETags);
  const found = neighbour ?? active ?? operations[0];
  if (found === undefined) throw new Error('There is no operation whose wire could format a problem.');
  return found.wire;
}
