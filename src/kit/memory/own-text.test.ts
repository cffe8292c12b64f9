import { expect, test } from 'vitest';
import { heldBytes } from '../../../tests/setup/node/held-bytes.ts';
import { ownData, ownText } from './own-text.ts';

type Module = typeof import('./own-text.ts');
const module = new URL('own-text.ts', import.meta.url);

/** All of what words are cut from. */
const wholeBytes = 2_000 * 20_000;

test('a word that was cut from a text keeps all of it in memory', async () => {
  const held = await heldBytes<Module>(module, () => {
    const piece = (index: number): string => `${index} ${'x'.repeat(20_000)}`.slice(0, 20_000);
    return Array.from({ length: 2_000 }, (_, index) => piece(index).slice(500, 540));
  });
  expect(held).toBeGreaterThan(wholeBytes / 2);
});

test('its own copy does not', async () => {
  const held = await heldBytes<Module>(module, (own) => {
    const piece = (index: number): string => `${index} ${'x'.repeat(20_000)}`.slice(0, 20_000);
    return Array.from({ length: 2_000 }, (_, index) => {
      const word = piece(index).slice(500, 540);
      return [own.ownText(word), own.ownData({ word, inner: [word] })];
    });
  });
  expect(held).toBeLessThan(wholeBytes / 10);
});

test.each(['', 'a', 'ä', '𝄞 and more than twelve', 'x'.repeat(1_000)])('a copy is equal: %s', (text) => {
  expect(ownText(text)).toBe(text);
  expect(ownData({ text, none: undefined, list: [1, null] })).toEqual({ text, list: [1, null] });
});
