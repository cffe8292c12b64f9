// Reads the holdings of a reporting entity from the reports of the API: classes, their instruments, and values in the chosen currency.

import { allInOrder } from '../../../kit/concurrency/all-in-order.ts';
import type { EntityView } from './entity-view.ts';

/** What a report says a value is based on. */
export interface ShownValuation {
  readonly stale: boolean;
  readonly estimated: boolean;
  readonly date: string | null;
  /** The day of an exchange rate that is too old. */
  readonly stale_rate_date?: string;
}

/** A row of the API's holdings, with its value in the chosen currency. */
export interface HeldRow {
  readonly id: string | null;
  readonly name: string | null;
  readonly quantity: string | null;
  readonly value: string | null;
  readonly share: number | null;
  readonly cost: string;
  readonly gain: string;
  readonly valuation: ShownValuation;
  /** Of an instrument: the id of its class; null for none. */
  readonly classId: string | null;
}

export interface HoldingsReport {
  readonly end: string;
  /** The currency of cost and gain. */
  readonly currency: string;
  /** The currency of the values. */
  readonly valueCurrency: string;
  readonly totals: { readonly value: string | null; readonly cost: string; readonly gain: string };
  readonly classes: readonly HeldRow[];
  readonly instruments: readonly HeldRow[];
  readonly isCut: boolean;
}

/** What a page reads: the API lists a hundred at a time. */
export const instrumentsMax = 1_000;

export async function readHoldings(view: EntityView): Promise<HoldingsReport> {
  const { api } = view.page;
  const [byClass, byInstrument, cells, converted] = await allInOrder([
    api.get('/v1/holdings', { ...view.dayQuery, by: 'class', limit: '100' }),
    api.list('/v1/holdings', { ...view.dayQuery, by: 'instrument' }, instrumentsMax),
    api.get('/v1/allocation', { ...view.dayQuery, by: 'class,instrument' }),
    readConverted(view),
  ]);
  const classOf = new Map<string | null, string | null>(
    cells.cells.map(({ segments: [ofClass, instrument] }: any) => [instrument.segment_id, ofClass.segment_id]),
  );
  const { totals, currency, as_of } = byClass;
  const rowOf = (axis: string, row: any): HeldRow => ({
    id: row.segment_id,
    name: row.segment_name,
    quantity: row.quantity,
    value: converted === undefined ? row.market_value : converted.valueOf(axis, row.segment_id),
    share: row.share,
    cost: row.cost_basis,
    gain: row.unrealised_pnl,
    valuation: row.valuation,
    classId: classOf.get(row.segment_id) ?? null,
  });
  return {
    end: dayOf(as_of, view.page.timeZone),
    currency,
    valueCurrency: converted?.currency ?? currency,
    totals: {
      value: converted === undefined ? totals.market_value : converted.valueOf('total', null),
      cost: totals.cost_basis,
      gain: totals.unrealised_pnl,
    },
    classes: byClass.data.map((row: any) => rowOf('class', row)),
    instruments: byInstrument.data.map((row) => rowOf('instrument', row)),
    isCut: byInstrument.isCut,
  };
}

/** The day that a moment of the API ends. */
export function dayOf(moment: string, timeZone: string): string {
  return Temporal.Instant.from(moment).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

interface ConvertedValues {
  readonly currency: string;
  valueOf(axis: string, segment: string | null): string | null;
}

/** The holdings report is in the reference currency; the values in another one are those at the end of a performance report. */
async function readConverted(view: EntityView): Promise<ConvertedValues | undefined> {
  if (view.currency === undefined) return undefined;
  const { currency, data } = await view.page.api.get('/v1/performance', {
    ...view.entityQuery,
    end: view.asOf,
    currency: view.currency,
    by: 'class,instrument,account',
    detail: 'summary',
  });
  const keyOf = (axis: string, segment: string | null): string => `${axis} ${segment}`;
  const values = new Map<string, string>(
    data.map((row: any) => [keyOf(row.axis, row.segment_id), row.end_market_value]),
  );
  return { currency, valueOf: (axis, segment) => values.get(keyOf(axis, segment)) ?? null };
}

export interface InstrumentDetail {
  readonly accounts: readonly any[];
  /** Undefined for people who may not see lots. */
  readonly lots: readonly any[] | undefined;
}

/** The accounts and lots of one instrument. */
export async function readInstrument(view: EntityView, instrument: string): Promise<InstrumentDetail> {
  const { api } = view.page;
  const [allocation, lots] = await allInOrder([
    api.get('/v1/allocation', { ...view.dayQuery, by: 'instrument,account' }),
    view.hasRole('advisor') ? api.list('/v1/lots', { ...view.dayQuery, instrument_id: instrument }) : undefined,
  ]);
  const cells: readonly any[] = allocation.cells;
  return {
    accounts: cells
      .filter(({ segments: [held] }) => held.segment_id === instrument)
      .map(({ segments: [, account], market_value, share }) => ({ ...account, market_value, share })),
    lots: lots?.data,
  };
}
