// Finds the prices at which instruments were traded. One instrument has one price on one day, so trades of all accounts count.

import type { Point } from '../amounts/series.ts';
import type { PositionTable } from '../ledger/position-table.ts';
import type { Facts } from './facts.ts';
import type { LedgerRows, RowsByPosition } from './ledger-rows.ts';

interface TradeSource {
  readonly facts: Facts;
  readonly table: PositionTable;
  readonly rows: LedgerRows;
  readonly byPosition: RowsByPosition;
}

export interface TradedPoint extends Point {
  readonly row: number;
}

export class TradedPrices {
  readonly #source: TradeSource;
  readonly #pointsByInstrument = new Map<string, readonly TradedPoint[]>();

  constructor(source: TradeSource) {
    this.#source = source;
  }

  /** Prices as traded, in ledger order. Trades that named no instrument need not be of the same one: only its own count. */
  of(position: number): readonly TradedPoint[] {
    const { table, facts } = this.#source;
    const { instrument } = table.key(position);
    if (!facts.instruments.has(instrument)) return this.#tradesOf([position]);
    const cached = this.#pointsByInstrument.get(instrument);
    if (cached !== undefined) return cached;
    const points = this.#tradesOf(table.positionsIn(instrument));
    this.#pointsByInstrument.set(instrument, points);
    return points;
  }

  #tradesOf(positions: readonly number[]): readonly TradedPoint[] {
    const { rows, byPosition } = this.#source;
    const points: TradedPoint[] = [];
    for (const position of positions) {
      for (const row of byPosition.rowsOf(position)) {
        const value = rows.kind(row) === 'trade' ? rows.findPrice(row) : null;
        if (value !== null) points.push({ row, day: rows.days[row]!, value });
      }
    }
    return positions.length > 1 ? points.toSorted((one, other) => one.row - other.row) : points;
  }
}
