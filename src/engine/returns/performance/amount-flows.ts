// What the amounts of rows are to a position: flows, income, fees. Knows no rates and no days.

import type { Currency } from '../../currencies/exchange-rates.ts';
import type { History } from '../../history/history.ts';
import { amountSides } from '../../ledger/leg.ts';
import { findSynthetic } from '../../ledger/position-key.ts';
import { transactionKinds, type TransactionKind } from '../../ledger/transaction.ts';
import { signIndex, type RowSigns } from './row-buffer.ts';

export type FeeTreatment = 'net' | 'gross';

export const amountUses = ['flow', 'income', 'fee'] as const;

/** What came into the position; what it earned; what it was charged, as a positive figure. */
export type AmountUse = (typeof amountUses)[number];

/** How a row's amount counts: as it is, the other way round, or not at all. */
export type Sign = -1 | 0 | 1;

interface Seen {
  readonly kind: TransactionKind;
  readonly hasInstrument: boolean;
  /** Whether it is the cash that looks at the row, or the instrument. */
  readonly isCash: boolean;
}

function flowSign({ kind, hasInstrument, isCash }: Seen): Sign {
  const sides = amountSides({ kind, instrument: hasInstrument ? kind : null });
  if (isCash) return sides === 'none' ? 0 : 1;
  return sides === 'both' ? -1 : 0;
}

/** Earned by the instrument where one is named, else by the cash. */
function incomeSign({ kind, hasInstrument, isCash }: Seen): Sign {
  const isIncome = kind === 'dividend' || kind === 'coupon' || kind === 'interest';
  return isIncome && hasInstrument !== isCash ? 1 : 0;
}

function feeSign({ kind, hasInstrument, isCash }: Seen): Sign {
  return kind === 'fee' && hasInstrument !== isCash ? -1 : 0;
}

const signOf: Readonly<Record<AmountUse, (seen: Seen) => Sign>> = {
  flow: flowSign,
  income: incomeSign,
  fee: feeSign,
};

/** As columns of kinds have it. */
const feeKind = transactionKinds.indexOf('fee');

/** In gross returns, what was paid for advice: one more kind of row. */
const adviceKind = transactionKinds.length;

/** By kind × 2, and 1 more where the row has an instrument. */
function signTable(use: AmountUse, isCash: boolean): Int8Array {
  const table = Int8Array.from({ length: 2 * transactionKinds.length + 2 }, (_, index) => {
    const kind = transactionKinds[index >> 1] ?? 'fee';
    return signOf[use]({ kind, hasInstrument: index % 2 === 1, isCash });
  });
  // It left the cash as if it were paid out.
  if (use === 'flow') table.fill(isCash ? 1 : 0, 2 * adviceKind);
  return table;
}

type SignTables = Readonly<Record<AmountUse, Int8Array>>;

function signTables(isCash: boolean): SignTables {
  return {
    flow: signTable('flow', isCash),
    income: signTable('income', isCash),
    fee: signTable('fee', isCash),
  };
}

const cashTables = signTables(true);
const instrumentTables = signTables(false);

export class AmountFlows {
  readonly #history: History;
  /** Of each row. */
  readonly #kinds: Uint8Array;
  readonly #accruedRows = new Map<number, number[]>();
  /** By position, whether it earned or was charged anything. */
  readonly #earning: Uint8Array;

  constructor(history: History, fees: FeeTreatment) {
    this.#history = history;
    const { rows } = history;
    this.#kinds = fees === 'gross' ? kindsWithAdvice(history) : rows.kinds;
    this.#earning = earningPositions(history);
    for (const row of rows.detailed) {
      if (rows.details(row)?.accrued === undefined) continue;
      const position = rows.positions[row]!;
      this.#accruedRows.set(position, [...(this.#accruedRows.get(position) ?? []), row]);
    }
  }

  /** Those with which interest was bought or sold. */
  accruedRows(position: number): readonly number[] {
    return this.#accruedRows.get(position) ?? [];
  }

  /** Whether any row of the position is of that use. */
  has(use: AmountUse, position: number): boolean {
    return use === 'flow' || this.#earning[position] === 1;
  }

  /** How the amounts of a position's rows count. */
  signs(use: AmountUse, position: number): RowSigns {
    const table = (this.#isMoney(position) ? cashTables : instrumentTables)[use];
    return { table, kinds: this.#kinds, positions: this.#history.rows.positions };
  }

  sign(use: AmountUse, position: number, row: number): Sign {
    const { table, kinds, positions } = this.signs(use, position);
    return table[signIndex(kinds[row]!, positions[row]!)] as Sign;
  }

  #isMoney(position: number): boolean {
    return findSynthetic(this.#history.key(position).instrument) !== undefined;
  }

  /** The rows that may matter to the position, in order. */
  rowsOf(position: number): Uint32Array {
    const { byCash, byPosition } = this.#history;
    return this.#isMoney(position) ? byCash.of(position) : byPosition.of(position);
  }

  currencyOf(row: number): Currency {
    const { rows, table } = this.#history;
    const cash = rows.cash[row]!;
    return cash < 0 ? rows.transaction(row).currency : findSynthetic(table.key(cash).instrument)!.currency;
  }
}

function kindsWithAdvice({ rows, facts }: History): Uint8Array {
  const { advisoryCategories } = facts.settings;
  return rows.kinds.map((kind, row) =>
    kind === feeKind && advisoryCategories.has(rows.details(row)?.category ?? '') ? adviceKind : kind,
  );
}

const earningKinds = Uint8Array.from(transactionKinds, (kind) => {
  const seen = [true, false].map((isCash) => ({ kind, hasInstrument: !isCash, isCash }));
  return seen.some((one) => incomeSign(one) !== 0 || feeSign(one) !== 0) ? 1 : 0;
});

function earningPositions({ rows, table }: History): Uint8Array {
  const { kinds, positions, cash, count } = rows;
  const found = new Uint8Array(table.count);
  for (let row = 0; row < count; row++) {
    if (earningKinds[kinds[row]!] === 0) continue;
    if (positions[row]! >= 0) found[positions[row]!] = 1;
    if (cash[row]! >= 0) found[cash[row]!] = 1;
  }
  return found;
}
