// What rows and uploads say of one position, each thing gathered when it is first asked for: units, prices it was traded at,
// calls, coupons, fees. Knows no day.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { Point } from '../series.ts';
import type { TransactionKind } from '../transaction.ts';
import type { UploadedValue } from '../valuation.ts';
import type { Rows } from './rows.ts';
import type { Steps } from './steps.ts';

export interface PositionSource {
  readonly rows: Rows;
  readonly ownRows: Uint32Array;
  units(): Steps;
  uploads(): readonly UploadedValue[];
}

export class PositionFacts {
  readonly #source: PositionSource;
  #steps: Steps | undefined;
  #units: readonly Point[] | undefined;
  #trades: readonly Point[] | undefined;
  #fundFlows: readonly Point[] | undefined;
  #couponDays: readonly Day[] | undefined;
  #feeDays: readonly Day[] | undefined;
  #uploads: readonly UploadedValue[] | undefined;

  constructor(source: PositionSource) {
    this.#source = source;
  }

  get steps(): Steps {
    this.#steps ??= this.#source.units();
    return this.#steps;
  }

  get units(): readonly Point[] {
    this.#units ??= Array.from(this.steps.days, (day, index) => ({ day, value: this.steps.at(index) }));
    return this.#units;
  }

  /** Prices as traded, of a day the last. */
  get trades(): readonly Point[] {
    this.#trades ??= this.#points(['trade'], (row) => this.#source.rows.findPrice(row));
    return this.#trades;
  }

  /** What was called and paid out but for what moved units. */
  get fundFlows(): readonly Point[] {
    const { rows } = this.#source;
    const valueOf = (row: number): Fixed | null => {
      if (rows.get('quantity', row) !== 0n) return null;
      return rows.kind(row) === 'distribution' ? -rows.get('value', row) : rows.get('value', row);
    };
    this.#fundFlows ??= this.#points(['capital-call', 'distribution'], valueOf);
    return this.#fundFlows;
  }

  get couponDays(): readonly Day[] {
    this.#couponDays ??= this.#points(['coupon', 'interest'], () => 0n).map(({ day }) => day);
    return this.#couponDays;
  }

  get feeDays(): readonly Day[] {
    this.#feeDays ??= this.#points(['fee'], () => 0n).map(({ day }) => day);
    return this.#feeDays;
  }

  get uploads(): readonly UploadedValue[] {
    this.#uploads ??= this.#source.uploads();
    return this.#uploads;
  }

  #points(kinds: readonly TransactionKind[], valueOf: (row: number) => Fixed | null): Point[] {
    const { rows, ownRows } = this.#source;
    const points: Point[] = [];
    for (const row of ownRows) {
      if (!kinds.includes(rows.kind(row))) continue;
      const value = valueOf(row);
      if (value !== null) points.push({ day: rows.days[row]!, value });
    }
    return points;
  }
}
