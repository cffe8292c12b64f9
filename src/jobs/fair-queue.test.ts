// Tests that groups take turns, that a blocked group delays no other, and that an item is queued only once.

import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

interface Item {
  readonly group: string;
  readonly name: string;
}

function queueOf(...items: readonly Item[]): FairQueue<Item> {
  const queue = new FairQueue<Item>({ keyOf: ({ name }) => name, groupOf: ({ group }) => group });
  for (const item of items) queue.put(item);
  return queue;
}

function itemsOf(group: string, ...names: readonly string[]): Item[] {
  return names.map((name) => ({ group, name }));
}

function takeAll(queue: FairQueue<Item>, canServe?: (item: Item) => boolean): string[] {
  const served: string[] = [];
  for (let next = queue.take(canServe); next !== undefined; next = queue.take(canServe)) {
    served.push(`${next.group} ${next.name}`);
  }
  return served;
}

test('a group with very many items delays no other group', () => {
  const queue = queueOf(...itemsOf('large', '1', '2', '3', '4'), ...itemsOf('small', '1'), ...itemsOf('other', '1'));
  expect(takeAll(queue)).toEqual(['large 1', 'small 1', 'other 1', 'large 2', 'large 3', 'large 4']);
});

test('a new group is queued behind the groups that are waiting', () => {
  const queue = queueOf(...itemsOf('a', '1', '2'), ...itemsOf('b', '1', '2'));
  expect(queue.take()).toEqual({ group: 'a', name: '1' });
  queue.put({ group: 'c', name: '1' });
  expect(takeAll(queue)).toEqual(['b 1', 'a 2', 'c 1', 'b 2']);
});

test('a group that may not be served is skipped and keeps its place', () => {
  const queue = queueOf(...itemsOf('a', '1'), ...itemsOf('b', '1'), ...itemsOf('a', '2'));
  expect(takeAll(queue, ({ group }) => group !== 'a')).toEqual(['b 1']);
  expect(takeAll(queue)).toEqual(['a 1', 'a 2']);
});

test('an item is queued only once, and clearing the queue leaves none', () => {
  expect(takeAll(queueOf(...itemsOf('a', '1', '1')))).toEqual(['a 1']);
  const queue = queueOf(...itemsOf('a', '1'), ...itemsOf('b', '1'));
  queue.clear();
  expect(queue.take()).toBeUndefined();
});
