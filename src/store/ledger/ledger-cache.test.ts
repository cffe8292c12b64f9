// The ledger cache never exceeds its limit, keeps what is used most also where more is read in turn than fits, and keeps the newest version.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LedgerCache } from './ledger-cache.ts';

const entry = (version: number, bytes: number) => ({ version, bytes });

test('what is used more often displaces the least recently used, and what is used as often does not', () => {
  const cache = new LedgerCache({ bytesMax: 100 });
  for (const key of ['a', 'b', 'c']) cache.put(key, entry(1, 30));
  cache.find('a');
  // The newest is always cached, so the one before it gives way.
  cache.put('d', entry(1, 30));
  expect(['a', 'b', 'c', 'd'].map((key) => cache.find(key)?.bytes)).toEqual([30, 30, undefined, 30]);
  for (let times = 0; times < 3; times++) cache.find('d');
  cache.put('e', entry(1, 30));
  expect(['a', 'b', 'd', 'e'].map((key) => cache.find(key)?.bytes)).toEqual([undefined, 30, 30, 30]);
  expect([cache.bytes, cache.size]).toEqual([90, 3]);
});

test.each([
  [11, 10],
  [20, 10],
  [60, 50],
  [500, 400],
])('of %i that are read in turn where %i fit, most of those that fit stay cached', (count, fit) => {
  const cache = new LedgerCache({ bytesMax: 1_000 * fit });
  const keys = Array.from({ length: count }, (_, number) => `client ${number}`);
  let hits = 0;
  const readAll = (): void => {
    for (const key of keys) {
      if (cache.find(key) === undefined) cache.put(key, entry(1, 1_000));
      else hits++;
    }
  };
  readAll();
  hits = 0;
  for (let round = 0; round < 10; round++) readAll();
  expect(hits / (10 * count)).toBeGreaterThan((0.75 * fit) / count);
});

test('what is read often comes back into a cache that is full of what was read before', () => {
  const cache = new LedgerCache({ bytesMax: 1_000 });
  const read = (key: string): boolean => {
    const isHit = cache.find(key) !== undefined;
    if (!isHit) cache.put(key, entry(1, 100));
    return isHit;
  };
  const reads = (name: string): boolean[] => Array.from({ length: 8 }, (_, number) => read(`${name} ${number}`));
  for (let times = 0; times < 20; times++) reads('before');
  for (let times = 0; times < 60; times++) reads('now');
  expect(reads('now')).not.toContain(false);
});

function readOften(cache: LedgerCache, key: string, count: number): void {
  for (let times = 0; times < count; times++) if (cache.find(key) === undefined) cache.put(key, entry(1, 20));
}

test('what belongs to a client is dropped together, and what it uses stays as long as it does', () => {
  const cache = new LedgerCache({ bytesMax: 100 });
  cache.put('price', entry(1, 20));
  cache.put('account', entry(1, 20), { group: 'client' });
  cache.put('client', entry(1, 20), { group: 'client', uses: ['price', 'none'] });
  for (const key of ['b', 'c']) cache.put(key, entry(1, 20));
  // Of all that is cached, the price was used longest ago.
  cache.find('account');
  for (const key of ['d', 'e']) readOften(cache, key, 4);
  expect(['price', 'account', 'client'].map((key) => cache.find(key) !== undefined)).toEqual([true, true, true]);
  for (const key of ['f', 'g', 'h', 'i', 'j']) readOften(cache, key, 20);
  const isThere = ['price', 'account', 'client'].map((key) => cache.find(key) !== undefined);
  expect([isThere, cache.bytes]).toEqual([[false, false, false], 100]);
});

test('what is added to a client that is cached already belongs to it, however long that has been', () => {
  const cache = new LedgerCache({ bytesMax: 100 });
  const kept = (): string[] => ['account', 'b', 'client'].filter((key) => cache.find(key) !== undefined);
  cache.put('account', entry(1, 20), { group: 'client' });
  cache.put('b', entry(1, 20));
  cache.put('client', entry(1, 20), { group: 'client' });
  expect([kept(), cache.bytes, cache.size]).toEqual([['account', 'b', 'client'], 60, 3]);
  for (const key of ['c', 'd', 'e', 'f', 'g']) readOften(cache, key, 20);
  expect([kept(), cache.bytes, cache.size]).toEqual([[], 100, 5]);
});

