import { describe, expect, test } from 'vitest';
import type { ReportedFigure } from '../../../model/report/explanation.ts';
import { explanationLines } from './explanation-page.ts';

function page(figure: ReportedFigure): readonly string[] {
  return [...explanationLines(figure)];
}

describe('a figure on a page', () => {
  test.each<[string, ReportedFigure, string[]]>([
    ['without a value is its sentence', { name: 'irr', value: null, sentence: 'IRR: no value' }, ['IRR: no value\n']],
    ['without a sentence has its name', { name: 'units', value: '3' }, ['units\n']],
    [
      'with a formula has its exact value in its unit below it',
      { name: 'sum', value: '3.5', unit: 'CHF', formula: '3 + 0.5' },
      ['sum\n', '  = 3 + 0.5 = 3.5 CHF\n'],
    ],
    [
      'says how it was rounded',
      { name: 'share', value: '0.1', formula: '1 ÷ 10', rounding: 'double' },
      ['share\n', '  = 1 ÷ 10 = 0.1 (in double precision)\n'],
    ],
    [
      'that is a day has no unit',
      { name: 'anniversary', value: '20134', unit: 'day', formula: '20094 + 40' },
      ['anniversary\n', '  = 20094 + 40 = 20134\n'],
    ],
    [
      'whose formula is its only part has that part alone',
      { name: 'value', value: '7', formula: '7', of: [{ name: 'price', value: '7' }] },
      ['value\n', '  price\n'],
    ],
    [
      'that formulas cannot express says what it is of',
      { name: 'deviation', value: '2', operation: 'square-root', of: [{ name: 'variance', value: '4' }] },
      ['deviation\n', '  = 2: the square root of what follows\n', '  variance\n'],
    ],
    [
      'that was cut says so, below its parts',
      { name: 'sum', value: '2', formula: '1 + 1', isTruncated: true, of: [{ name: 'one', value: '1' }] },
      ['sum\n', '  = 1 + 1 = 2\n', '  one\n', '  … (more figures than are listed)\n'],
    ],
  ])('%s', (_, figure, lines) => {
    expect(page(figure)).toEqual(lines);
  });

  test('has a formula of at most 400 characters, and how many figures it has if it is longer', () => {
    const long = (formula: string): string =>
      page({
        name: 'sum',
        value: '9',
        formula,
        of: [1, 2].map((value) => ({ name: 'part', value: String(value) })),
      })[1]!;
    const formula = `1 + 2${' + 2'.repeat(98)} +`.padEnd(400, '3');
    expect(long(formula)).toBe(`  = ${formula} = 9\n`);
    expect(long(`${formula}4`)).toBe(`  = ${formula} … (2 figures) = 9\n`);
  });
});
