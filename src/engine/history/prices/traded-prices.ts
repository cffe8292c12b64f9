// Finds the prices at which instruments were traded. One instrument has one price on one day, so trades of all accounts count.

import { traitsOfKind } from '../../../model/ledger/kind-traits.ts';
import type { PositionTable } from '../../ledger/position-table.ts';
import type { UnitChange } from '../../instruments/unit-change-span.ts';
import type { Facts } from '../facts.ts';
import type { LedgerRows, RowsByPosition } from '../ledger-rows.ts';
import { byDay, pricesBySymbolChange, type TradedPoint } from './symbol-prices.ts';

interface TradeSource {
  readonly facts: Facts;
  readonly table: PositionTable;
  readonly rows: LedgerRows;
  readonly byPosition: RowsByPosition;
  changes(position: number): readonly UnitChange[];
}

export class TradedPrices {
  readonly #source: TradeSource;
  readonly #pointsByInstrument = new Map<string, readonly TradedPoint[]>();
  #symbolPrices: ReadonlyMap<string, readonly TradedPoint[]> | undefined;

  constructor(source: TradeSource) {
    this.#source = source;
  }

  /** Prices as traded, by day, and those that an instrument had under a former symbol. Trades that named no instrument need not be of the same one: only its own count. */
  of(position: number): readonly TradedPoint[] {
    const { table, facts } = this.#source;
    const { instrument } = table.key(position);
    if (!facts.instruments.has(instrument)) return this.#tradesOf([position]);
    const cached = this.#pointsByInstrument.get(instrument);
    if (cached !== undefined) return cached;
    const trades = this.#tradesOf(table.positionsIn(instrument));
    const former = this.#pricesUnderFormerSymbols().get(instrument);
    const points = former === undefined ? trades : [...trades, ...former].toSorted(byDay);
    this.#pointsByInstrument.set(instrument, points);
    return points;
  }

  #pricesUnderFormerSymbols(): ReadonlyMap<string, readonly TradedPoint[]> {
    const { facts, rows, table } = this.#source;
    this.#symbolPrices ??= pricesBySymbolChange({
      facts,
      rows,
      tradesOf: (instrument) => this.#tradesOf(table.positionsIn(instrument)),
      changesOf: (instrument) =>
        table
          .positionsIn(instrument)
          .slice(0, 1)
          .flatMap((one) => this.#source.changes(one)),
    });
    return this.#symbolPrices;
  }

  #tradesOf(positions: readonly number[]): readonly TradedPoint[] {
    const { rows, byPosition } = this.#source;
    const points: TradedPoint[] = [];
    for (const position of positions) {
      for (const row of byPosition.rowsOf(position)) {
        const value = traitsOfKind(rows.kind(row)).units === 'traded' ? rows.findPrice(row) : null;
        if (value !== null) points.push({ row, day: rows.days[row]!, value });
      }
    }
    return positions.length > 1 ? points.toSorted((one, other) => one.row - other.row) : points;
  }
}
