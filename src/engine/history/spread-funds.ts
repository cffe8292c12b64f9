// Finds private funds without units that several own places have paid for or been paid by: their net asset value is that of the whole.

import { transactionKinds } from '../ledger/transaction.ts';
import type { PositionTable } from '../ledger/position-table.ts';
import type { InstrumentTerms } from '../instruments/instrument.ts';
import type { Checkpoints } from './checkpoint.ts';
import type { LedgerRows, RowsByPosition } from './ledger-rows.ts';

interface SpreadFundSource {
  readonly table: PositionTable;
  readonly rows: LedgerRows;
  readonly byPosition: RowsByPosition;
  readonly checkpoints: Checkpoints;
  instrument(position: number): { readonly terms: InstrumentTerms };
  changes(position: number): readonly unknown[];
}

const flowKinds: ReadonlySet<number> = new Set(
  (['capital-call', 'distribution'] as const).map((kind) => transactionKinds.indexOf(kind)),
);

export class SpreadFunds {
  readonly #source: SpreadFundSource;
  readonly #positions = new Map<string, readonly number[]>();

  constructor(source: SpreadFundSource) {
    this.#source = source;
  }

  /** All places of the fund, in their order; none if only one of them was ever called or paid, if it is held in units, or uploaded. */
  positionsOf(position: number): readonly number[] {
    if (this.#source.instrument(position).terms.type !== 'private-fund') return [];
    const { instrument } = this.#source.table.key(position);
    const cached = this.#positions.get(instrument);
    if (cached !== undefined) return cached;
    const found = this.#find(instrument);
    this.#positions.set(instrument, found);
    return found;
  }

  #find(instrument: string): readonly number[] {
    const { table, checkpoints } = this.#source;
    const all = table.sortedPositionsIn(instrument);
    if (all.filter((one) => this.#hasFlows(one)).length < 2) return [];
    const isPlain = all.every(
      (one) => this.#isWithoutUnits(one) && !checkpoints.has(one) && this.#source.changes(one).length === 0,
    );
    return isPlain ? all : [];
  }

  #hasFlows(position: number): boolean {
    const { rows, byPosition } = this.#source;
    return byPosition.rowsOf(position).some((row) => flowKinds.has(rows.kinds[row]!));
  }

  /** Whether only moves between own places state units. */
  #isWithoutUnits(position: number): boolean {
    const { rows, byPosition } = this.#source;
    return byPosition
      .rowsOf(position)
      .every((row) => rows.quantities[row] === 0 || rows.details(row)?.counterPlace !== undefined);
  }
}
