// Describes responses: their headers, and the refusals by status with the body of their wire.

import type { JsonSchema } from '../../../kit/field.ts';
import { refusals, type RefusalCode } from '../../../model/refusals/refusals.ts';
import { groupByStatus, faultCodes, commonRefusals } from '../operation/possible-refusals.ts';
import { pascalCase, type Schemas } from './schemas.ts';
import type { Problem } from '../operation/problem.ts';
import type { Wire } from '../operation/operation.ts';

const text: JsonSchema = { type: 'string' };

/** Headers of several responses. */
export const sharedHeaders = {
  'X-Request-Id': {
    description: 'The id of the request: yours if you sent one, otherwise generated.',
    required: true,
    schema: text,
  },
  RateLimit: {
    description: 'How many requests are left (`r`), and after how many seconds the budget is full again (`t`).',
    required: true,
    schema: text,
    example: '"burst";r=299;t=1',
  },
  'RateLimit-Policy': {
    description: 'The request budget: a bucket of `q` requests that refills evenly within `w` seconds.',
    required: true,
    schema: text,
  },
  'WWW-Authenticate': { required: true, schema: { const: 'Bearer error="invalid_token"' } },
  'Retry-After': { description: 'How many seconds to wait.', required: true, schema: { type: 'integer', minimum: 0 } },
  ETag: { description: 'The entity tag: equal for equal bodies.', required: true, schema: text },
  'Idempotent-Replayed': {
    description: 'Present when this is the answer to an earlier request with the same `Idempotency-Key`.',
    schema: { const: 'true' },
  },
} as const satisfies Record<string, JsonSchema>;

type SharedHeader = keyof typeof sharedHeaders;

/** The headers of every response, and the named ones. */
export function responseHeaders(...names: readonly SharedHeader[]): JsonSchema {
  const all: SharedHeader[] = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The entity tag of a read. What is sent while it is read, in another format than JSON, has none. */
export function entityTagHeader(otherFormats: readonly string[]): JsonSchema {
  if (otherFormats.length === 0) return { ETag: { $ref: '#/components/headers/ETag' } };
  const description = `${sharedHeaders.ETag.description} Answers as ${otherFormats.join(' and ')} have none.`;
  return { ETag: { description, schema: text } };
}

/** The headers that a response declares itself. */
export function ownHeaders(headers: Readonly<Record<string, string>>): JsonSchema {
  const described = Object.entries(headers).map(([name, description]) => [
    name,
    { description, required: true, schema: text },
  ]);
  return Object.fromEntries(described);
}

const headersByStatus: Readonly<Record<number, readonly SharedHeader[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Collects the refusals of operations as shared responses. */
export class Responses {
  readonly #schemas: Schemas;
  readonly #baseUrl: string;
  readonly #responses = new Map<string, JsonSchema>();
  readonly #examples = new Map<string, JsonSchema>();

  constructor(schemas: Schemas, baseUrl: string) {
    this.#schemas = schemas;
    this.#baseUrl = baseUrl;
  }

  /** References to responses by status; `default` is for a defect. */
  refusalResponses(wire: Wire, codes: readonly RefusalCode[]): Record<string, JsonSchema> {
    const responses: Record<string, JsonSchema> = {};
    for (const [status, some] of groupByStatus(codes)) responses[status] = this.#put(wire, String(status), some);
    return { ...responses, default: this.#put(wire, 'default', ['internal']) };
  }

  problemContent(wire: Wire, codes: readonly RefusalCode[]): JsonSchema {
    const schema = this.#schemas.put(wire.problemSchema, [`${pascalCase(wire.name)}Problem`]);
    const examples = Object.fromEntries(codes.map((code) => [code, this.#putExample(wire, code)]));
    return { [wire.problemMediaType]: { schema, examples } };
  }

  #put(wire: Wire, status: string, codes: readonly RefusalCode[]): JsonSchema {
    const name = [wire.name, status, ...distinction(status, codes)].join('.');
    if (!this.#responses.has(name)) {
      const headers = responseHeaders(...(headersByStatus[Number(status)] ?? []));
      this.#responses.set(name, {
        description: describeCodes(codes),
        headers,
        content: this.problemContent(wire, codes),
      });
    }
    return { $ref: `#/components/responses/${name}` };
  }

  #putExample(wire: Wire, code: RefusalCode): JsonSchema {
    const name = `${wire.name}.${code}`;
    if (!this.#examples.has(name)) {
      this.#examples.set(name, { summary: refusals[code].title, value: wire.problemBody(this.#sample(wire, code)) });
    }
    return { $ref: `#/components/examples/${name}` };
  }

  /** A sample problem. A fault is shown as part of an invalid document. */
  #sample(wire: Wire, code: RefusalCode): Problem {
    const isFault = faultCodes.includes(code);
    const shownCode = isFault ? 'invalid-document' : code;
    const { status, title } = refusals[shownCode];
    const detail = `${refusals[code].title}.`;
    const help = `${this.#baseUrl}/docs/errors#${shownCode}`;
    const faults = isFault ? [{ code, detail, pointer: wire.pointer(undefined, 'name') }] : [];
    return { status, code: shownCode, title, detail, faults, requestId: '019a3c5e7b1f4d2a8c6e9b03', headers: {}, help };
  }

  /** The response to a conditional read when nothing has changed. */
  notModified(): JsonSchema {
    this.#responses.set('NotModified', {
      description: 'Nothing has changed since the answer with this entity tag.',
      headers: responseHeaders('ETag'),
    });
    return { $ref: '#/components/responses/NotModified' };
  }

  all(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(this.#responses);
  }

  allExamples(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(this.#examples);
  }
}

/** The codes that distinguish a response from the common one with this status. */
function distinction(status: string, codes: readonly RefusalCode[]): readonly string[] {
  if (status === 'default') return [];
  const usualCodes = commonRefusals.filter((code) => String(refusals[code].status) === status);
  const isWhole = usualCodes.every((code) => codes.includes(code));
  return isWhole ? codes.filter((code) => !usualCodes.includes(code)) : ['only', ...codes];
}

/** Lists the codes, then each with its meaning and a link to the page of errors. */
export function describeCodes(codes: readonly RefusalCode[]): string {
  const lines = codes.map((code) => `[\`${code}\`](/docs/errors#${code}): ${refusals[code].meaning}`);
  if (lines.length === 1) return lines.join('');
  return `${codes.map((code) => `\`${code}\``).join(', ')}\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}
