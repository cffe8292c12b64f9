// The memory of ledgers never takes more than it may, lets go of what was not used for the longest time, and keeps what is newest.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LedgerMemory } from './ledger-cache.ts';

const entry = (version: number, bytes: number) => ({ version, bytes });

test('what was not used for the longest time is let go of', () => {
  const memory = new LedgerMemory({ bytesMax: 100 });
  for (const key of ['a', 'b', 'c']) memory.put(key, entry(1, 30));
  memory.find('a');
  memory.put('d', entry(1, 40));
  expect(['a', 'b', 'c', 'd'].map((key) => memory.find(key)?.bytes)).toEqual([30, undefined, 30, 40]);
  expect([memory.bytes, memory.size]).toEqual([100, 3]);
});

test('what is larger than everything is not kept, and drives nothing out', () => {
  const memory = new LedgerMemory({ bytesMax: 100 });
  memory.put('a', entry(1, 60));
  memory.put('b', entry(1, 101));
  expect([memory.find('a'), memory.find('b'), memory.bytes]).toEqual([entry(1, 60), undefined, 60]);
});

test('an older version does not take the place of a newer one', () => {
  const memory = new LedgerMemory({ bytesMax: 100 });
  memory.put('a', entry(2, 60));
  memory.put('a', entry(1, 10));
  expect([memory.find('a'), memory.bytes]).toEqual([entry(2, 60), 60]);
  memory.put('a', entry(3, 20));
  expect([memory.find('a'), memory.bytes]).toEqual([entry(3, 20), 20]);
});

test('what is being loaded is found by its version, and kept once it is there', async () => {
  const memory = new LedgerMemory({ bytesMax: 100 });
  const loading = Promise.withResolvers<{ version: number; bytes: number }>();
  memory.load('a', 2, loading.promise);
  expect(memory.findLoading('a', 1)).toBeUndefined();
  expect(memory.findLoading('a', 2)).toBe(loading.promise);
  loading.resolve(entry(2, 10));
  await loading.promise;
  expect([memory.findLoading('a', 2), memory.find('a')]).toEqual([undefined, entry(2, 10)]);
});

test('of what could not be loaded nothing is kept', async () => {
  const memory = new LedgerMemory({ bytesMax: 100 });
  const loading = Promise.reject(new Error('lost'));
  memory.load('a', 2, loading);
  await expect(loading).rejects.toThrow('lost');
  expect([memory.findLoading('a', 2), memory.find('a'), memory.bytes]).toEqual([undefined, undefined, 0]);
});

test('the bytes are the sum of what is kept, whatever comes', () => {
  const puts = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(5), fc.nat(130)));
  fc.assert(
    fc.property(puts, (all) => {
      const memory = new LedgerMemory({ bytesMax: 100 });
      for (const [key, version, bytes] of all) memory.put(key, entry(version, bytes));
      const kept = ['a', 'b', 'c', 'd'].flatMap((key) => memory.find(key) ?? []);
      expect(memory.bytes).toBe(kept.reduce((sum, { bytes }) => sum + bytes, 0));
      expect(memory.bytes).toBeLessThanOrEqual(100);
    }),
  );
});

test('what is part of something in use is let go of as late as that is', () => {
  const memory = new LedgerMemory({ bytesMax: 100 });
  for (const key of ['part', 'other', 'whole']) memory.put(key, entry(1, 30));
  memory.touch(['part', 'none']);
  memory.put('more', entry(1, 40));
  expect(['part', 'other', 'whole', 'more'].map((key) => memory.find(key)?.bytes)).toEqual([30, undefined, 30, 40]);
});
