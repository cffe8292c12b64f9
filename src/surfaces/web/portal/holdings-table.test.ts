// Tests the order of the rows on the holdings page: exact to the last digit, class by class, in both directions.

import { describe, expect, test } from 'vitest';
import type { EntityView } from './entity-view.ts';
import type { HeldRow, HoldingsReport } from './holdings-report.ts';
import { shownInstruments } from './holdings-table.ts';

const row = (name: string | null, classId: string | null, figures: Partial<HeldRow> = {}): HeldRow => ({
  id: name,
  name,
  quantity: '1',
  value: '0',
  share: 0,
  cost: '0',
  gain: '0',
  valuation: { stale: false, estimated: false, date: '2026-10-30' },
  classId,
  ...figures,
});

const day = (date: string | null): Pick<HeldRow, 'valuation'> => ({
  valuation: { stale: false, estimated: false, date },
});

/** They differ in a digit that a double does not have. */
const [less, more] = ['1000000000000000.000000000000000001', '1000000000000000.000000000000000002'];

/** Each figure puts the instruments into another order. */
const instruments = [
  row('a', 'shares', { value: less, share: 0.3, cost: '20', gain: '-3', ...day('2026-10-31') }),
  row('b', 'shares', { value: more, share: 0.1, cost: less, gain: '-30', ...day('2026-10-30') }),
  row('c', 'shares', { value: null, share: 0.2, cost: '100', gain: '-20', ...day(null) }),
  row('d', null, { value: '7', share: null, cost: '8', gain: '1' }),
];

const report = {
  classes: [
    row('shares', 'shares', { value: '-1', share: 0.6, cost: '9', gain: '0.5', ...day('2026-01-01') }),
    row(null, null, { value: '7', share: 0.4, cost: '8', gain: '1', ...day('2026-10-30') }),
  ],
  instruments,
} as unknown as HoldingsReport;

function orderBy(sort: string | undefined, filter: { text?: string; classId?: string } = {}): string {
  const { text = '', classId } = filter;
  return shownInstruments({ sort } as EntityView, report, { text, classId })
    .map(({ name }) => name)
    .join('');
}

describe('rows', () => {
  test.each([
    ['name', 'dabc', 'cbad'],
    ['value', 'cabd', 'dbac'],
    ['share', 'dbca', 'acbd'],
    ['cost', 'dacb', 'bcad'],
    ['gain', 'bcad', 'dacb'],
    ['date', 'cbad', 'dabc'],
  ])('sorted by %s: class by class, the other way round with a minus', (sort, ascending, descending) => {
    expect([orderBy(sort), orderBy(`-${sort}`)]).toEqual([ascending, descending]);
  });

  test.each([undefined, '-value', '-nothing', '-__proto__', '-constructor'])(
    'sorted by %s: by value, the largest first',
    (sort) => {
      expect(orderBy(sort)).toBe('dbac');
    },
  );

  test('are those whose name has every word, of the class that was chosen', () => {
    expect(orderBy('name', { text: 'B' })).toBe('b');
    expect(orderBy('name', { text: 'a b' })).toBe('');
    expect([orderBy('name', { classId: 'shares' }), orderBy('name', { classId: 'none' })]).toEqual(['abc', 'd']);
  });
});
