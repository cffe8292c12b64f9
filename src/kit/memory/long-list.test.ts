import { expect, test } from 'vitest';
import { append, greatestOf, leastOf } from './long-list.ts';

/** More than a call takes arguments. */
const many = Array.from({ length: 1_000_000 }, (_none, index) => index - 7);

test('a list takes more items than a call takes arguments', () => {
  const list = [1];
  append(list, many);
  expect([list.length, list[0], list[1], list.at(-1)]).toEqual([1_000_001, 1, -7, 999_992]);
});

test('the least and the greatest of very many', () => {
  expect([leastOf(many), greatestOf(many)]).toEqual([-7, 999_992]);
  expect([leastOf([]), greatestOf([])]).toEqual([Infinity, -Infinity]);
});
