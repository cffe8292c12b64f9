import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LruMap } from './lru-map.ts';

describe('a map of recent entries', () => {
  test('drops the entry that was used longest ago', () => {
    const map = new LruMap<number>({ sizeMax: 2 });
    map.put('a', 1);
    map.put('b', 2);
    expect(map.find('a')).toBe(1);
    map.put('c', 3);
    expect([...map.entries()]).toStrictEqual([
      ['c', 3],
      ['a', 1],
    ]);
  });

  test('behaves as a plain list moved to the front at each use', () => {
    const steps = fc.record({
      act: fc.constantFrom('find', 'put', 'delete'),
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      value: fc.integer(),
    });
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 60 }), (acts) => {
        const map = new LruMap<number>({ sizeMax: 3 });
        let model: (readonly [string, number])[] = [];
        for (const { act, key, value } of acts) {
          const known = model.filter(([name]) => name === key);
          const rest = model.filter(([name]) => name !== key);
          const front = { find: known, put: [[key, value] as const], delete: [] }[act] ?? [];
          const found = { find: () => map.find(key), put: () => map.put(key, value), delete: () => map.delete(key) }[
            act
          ]?.();
          expect(found).toBe(act === 'find' ? known[0]?.[1] : undefined);
          model = [...front, ...rest].slice(0, 3);
          expect([...map.entries()]).toStrictEqual(model);
          expect(map.size).toBe(model.length);
        }
      }),
    );
  });

  test('may lose entries while it is listed', () => {
    const map = new LruMap<number>({ sizeMax: 9 });
    for (const key of ['a', 'b', 'c']) map.put(key, 0);
    for (const [key] of map.entries()) map.delete(key);
    expect(map.size).toBe(0);
  });
});
