// Tests the bounds up to which units are prepared for quick multiplication: beyond them products would lose digits.

import { expect, test } from 'vitest';

import { findValueScale } from './converted-value.ts';
import { findScaledRun, findScaledUnits } from './scaled-units.ts';

const steps = (...units: number[]) => ({ starts: Int32Array.of(0), units: Float64Array.of(...units), end: 1 });

test('units by day are scaled up to the largest integer that a number holds exactly, and not beyond', () => {
  for (let places = 0; places <= 18; places++) {
    const { highPerOne } = findValueScale(places)!;
    const largest = Math.floor(Number.MAX_SAFE_INTEGER / highPerOne);
    expect(findScaledRun(steps(3), largest, places)).toMatchObject({
      units: Float64Array.of(3 * highPerOne),
      maxAbs: largest * highPerOne,
    });
    expect(findScaledRun(steps(3), largest + 1, places)).toBeUndefined();
  }
  expect(findScaledRun(steps(3), 1, 19)).toBeUndefined();
});

test('the units of one day are scaled up to the same bound, without the zeros at their end', () => {
  const four = findValueScale(4)!;
  const { highPerOne } = four;
  expect(findScaledUnits(1_500_000, 6)).toEqual({ units: 15_000 * highPerOne, scale: four });
  expect(findScaledUnits(1_500_001, 6)).toEqual({ units: 1_500_001, scale: findValueScale(6) });
  const largest = Math.floor(Number.MAX_SAFE_INTEGER / highPerOne);
  for (const sign of [1, -1]) {
    expect(findScaledUnits(sign * largest, 4)?.units).toBe(sign * largest * highPerOne);
    expect(findScaledUnits(sign * (largest + 1), 4)).toBeUndefined();
  }
});
