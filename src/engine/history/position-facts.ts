// Collects what rows and uploads say about one position, each on first use: units, traded prices, calls, coupons, fees.

import type { Day } from '../../kit/day.ts';
import { multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import type { InstrumentTerms } from '../instruments/instrument.ts';
import type { Point } from '../amounts/series.ts';
import type { TransactionKind } from '../ledger/transaction.ts';
import type { UploadedValue } from '../valuation/valuation.ts';
import type { LedgerRows } from './ledger-rows.ts';
import type { StepFunction } from './step-function.ts';
import type { UnitOrigin } from './unit-origins.ts';

/** Another own place that units came from on a day. */
export interface TransferOrigin extends UnitOrigin {
  readonly facts: PositionFacts;
}

interface PositionSource {
  readonly rows: LedgerRows;
  readonly ownRows: Uint32Array;
  /** Decides what travels with units. */
  readonly instrumentType: InstrumentTerms['type'];
  units(): StepFunction;
  uploads(): readonly UploadedValue[];
  origins(): readonly TransferOrigin[];
}

export class PositionFacts {
  readonly #source: PositionSource;
  #steps: StepFunction | undefined;
  #units: readonly Point[] | undefined;
  #trades: readonly Point[] | undefined;
  #fundFlows: readonly Point[] | undefined;
  #couponDays: readonly Day[] | undefined;
  #feeDays: readonly Day[] | undefined;
  #uploads: readonly UploadedValue[] | undefined;

  constructor(source: PositionSource) {
    this.#source = source;
  }

  get steps(): StepFunction {
    this.#steps ??= this.#source.units();
    return this.#steps;
  }

  /** For a loan, includes the time before it came from another own place, because interest has accrued since. */
  get units(): readonly Point[] {
    this.#units ??= this.#source.instrumentType === 'loan' ? this.#unitsWithOrigins() : stepPoints(this.steps);
    return this.#units;
  }

  #unitsWithOrigins(): readonly Point[] {
    const origins = this.#source.origins();
    if (origins.length === 0) return stepPoints(this.steps);
    const days = origins.flatMap(({ facts, day }) => [...facts.units.map((point) => point.day), day]);
    const all = [...new Set([...this.steps.days, ...days])].toSorted((one, other) => one - other);
    return all.map((day) => {
      const transferred = origins
        .filter((origin) => day < origin.day)
        .map((origin) => unitsBeforeTransfer(origin, day));
      return { day, value: transferred.reduce((sum, units) => sum + units, this.steps.valueOn(day)) };
    });
  }

  /** Prices as traded; the last of each day. */
  get trades(): readonly Point[] {
    this.#trades ??= this.#points(['trade'], (row) => this.#source.rows.findPrice(row));
    return this.#trades;
  }

  /** What was called and paid out, without what moved units. */
  get fundFlows(): readonly Point[] {
    this.#fundFlows ??= this.#withTransferred('private-fund', this.#ownFundFlows(), ({ fundFlows }) => fundFlows);
    return this.#fundFlows;
  }

  #ownFundFlows(): Point[] {
    const { rows } = this.#source;
    const getValue = (row: number): Fixed | null => {
      if (rows.get('quantity', row) !== 0n) return null;
      return rows.kind(row) === 'distribution' ? -rows.get('value', row) : rows.get('value', row);
    };
    return this.#points(['capital-call', 'distribution'], getValue);
  }

  /** Adds what units of this type bring along from another own place. */
  #withTransferred(
    type: InstrumentTerms['type'],
    own: readonly Point[],
    pointsOfOrigin: (facts: PositionFacts) => readonly Point[],
  ) {
    if (this.#source.instrumentType !== type) return own;
    const transferred = this.#source
      .origins()
      .flatMap(({ facts, day }) => pointsOfOrigin(facts).filter((point) => point.day <= day));
    return [...transferred, ...own].toSorted((one, other) => one.day - other.day);
  }

  get couponDays(): readonly Day[] {
    this.#couponDays ??= this.#couponPoints().map(({ day }) => day);
    return this.#couponDays;
  }

  #couponPoints(): readonly Point[] {
    const own = this.#points(['coupon', 'interest'], () => 0n);
    return this.#withTransferred('loan', own, (facts) => facts.#couponPoints());
  }

  get feeDays(): readonly Day[] {
    this.#feeDays ??= this.#points(['fee'], () => 0n).map(({ day }) => day);
    return this.#feeDays;
  }

  get uploads(): readonly UploadedValue[] {
    this.#uploads ??= this.#source.uploads();
    return this.#uploads;
  }

  #points(kinds: readonly TransactionKind[], getValue: (row: number) => Fixed | null): Point[] {
    const { rows, ownRows } = this.#source;
    const points: Point[] = [];
    for (const row of ownRows) {
      if (!kinds.includes(rows.kind(row))) continue;
      const value = getValue(row);
      if (value !== null) points.push({ day: rows.days[row]!, value });
    }
    return points;
  }
}

function stepPoints(steps: StepFunction): readonly Point[] {
  return Array.from(steps.days, (day, index) => ({ day, value: steps.valueAt(index) }));
}

/** The share of an origin's units that was to move on. */
function unitsBeforeTransfer({ facts, day: transferDay, quantity }: TransferOrigin, day: Day): Fixed {
  const held = facts.steps.valueOn(transferDay - 1);
  return held === 0n ? 0n : multiplyDivide(facts.steps.valueOn(day), quantity, held);
}
