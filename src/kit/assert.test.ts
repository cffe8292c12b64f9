import { expect, test } from 'vitest';
import { assert, BrokenInvariant, defined, unreachable } from './assert.ts';

test('a true assertion does nothing, and a false one throws with its invariant', () => {
  expect(() => assert(true, 'a lease ends after it begins')).not.toThrow();
  expect(() => assert(false, 'a lease ends after it begins')).toThrow(
    new BrokenInvariant('a lease ends after it begins'),
  );
  expect(() => assert(false, 'a lease ends after it begins')).toThrow(
    'Broken invariant: a lease ends after it begins.',
  );
});

test('a defined value is returned unchanged, even if it is falsy', () => {
  expect(defined(0, 'a count')).toBe(0);
  expect(defined('', 'a text')).toBe('');
  expect(() => defined(undefined, 'every account has an owner')).toThrow('every account has an owner');
  expect(() => defined(null, 'every account has an owner')).toThrow(BrokenInvariant);
});

test('a value outside a closed set is named in the error', () => {
  expect(() => unreachable('barter' as never, 'a transaction kind')).toThrow(
    'a transaction kind is one of the declared ones, not barter',
  );
});
