// Computes the cost of bought units in the reference currency, row by row, for positions in other currencies.

import { AmountColumn } from '../amounts/amount-column.ts';
import { DailyRates } from '../quick/daily-rates.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import { findSyntheticInstrument } from '../ledger/position-key.ts';
import type { PositionTable } from '../ledger/position-table.ts';
import { countBelow } from '../amounts/series.ts';
import { quickAmounts } from '../quick/quick-values.ts';
import { referenceMoney, type CurrencyContext } from '../currencies/reference-money.ts';
import type { LedgerRows } from './ledger-rows.ts';

interface CostContext {
  readonly rows: LedgerRows;
  readonly table: PositionTable;
  currencyContext(position: number): CurrencyContext;
}

/** Purchases whose money is in one currency and one column, in order. */
export interface CostGroup {
  readonly currency: IsoCurrency;
  readonly column: 'value' | 'amount';
  readonly rows: number[];
}

/** The purchases among the rows for which the column names a position. */
export function costGroups(context: CostContext, positions: Int32Array): readonly CostGroup[] {
  const { rows, table, currencyContext } = context;
  const groups = { value: new Map<IsoCurrency, CostGroup>(), amount: new Map<IsoCurrency, CostGroup>() };
  const currencies: IsoCurrency[] = [];
  const cashCurrencies: IsoCurrency[] = [];
  for (let row = 0; row < positions.length; row++) {
    const position = positions[row]!;
    if (position < 0 || rows.quantities[row]! <= 0) continue;
    const own = (currencies[position] ??= currencyContext(position).currency);
    const cash = rows.cash[row]!;
    // If cash was exchanged for the trade, the exchanged amount counts: see referenceMoney.
    const currency = cash < 0 || rows.amounts[row] === 0 ? own : (cashCurrencies[cash] ??= cashCurrency(table, cash));
    const column = currency === own ? 'value' : 'amount';
    let group = groups[column].get(currency);
    if (group === undefined) groups[column].set(currency, (group = { currency, column, rows: [] }));
    group.rows.push(row);
  }
  return [...groups.value.values(), ...groups.amount.values()];
}

function cashCurrency(table: PositionTable, cash: number): IsoCurrency {
  return findSyntheticInstrument(table.key(cash).instrument)!.currency;
}

/** Lists the positions with purchases that need a rate that is missing on their day. */
export function positionsWithoutRate(context: CostContext, groups: readonly CostGroup[]): ReadonlySet<number> {
  const { rows, currencyContext } = context;
  const positions = new Set<number>();
  for (const { currency: from, rows: groupRows } of groups) {
    for (const row of groupRows) {
      const position = rows.positions[row]!;
      const { rates, referenceCurrency: to } = currencyContext(position);
      // From the first day with a rate on, there always is one.
      if (rates.find({ from, to, day: rows.days[row]! }) !== undefined) break;
      positions.add(position);
    }
  }
  return positions;
}

/** By row; zero except for the rows of the groups. */
export function referenceCosts(context: CostContext, groups: readonly CostGroup[]): AmountColumn {
  const costs = new AmountColumn(context.rows.count);
  for (const group of groups) writeCosts(context, group, costs);
  return costs;
}

function writeCosts(context: CostContext, { currency, column, rows: groupRows }: CostGroup, costs: AmountColumn): void {
  const { rows, currencyContext } = context;
  const { referenceCurrency, rates } = currencyContext(rows.positions[groupRows[0]!]!);
  const source = column === 'value' ? rows.values : rows.amounts;
  const indexes = Uint32Array.from(groupRows);
  const days = new Int32Array(groupRows.length);
  const values = new Float64Array(groupRows.length);
  for (let index = 0; index < indexes.length; index++) {
    const row = indexes[index]!;
    days[index] = rows.days[row]!;
    values[index] = column === 'value' ? source[row]! : Math.abs(source[row]!);
  }
  const flows = { days, values, scale: rows.ledger.scales[column] };
  const window = { first: days[0]!, last: days.at(-1)! };
  const daily = new DailyRates(rates, { from: currency, to: referenceCurrency }, window);
  const isDone = quickAmounts({ flows, rates: daily, indexes }, costs);
  const exactRows = isDone ? rowsWithAccrued(rows, indexes) : groupRows;
  for (const row of exactRows) costs.set(row, exactCost(context, row));
}

/** Those of the given rows, in order, whose value has accrued interest beside it. */
function rowsWithAccrued(rows: LedgerRows, groupRows: Uint32Array): readonly number[] {
  return rows.rowsWithDetails.filter((row) => {
    const isInGroup = groupRows[countBelow(groupRows, row)] === row;
    return isInGroup && rows.details(row)?.accrued !== undefined;
  });
}

function exactCost({ rows, currencyContext }: CostContext, row: number) {
  return referenceMoney(rows.transaction(row), currencyContext(rows.positions[row]!)).amount;
}
