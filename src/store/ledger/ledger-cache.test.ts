// The ledger cache never exceeds its limit, evicts the least recently used entry first, and keeps the newest version.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LedgerCache } from './ledger-cache.ts';

const entry = (version: number, bytes: number) => ({ version, bytes });

test('evicts the least recently used entry', () => {
  const cache = new LedgerCache({ bytesMax: 100 });
  for (const key of ['a', 'b', 'c']) cache.put(key, entry(1, 30));
  cache.find('a');
  cache.put('d', entry(1, 40));
  expect(['a', 'b', 'c', 'd'].map((key) => cache.find(key)?.bytes)).toEqual([30, undefined, 30, 40]);
  expect([cache.bytes, cache.size]).toEqual([100, 3]);
});

test('an entry larger than the cache is not stored and evicts nothing', () => {
  const cache = new LedgerCache({ bytesMax: 100 });
  cache.put('a', entry(1, 60));
  cache.put('b', entry(1, 101));
  expect([cache.find('a'), cache.find('b'), cache.bytes]).toEqual([entry(1, 60), undefined, 60]);
});

test('an older version does not replace a newer one', () => {
  const cache = new LedgerCache({ bytesMax: 100 });
  cache.put('a', entry(2, 60));
  cache.put('a', entry(1, 10));
  expect([cache.find('a'), cache.bytes]).toEqual([entry(2, 60), 60]);
  cache.put('a', entry(3, 20));
  expect([cache.find('a'), cache.bytes]).toEqual([entry(3, 20), 20]);
});

test('a load in progress is found by its version, and stored once it is done', async () => {
  const cache = new LedgerCache({ bytesMax: 100 });
  const loading = Promise.withResolvers<{ version: number; bytes: number }>();
  cache.load('a', 2, loading.promise);
  expect(cache.findLoading('a', 1)).toBeUndefined();
  expect(cache.findLoading('a', 2)).toBe(loading.promise);
  loading.resolve(entry(2, 10));
  await loading.promise;
  expect([cache.findLoading('a', 2), cache.find('a')]).toEqual([undefined, entry(2, 10)]);
});

test('a failed load stores nothing', async () => {
  const cache = new LedgerCache({ bytesMax: 100 });
  const loading = Promise.reject(new Error('lost'));
  cache.load('a', 2, loading);
  await expect(loading).rejects.toThrow('lost');
  expect([cache.findLoading('a', 2), cache.find('a'), cache.bytes]).toEqual([undefined, undefined, 0]);
});

test('the size is the sum of the entries, and an empty entry counts as one byte', () => {
  const puts = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(5), fc.nat(130)));
  fc.assert(
    fc.property(puts, (all) => {
      const cache = new LedgerCache({ bytesMax: 100 });
      for (const [key, version, bytes] of all) cache.put(key, entry(version, bytes));
      const cachedKeys = ['a', 'b', 'c', 'd'].flatMap((key) => cache.find(key) ?? []);
      expect(cache.bytes).toBe(cachedKeys.reduce((sum, { bytes }) => sum + Math.max(1, bytes), 0));
      expect(cache.bytes).toBeLessThanOrEqual(100);
    }),
  );
});

test('entries touched as parts of something in use are evicted no sooner than it', () => {
  const cache = new LedgerCache({ bytesMax: 100 });
  for (const key of ['part', 'other', 'whole']) cache.put(key, entry(1, 30));
  cache.touch(['part', 'none']);
  cache.put('more', entry(1, 40));
  expect(['part', 'other', 'whole', 'more'].map((key) => cache.find(key)?.bytes)).toEqual([30, undefined, 30, 40]);
});
