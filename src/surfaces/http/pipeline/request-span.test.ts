// The span of a request fails if the service failed, and otherwise names the problem that the caller was told.

import type { FastifyReply } from 'fastify';
import { expect, test } from 'vitest';
import type { Span } from '../../../kit/tracing/span.ts';
import { endRequestSpan } from './request-span.ts';

function callsFor(statusCode: number, problem: string | null): unknown[] {
  const calls: unknown[] = [];
  const span = {
    set: (attributes: object) => calls.push(attributes),
    fail: (code: string) => calls.push(`fails: ${code}`),
    end: () => calls.push('ends'),
  } as unknown as Span;
  endRequestSpan(span, { statusCode } as FastifyReply, problem);
  return calls;
}

test.each<[number, string | null, unknown[]]>([
  [200, null, []],
  [404, 'client-not-found', [{ 'holdfast.problem': 'client-not-found' }]],
  [499, 'gone', [{ 'holdfast.problem': 'gone' }]],
  [500, 'internal-error', ['fails: internal-error']],
  [503, null, ['fails: 503']],
])('%i %s', (status, problem, between) => {
  expect(callsFor(status, problem)).toEqual([{ 'http.response.status_code': status }, ...between, 'ends']);
});
