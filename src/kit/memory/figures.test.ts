import { expect, test } from 'vitest';
import { Figures } from './figures.ts';

test('what one thread counts is read in the memory of another', () => {
  const counting = new Figures(['hits', 'bytes']);
  const reading = new Figures(['hits', 'bytes'], counting.memory);
  counting.add('hits');
  counting.add('hits', 2);
  counting.set('bytes', 10);
  expect([reading.get('hits'), reading.get('bytes')]).toEqual([3, 10]);
  // A thread that takes the place of another counts on.
  new Figures(['hits', 'bytes'], counting.memory).add('hits');
  expect(reading.get('hits')).toBe(4);
});
