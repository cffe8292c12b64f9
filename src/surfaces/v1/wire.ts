// The v1 wire: /v1 as application/json, with problem details, conditional reads and idempotent writes.

import { snakeCaseStrings } from '../../kit/field.ts';
import { snakeCasePointer } from '../snake-case/snake-case-object.ts';
import { isConditional } from '../http/operation/possible-refusals.ts';
import { isIdempotent, type OperationCall, type Wire } from '../http/operation/operation.ts';
import type { Problem } from '../http/operation/problem.ts';
import type { RenderedResponse } from '../http/operation/rendered-response.ts';
import { respondConditionally } from './conditional.ts';
import { answerIdempotently, answerUnread, findStoredAnswer, knowsAnswer } from './idempotency.ts';
import { v1Fields } from './shown-fields.ts';

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'The address of the reference that explains the code.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string' },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      description: 'One for each fault.',
      items: {
        type: 'object',
        required: ['code', 'detail'],
        properties: {
          code: { type: 'string' },
          detail: { type: 'string' },
          pointer: { type: 'string', description: 'A JSON pointer into the body.' },
          parameter: { type: 'string' },
          header: { type: 'string' },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const;

function problemBody({ help, title, status, detail, code, requestId, faults }: Problem): unknown {
  const errors = faults.length === 0 ? {} : { errors: faults };
  return { type: help, title, status, detail, code, request_id: requestId, ...errors };
}

async function around(around: OperationCall): Promise<RenderedResponse> {
  const { operation } = around;
  if (isIdempotent(operation)) return answerIdempotently(around);
  return isConditional(operation) ? respondConditionally(around) : around.proceed();
}

export const v1: Wire = {
  name: 'v1',
  title: 'v1',
  host: 'base',
  mediaType: 'application/json',
  problemMediaType: 'application/problem+json',
  style: snakeCaseStrings,
  shownFields: v1Fields,
  supportsIdempotencyAndETags: true,
  problemSchema,
  problemBody,
  pointer: snakeCasePointer,
  scope: (scope) => scope,
  around,
  findAnswer: findStoredAnswer,
  answerUnread,
  knowsAnswer,
};
