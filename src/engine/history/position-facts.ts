// What rows and uploads say of one position, each thing gathered when it is first asked for: units, prices it was traded at,
// calls, coupons, fees. Knows no day.

import type { Day } from '../../kit/day.ts';
import { multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import type { InstrumentTerms } from '../instruments/instrument.ts';
import type { Point } from '../amounts/series.ts';
import type { TransactionKind } from '../ledger/transaction.ts';
import type { UploadedValue } from '../valuation/valuation.ts';
import type { Rows } from './ledger-rows.ts';
import type { Steps } from './step-function.ts';
import type { UnitOrigin } from './unit-origins.ts';

/** Another own place from which so many units came on a day. */
export interface Origin extends UnitOrigin {
  readonly facts: PositionFacts;
}

export interface PositionSource {
  readonly rows: Rows;
  readonly ownRows: Uint32Array;
  /** What kind of thing it is decides what travels with units. */
  readonly travels: InstrumentTerms['type'];
  units(): Steps;
  uploads(): readonly UploadedValue[];
  origins(): readonly Origin[];
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

  /** Of a loan with the time before it came from another own place, for interest has run up since. */
  get units(): readonly Point[] {
    this.#units ??= this.#source.travels === 'loan' ? this.#unitsWithOrigins() : pointsOf(this.steps);
    return this.#units;
  }

  #unitsWithOrigins(): readonly Point[] {
    const origins = this.#source.origins();
    if (origins.length === 0) return pointsOf(this.steps);
    const days = origins.flatMap(({ facts, day }) => [...facts.units.map((point) => point.day), day]);
    const all = [...new Set([...this.steps.days, ...days])].toSorted((one, other) => one - other);
    return all.map((day) => {
      const brought = origins.filter((origin) => day < origin.day).map((origin) => unitsBefore(origin, day));
      return { day, value: brought.reduce((sum, units) => sum + units, this.steps.on(day)) };
    });
  }

  /** Prices as traded, of a day the last. */
  get trades(): readonly Point[] {
    this.#trades ??= this.#points(['trade'], (row) => this.#source.rows.findPrice(row));
    return this.#trades;
  }

  /** What was called and paid out but for what moved units. */
  get fundFlows(): readonly Point[] {
    this.#fundFlows ??= this.#travelled('private-fund', this.#ownFundFlows(), ({ fundFlows }) => fundFlows);
    return this.#fundFlows;
  }

  #ownFundFlows(): Point[] {
    const { rows } = this.#source;
    const valueOf = (row: number): Fixed | null => {
      if (rows.get('quantity', row) !== 0n) return null;
      return rows.kind(row) === 'distribution' ? -rows.get('value', row) : rows.get('value', row);
    };
    return this.#points(['capital-call', 'distribution'], valueOf);
  }

  /** With what units of the type brought along when they came from another own place. */
  #travelled(
    type: InstrumentTerms['type'],
    own: readonly Point[],
    ofOrigin: (facts: PositionFacts) => readonly Point[],
  ) {
    if (this.#source.travels !== type) return own;
    const brought = this.#source
      .origins()
      .flatMap(({ facts, day }) => ofOrigin(facts).filter((point) => point.day <= day));
    return [...brought, ...own].toSorted((one, other) => one.day - other.day);
  }

  get couponDays(): readonly Day[] {
    this.#couponDays ??= this.#couponPoints().map(({ day }) => day);
    return this.#couponDays;
  }

  #couponPoints(): readonly Point[] {
    const own = this.#points(['coupon', 'interest'], () => 0n);
    return this.#travelled('loan', own, (facts) => facts.#couponPoints());
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

function pointsOf(steps: Steps): readonly Point[] {
  return Array.from(steps.days, (day, index) => ({ day, value: steps.at(index) }));
}

/** The share of what an origin had that was to move on. */
function unitsBefore({ facts, day: moved, quantity }: Origin, day: Day): Fixed {
  const held = facts.steps.on(moved - 1);
  return held === 0n ? 0n : multiplyDivide(facts.steps.on(day), quantity, held);
}
