import { describe, expect, test } from 'vitest';
import { formatsOf } from '../language/formats.ts';
import { axisWriter, labelsBelow, valueAxis, valueScale } from './axis.ts';

const frame = { name: 'wide', width: 800, height: 300, ticks: 5, fontSize: 12 } as const;

describe('the scale of an axis', () => {
  test.each([
    ['from the least to the greatest value', [3, 7], false, [3, 7]],
    ['from zero', [3, 7], true, [0, 7]],
    ['from zero up and down', [-3, 7], true, [-4, 8]],
    ['with room around a value that never changes', [100, 100], false, [90, 110]],
    ['with room around a debt that never changes', [-100, -100], false, [-110, -90]],
    ['with room around nothing but zero', [0, 0], false, [-1, 1]],
    ['with room above zero where bars have no height', [0, 0], true, [0, 1]],
    ['with room above zero where there is nothing', [], false, [-1, 1]],
  ])('goes %s', (_, values, fromZero, [low, high]) => {
    const domain = valueScale(values, frame, fromZero).domain();
    expect(domain[0]).toBeLessThanOrEqual(low!);
    expect(domain[1]).toBeGreaterThanOrEqual(high!);
    // Round numbers are at most a step away.
    const step = Math.max((high! - low!) / 2, 1);
    expect(domain[0]).toBeGreaterThan(low! - step);
    expect(domain[1]).toBeLessThan(high! + step);
  });

  test.each([[[3, 7]], [[0, 0]], [[]]])('of bars begins at zero: %j', (values) => {
    expect(valueScale(values, frame, true).domain()[0]).toBe(0);
  });

  test('has the greatest value at the top', () => {
    const scale = valueScale([0, 10], frame, false);
    expect(scale(10)).toBeLessThan(scale(0));
    expect(scale(0)).toBeLessThan(frame.height);
    expect(scale(10)).toBeGreaterThan(0);
  });
});

test('the grid has a line and a label for each round number, and that of zero is marked', () => {
  const write = axisWriter('number', formatsOf('en-GB'));
  const { left, drawn } = valueAxis(valueScale([-10, 10], frame, false), frame, write);
  const texts = drawn.map(({ text }) => text);
  const labels = texts.flatMap((text) => /^<text [^>]*>([^<]*)</.exec(text)?.[1] ?? []);
  expect(labels).toEqual(['−10', '−5', '0', '5', '10']);
  expect(texts.filter((text) => text.includes('class="grid zero"'))).toHaveLength(1);
  expect(texts.filter((text) => text.includes('class="grid"'))).toHaveLength(4);
  const longer = valueAxis(valueScale([-10_000, 10_000], frame, false), frame, (value) => `${value} francs`);
  expect(longer.left).toBeGreaterThan(left);
});

test.each([
  [0.5, 0.5, '50%'],
  [0.05, 0.01, '5%'],
  [0.055, 0.005, '5.5%'],
  [0.0502, 0.0002, '5.02%'],
  [0.000_001, 0.000_001, '0.0001%'],
])('a share of %s beside one that is %s away is written as %s', (value, step, text) => {
  expect(axisWriter('percent', formatsOf('en-GB'))(value, step)).toBe(text);
});

test('labels below the drawing never touch each other, nor leave it', () => {
  const at = (...places: readonly number[]) =>
    labelsBelow(
      places.map((x) => ({ x, text: 'January' })),
      frame,
    ).length;
  expect([at(100, 300), at(100, 110), at(100, 110, 300), at(1), at(799), at(400)]).toEqual([2, 1, 2, 0, 0, 1]);
});
