// The chart of the value over time marks the largest payments, in or out, and no more than can be told apart.

import { expect, test } from 'vitest';
import { formatsOf } from '../../language/formats.ts';
import { readerOf } from '../../language/reader.ts';
import type { EntityView } from '../entity-view.ts';
import { valueChart } from './performance-charts.ts';

const page = { reader: readerOf({}), formats: formatsOf('en-GB') };

/** The days that the chart marks, of a report with these payments from the first of March on. */
function markedDays(flows: readonly number[]): string[] {
  const series = flows.map((flow, index) => ({
    date: `2025-03-${String(index + 1).padStart(2, '0')}`,
    market_value: String(1_000 + index),
    net_cash_flow: String(flow),
    cumulative_twr: '0',
  }));
  const whole = { series, begin_market_value: '1000', end_market_value: '1030' };
  const { figure } = valueChart({ page } as unknown as EntityView, { currency: 'CHF', data: [whole] });
  const marks = figure.text.matchAll(/<title>(\d+) Mar 2025: ([^<]*)<\/title>/g);
  // The same in each of the sizes that it is drawn in.
  return [...new Set([...marks].map(([, day, flow]) => `${day}: ${flow}`))];
}

test('each payment is marked with its day and amount, and a day without one is not', () => {
  expect(markedDays([0, 250, 0, -75.5])).toEqual(['2: +250.00 CHF', '4: −75.50 CHF']);
});

test('of many payments the 24 largest are marked, whichever way they went', () => {
  const flows = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? 1 : -1) * (((index * 7) % 30) + 1));
  const smallest = new Set(flows.flatMap((flow, index) => (Math.abs(flow) <= 6 ? [index + 1] : [])));
  const days = markedDays(flows).map((mark) => Number.parseInt(mark, 10));
  expect(days.toSorted((one, other) => one - other)).toEqual(
    flows.map((_, index) => index + 1).filter((day) => !smallest.has(day)),
  );
});
