// Checks how numbers and formulas are written as text, and that numbers parse back to the same value.

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { evaluateFormula, fractionOf } from '../../../tests/setup/engine/explanation-check.ts';
import { amountFigure, countFigure, formula, joinOperands, ratioFigure, sumOperands } from './figure.ts';
import { exactRatioText } from '../amounts/ratio-text.ts';

test.each([
  [0, '0'],
  [-0, '0'],
  [0.1, '0.1'],
  [-12.5, '-12.5'],
  [1e-7, '0.0000001'],
  [-1.5e-7, '-0.00000015'],
  [123456789012345680000, '123456789012345680000'],
  [1.5e21, '1500000000000000000000'],
  [5e-324, `0.${'0'.repeat(323)}5`],
])('a double is written in plain digits, without an exponent: %d', (ratio, text) => {
  expect(exactRatioText(ratio)).toBe(text);
});

test('the digits of a double parse back to the same double', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (ratio) => {
      expect(exactRatioText(ratio)).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
      expect(Number(exactRatioText(ratio))).toBe(ratio === 0 ? 0 : ratio);
    }),
  );
});

test('a formula lists each of its figures once and puts negative ones in brackets', () => {
  const [loss, rate] = [amountFigure('loss', -25n * 10n ** 17n, { unit: 'EUR' }), ratioFigure('rate', 0.5)];
  const built = formula`${loss} × ${rate} − (${sumOperands([loss, countFigure('days', 3n)])}) ÷ ${rate}`;
  expect(built.formula).toBe('(-2.5) × 0.5 − ((-2.5) + 3) ÷ 0.5');
  expect(built.of).toEqual([
    { name: 'loss', value: '-2.5', unit: 'EUR' },
    { name: 'rate', value: '0.5' },
    { name: 'days', value: '3' },
  ]);
  expect(evaluateFormula(built.formula).value).toEqual(fractionOf('-2.25'));
});

test('a sum without operands is 0, and a product without operands is empty', () => {
  expect(sumOperands([])).toEqual({ formula: '0', of: [] });
  expect(joinOperands([], ' × ')).toEqual({ formula: '', of: [] });
});

test('a figure has only the fields that are known, in a fixed order', () => {
  const figure = amountFigure('one', 10n ** 18n, {
    of: [],
    notes: ['stale'],
    unit: undefined,
    day: 3,
    source: { kind: 'terms' },
  });
  expect(JSON.stringify(figure)).toBe('{"name":"one","value":"1","day":3,"source":{"kind":"terms"},"notes":["stale"]}');
});
