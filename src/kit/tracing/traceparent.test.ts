import { expect, test } from 'vitest';
import { formatTraceparent, parseTraceparent } from './traceparent.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

test.each([
  [`00-${traceId}-${spanId}-01`, true],
  [`00-${traceId}-${spanId}-00`, false],
  [`00-${traceId}-${spanId}-03`, true],
  [`00-${traceId}-${spanId}-10`, false],
  [`00-${traceId}-${spanId}-11`, true],
  [`cc-${traceId}-${spanId}-01-what-comes-later`, true],
  [`cc-${traceId}-${spanId}-01-`.padEnd(512, 'x'), true],
])('%s is well-formed', (header, isSampled) => {
  expect(parseTraceparent(header)).toEqual({ traceId, spanId, isSampled });
});

test.each([
  undefined,
  '',
  'nothing',
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-01-more`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
  `cc-${traceId}-${spanId}-01-`.padEnd(513, 'x'),
  [`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-01`],
])('%s is ignored', (header) => {
  expect(parseTraceparent(header)).toBeUndefined();
});

test('what is written is read', () => {
  const parent = { traceId, spanId, isSampled: true };
  expect(parseTraceparent(formatTraceparent(parent))).toEqual(parent);
});
