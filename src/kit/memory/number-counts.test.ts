import { expect, test } from 'vitest';
import { heldBytes } from '../../../tests/setup/node/held-bytes.ts';
import { NumberCounts } from './number-counts.ts';

test('every number is counted by itself, as a map would', () => {
  const [counts, expected] = [new NumberCounts(), new Map<number, number>()];
  let value = 1;
  for (let step = 0; step < 20_000; step++) {
    value = (value * 48_271) % 0x7fff_ffff;
    // Neighbours, multiples of a power of two, and numbers beyond 32 bits.
    const number = [value % 500, (value % 500) * 65_536, (value % 500) * 0x1_0000_0000, 2 ** 48 - 1 - (value % 500)][
      step % 4
    ]!;
    expected.set(number, (expected.get(number) ?? 0) + 1);
    expect(counts.increment(number)).toBe(expected.get(number));
  }
  expect(counts.size).toBe(expected.size);
});

test('a number takes less than 32 bytes', async () => {
  const module = new URL('number-counts.ts', import.meta.url);
  const held = await heldBytes<typeof import('./number-counts.ts')>(module, (own) => {
    const counts = new own.NumberCounts();
    for (let index = 0; index < 100_000; index++) counts.increment(index * 1_000_003);
    return counts;
  });
  expect(held).toBeLessThan(32 * 100_000);
});
