// Computes units and balances straight from the columns of a ledger, where only rows decide them.

import type { Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import type { Checkpoints } from './checkpoint.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { ValuedInstrument } from '../instruments/instrument.ts';
import type { PositionTable } from '../ledger/position-table.ts';
import { transactionKinds } from '../ledger/transaction.ts';
import type { FeesOwedSource, Movement, BalanceSource } from './balance-history.ts';
import { isChargeKind, isTradeKind } from './position-kinds.ts';
import type { LedgerRows, RowsByPosition } from './ledger-rows.ts';
import { StepFunction } from './step-function.ts';

export interface MovementContext {
  readonly rows: LedgerRows;
  readonly table: PositionTable;
  readonly byPosition: RowsByPosition;
  readonly byCash: RowsByPosition;
  readonly checkpoints: Checkpoints;
  instrument(position: number): ValuedInstrument;
}

/** The running sum of what is bought and sold. */
export function tradedUnitSteps({ rows, byPosition }: MovementContext, position: number): StepFunction {
  const positionRows = byPosition.rowsOf(position);
  const summed = { rows, column: rows.quantities, scale: rows.ledger.scales.quantity, isCounted: tradingKinds };
  return runningSum(positionRows, summed) ?? exactSum(positionRows, rows);
}

function exactSum(positionRows: Uint32Array, rows: LedgerRows): StepFunction {
  const byDay = new Map<Day, Fixed>();
  let sum = 0n;
  for (const row of positionRows) {
    if (!isTradeKind(rows.kinds[row]!)) continue;
    sum += rows.get('quantity', row);
    byDay.set(rows.days[row]!, sum);
  }
  return StepFunction.fromAmounts([...byDay.keys()], [...byDay.values()]);
}

/** The running sum of what rows bring; undefined if uploads or rows of other accounts matter, or if it does not fit. */
export function findRowBalance(context: MovementContext, position: number): StepFunction | undefined {
  const { rows, byCash, checkpoints } = context;
  if (checkpoints.has(position) || counterMovements(context).has(position)) return undefined;
  return runningSum(byCash.rowsOf(position), {
    rows,
    column: rows.amounts,
    scale: rows.ledger.scales.amount,
    isCounted: allKinds,
  });
}

interface SummedColumn {
  readonly rows: LedgerRows;
  readonly column: Float64Array;
  readonly scale: number;
  /** By kind, whether its rows count. */
  readonly isCounted: Uint8Array;
}

const tradingKinds = Uint8Array.from(transactionKinds, (_, kind) => (isTradeKind(kind) ? 1 : 0));
const allKinds = Uint8Array.from(transactionKinds, () => 1);

function runningSum(summed: Uint32Array, { rows, column, scale, isCounted }: SummedColumn): StepFunction | undefined {
  const days = new Int32Array(summed.length);
  const values = new Float64Array(summed.length);
  let [count, sum, isExact] = [0, 0, true];
  const { days: rowDays, kinds } = rows;
  for (let index = 0; index < summed.length; index++) {
    const row = summed[index]!;
    if (isCounted[kinds[row]!] === 0) continue;
    const day = rowDays[row]!;
    sum += column[row]!;
    isExact &&= Math.abs(sum) <= Number.MAX_SAFE_INTEGER; // false for NaN too
    if (count > 0 && days[count - 1] === day) values[count - 1] = sum;
    else {
      days[count] = day;
      values[count++] = sum;
    }
  }
  return isExact
    ? StepFunction.fromIntegers(days.subarray(0, count), { values: values.subarray(0, count), scale })
    : undefined;
}

const counterMovementsCache = new WeakMap<LedgerRows, ReadonlyMap<number, readonly RowMovement[]>>();

export interface RowMovement extends Movement {
  readonly row: number;
}

/** What rows of other accounts, or in other currencies, bring to a position's cash. */
function counterMovements({ rows, table }: MovementContext): ReadonlyMap<number, readonly RowMovement[]> {
  const cached = counterMovementsCache.get(rows);
  if (cached !== undefined) return cached;
  const found = new Map<number, RowMovement[]>();
  for (const row of rows.rowsWithDetails) {
    const counterCash = rows.details(row)?.counterCash;
    if (counterCash === undefined) continue;
    const position = table.cashPosition(counterCash.account, counterCash.currency);
    const movements = found.get(position) ?? [];
    found.set(position, movements);
    movements.push({ row, day: rows.days[row]!, amount: counterCash.amount });
  }
  counterMovementsCache.set(rows, found);
  return found;
}

/** Everything that rows bring to a position's cash, in ledger order. */
export function listCashMovements(context: MovementContext, position: number): readonly RowMovement[] {
  const { rows, byCash } = context;
  const positionRows = Array.from(byCash.rowsOf(position), (row) => movement(rows, row, rows.get('amount', row)));
  const movements = [...positionRows, ...(counterMovements(context).get(position) ?? [])];
  return movements.toSorted((one, other) => one.row - other.row);
}

/**
 * The part of a cash balance that is booked by a day and settles after it. What the last upload by then states has settled: only rows after it
 * count.
 */
export function unsettledCash(context: MovementContext, position: number, day: Day): Fixed {
  const { rows, byCash, checkpoints } = context;
  const stated = checkpoints.get(position)?.findLast((checkpoint) => checkpoint.day <= day)?.day ?? -Infinity;
  const isUnsettled = (row: number): boolean =>
    rows.days[row]! > stated && rows.days[row]! <= day && rows.settlement(row) > day;
  let sum = 0n;
  for (const row of byCash.rowsOf(position)) if (isUnsettled(row)) sum += rows.get('amount', row);
  for (const { row, amount } of counterMovements(context).get(position) ?? []) if (isUnsettled(row)) sum += amount;
  return sum;
}

export function balanceSource(context: MovementContext, position: number): BalanceSource {
  const { checkpoints } = context;
  return {
    position,
    currency: currencyOf(context, position),
    movements: listCashMovements(context, position),
    checkpoints: checkpoints.get(position) ?? [],
  };
}

/** Fees of the account that are charged to no instrument. */
export function feesOwedSource(context: MovementContext, position: number): FeesOwedSource {
  const { rows, table, byCash, checkpoints } = context;
  const { account } = table.key(position);
  const currency = currencyOf(context, position);
  const cash = table.cashPosition(account!, currency);
  const feeRows = byCash.rowsOf(cash).filter((row) => isChargeKind(rows.kinds[row]!) && rows.positions[row]! < 0);
  const isKnownBefore = (day: Day): boolean => {
    const [first] = byCash.rowsOf(cash);
    const [upload] = checkpoints.get(cash) ?? [];
    return (first !== undefined && rows.days[first]! < day) || (upload !== undefined && upload.day < day);
  };
  return {
    position,
    currency,
    cash,
    movements: Array.from(feeRows, (row) => movement(rows, row, -rows.get('amount', row))),
    checkpoints: checkpoints.get(position) ?? [],
    isKnownBefore,
  };
}

function movement(rows: LedgerRows, row: number, amount: Fixed): RowMovement {
  return { row, day: rows.days[row]!, amount };
}

function currencyOf(context: MovementContext, position: number): IsoCurrency {
  return context.instrument(position).currency;
}
