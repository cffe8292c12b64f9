// Tests that the text of an answer is the same whether it comes whole or in pieces, and is bounded in both.

import { expect, test } from 'vitest';
import { collectText } from './rendered-response.ts';

async function* piecesOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

const text = '{"name":"Zürich € 😀"}';
const bytes = Buffer.from(text);

test.each([1, 2, 3, 7, 1_000])(
  'an answer in pieces of %i bytes is put together, also where a character is cut',
  async (size) => {
    const response = { status: 200, headers: {}, text: null, chunks: piecesOf(bytes, size) };
    expect(await collectText(response, 1_000)).toBe(text);
  },
);

test('an answer in pieces may have as many bytes as are allowed, and not one more', async () => {
  const collect = (bytesMax: number) =>
    collectText({ status: 200, headers: {}, text: null, chunks: piecesOf(bytes, 4) }, bytesMax);
  expect([await collect(bytes.length), await collect(bytes.length - 1)]).toEqual([text, undefined]);
});

test('an answer without a body has no text', async () => {
  expect(await collectText({ status: 204, headers: {}, text: null }, 10)).toBe('');
  expect(await collectText({ status: 200, headers: {}, text }, 1_000)).toBe(text);
});
