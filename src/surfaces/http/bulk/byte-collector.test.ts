import { expect, test } from 'vitest';
import { ByteCollector } from './byte-collector.ts';

test.each([
  ['of unknown length', 0],
  ['shorter than announced', 50_000],
  ['longer than announced', 1],
  ['as long as announced', 300],
])('what is %s is collected as it came', (_what, expectedBytes) => {
  const collector = new ByteCollector({ bytesMax: 400, expectedBytes });
  const sent = Buffer.from(Array.from({ length: 300 }, (_, index) => index % 251));
  for (let start = 0; start < sent.length; start += 7) {
    const piece = sent.subarray(start, start + 7);
    expect(collector.add(piece)).toBe(piece.length);
  }
  expect(collector.collected()).toEqual(sent);
});

test('no more is taken than there is room for, until it is emptied', () => {
  const collector = new ByteCollector({ bytesMax: 5, expectedBytes: 0 });
  expect([collector.add(Buffer.from('abc')), collector.add(Buffer.from('defgh'))]).toEqual([3, 2]);
  expect(collector.collected().toString()).toBe('abcde');
  expect(collector.add(Buffer.from('fgh'))).toBe(0);
  collector.empty();
  expect(collector.collected().toString()).toBe('');
  expect(collector.add(Buffer.from('fgh'))).toBe(3);
  expect(collector.collected().toString()).toBe('fgh');
});
