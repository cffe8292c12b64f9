// Which encryption keys are taken for guessable, exactly at each bound.

import { expect, test } from 'vitest';
import { isGuessableKey } from './key-strength.ts';

const guessable = (bytes: readonly number[]): boolean => isGuessableKey(Buffer.from(bytes).toString('base64'));
const mixed = [
  211, 14, 97, 180, 3, 250, 66, 139, 28, 222, 117, 45, 190, 8, 161, 73, 236, 54, 109, 201, 17, 148, 82, 255, 39, 126, 0,
  173, 91, 218, 60, 133,
];

test('bytes without a pattern are a key, in both forms', () => {
  expect(guessable(mixed)).toBe(false);
  expect(isGuessableKey(Buffer.from(mixed).toString('hex'))).toBe(false);
  expect(isGuessableKey(Buffer.from(mixed).toString('hex').toUpperCase())).toBe(false);
});

test('two equal halves are none, and halves that differ in one byte are one', () => {
  const half = mixed.slice(0, 16);
  expect(guessable([...half, ...half])).toBe(true);
  expect(guessable([...half, ...half.with(7, 1)])).toBe(false);
});

test('fifteen distinct bytes are none, and sixteen are one', () => {
  const few = (count: number): number[] => {
    const bytes = mixed.slice(0, count);
    return [...bytes, ...Array.from({ length: 32 - count }, (_, index) => bytes[(index * 7 + 3) % count]!)];
  };
  expect([15, 16].map((count) => new Set(few(count)).size)).toEqual([15, 16]);
  expect([guessable(few(15)), guessable(few(16))]).toEqual([true, false]);
});

test('steps of seven sizes from byte to byte are none, and of eight are one', () => {
  const stepping = (sizes: readonly number[]): number[] => {
    let byte = 130;
    return Array.from({ length: 32 }, (_, index) => (byte = (byte + sizes[index % sizes.length]!) & 0xff));
  };
  const sizes = [1, 3, 9, 27, 81, 5, 15, 45];
  // Seven sizes in ever another order: what lies two bytes apart differs by many more.
  const shuffled = Array.from({ length: 7 * 5 }, (_, index) => sizes[(index * (1 + Math.floor(index / 7))) % 7]!);
  expect(new Set(stepping(shuffled)).size).toBeGreaterThan(16);
  expect(guessable(stepping(shuffled))).toBe(true);
  for (const count of [7, 8]) expect(new Set(stepping(sizes.slice(0, count))).size).toBeGreaterThan(16);
  expect([guessable(stepping(sizes.slice(0, 7))), guessable(stepping(sizes))]).toEqual([true, false]);
  expect(guessable(Array.from({ length: 32 }, (_, index) => index))).toBe(true);
  expect(guessable(Array.from({ length: 32 }, (_, index) => 255 - index))).toBe(true);
});

test('text is none, whatever it says, and one byte that no keyboard writes makes it one', () => {
  const text = [...Buffer.from('Correct horse battery staple, 9?')];
  expect(text).toHaveLength(32);
  expect(guessable(text)).toBe(true);
  expect(guessable(text.with(5, 0x20).with(9, 0x7e))).toBe(true);
  expect([guessable(text.with(5, 0x1f)), guessable(text.with(9, 0x7f))]).toEqual([false, false]);
});
