// Units and balances straight from the columns of a ledger, where nothing but rows decides them. Knows no lots.

import type { Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import type { Checkpoints } from './checkpoint.ts';
import type { Currency } from '../currencies/exchange-rates.ts';
import type { Instrument } from '../instruments/instrument.ts';
import type { PositionTable } from '../ledger/position-table.ts';
import { transactionKinds } from '../ledger/transaction.ts';
import type { FeesSource, Movement, MoneySource } from './balance-history.ts';
import { isTrade } from './position-kinds.ts';
import type { Rows, RowsByPosition } from './ledger-rows.ts';
import { Steps } from './step-function.ts';

export interface MovementContext {
  readonly rows: Rows;
  readonly table: PositionTable;
  readonly byPosition: RowsByPosition;
  readonly byCash: RowsByPosition;
  readonly checkpoints: Checkpoints;
  instrument(position: number): Instrument;
}

const fee = transactionKinds.indexOf('fee');

/** The running sum of what is bought and sold. */
export function tradedUnits({ rows, byPosition }: MovementContext, position: number): Steps {
  const own = byPosition.of(position);
  const summed = { rows, column: rows.quantities, scale: rows.ledger.scales.quantity, counts: tradingKinds };
  return runningSum(own, summed) ?? exactSum(own, rows);
}

function exactSum(own: Uint32Array, rows: Rows): Steps {
  const byDay = new Map<Day, Fixed>();
  let sum = 0n;
  for (const row of own) {
    if (!isTrade(rows.kinds[row]!)) continue;
    sum += rows.get('quantity', row);
    byDay.set(rows.days[row]!, sum);
  }
  return Steps.ofAmounts([...byDay.keys()], [...byDay.values()]);
}

/** The running sum of what rows bring; undefined where uploads or other accounts' rows have a say, or it does not fit. */
export function plainBalance(context: MovementContext, position: number): Steps | undefined {
  const { rows, byCash, checkpoints } = context;
  if (checkpoints.has(position) || counterMovements(context).has(position)) return undefined;
  return runningSum(byCash.of(position), {
    rows,
    column: rows.amounts,
    scale: rows.ledger.scales.amount,
    counts: allKinds,
  });
}

interface Summed {
  readonly rows: Rows;
  readonly column: Float64Array;
  readonly scale: number;
  /** By kind, whether its rows do. */
  readonly counts: Uint8Array;
}

const tradingKinds = Uint8Array.from(transactionKinds, (_, kind) => (isTrade(kind) ? 1 : 0));
const allKinds = Uint8Array.from(transactionKinds, () => 1);

function runningSum(summed: Uint32Array, { rows, column, scale, counts }: Summed): Steps | undefined {
  const days = new Int32Array(summed.length);
  const values = new Float64Array(summed.length);
  let [count, sum, isExact] = [0, 0, true];
  const { days: rowDays, kinds } = rows;
  for (let index = 0; index < summed.length; index++) {
    const row = summed[index]!;
    if (counts[kinds[row]!] === 0) continue;
    const day = rowDays[row]!;
    sum += column[row]!;
    isExact &&= Math.abs(sum) <= Number.MAX_SAFE_INTEGER; // false for NaN too
    if (count > 0 && days[count - 1] === day) values[count - 1] = sum;
    else {
      days[count] = day;
      values[count++] = sum;
    }
  }
  return isExact ? Steps.ofIntegers(days.subarray(0, count), { values: values.subarray(0, count), scale }) : undefined;
}

const counterMovementsOf = new WeakMap<Rows, ReadonlyMap<number, readonly RowMovement[]>>();

interface RowMovement extends Movement {
  readonly row: number;
}

/** What rows of other accounts, or in other currencies, bring to a position's cash. */
function counterMovements({ rows, table }: MovementContext): ReadonlyMap<number, readonly RowMovement[]> {
  const known = counterMovementsOf.get(rows);
  if (known !== undefined) return known;
  const found = new Map<number, RowMovement[]>();
  for (const row of rows.detailed) {
    const counter = rows.details(row)?.counterCash;
    if (counter === undefined) continue;
    const position = table.cash(counter.account, counter.currency);
    const movements = found.get(position) ?? [];
    found.set(position, movements);
    movements.push({ row, day: rows.days[row]!, amount: counter.amount });
  }
  counterMovementsOf.set(rows, found);
  return found;
}

export function moneySource(context: MovementContext, position: number): MoneySource {
  const { rows, byCash, checkpoints } = context;
  const own = Array.from(byCash.of(position), (row) => movement(rows, row, rows.get('amount', row)));
  const movements = [...own, ...(counterMovements(context).get(position) ?? [])];
  return {
    position,
    currency: currencyOf(context, position),
    movements: movements.toSorted((one, other) => one.row - other.row),
    checkpoints: checkpoints.get(position) ?? [],
  };
}

/** Fees of the account that are charged to no instrument. */
export function feesSource(context: MovementContext, position: number): FeesSource {
  const { rows, table, byCash, checkpoints } = context;
  const { account } = table.key(position);
  const currency = currencyOf(context, position);
  const cash = table.cash(account!, currency);
  const paid = byCash.of(cash).filter((row) => rows.kinds[row] === fee && rows.positions[row]! < 0);
  const isKnownBefore = (day: Day): boolean => {
    const [first] = byCash.of(cash);
    const [upload] = checkpoints.get(cash) ?? [];
    return (first !== undefined && rows.days[first]! < day) || (upload !== undefined && upload.day < day);
  };
  return {
    position,
    currency,
    cash,
    movements: Array.from(paid, (row) => movement(rows, row, -rows.get('amount', row))),
    checkpoints: checkpoints.get(position) ?? [],
    isKnownBefore,
  };
}

function movement(rows: Rows, row: number, amount: Fixed): RowMovement {
  return { row, day: rows.days[row]!, amount };
}

function currencyOf(context: MovementContext, position: number): Currency {
  return context.instrument(position).currency;
}