test('an entry larger than the cache is not stored and evicts nothing, also in a group', () => {
  const cache = new LedgerCache({ bytesMax: 100 });
  cache.put('a', entry(1, 60), { group: 'client' });
  cache.put('b', entry(1, 101));
  cache.put('c', entry(1, 41), { group: 'client' });
  expect(['a', 'b', 'c'].map((key) => cache.find(key))).toEqual([entry(1, 60), undefined, undefined]);
  expect(cache.bytes).toBe(60);
});

test.each<[sizes: number[], bytes: number]>([
  [[100], 100],
  [[101], 0],
  [[60, 40], 100],
  [[60, 41], 60],
  [[59.5, 39.5], 100],
  [[60, 40.5], 60],
])('entries of a client with %j bytes take %i of 100: parts of a byte count as whole ones', (sizes, bytes) => {
  const cache = new LedgerCache({ bytesMax: 100.9 });
  for (const [index, size] of sizes.entries()) cache.put(`${index}`, entry(1, size), { group: 'client' });
  expect([cache.bytes, cache.bytesMax]).toEqual([bytes, 100]);
});

test('newcomers have an eighth of the cache, to its last byte', () => {
  const cache = new LedgerCache({ bytesMax: 800 });
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  for (const key of names) cache.put(key, entry(1, 100));
  for (const key of ['first', 'second']) cache.put(key, entry(1, 50));
  expect([cache.bytes, cache.size]).toEqual([800, 9]);
  cache.put('third', entry(1, 1));
  expect([...names, 'first', 'second', 'third'].filter((key) => cache.find(key) === undefined)).toEqual(['h', 'first']);
  expect(cache.bytes).toBe(751);
});

test.each([
  [0, 0, 'old'],
  [1, 0, 'old'],
  [2, 0, 'new'],
  [3, 1, 'new'],
  [2, 1, 'old'],
])(
  'what was used %i times more displaces what was used %i times more only if it is two ahead',
  (uses, usesOfOld, kept) => {
    const cache = new LedgerCache({ bytesMax: 100 });
    cache.put('old', entry(1, 40));
    for (let times = 0; times < usesOfOld; times++) cache.find('old');
    cache.put('new', entry(1, 40));
    for (let times = 0; times < uses; times++) cache.find('new');
    cache.put('newest', entry(1, 40));
    expect(['old', 'new', 'newest'].filter((key) => cache.find(key) !== undefined)).toEqual([kept, 'newest']);
  },
);

test('no more is displaced than has to be', () => {
  const cache = new LedgerCache({ bytesMax: 100 });
  for (const key of ['a', 'much used', 'b']) cache.put(key, entry(1, 20));
  for (let times = 0; times < 10; times++) cache.find('much used');
  for (let times = 0; times < 2; times++) cache.find('b');
  cache.put('c', entry(1, 60));
  expect(['a', 'much used', 'b', 'c'].filter((key) => cache.find(key) !== undefined)).toEqual(['much used', 'b', 'c']);
});

test('a load of the same version replaces what is there', () => {
  const cache = new LedgerCache({ bytesMax: 100 });
  cache.put('a', entry(2, 60));
  cache.put('a', entry(2, 50));
  expect([cache.find('a'), cache.bytes, cache.size]).toEqual([entry(2, 50), 50, 1]);
});

test('a cache of no bytes holds nothing, also not what is empty', () => {
  const cache = new LedgerCache({ bytesMax: 0.9 });
  cache.put('a', entry(1, 0));
  expect([cache.find('a'), cache.bytes, cache.size, cache.bytesMax]).toEqual([undefined, 0, 0, 0]);
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
