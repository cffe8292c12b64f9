// Lines of a text end with any of the usual ends, however the text is cut, and are counted.

import { expect, test } from 'vitest';
import { LineSplitter } from './line-splitter.ts';

function linesOf(pieces: readonly string[]): (string | number)[][] {
  const lines: (string | number)[][] = [];
  const splitter = new LineSplitter((text, line) => void lines.push([line, text]));
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  return lines;
}

test.each([
  ['a\nb\r\nc\rd', ['a', 'b', 'c', 'd']],
  ['\ufeffa\n\n\ufeffb\n', ['a', '', '\ufeffb']],
  ['\r\r\n\n', ['', '', '']],
  ['', []],
])('%j', (text, expected) => {
  const numbered = expected.map((line, index) => [index + 1, line]);
  expect(linesOf([text])).toEqual(numbered);
  expect(linesOf([...text])).toEqual(numbered);
});

test('a line may be as long as a line may be, and no longer', () => {
  const longest = 'x'.repeat(1 << 16);
  expect(linesOf([longest, '\n', longest])).toHaveLength(2);
  for (const pieces of [[`${longest}x\n`], [longest, 'x'], ['\n', longest, 'x']])
    expect(() => linesOf(pieces)).toThrow('is longer than 65536 characters.');
});
