import { expect, test } from 'vitest';
import { RecentEntries } from './recent-entries.ts';

test('only the entries that were set last are remembered', () => {
  const map = new RecentEntries<number>(3);
  for (const [index, key] of ['a', 'b', 'c'].entries()) expect(map.set(key, index)).toBeUndefined();
  expect(map.set('a', 10)).toBeUndefined();
  expect(map.set('d', 3)).toBe(1);
  expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([10, undefined, 2, 3]);
  map.delete('c');
  expect(map.set('e', 4)).toBeUndefined();
  expect([...map.values()]).toEqual([10, 3, 4]);
  expect(map.size).toBe(3);
});
