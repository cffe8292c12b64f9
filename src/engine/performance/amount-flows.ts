// What the amounts of rows are to a position: flows, income, fees. Knows no rates and no days.

import type { Currency } from '../exchange-rates.ts';
import type { History } from '../history.ts';
import { amountSides } from '../leg.ts';
import { findSynthetic } from '../position.ts';
import { transactionKinds, type TransactionKind } from '../transaction.ts';

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

/** Where the table of a use has the sign of a row. */
export function signIndex(kind: number, position: number): number {
  return 2 * kind + (position < 0 ? 0 : 1);
}

function signTable(use: AmountUse, isCash: boolean): Int8Array {
  return Int8Array.from({ length: 2 * transactionKinds.length }, (_, index) =>
    signOf[use]({ kind: transactionKinds[index >> 1]!, hasInstrument: index % 2 === 1, isCash }),
  );
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
/** As the column of kinds has it. */
export const feeKind = transactionKinds.indexOf('fee');

export class AmountFlows {
  readonly #history: History;
  readonly #fees: FeeTreatment;
  readonly #accruedRows = new Map<number, number[]>();
  /** By position, whether it earned or was charged anything. */
  readonly #earning: Uint8Array;

  constructor(history: History, fees: FeeTreatment) {
    this.#history = history;
    this.#fees = fees;
    const { rows } = history;
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

  /** How the amount of each row of a position counts: by kind × 2, and 1 more where the row has an instrument. */
  signs(use: AmountUse, position: number): Int8Array {
    return (this.#isMoney(position) ? cashTables : instrumentTables)[use];
  }

  /** What gross returns add back left the cash as if it were paid out. */
  isAddedBack(use: AmountUse, row: number): boolean {
    return (
      this.#fees === 'gross' && use === 'flow' && this.#history.rows.kinds[row] === feeKind && this.#isForAdvice(row)
    );
  }

  sign(use: AmountUse, position: number, row: number): Sign {
    if (this.isAddedBack(use, row)) return this.#isMoney(position) ? 1 : 0;
    const { kinds, positions } = this.#history.rows;
    return this.signs(use, position)[signIndex(kinds[row]!, positions[row]!)] as Sign;
  }

  #isForAdvice(row: number): boolean {
    const { rows, facts } = this.#history;
    return facts.settings.advisoryCategories.has(rows.details(row)?.category ?? '');
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
