// Checks explained returns against their own formulas: a day follows from positions and rows, a window from its days.

import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  checkExplanation,
  checkedValue,
  coversAll,
  historyOfCase,
  seenFigureNames,
  generatedCase,
} from '../../../tests/setup/engine/generated-history.ts';
import { firstEventDay, lastEventDay } from '../../../tests/setup/engine/generated-facts.ts';
import { fromFixed } from '../../kit/fixed.ts';
import {
  explainAnnualised,
  explainContribution,
  explainCumulative,
  explainDailyReturn,
  explainDayAmount,
  explainDrawdown,
  explainAnnualisedMoneyWeightedReturn,
  type Explanation,
  explainMoneyWeightedReturn,
  explainTotal,
  explainVolatility,
} from './explanation.ts';
import { performance, type PerformanceRequest } from '../returns/performance/performance.ts';

const runs = { numRuns: 80 };

type Axis = 'instruments';

function requestOf(parts: Partial<PerformanceRequest<Axis>>): PerformanceRequest<Axis> {
  return {
    window: { start: firstEventDay, end: lastEventDay },
    method: 'start-end-of-day',
    axes: ['instruments'],
    covers: coversAll,
    fees: 'net',
    segmentsOf: ({ instrument }) => ({ instruments: [instrument] }),
    ...parts,
  };
}

const someRequest = fc
  .record({
    method: fc.constantFrom('start-end-of-day' as const, 'modified-dietz' as const),
    fees: fc.constantFrom('net' as const, 'gross' as const),
    currency: fc.constantFrom('EUR', 'USD', 'CHF'),
  })
  .map(requestOf);

test('the return of a day follows from positions, and their flows from rows, for the whole and each segment', () => {
  fc.assert(
    fc.property(generatedCase, someRequest, (one, request) => {
      const history = historyOfCase(one);
      const found = performance(history, request);
      const report = { history, fees: request.fees, currency: found.currency };
      const segments = [
        { segment: found.whole, positions: found.positions, report },
        ...[...found.axes.instruments].slice(0, 2).map(([key, segment]) => ({
          segment,
          positions: found.positions.filter((position) => history.key(position).instrument === key),
          report,
        })),
      ];
      for (const explained of segments) {
        const { ratio } = explained.segment.explainDay(one.day);
        const figure = explainDailyReturn(explained, one.day);
        checkExplanation(figure);
        expect(figure.value === null ? 0 : Number(figure.value)).toBe(ratio);
        const index = one.day - firstEventDay + 1;
        expect(checkedValue(explainDayAmount(explained, 'income', one.day))).toBe(
          fromFixed(explained.segment.income.at(index)),
        );
        expect(checkedValue(explainDayAmount(explained, 'fee', one.day))).toBe(
          fromFixed(explained.segment.fees.at(index)),
        );
        expect(Object.is(Number(figure.value), 0) || 'formula' in figure).toBe(true);
      }
    }),
    runs,
  );
});

function ratioOf({ value }: Explanation): number | null {
  return value === null ? null : Number(value);
}

test('the figures of a window follow from its days', () => {
  fc.assert(
    fc.property(generatedCase, someRequest, (one, request) => {
      const history = historyOfCase(one);
      const found = performance(history, request);
      const { whole } = found;
      const report = { history, fees: request.fees, currency: found.currency };
      const segments = [
        { segment: whole, positions: found.positions, report },
        ...[...found.axes.instruments].map(([key, segment]) => ({
          segment,
          positions: found.positions.filter((position) => history.key(position).instrument === key),
          report,
        })),
      ];
      for (const explained of segments) {
        const { segment } = explained;
        const { path } = segment;
        const totals = segment.totals();
        expect(ratioOf(explainCumulative(path))).toBe(path.cumulativeReturn);
        expect(ratioOf(explainDrawdown(path))).toBe(path.maximumDrawdown().ratio);
        expect(ratioOf(explainVolatility(path))).toBe(path.volatility().ratio);
        const reason = path.noReturn ?? 'under-one-year';
        expect(explainAnnualised(path)).toMatchObject({ value: null, notes: [reason] });
        const rate = explainMoneyWeightedReturn(explained);
        expect(ratioOf(rate)).toBe(segment.moneyWeightedReturn().windowRate);
        const yearly = explainAnnualisedMoneyWeightedReturn(explained);
        expect(yearly).toMatchObject({
          value: null,
          notes: [segment.moneyWeightedReturn().reason ?? 'under-one-year'],
        });
        const contribution = explainContribution({ explained, whole });
        expect(ratioOf(contribution)).toBe(segment.contribution);
        for (const figure of [
          explainCumulative(path),
          explainDrawdown(path),
          explainVolatility(path),
          rate,
          yearly,
          contribution,
        ]) {
          checkExplanation(figure);
        }
        expect(checkedValue(explainTotal(explained, 'income'))).toBe(fromFixed(totals.income));
        expect(checkedValue(explainTotal(explained, 'fees'))).toBe(fromFixed(totals.fees));
        expect(checkedValue(explainTotal(explained, 'flow'))).toBe(fromFixed(totals.flow));
      }
    }),
    { numRuns: 25 },
  );
});

test('the generated facts cover every figure that returns are computed from', () => {
  const names = [
    'weighted-flow',
    'position-income',
    'position-fee',
    'discounted-flow',
    'daily-contribution',
    'trough-level',
    'variance',
  ];
  expect(names.filter((name) => !seenFigureNames.has(name))).toEqual([]);
});
