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

test.each([
  ['en-GB', [1_000, 1_010], '1 k, 1.002 k, 1.004 k, 1.006 k, 1.008 k, 1.01 k'],
  ['en-GB', [985, 1_010], '985, 990, 995, 1 k, 1.005 k, 1.01 k'],
  ['en-GB', [-78_720_000, -78_700_000], '−78.72 m, −78.715 m, −78.71 m, −78.705 m, −78.7 m'],
  ['en-GB', [0, 80_000_000], '0, 20 m, 40 m, 60 m, 80 m'],
  ['en-GB', [0, 0.01], '0, 0.002, 0.004, 0.006, 0.008, 0.01'],
  ['de-CH', [1_000_000, 1_000_400], '1 Mio., 1.0001 Mio., 1.0002 Mio., 1.0003 Mio., 1.0004 Mio.'],
] as const)('amounts in %s from %j are short, and none is written like the next', (locale, range, labels) => {
  const { drawn } = valueAxis(valueScale(range, frame, false), frame, axisWriter('money', formatsOf(locale)));
  const written = drawn.flatMap(({ text }) => /^<text [^>]*>([^<]*)</.exec(text)?.[1] ?? []);
  expect(written.join(', ').replaceAll('\u00A0', ' ')).toBe(labels);
});

test.each([
  [[0, 0.05], '0%, 1%, 2%, 3%, 4%, 5%'],
  [[0.02, 0.0208], '2.00%, 2.02%, 2.04%, 2.06%, 2.08%'],
])('shares from %j have as many digits as tell one label from the next', (range, labels) => {
  const { drawn } = valueAxis(valueScale(range, frame, false), frame, axisWriter('percent', formatsOf('en-GB')));
  expect(drawn.flatMap(({ text }) => /^<text [^>]*>([^<]*)</.exec(text)?.[1] ?? []).join(', ')).toBe(labels);
});

test('labels below the drawing never touch each other, nor leave it', () => {
  const at = (...places: readonly number[]) =>
    labelsBelow(
      places.map((x) => ({ x, text: 'January' })),
      frame,
    ).length;
  expect([at(100, 300), at(100, 110), at(100, 110, 300), at(1), at(799), at(400)]).toEqual([2, 1, 2, 0, 0, 1]);
});
