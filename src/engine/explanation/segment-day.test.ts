// Checks explained returns against figures worked out by hand and against the positions and rows they use.

import { describe, expect, test } from 'vitest';

import {
  initialPurchases,
  coversEveryPlace,
  historyOfEvents,
  eventOn,
  shareHoldingOn,
  checkedLines,
} from '../../../tests/setup/engine/explained-ledger.ts';
import { day, fixed } from '../../../tests/setup/engine/valued-holding.ts';
import {
  explainContribution,
  explainCost,
  explainDailyReturn,
  explainDayAmount,
  explainMoneyWeightedReturn,
  explainTotal,
} from './explanation.ts';
import type { Upload } from '../history/facts.ts';
import { historyOfText } from '../../../tests/setup/ledger-text/ledger-text.ts';
import { lotSnapshotOf } from '../history/holdings.ts';
import { performance } from '../returns/performance/performance.ts';

describe('returns', () => {
  const events = [
    ...initialPurchases,
    eventOn('2025-02-04', { kind: 'dividend', instrument: 'share', amount: fixed('8') }),
    eventOn('2025-02-04', { kind: 'fee', amount: fixed('-3'), details: { category: 'advisory' } }),
    eventOn('2025-02-04', { kind: 'flow', amount: fixed('100') }),
  ];
  const history = historyOfEvents(events);
  const window = { start: day('2025-02-03'), end: day('2025-02-05') };
  const found = performance(history, {
    window,
    method: 'modified-dietz',
    axes: ['instruments'],
    covers: coversEveryPlace,
    fees: 'net',
    segmentsOf: ({ instrument: one }) => ({ instruments: [one] }),
  });
  const report = { history, fees: 'net', currency: 'EUR' } as const;
  const whole = { segment: found.whole, positions: found.positions, report };

  test('of a day follow from the values and flows of the positions', () => {
    const share = [
      '      position-value 400 = 500 ÷ 1.25',
      '        value 500 = 500',
      '          quoted-value 500 = 50 × 10',
      '            units 50',
      '            price 10',
      '        exchange-rate 1.25',
    ];
    expect(checkedLines(explainDailyReturn(whole, day('2025-02-04')))).toEqual([
      'daily-return 0.004849660523763337 = 5 ÷ 1031',
      '  gain 5 = 1086 − 981 − 100',
      '    value 1086 = 686 + 400',
      '      position-value 686 = 686',
      '        balance 686 = 581 + 100 + 8 + (-3)',
      '          balance 581',
      '          movement 100',
      '          movement 8',
      '          movement -3',
      ...share,
      '    value 981 = 581 + 400',
      '      position-value 581 = 581',
      '        balance 581 = 757 + (-176)',
      '          balance 757',
      '          movement -176',
      ...share,
      '    flow 100 = 108 + (-8)',
      '      position-flow 108 = 100 + 8',
      '        flow 100 = 100',
      '          amount 100',
      '        flow 8 = 8',
      '          amount 8',
      '      position-flow -8 = (-8)',
      '        flow -8 = (0 − 8)',
      '          amount 8',
      '  base 1031 = 981 + 50',
      '    value 981',
      '    weighted-flow 50 = 100 ÷ 2',
      '      flow 100',
    ]);
  });

  test('name the row of each amount', () => {
    const flow = explainDayAmount(whole, 'flow', day('2025-02-04'));
    const amounts = flow.of?.flatMap(({ of = [] }) => of.map((term) => term.of?.[0]?.source));
    expect(amounts).toEqual([6, 4, 4].map((row) => ({ kind: 'row', row })));
  });

  test('have income and fees by day, position and row', () => {
    expect(checkedLines(explainTotal(whole, 'income'))).toEqual([
      'income 8 = 8',
      '  income 8 = 8',
      '    position-income 8 = 8',
      '      income 8 = 8',
      '        amount 8',
    ]);
    expect(checkedLines(explainDayAmount(whole, 'fee', day('2025-02-04')))).toEqual([
      'fee 3 = 3',
      '  position-fee 3 = 3',
      '    fee 3 = (0 − (-3))',
      '      amount -3',
    ]);
  });

  test('have contributions for each day', () => {
    const segment = found.axes.instruments.get('share')!;
    const figure = explainContribution({ explained: { ...whole, segment }, whole: found.whole });
    expect(checkedLines(figure).filter((line) => line.includes('daily-'))).toEqual([
      `  daily-contribution ${segment.contributionTerms()[0]} = (-16) ÷ 997 × 1`,
      `  daily-contribution ${segment.contributionTerms()[1]} = 8 ÷ 1031 × ${1 + found.whole.path.cumulative[0]!}`,
    ]);
  });

  test('weighted by money discount all flows to a sum of zero', () => {
    const figure = explainMoneyWeightedReturn(whole);
    const lines = checkedLines(figure);
    const flows = /(?:^ +discounted-flow .*\n)( +flow .*)/gm;
    expect([...lines.join('\n').matchAll(flows)].map(([, line]) => line!.trim())).toEqual([
      'flow -997 = 0 − 997',
      'flow -100 = 0 − 100',
      'flow 1086 = 1086',
    ]);
    expect(lines.find((line) => line.includes('present-value'))).toMatch(/^ +present-value 0 = /);
    expect(Number(figure.value)).toBe(found.whole.moneyWeightedReturn().windowRate);
  });
});

