import { expect, test } from 'vitest';
import { heldBytes } from '../../../tests/setup/node/held-bytes.ts';
import { ownData, ownText } from './own-text.ts';

const pieceLength = 20_000;
const pieceCount = 2_000;
const wholeBytes = pieceLength * pieceCount;

/** Cuts a word out of each of many large texts. */
function cutWords<T>(keep: (word: string) => T): T[] {
  return Array.from({ length: pieceCount }, (_, index) => {
    const piece = `${index} ${'x'.repeat(pieceLength)}`.slice(0, pieceLength);
    return keep(piece.slice(500, 540));
  });
}

test('a word that was cut from a text keeps all of it in memory; its own copy does not', () => {
  expect(heldBytes(() => cutWords((word) => word))).toBeGreaterThan(wholeBytes / 2);
  expect(heldBytes(() => cutWords(ownText))).toBeLessThan(wholeBytes / 20);
  expect(heldBytes(() => cutWords((word) => ownData({ word, inner: [word] })))).toBeLessThan(wholeBytes / 20);
});

test.each(['', 'a', 'ä', '𝄞 and more than twelve', 'x'.repeat(1_000)])('a copy is equal: %s', (text) => {
  expect(ownText(text)).toBe(text);
  expect(ownData({ text, none: undefined, list: [1, null] })).toEqual({ text, list: [1, null] });
});
