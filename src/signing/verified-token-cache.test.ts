import { describe, expect, test } from 'vitest';
import { VerifiedTokenCache } from './verified-token-cache.ts';

describe('the cache of verified tokens', () => {
  test('finds the value of a token, and nothing for another token', () => {
    const tokens = new VerifiedTokenCache<string>({ sizeMax: 10 });
    tokens.put('a.b.c', 'said', 1000);
    expect(tokens.find('a.b.c', 0)).toBe('said');
    expect(tokens.find('a.b.d', 0)).toBeUndefined();
  });

  test('never finds an expired token, not even if the clock goes back', () => {
    const tokens = new VerifiedTokenCache<string>({ sizeMax: 10 });
    tokens.put('a.b.c', 'said', 1000);
    expect(tokens.find('a.b.c', 999)).toBe('said');
    expect(tokens.find('a.b.c', 1000)).toBeUndefined();
    expect(tokens.find('a.b.c', 999)).toBeUndefined();
  });

  test('drops the least recently used beyond its size', () => {
    const tokens = new VerifiedTokenCache<number>({ sizeMax: 2 });
    tokens.put('one', 1, 9);
    tokens.put('two', 2, 9);
    tokens.find('one', 0);
    tokens.put('three', 3, 9);
    expect(['one', 'two', 'three'].map((token) => tokens.find(token, 0))).toStrictEqual([1, undefined, 3]);
  });
});
