// Computes the cost of bought units in the reference currency, row by row, for positions in other currencies.

import { AmountColumn } from '../amounts/amount-column.ts';
import { DailyRates } from '../quick/daily-rates.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import { findSyntheticInstrument } from '../ledger/position-key.ts';
import type { PositionTable } from '../ledger/position-table.ts';
import { quickAmounts } from '../quick/quick-values.ts';
import { referenceMoney, type CurrencyContext } from '../currencies/reference-money.ts';
import type { LedgerRows } from './ledger-rows.ts';

interface CostContext {
  readonly rows: LedgerRows;
  readonly table: PositionTable;
  currencyContext(position: number): CurrencyContext;
}

/** Rows whose money is in one currency and one column. */
interface CostGroup {
  readonly currency: IsoCurrency;
  readonly column: 'value' | 'amount';
  readonly rows: number[];
}

/** By row; zero except for the buys among the given rows, which must be in order. */
export function referenceCosts(context: CostContext, rowsToCost: Iterable<number>): AmountColumn {
  const { rows } = context;
  const costs = new AmountColumn(rows.count);
  const groups = new Map<string, CostGroup>();
  for (const row of rowsToCost) {
    if (rows.quantities[row]! <= 0) continue;
    const { currency, column } = costColumn(context, row);
    const key = `${currency} ${column}`;
    const group = groups.get(key) ?? { currency, column, rows: [] };
    groups.set(key, group);
    group.rows.push(row);
  }
  for (const group of groups.values()) writeCosts(context, group, costs);
  return costs;
}

/** Lists the positions whose purchases among the given rows, in order, need a rate that is missing on their day. */
export function positionsWithoutRate(context: CostContext, rowsToCost: Iterable<number>): ReadonlySet<number> {
  const { rows, currencyContext } = context;
  const positions = new Set<number>();
  /** Currencies that have a rate by the day of the row: from then on they always have one. */
  const rated = new Set<IsoCurrency>();
  for (const row of rowsToCost) {
    if (rows.quantities[row]! <= 0) continue;
    const { currency: from } = costColumn(context, row);
    if (rated.has(from)) continue;
    const { rates, referenceCurrency: to } = currencyContext(rows.positions[row]!);
    if (rates.find({ from, to, day: rows.days[row]! }) === undefined) positions.add(rows.positions[row]!);
    else rated.add(from);
  }
  return positions;
}

/** If cash was exchanged for the trade, the exchanged amount counts: see referenceMoney. */
function costColumn({ rows, table, currencyContext }: CostContext, row: number): Omit<CostGroup, 'rows'> {
  const { currency } = currencyContext(rows.positions[row]!);
  const cash = rows.cash[row]!;
  if (cash < 0 || rows.amounts[row] === 0) return { currency, column: 'value' };
  const { currency: cashCurrency } = findSyntheticInstrument(table.key(cash).instrument)!;
  return cashCurrency === currency ? { currency, column: 'value' } : { currency: cashCurrency, column: 'amount' };
}

function writeCosts(context: CostContext, { currency, column, rows: groupRows }: CostGroup, costs: AmountColumn): void {
  const { rows, currencyContext } = context;
  const { referenceCurrency, rates } = currencyContext(rows.positions[groupRows[0]!]!);
  const places = Uint32Array.from(groupRows);
  const days = Int32Array.from(groupRows, (row) => rows.days[row]!);
  const source = column === 'value' ? rows.values : rows.amounts;
  const values = Float64Array.from(groupRows, (row) => (column === 'value' ? source[row]! : Math.abs(source[row]!)));
  const flows = { days, values, scale: rows.ledger.scales[column] };
  const window = { first: days[0]!, last: days.at(-1)! };
  const daily = new DailyRates(rates, { from: currency, to: referenceCurrency }, window);
  const isDone = quickAmounts({ flows, rates: daily, indexes: places }, costs);
  const rowsWithDetails = new Set(rows.rowsWithDetails);
  for (const row of groupRows) {
    const hasAccrued = rowsWithDetails.has(row) && rows.details(row)?.accrued !== undefined;
    if (hasAccrued || !isDone) costs.set(row, exactCost(context, row));
  }
}

function exactCost({ rows, currencyContext }: CostContext, row: number) {
  return referenceMoney(rows.transaction(row), currencyContext(rows.positions[row]!)).amount;
}
