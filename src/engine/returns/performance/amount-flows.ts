// Decides what the amounts of rows are to a position: flows, income or fees.

import { isIncome, traitsOfKind } from '../../../model/ledger/kind-traits.ts';
import type { IsoCurrency } from '../../currencies/exchange-rates.ts';
import type { History } from '../../history/history.ts';
import type { RowSpan } from '../../history/ledger-rows.ts';
import { amountSides } from '../../ledger/leg.ts';
import { findSyntheticInstrument } from '../../ledger/position-key.ts';
import { transactionKinds, type TransactionKind } from '../../ledger/transaction.ts';
import { isChargeKind } from '../../history/position-kinds.ts';
import { signIndex, type RowSigns } from './selected-rows.ts';

export type FeeTreatment = 'net' | 'gross';

const amountUses = ['flow', 'income', 'fee', 'returned-fee'] as const;

/** What came into the position, what it earned, what it was charged (positive), and what of that gross returns give back. */
export type AmountUse = (typeof amountUses)[number];

/** How a row's amount counts: as it is, reversed, or not at all. */
export type Sign = -1 | 0 | 1;

interface RowPerspective {
  readonly kind: TransactionKind;
  readonly hasInstrument: boolean;
  /** Whether the position is cash or the instrument. */
  readonly isCash: boolean;
}

function flowSign({ kind, hasInstrument, isCash }: RowPerspective): Sign {
  const sides = amountSides({ kind, instrument: hasInstrument ? kind : null });
  if (isCash) return sides === 'none' ? 0 : 1;
  return sides === 'both' ? -1 : 0;
}

/** Income belongs to the instrument if one is named, else to the cash. */
function incomeSign({ kind, hasInstrument, isCash }: RowPerspective): Sign {
  return isIncome(kind) && hasInstrument !== isCash ? 1 : 0;
}

function feeSign({ kind, hasInstrument, isCash }: RowPerspective): Sign {
  return traitsOfKind(kind).amount === 'charge' && hasInstrument !== isCash ? -1 : 0;
}

const signFunctions: Readonly<Record<AmountUse, (perspectives: RowPerspective) => Sign>> = {
  flow: flowSign,
  income: incomeSign,
  fee: feeSign,
  'returned-fee': () => 0,
};

/** Advisory fees in gross returns are treated as another kind of row. */
const advisoryFeeKind = transactionKinds.length;

const noInstrument = -1;

/** Indexed by kind × 2, plus 1 if the row has an instrument. */
function buildSignTable(use: AmountUse, isCash: boolean): Int8Array {
  const table = Int8Array.from({ length: 2 * transactionKinds.length + 2 }, (_, index) => {
    // Advisory fees come after the kinds, and are fees.
    const kind = transactionKinds[index >> 1] ?? 'fee';
    return signFunctions[use]({ kind, hasInstrument: index % 2 === 1, isCash });
  });
  // It left the cash as if it had been paid out.
  if (use === 'flow') table.fill(isCash ? 1 : 0, 2 * advisoryFeeKind);
  if (use === 'returned-fee' && isCash) table[signIndex(advisoryFeeKind, noInstrument)] = -1;
  return table;
}

type SignTables = Readonly<Record<AmountUse, Int8Array>>;

function buildSignTables(isCash: boolean): SignTables {
  return {
    flow: buildSignTable('flow', isCash),
    income: buildSignTable('income', isCash),
    fee: buildSignTable('fee', isCash),
    'returned-fee': buildSignTable('returned-fee', isCash),
  };
}

const cashTables = buildSignTables(true);
const instrumentTables = buildSignTables(false);

export class AmountFlows {
  readonly #history: History;
  /** By row. */
  readonly #kinds: Uint8Array;
  readonly #accruedRows = new Map<number, number[]>();
  /** By position: whether it earned or was charged anything. */
  readonly #earning: Uint8Array;

  constructor(history: History, fees: FeeTreatment) {
    this.#history = history;
    const { rows } = history;
    this.#kinds = fees === 'gross' ? kindsWithAdvisoryFees(history) : rows.kinds;
    this.#earning = earningPositions(history);
    for (const row of rows.rowsWithDetails) {
      if (rows.details(row)?.accrued === undefined) continue;
      const position = rows.positions[row]!;
      this.#accruedRows.set(position, [...(this.#accruedRows.get(position) ?? []), row]);
    }
  }

  /** Lists the rows with which interest was bought or sold. */
  accruedRows(position: number): readonly number[] {
    return this.#accruedRows.get(position) ?? [];
  }

  /** Whether any row of the position has that use. */
  hasUse(use: AmountUse, position: number): boolean {
    return use === 'flow' || this.#earning[position] === 1;
  }

  /** Returns how the amounts of a position's rows count. */
  signs(use: AmountUse, position: number): RowSigns {
    const table = (this.#isMoney(position) ? cashTables : instrumentTables)[use];
    return { table, kinds: this.#kinds, positions: this.#history.rows.positions };
  }

  sign(use: AmountUse, position: number, row: number): Sign {
    const { table, kinds, positions } = this.signs(use, position);
    return table[signIndex(kinds[row]!, positions[row]!)] as Sign;
  }

  #isMoney(position: number): boolean {
    return findSyntheticInstrument(this.#history.key(position).instrument) !== undefined;
  }

  /** Lists the rows that may matter to the position, in order. */
  rowsOf(position: number): Uint32Array {
    const { byCash, byPosition } = this.#history;
    return this.#isMoney(position) ? byCash.rowsOf(position) : byPosition.rowsOf(position);
  }

  rowsWithin(position: number, span: RowSpan): Uint32Array {
    const { byCash, byPosition } = this.#history;
    return (this.#isMoney(position) ? byCash : byPosition).rowsWithin(position, span);
  }

  currencyOf(row: number): IsoCurrency {
    const { rows, table } = this.#history;
    const cash = rows.cash[row]!;
    return cash < 0 ? rows.transaction(row).currency : findSyntheticInstrument(table.key(cash).instrument)!.currency;
  }
}

function kindsWithAdvisoryFees(history: History): Uint8Array {
  const { advisoryCategories } = history.facts.settings;
  return history.rows.kinds.map((kind, row) =>
    isChargeKind(kind) && advisoryCategories.has(feeCategory(history, row) ?? '') ? advisoryFeeKind : kind,
  );
}

/** A booked fee that states no category has that of the running fee it is charged to. */
function feeCategory(history: History, row: number): string | undefined {
  const { category } = history.rows.details(row) ?? {};
  const position = history.rows.positions[row]!;
  if (category !== undefined || position < 0) return category;
  const { terms } = history.instrument(position);
  return terms.type === 'fee' ? terms.category : undefined;
}

const earningKinds = Uint8Array.from(transactionKinds, (kind) => {
  const perspectives = [true, false].map((isCash) => ({ kind, hasInstrument: !isCash, isCash }));
  return perspectives.some((one) => incomeSign(one) !== 0 || feeSign(one) !== 0) ? 1 : 0;
});

function earningPositions({ rows, table }: History): Uint8Array {
  const { kinds, positions, cash, count } = rows;
  const earning = new Uint8Array(table.count);
  for (let row = 0; row < count; row++) {
    if (earningKinds[kinds[row]!] === 0) continue;
    if (positions[row]! >= 0) earning[positions[row]!] = 1;
    if (cash[row]! >= 0) earning[cash[row]!] = 1;
  }
  return earning;
}
