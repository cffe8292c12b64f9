import { expect, test } from 'vitest';
import { allInOrder } from './all-in-order.ts';

test('results come in the order of the tasks', async () => {
  const late = Promise.withResolvers<string>();
  const all = allInOrder([late.promise, Promise.resolve(2), 'three']);
  late.resolve('one');
  expect(await all).toEqual(['one', 2, 'three']);
});

test('of several tasks that fail, the first in the list is reported, whichever fails first', async () => {
  const [first, second] = [Promise.withResolvers<never>(), Promise.withResolvers<never>()];
  const all = allInOrder([Promise.resolve(1), first.promise, second.promise]);
  second.reject(new Error('second'));
  await expect(second.promise).rejects.toThrow('second');
  first.reject(new Error('first'));
  await expect(all).rejects.toThrow('first');
});
