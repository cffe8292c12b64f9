// That groups take turns, that one that may not be served keeps no other waiting, and that nobody waits twice.

import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

type Waiting = readonly (readonly [group: string, name: string])[];

function queueOf(...waiting: Waiting): FairQueue<string, string> {
  const queue = new FairQueue<string, string>((owner) => owner);
  for (const [group, name] of waiting) queue.put(group, name, name);
  return queue;
}

function takeAll(queue: FairQueue<string, string>, canServe?: (owner: string) => boolean): string[] {
  const served: string[] = [];
  for (let next = queue.take(canServe); next !== undefined; next = queue.take(canServe)) {
    served.push(`${next.owner} ${next.item}`);
  }
  return served;
}

test('a group with very many keeps no other waiting', () => {
  const many = ['1', '2', '3', '4'].map((name) => ['large', name] as const);
  const queue = queueOf(...many, ['small', '1'], ['other', '1']);
  expect(takeAll(queue)).toEqual(['large 1', 'small 1', 'other 1', 'large 2', 'large 3', 'large 4']);
});

test('one who comes while others take turns comes after them', () => {
  const queue = queueOf(['a', '1'], ['a', '2'], ['b', '1'], ['b', '2']);
  expect(queue.take()).toEqual({ of: 'a', one: '1' });
  queue.put('c', '1', '1');
  expect(takeAll(queue)).toEqual(['b 1', 'a 2', 'c 1', 'b 2']);
});

test('a group that may not be served is passed by, and keeps its place', () => {
  const queue = queueOf(['a', '1'], ['b', '1'], ['a', '2']);
  expect(takeAll(queue, (owner) => owner !== 'a')).toEqual(['b 1']);
  expect(takeAll(queue)).toEqual(['a 1', 'a 2']);
});

test('nobody waits twice, and nobody is left once all is cleared', () => {
  expect(takeAll(queueOf(['a', '1'], ['a', '1']))).toEqual(['a 1']);
  const queue = queueOf(['a', '1'], ['b', '1']);
  queue.clear();
  expect(queue.take()).toBeUndefined();
});
