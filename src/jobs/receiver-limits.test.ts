// How much runs at a time for one receiver, one tenant, and all receivers that fail.

import { expect, test } from 'vitest';
import type { Id } from '../kit/id.ts';
import type { Tenant } from '../model/access/scope.ts';
import { ReceiverLimits } from './receiver-limits.ts';

interface Item {
  readonly tenant: Tenant;
  readonly receiver: string;
}

function itemFor(receiver: string, workspace = receiver): Item {
  return { tenant: { workspaceId: workspace as Id, environment: 'production' }, receiver };
}

function limitsOf(concurrency: number, perReceiverMax: number): ReceiverLimits<Item> {
  return new ReceiverLimits({ concurrency, perReceiverMax, keyOf: ({ receiver }) => receiver });
}

/** How many of these begin, one after the other, and nothing ends. */
function begun(limits: ReceiverLimits<Item>, items: readonly Item[]): number {
  const fitting = items.filter((item) => {
    const isServed = limits.canServe(item);
    if (isServed) limits.occupy(item);
    return isServed;
  });
  return fitting.length;
}

test('a receiver that answers gets so many at a time, and one more when one has ended', () => {
  const limits = limitsOf(20, 3);
  const end = limits.occupy(itemFor('a'));
  expect(begun(limits, Array(5).fill(itemFor('a')))).toBe(2);
  end();
  expect(begun(limits, Array(5).fill(itemFor('a')))).toBe(1);
  expect(begun(limits, [itemFor('b')])).toBe(1);
});

test('a receiver that fails gets one at a time until it answers', () => {
  const limits = limitsOf(20, 3);
  limits.noteFailure(itemFor('a'));
  expect(begun(limits, Array(5).fill(itemFor('a')))).toBe(1);
  expect(begun(limits, Array(5).fill(itemFor('b')))).toBe(3);
  limits.noteSuccess(itemFor('a'));
  expect(begun(limits, Array(5).fill(itemFor('a')))).toBe(2);
});

test('a tenant gets half of all, whatever its receivers; the same workspace in its sandbox is another', () => {
  const limits = limitsOf(6, 3);
  const receivers = Array.from({ length: 6 }, (_none, index) => itemFor(`${index}`, 'one workspace'));
  expect(begun(limits, receivers)).toBe(3);
  const inSandbox = receivers.map(({ tenant, receiver }): Item => {
    return { tenant: { ...tenant, environment: 'sandbox' }, receiver: `sandbox ${receiver}` };
  });
  expect(begun(limits, inSandbox)).toBe(3);
});

test('all receivers that fail get half together, and what begins when one has ended counts again', () => {
  const limits = limitsOf(4, 3);
  const failing = ['a', 'b', 'c'].map((name) => itemFor(name));
  for (const item of failing) limits.noteFailure(item);
  const end = limits.occupy(itemFor('a'));
  expect(begun(limits, failing)).toBe(1);
  expect(begun(limits, [itemFor('d')])).toBe(1);
  end();
  expect(begun(limits, failing)).toBe(1);
});

test('with room for one, one runs', () => {
  expect(begun(limitsOf(1, 1), [itemFor('a'), itemFor('a')])).toBe(1);
  expect(begun(limitsOf(1, 2), [itemFor('a', 'one workspace'), itemFor('b', 'one workspace')])).toBe(1);
});
