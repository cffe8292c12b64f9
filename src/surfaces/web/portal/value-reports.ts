// Reads what the overviews show of a reporting entity, from the reports of the API: value, changes of day, month and year, the days of
// the period, the classes, and the values that are old or estimated.

import { allInOrder } from '../../../kit/concurrency/all-in-order.ts';
import type { ShownValuation } from './holdings-report.ts';
import type { EntityView } from './entity-view.ts';

/** A value that is not current, with the day that it is of. */
export interface UncertainValue {
  readonly id: string | null;
  readonly name: string | null;
  readonly valuation: ShownValuation;
}

export interface ValueReports {
  readonly currency: string;
  /** The first and the last day of the period. */
  readonly start: string;
  readonly end: string;
  /** The rows of the API's performance report: of the period with its days, of the month and of the year. */
  readonly period: any;
  readonly month: any;
  readonly year: any;
  /** The last day of the period; undefined where it has none. */
  readonly day: any;
  /** The rows of holdings by class. */
  readonly classes: readonly any[];
  /** The rows of performance by class. */
  readonly classReturns: readonly any[];
  readonly uncertain: readonly UncertainValue[];
}

function dayBefore(date: string): string {
  return Temporal.PlainDate.from(date).subtract({ days: 1 }).toString();
}

export async function readValueReports(view: EntityView): Promise<ValueReports> {
  const { api } = view.page;
  const performance = (end: string | undefined) => {
    const window = end === undefined ? view.windowQuery : { ...view.windowQuery, end };
    return allInOrder([
      api.get('/v1/performance', window),
      api.get('/v1/performance', { ...window, by: 'class', detail: 'summary' }),
    ]);
  };
  const [untilToday, held] = await allInOrder([
    performance(undefined),
    api.list('/v1/holdings', { ...view.dayQuery, by: 'class' }),
  ]);
  // Without a chosen day, the page is of the latest day with data, as holdings are: today has mostly no price yet.
  const { carried_from: carriedFrom, start: windowStart } = untilToday[0];
  const isCarried = view.asOf === undefined && carriedFrom !== null && carriedFrom > windowStart;
  const [whole, byClass] = isCarried ? await performance(dayBefore(carriedFrom)) : untilToday;
  const { currency, start, end, data } = whole;
  const summary = async (first: string): Promise<any> => {
    const query = { ...view.windowQuery, start: first, end, detail: 'summary' };
    return (await api.get('/v1/performance', query)).data[0];
  };
  const isUncertain = held.data.some(({ valuation }) => isUncertainValue(valuation));
  const [month, year, uncertain] = await allInOrder([
    summary(`${end.slice(0, 7)}-01`),
    view.period.name === 'year' ? data[0] : summary(`${end.slice(0, 4)}-01-01`),
    isUncertain ? readUncertain(view) : [],
  ]);
  return {
    currency,
    start,
    end,
    period: data[0],
    month,
    year,
    day: data[0].series.at(-1),
    classes: held.data,
    classReturns: byClass.data.filter(({ axis }: any) => axis === 'class'),
    uncertain,
  };
}

/** Whether nothing was held on any day of the period. */
export function isEmpty({ classes, period }: ValueReports): boolean {
  return classes.length === 0 && period.series.every(({ market_value }: any) => Number(market_value) === 0);
}

async function readUncertain(view: EntityView): Promise<readonly UncertainValue[]> {
  const { data } = await view.page.api.list('/v1/holdings', { ...view.dayQuery, by: 'instrument' });
  return data
    .filter(({ valuation }) => isUncertainValue(valuation))
    .map(({ segment_id, segment_name, valuation }) => ({
      id: segment_id,
      name: segment_name,
      valuation,
    }));
}

function isUncertainValue({ stale, estimated, stale_rate_date }: ShownValuation): boolean {
  return stale || estimated || stale_rate_date !== undefined;
}
