import { expect, test } from 'vitest';
import { cutText, shortened } from './short-text.ts';

test('a text is never cut within a character', () => {
  expect(cutText('ab😀', 3)).toBe('ab\ufffd');
  expect(shortened('ab😀', 3)).toBe('ab\ufffd…');
  expect([cutText('abc', 3), shortened('abc', 3)]).toEqual(['abc', 'abc']);
});
