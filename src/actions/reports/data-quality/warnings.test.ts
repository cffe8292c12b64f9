import { expect, test } from 'vitest';
import { warningTexts } from '../../../model/report/warning.ts';
import { groupWarnings } from './warnings.ts';

const stale = { code: 'stale-value', instrument: 'share' } as const;
const estimated = { code: 'estimated-value', instrument: 'share' } as const;

test('warnings are one for each code and instrument, in order of appearance, with their count and first day', () => {
  const found = [
    { ...stale, day: 30 },
    { ...estimated, day: 7 },
    { ...stale, day: 20 },
    { ...stale, instrument: null, day: 40 },
    { ...stale, day: 25 },
  ];
  expect(groupWarnings(found)).toEqual([
    { code: 'stale-value', detail: warningTexts['stale-value'], instrumentId: 'share', date: 20, count: 3 },
    { code: 'estimated-value', detail: warningTexts['estimated-value'], instrumentId: 'share', date: 7, count: 1 },
    { code: 'stale-value', detail: warningTexts['stale-value'], instrumentId: null, date: 40, count: 1 },
  ]);
});

test.each([
  [[null, 20], 20],
  [[20, null], 20],
  [[null, null], null],
  [[0, 20], 0],
])('of the days %j, the first that is known counts', (days, date) => {
  expect(groupWarnings(days.map((day) => ({ ...stale, day })))).toMatchObject([{ date, count: days.length }]);
});
