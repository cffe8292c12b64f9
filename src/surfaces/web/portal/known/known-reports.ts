// Reads the same reports twice: as known at a moment, and as known today about the same day and period.

import { allInOrder } from '../../../../kit/concurrency/all-in-order.ts';
import type { EntityView } from '../entity-view.ts';

/** The holdings of a day by instrument, and the figures of the period that ends with it. */
export interface Said {
  readonly currency: string;
  readonly totals: any;
  /** By instrument. */
  readonly rows: ReadonlyMap<string, any>;
  readonly isCut: boolean;
  readonly performance: any;
  /** The period of the performance, and its currency. */
  readonly window: { readonly start: string; readonly end: string; readonly currency: string };
}

export interface Comparison {
  readonly day: string;
  readonly earlier: Said;
  readonly today: Said;
  /** Undefined for people who may not see bookings. */
  readonly restatement: any;
}

const rowsMax = 1_000;

type Query = Readonly<Record<string, string | undefined>>;

export async function readComparison(view: EntityView): Promise<Comparison> {
  const { api } = view.page;
  const first = await readSaid(view, view.dayQuery, { ...view.windowQuery });
  const { day, said } = first;
  const entity = { reporting_entity_id: view.entityId };
  const [today, restatement] = await allInOrder([
    readSaid(view, { ...entity, as_of: day }, { ...entity, ...said.window }),
    view.hasRole('advisor')
      ? api.get('/v1/restatements', { ...entity, from_known_at: view.knownAt, as_of: day, cursor: view.cursor })
      : undefined,
  ]);
  return { day, earlier: said, today: today.said, restatement };
}

async function readSaid(
  view: EntityView,
  dayQuery: Query,
  windowQuery: Query,
): Promise<{ readonly day: string; readonly said: Said }> {
  const { api } = view.page;
  const [holdings, performance] = await allInOrder([
    readHoldings(view, dayQuery),
    api.get('/v1/performance', { ...windowQuery, detail: 'summary' }),
  ]);
  const { start, end, currency } = performance;
  const said: Said = { ...holdings, performance: performance.data[0], window: { start, end, currency } };
  return { day: view.dayOf(holdings.asOf), said };
}

type Holdings = Pick<Said, 'currency' | 'totals' | 'rows' | 'isCut'> & { readonly asOf: string };

async function readHoldings({ page }: EntityView, query: Query): Promise<Holdings> {
  const rows = new Map<string, any>();
  let report: any;
  do {
    report = await page.api.get('/v1/holdings', {
      ...query,
      by: 'instrument',
      limit: '100',
      cursor: report?.next_cursor,
    });
    for (const row of report.data) rows.set(row.segment_id ?? '', row);
  } while (report.has_more === true && rows.size < rowsMax);
  const { currency, totals, as_of: asOf, has_more: isCut } = report;
  return { currency, totals, rows, isCut, asOf };
}
