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

test('a failure is reported once all tasks have ended', async () => {
  const second = Promise.withResolvers<void>();
  const order: string[] = [];
  const all = allInOrder([Promise.reject(new Error('first')), second.promise.then(() => order.push('second'))]);
  const reported = all.catch(({ message }: Error) => order.push(message));
  await new Promise((resolve) => setImmediate(resolve));
  second.resolve();
  await reported;
  expect(order).toEqual(['second', 'first']);
});
