// What one refusal says of the faults of a request.

import { expect, test } from 'vitest';
import { faultsListedMax, isCut, Refusal, refusalForFaults, type Fault } from './refusal.ts';

const faults = (count: number): Fault[] =>
  Array.from({ length: count }, (_, index) => ({ code: 'invalid-attribute', detail: `Fault ${index}.` }));

test('one fault is said as it is, and several are counted', () => {
  const details = [1, 2, 100].map((count) => refusalForFaults('invalid-document', faults(count)).message);
  expect(details).toEqual(['Fault 0.', 'The request has 2 faults.', 'The request has 100 faults.']);
});

test('more than a hundred are cut, and so are those that were not all looked for', () => {
  const cut = refusalForFaults('invalid-document', faults(101));
  expect([cut.message, cut.faults.length, isCut(cut)]).toEqual([
    'The request has more than 100 faults; the first 100 are listed.',
    faultsListedMax,
    true,
  ]);
  expect(isCut(refusalForFaults('invalid-document', faults(100)))).toBe(false);
  const some = refusalForFaults('invalid-document', faults(3), 'and-more');
  expect([some.message, isCut(some)]).toEqual(['The request has more than 3 faults; the first 3 are listed.', true]);
});

test('a refusal without faults has an empty list of them, and says when to come again only where that is known', () => {
  const refusal = new Refusal('not-found', 'There is none.');
  expect([refusal.faults, refusal.retryAfterSeconds]).toEqual([[], undefined]);
  expect(new Refusal('too-many-requests', 'Wait.', { retryAfterSeconds: 7 }).retryAfterSeconds).toBe(7);
});
