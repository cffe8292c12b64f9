// What a receiver got is compared with what happened: missing, disordered and repeated events are noticed.

import { expect, test } from 'vitest';
import { compareOrder } from './event-order.ts';

const happened = ['a', 'b', 'c'];
const none = { missing: 0, unknown: 0, disordered: 0, repeated: 0, repeatedFar: 0 };

test.each([
  ['everything in order', 'abc', {}],
  ['one is missing', 'ac', { missing: 1 }],
  ['a later one first', 'acb', { disordered: 1 }],
  ['the last one again', 'abbc', { repeated: 1 }],
  ['what was not recorded again, in order', 'abcabc', { repeated: 3 }],
  ['one that never happened', 'abcx', { unknown: 1 }],
])('%s', (_what, arrived, found) => {
  expect(compareOrder(happened, [...arrived])).toEqual({ ...none, ...found });
});

test.each([
  ['as many as may not be recorded yet', 'abcdefghijklcdefghijkl', { repeated: 10 }],
  ['one more', 'abcdefghijklbcdefghijkl', { repeated: 11, repeatedFar: 1 }],
])('what arrives again: %s', (_what, arrived, found) => {
  expect(compareOrder([...'abcdefghijkl'], [...arrived])).toEqual({ ...none, ...found });
});