test('units in kind and uploads are flows at their value and name their source', () => {
  const uploads: Upload[] = [
    {
      kind: 'units',
      day: day('2025-02-05'),
      depository: 'north',
      instrument: 'share',
      quantity: fixed('60'),
      marketValue: fixed('660'),
      accrued: 0n,
      exchange: null,
    },
    { kind: 'cash', day: day('2025-02-05'), account: 'euro', balance: fixed('600') },
  ];
  const kind = eventOn('2025-02-04', { kind: 'flow', instrument: 'share', quantity: fixed('-5') });
  const history = historyOfEvents([...initialPurchases, kind], { uploads });
  const window = { start: day('2025-02-03'), end: day('2025-02-06') };
  const found = performance(history, {
    window,
    method: 'start-end-of-day',
    axes: [],
    covers: coversEveryPlace,
    fees: 'net',
    segmentsOf: () => ({}),
  });
  const report = { history, fees: 'net', currency: 'EUR' } as const;
  const whole = { segment: found.whole, positions: found.positions, report };
  const inKind = explainDayAmount(whole, 'flow', day('2025-02-04'));
  expect(checkedLines(inKind).slice(0, 4)).toEqual([
    'flow -40 = (-40)',
    '  position-flow -40 = (-40)',
    '    flow -40 = (-50) ÷ 1.25',
    '      flow -50 = 450 × (-5) ÷ 45',
  ]);
  expect(inKind.of?.[0]?.of?.[0]?.source).toEqual({ kind: 'row', row: 4 });
  const implied = explainDayAmount(whole, 'flow', day('2025-02-05'));
  expect(checkedLines(implied)).toEqual([
    'flow 151 = 19 + 132',
    '  position-flow 19 = 19',
    '    flow 19 = 19',
    '      amount 19',
    '  position-flow 132 = 132',
    '    flow 132 = 165 ÷ 1.25',
    '      amount 165',
    '      exchange-rate 1.25',
  ]);
  expect(implied.of?.[1]?.of?.[0]?.of?.[0]?.source).toEqual({ kind: 'upload', day: day('2025-02-05') });
  const [lot] = lotSnapshotOf(history, shareHoldingOn(history, '2025-02-06'), day('2025-02-06')).lots.slice(-1);
  const cost = explainCost(history, shareHoldingOn(history, '2025-02-06'));
  expect(cost.of?.at(-1)).toMatchObject({ source: { kind: 'upload', day: lot!.acquired }, notes: ['estimated'] });
});

test('interest bought with a bond is income at the rate of its row', () => {
  const history = historyOfText(`A bond
client EUR FIFO
account A EUR
instrument B bond USD, rate 3.65%, count ACT/365, maturity 2026-07-01
rate USD/EUR 2024-01-01 0.9
2024-07-11 deposit A 10000
2024-07-11 buy A B 10000 @ 98 accrued 10 rate 0.89
`);
  const found = performance(history, {
    window: { start: day('2024-07-10'), end: day('2024-07-11') },
    method: 'start-end-of-day',
    axes: [],
    covers: coversEveryPlace,
    fees: 'net',
    segmentsOf: () => ({}),
  });
  const report = { history, fees: 'net', currency: 'EUR' } as const;
  const whole = { segment: found.whole, positions: found.positions, report };
  expect(checkedLines(explainDayAmount(whole, 'income', day('2024-07-11')))).toEqual([
    'income -8.9 = (-8.9)',
    '  position-income -8.9 = (-8.9)',
    '    income -8.9 = (0 − 8.9)',
    '      exchanged-value 8.9 = 10 × 0.89',
    '        amount 10',
    '        rate-of-the-trade 0.89 = 8730.9 ÷ 9810',
    '          row-amount 8730.9',
    '          value-with-accrued-interest 9810',
  ]);
});
