// Tests how the explanation page writes a value of any unit, and which part of a figure an address leads to.

import { describe, expect, test } from 'vitest';
import { formatsOf } from '../../language/formats.ts';
import { focusOn, readPath, valueText, type ExplainedFigure } from './explanation-tree.ts';

const words = { units: 'units', days: 'days', none: 'none' };
const show = (figure: Partial<ExplainedFigure>): string =>
  valueText({ name: 'any', sentence: '', value: '1', ...figure }, { formats: formatsOf('en-GB'), words });

describe('a value', () => {
  test.each<[string, Partial<ExplainedFigure>, string]>([
    ['that is missing', { value: null, unit: 'CHF' }, 'none'],
    ['that is a day', { unit: 'day', value: '20000', date: '2026-10-30' }, '30 October 2026'],
    ['of units', { unit: 'units', value: '12.3456789' }, '12.345679 units'],
    ['of days', { unit: 'days', value: '31' }, '31 days'],
    ['of an exchange', { unit: 'USD/CHF', value: '1.25' }, '1 CHF = 1.25 USD'],
    ['that is a return has its sign', { name: 'cumulative-twr', value: '0.0123' }, '+1.23%'],
    ['that is a share has none', { name: 'share', value: '0.0123' }, '1.23%'],
    ['that is a volatility has none', { name: 'volatility', value: '0.2' }, '20.00%'],
    ['without a unit', { name: 'count', value: '0.5' }, '0.5'],
  ])('%s', (_what, figure, expected) => {
    expect(show(figure)).toBe(expected);
  });

  test('of money has the digits of its currency, and a price its own', () => {
    expect(show({ unit: 'CHF', value: '1234.5678' })).toMatch(/1,234\.57/);
    expect(show({ name: 'price', unit: 'CHF', value: '1234.5678' })).toBe('1,234.5678 CHF');
  });
});

describe('an address', () => {
  const leaf: ExplainedFigure = { name: 'leaf', sentence: '', value: '1' };
  const middle: ExplainedFigure = { name: 'middle', sentence: '', value: '2', of: [leaf] };
  const root: ExplainedFigure = { name: 'root', sentence: '', value: '3', of: [leaf, middle] };

  test('leads to a part of a part, with those above it', () => {
    expect(focusOn(root, readPath('1.0'))).toEqual({ figure: leaf, above: [root, middle], path: [1, 0] });
    expect(focusOn(root, readPath(null))).toEqual({ figure: root, above: [], path: [] });
    expect(readPath('')).toEqual([]);
  });

  test.each(['2', '0.0', '1.0.0', 'x', '1.', '-1', `${'0.'.repeat(40)}0`, '100000'])('%s leads nowhere', (at) => {
    expect(() => focusOn(root, readPath(at))).toThrow('This figure has no such part.');
  });
});
