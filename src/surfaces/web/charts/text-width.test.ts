// Tests how wide a text is at most, and how much of it fits.

import { expect, test } from 'vitest';
import { fittingText, textWidth } from './text-width.ts';

test.each([
  ['i', 0.43],
  [' ', 0.43],
  ['I', 0.43],
  ['m', 1],
  ['W', 1],
  ['…', 1],
  ['A', 0.8],
  ['Ä', 0.8],
  ['a', 0.65],
  ['ß', 0.65],
  ['7', 0.65],
  ['−', 0.65],
  // Whatever else there is may be as wide as it is high.
  ['漢', 1],
  ['€', 1],
  ['😀', 1],
])('%s is %s of the font size wide', (letter, width) => {
  expect(textWidth(letter, 10)).toBeCloseTo(width * 10, 9);
  expect(textWidth(letter.repeat(3), 10)).toBeCloseTo(width * 30, 9);
});

test.each([
  ['aaaa', 26, 'aaaa'],
  ['aaaa', 25.9, 'aa…'],
  ['aa aa', 27, 'aa…'],
  ['漢漢漢', 29.9, '漢…'],
  ['aaaa', 1, 'a…'],
])('of %s in a room of %s, %s is shown', (text, room, shown) => {
  expect(fittingText(text, { room, fontSize: 10 })).toBe(shown);
});
