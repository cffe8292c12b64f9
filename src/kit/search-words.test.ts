// Tests the words by which a text is found in searches.

import { expect, test } from 'vitest';
import { searchWords } from './search-words.ts';

test.each([
  ['Nestlé S.A.', ['nestle', 's', 'a']],
  ['  A--a  A ', ['a']],
  ['OAT €i 1.25 % 2034', ['oat', 'i', '1', '25', '2034']],
  ['Straße ﬁne ＡＢＣ', ['straße', 'fine', 'abc']],
  ['任天堂 Ελλάδα', ['任天堂', 'ελλαδα']],
  ['X/99-1', ['x', '99', '1']],
  ['', []],
  ['--- ', []],
  ['x'.repeat(70), ['x'.repeat(64)]],
])('%j has the words %j', (text, words) => {
  expect(searchWords(text)).toEqual(words);
});

test('a long word is not cut in the middle of a character', () => {
  const [word] = searchWords(`${'x'.repeat(63)}𐐷`);
  expect(word!.isWellFormed()).toBe(true);
});
