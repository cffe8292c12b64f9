// Collects what rows and uploads say about one position, each on first use: units, traded prices, calls, coupons, fees.

import { traitsOfKind, type KindTraits } from '../../model/ledger/kind-traits.ts';
import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { InstrumentTerms } from '../instruments/instrument.ts';
import { countUntil, runningTotals, type Point } from '../amounts/series.ts';
import { paidUnits, type BookedCoupon } from '../valuation/booked-coupon.ts';
import type { BoughtNominal, FundPlaces } from '../valuation/position-state.ts';
import type { UploadedValue } from '../valuation/valuation.ts';
import { followFundShares, type FundShares } from './fund-shares.ts';
import type { LedgerRows } from './ledger-rows.ts';
import type { StepFunction } from './step-function.ts';
import { movedCoupon } from './moved-coupons.ts';
import { changeWithoutMoves, pointsAfterMoves, unitChangesWithoutMoves, type UnitMove } from './unit-moves.ts';

interface PositionSource {
  readonly position: number;
  readonly rows: LedgerRows;
  readonly ownRows: Uint32Array;
  /** Rows that may be about its units as well, because there were none where they were booked. */
  unplacedRows(): Iterable<number>;
  /** Of an amount that such a row states, what concerns its units. */
  unplacedShare(of: { readonly day: Day; readonly whole: Fixed }): Fixed;
  /** Decides what travels with units. */
  readonly instrumentType: InstrumentTerms['type'];
  units(position: number): StepFunction;
  uploads(): readonly UploadedValue[];
  /** Uploads of the instrument in any own place that imply a price, by day. */
  uploadsAnywhere(): readonly UploadedValue[];
  /** By day. */
  carriedPrices(): readonly UploadedValue[];
  /** Prices as traded, in ledger order. */
  trades(): readonly Point[];
  /** Moves of the instrument's units between own places, in ledger order. */
  moves(): readonly UnitMove[];
  factsOf(position: number): PositionFacts;
  /** For a loan: when the interest period of a day began. */
  interestPeriodStart(day: Day): Day;
  /** For a private fund without units: the places that have paid for it, in their order, if there are several. */
  spreadFundPositions(): readonly number[];
}

interface Charge {
  readonly day: Day;
  readonly amount: Fixed;
  reversedOn: Day;
}

/** Units that left their place on one day, in one of the places of `fundPlaces`. */
export interface LeftShare {
  readonly units: Fixed;
  readonly fundPlaces: FundPlaces;
}

export class PositionFacts {
  readonly #source: PositionSource;
  #steps: StepFunction | undefined;
  #stepPoints: readonly Point[] | undefined;
  #trades: readonly Point[] | undefined;
  #ownFundFlows: readonly Point[] | undefined;
  #ownCalls: readonly Point[] | undefined;
  #ownCoupons: readonly BookedCoupon[] | undefined;
  #ownBoughtInterest: readonly Point[] | undefined;
  #ownBoughtWithoutInterest: readonly Point[] | undefined;
  #ownBoughtNominals: readonly BoughtNominal[] | undefined;
  #charges: readonly Charge[] | undefined;
  #uploads: readonly UploadedValue[] | undefined;
  /** By how many moves have happened. */
  readonly #movedUnits = new Map<number, readonly Point[]>();
  readonly #movedFlows = new Map<number, readonly Point[]>();
  readonly #fundShares = new Map<number, FundShares>();
  readonly #movedInterest = new Map<number, readonly Point[]>();
  readonly #movedBoughtNominals = new Map<number, readonly BoughtNominal[]>();
  readonly #movedCoupons = new Map<number, readonly BookedCoupon[]>();

  constructor(source: PositionSource) {
    this.#source = source;
  }

  get steps(): StepFunction {
    this.#steps ??= this.#source.units(this.#source.position);
    return this.#steps;
  }

  /**
   * Units from each day on, as the end of a day sees them. For a loan, includes the time before they came from another own place,
   * because interest has accrued since, and leaves that time out where they came from.
   */
  unitsBy(day: Day): readonly Point[] {
    this.#stepPoints ??= stepPoints(this.steps);
    if (this.#source.instrumentType !== 'loan') return this.#stepPoints;
    return this.#afterMoves(day, this.#movedUnits, this.#stepPoints, (moves) => this.#unitsAfter(moves, day));
  }

  #unitsAfter(moves: readonly UnitMove[], day: Day): readonly Point[] {
    const moving = { moves, units: (position: number) => this.#source.units(position) };
    const changes = pointsAfterMoves(this.#source.position, day, moving, (position) =>
      unitChangesWithoutMoves(position, moving),
    );
    const lastMove = moves[countUntil(moves, day) - 1]!.day;
    return runningTotals(withUnmovable(changes, { day: lastMove, held: this.steps.valueOn(lastMove) }));
  }

  /** Returns `unmoved` as long as no units have moved; else computes what has become of it, once for each number of moves. */
  #afterMoves<T>(day: Day, cache: Map<number, T>, unmoved: T, compute: (moves: readonly UnitMove[]) => T): T {
    const moves = this.#source.moves();
    const count = moves.length === 0 ? 0 : countUntil(moves, day);
    if (count === 0) return unmoved;
    const cached = cache.get(count);
    if (cached !== undefined) return cached;
    const computed = compute(moves);
    cache.set(count, computed);
    return computed;
  }

  get trades(): readonly Point[] {
    this.#trades ??= this.#source.trades();
    return this.#trades;
  }

  /** What had been called and paid out by the end of a day, without what moved units, for the units that are here. */
  fundFlowsBy(day: Day): readonly Point[] {
    if (this.#source.instrumentType !== 'private-fund') return this.ownFundFlows;
    return this.#afterMoves(day, this.#movedFlows, this.ownFundFlows, (moves) =>
      this.#pointsAfter(moves, day, (facts) => facts.ownFundFlows),
    );
  }

  #pointsAfter(
    moves: readonly UnitMove[],
    day: Day,
    ownPoints: (facts: PositionFacts) => readonly Point[],
  ): readonly Point[] {
    const units = (position: number): StepFunction => this.#source.units(position);
    return pointsAfterMoves(this.#source.position, day, { moves, units }, (position) =>
      ownPoints(this.#source.factsOf(position)),
    );
  }

  /** With moves up to a day. Null if this is the only place that has paid for it, or it is held in units. */
  fundPlacesBy(movesUntil: Day, heldOn: Day): FundPlaces | null {
    const positions = this.#source.spreadFundPositions();
    if (positions.length < 2) return null;
    const { of, left, departures } = this.#fundSharesBy(movesUntil);
    const held = positions.map((position) => ({
      units: this.#source.units(position).valueOn(heldOn),
      ...of(position),
    }));
    return { places: [...held, ...left], own: positions.indexOf(this.#source.position), departures };
  }

  /** What of a private fund that several places have paid for left this place on a day, as one of its places. */
  leftShare(day: Day): LeftShare | undefined {
    const all = this.fundPlacesBy(day, day);
    if (all === null) return undefined;
    const { left } = this.#fundSharesBy(day);
    const found = left.findIndex(({ position, leftOn }) => position === this.#source.position && leftOn === day);
    if (found < 0) return undefined;
    return { units: left[found]!.units, fundPlaces: { ...all, own: all.places.length - left.length + found } };
  }

  /** The first place keeps them for all. */
  #fundSharesBy(day: Day): FundShares {
    const positions = this.#source.spreadFundPositions();
    const first = this.#source.factsOf(positions[0]!);
    const moves = this.#source.moves();
    const count = countUntil(moves, day);
    const cached = first.#fundShares.get(count);
    if (cached !== undefined) return cached;
    const computed = followFundShares({
      positions,
      moves: moves.slice(0, count),
      units: (position) => this.#source.units(position),
      own: (position) => {
        const facts = this.#source.factsOf(position);
        return { paidIn: facts.ownCalls, flows: facts.ownFundFlows };
      },
    });
    first.#fundShares.set(count, computed);
    return computed;
  }

  get ownCalls(): readonly Point[] {
    this.#ownCalls ??= this.#withUnplaced(
      ({ fund }) => fund === 'call',
      (row) => this.#findFundFlow(row),
    );
    return this.#ownCalls;
  }

  get ownFundFlows(): readonly Point[] {
    const isFlow = ({ fund }: KindTraits): boolean => fund === 'call' || fund === 'distribution' || fund === 'action';
    this.#ownFundFlows ??= this.#withUnplaced(isFlow, (row) => this.#findFundFlow(row));
    return this.#ownFundFlows;
  }

  #findFundFlow(row: number): Fixed | null {
    const { rows } = this.#source;
    if (rows.get('quantity', row) !== 0n) return null;
    const { fund } = traitsOfKind(rows.kind(row));
    if (fund === 'call') return rows.get('value', row);
    const isPaidOut = fund === 'distribution' || rows.details(row)?.action?.action === 'return-of-capital';
    return isPaidOut ? -rows.get('value', row) : null;
  }

  /** The accrued interest that had been bought and sold with a loan by the end of a day, for the units that are here. */
  boughtInterestBy(day: Day): readonly Point[] {
    return this.#afterMoves(day, this.#movedInterest, this.ownBoughtInterest, (moves) =>
      this.#pointsAfter(moves, day, (facts) => facts.ownBoughtInterest),
    );
  }

  get ownBoughtInterest(): readonly Point[] {
    this.#ownBoughtInterest ??= this.#withUnplaced(
      ({ amount }) => amount === 'units',
      (row) => this.#findBoughtInterest(row),
    );
    return this.#ownBoughtInterest;
  }

  #findBoughtInterest(row: number): Fixed | null {
    const { rows } = this.#source;
    const accrued = rows.details(row)?.accrued ?? null;
    return accrued === null || rows.get('quantity', row) > 0n ? accrued : -accrued;
  }

  /** What had been bought of a loan without stated accrued interest by the end of a day, for the units that are here. */
  boughtWithoutInterestBy(day: Day): readonly BoughtNominal[] {
    if (this.#source.instrumentType !== 'loan') return [];
    this.#ownBoughtNominals ??= this.#withPeriods(this.ownBoughtWithoutInterest);
    return this.#afterMoves(day, this.#movedBoughtNominals, this.#ownBoughtNominals, (moves) =>
      this.#withPeriods(this.#pointsAfter(moves, day, (facts) => facts.ownBoughtWithoutInterest)),
    );
  }

  #withPeriods(bought: readonly Point[]): readonly BoughtNominal[] {
    return bought.map(({ day, value }) => ({ day, nominal: value, since: this.#source.interestPeriodStart(day) }));
  }

  get ownBoughtWithoutInterest(): readonly Point[] {
    this.#ownBoughtWithoutInterest ??= this.#listBoughtWithoutInterest();
    return this.#ownBoughtWithoutInterest;
  }

  /** Units that came from another own place bring what they have, and a trade that closes units ends what accrues on them. */
  #listBoughtWithoutInterest(): readonly Point[] {
    const { rows, ownRows, position } = this.#source;
    const byDay = new Map<Day, Fixed>();
    for (const row of ownRows) {
      const { units } = traitsOfKind(rows.kind(row));
      const details = rows.details(row);
      if ((units !== 'traded' && units !== 'delivered') || details?.accrued !== undefined) continue;
      if (details?.counterPlace !== undefined) continue;
      const day = rows.days[row]!;
      byDay.set(day, (byDay.get(day) ?? 0n) + rows.get('quantity', row));
    }
    const moving = { moves: this.#source.moves(), units: (of: number) => this.#source.units(of) };
    return [...byDay].flatMap(([day, traded]) => {
      const before = this.steps.valueOn(day - 1);
      const opened = openedUnits(before, before + changeWithoutMoves(position, day, moving));
      const value = opened > 0n ? least(opened, traded) : -least(-opened, -traded);
      return value === 0n || value < 0n !== opened < 0n ? [] : [{ day, value }];
    });
  }

  /** Coupons that were booked; also those of units that came from another own place by the end of the day. */
  couponsBy(day: Day): readonly BookedCoupon[] {
    const { instrumentType } = this.#source;
    if (instrumentType !== 'loan' && instrumentType !== 'bond') return this.ownCoupons;
    return this.#afterMoves(day, this.#movedCoupons, this.ownCoupons, (all) => {
      const moves = all.slice(0, countUntil(all, day));
      return instrumentType === 'loan' ? this.#loanInterestAfter(moves) : this.#couponsAfter(moves);
    });
  }

  /** Interest on a loan is paid for the whole of it, wherever the rest of its units went. */
  #loanInterestAfter(moves: readonly UnitMove[]): readonly BookedCoupon[] {
    const coupons = new Map<number, readonly BookedCoupon[]>();
    const couponsOf = (position: number): readonly BookedCoupon[] =>
      coupons.get(position) ?? this.#source.factsOf(position).ownCoupons;
    for (const move of moves) {
      const brought = couponsOf(move.from).filter((one) => one.day <= move.day);
      coupons.set(
        move.to,
        [...couponsOf(move.to), ...brought].toSorted((one, other) => one.day - other.day),
      );
    }
    return couponsOf(this.#source.position);
  }

  /** Each coupon of a bond stays, and a copy goes with the units that it was paid for. */
  #couponsAfter(moves: readonly UnitMove[]): readonly BookedCoupon[] {
    const coupons = new Map<number, readonly BookedCoupon[]>();
    const couponsOf = (position: number): readonly BookedCoupon[] =>
      coupons.get(position) ?? this.#source.factsOf(position).ownCoupons;
    for (const [index, move] of moves.entries()) {
      const { from, to, day } = move;
      const earlier = moves.slice(0, index).filter((one) => one.from === from && one.day === day);
      const places = { from: this.#source.units(from), to: this.#source.units(to) };
      const moved = couponsOf(from).flatMap((one) => movedCoupon(one, { move, earlier, ...places }) ?? []);
      if (moved.length > 0) coupons.set(to, [...couponsOf(to), ...moved]);
    }
    return couponsOf(this.#source.position);
  }

  get ownCoupons(): readonly BookedCoupon[] {
    this.#ownCoupons ??= this.#listCoupons();
    return this.#ownCoupons;
  }

  #listCoupons(): readonly BookedCoupon[] {
    const { ownRows, unplacedRows, unplacedShare, rows } = this.#source;
    const own = this.#couponRows(ownRows, (row) => rows.get('amount', row) + (rows.details(row)?.withholding ?? 0n));
    const unplaced = this.#couponRows(unplacedRows(), (row) => {
      const whole = rows.get('amount', row) + (rows.details(row)?.withholding ?? 0n);
      return unplacedShare({ day: rows.days[row]!, whole });
    });
    return [...own, ...unplaced].toSorted((one, other) => one.day - other.day);
  }

  #couponRows(candidates: Iterable<number>, grossOf: (row: number) => Fixed): readonly BookedCoupon[] {
    const { rows } = this.#source;
    const unitsOn = (day: Day): Fixed => this.steps.valueOn(day);
    return Array.from(candidates).flatMap((row): BookedCoupon[] => {
      const { income } = traitsOfKind(rows.kind(row));
      if (income !== 'coupon' && income !== 'interest') return [];
      const { day, settlement, currency, details } = rows.transaction(row);
      return [
        {
          day,
          paidOn: settlement ?? day,
          periodEnd: details?.periodEnd ?? null,
          gross: grossOf(row),
          currency,
          units: paidUnits(unitsOn, day),
          movedOn: null,
        },
      ];
    });
  }

  /** The last day on which a running fee was charged, unless the charge was taken back by then. */
  lastFeeBy(day: Day): Day | null {
    this.#charges ??= this.#listCharges();
    return this.#charges.findLast((charge) => charge.day <= day && day < charge.reversedOn)?.day ?? null;
  }

  /** A refund of the same amount takes the latest such charge back; any other is only money. */
  #listCharges(): readonly Charge[] {
    const { rows, ownRows, unplacedRows } = this.#source;
    const fees = [...ownRows, ...unplacedRows()].filter((row) => traitsOfKind(rows.kind(row)).amount === 'charge');
    const charges: Charge[] = [];
    for (const row of fees.toSorted((one, other) => rows.days[one]! - rows.days[other]!)) {
      const { day, amount } = rows.transaction(row);
      if (amount < 0n) charges.push({ day, amount, reversedOn: Infinity });
      const reversed = charges.findLast((charge) => charge.reversedOn === Infinity && charge.amount === -amount);
      if (reversed !== undefined) reversed.reversedOn = day;
    }
    return charges;
  }

  get uploads(): readonly UploadedValue[] {
    this.#uploads ??= this.#source.uploads();
    return this.#uploads;
  }

  get carriedPrices(): readonly UploadedValue[] {
    return this.#source.carriedPrices();
  }

  get uploadsAnywhere(): readonly UploadedValue[] {
    return this.#source.uploadsAnywhere();
  }

  /** Also its share of rows that name no place, unless all places of a fund are valued together. */
  #withUnplaced(has: (traits: KindTraits) => boolean, getValue: (row: number) => Fixed | null): readonly Point[] {
    const own = this.#points(has, getValue);
    const { rows, unplacedRows, unplacedShare, spreadFundPositions } = this.#source;
    if (spreadFundPositions().length > 0) return own;
    const unplaced = [...unplacedRows()].flatMap((row) => {
      const whole = has(traitsOfKind(rows.kind(row))) ? getValue(row) : null;
      if (whole === null) return [];
      const day = rows.days[row]!;
      return [{ day, value: unplacedShare({ day, whole }) }];
    });
    if (unplaced.length === 0) return own;
    return [...own, ...unplaced].toSorted((one, other) => one.day - other.day);
  }

  #points(has: (traits: KindTraits) => boolean, getValue: (row: number) => Fixed | null): Point[] {
    const { rows, ownRows } = this.#source;
    const points: Point[] = [];
    for (const row of ownRows) {
      if (!has(traitsOfKind(rows.kind(row)))) continue;
      const value = getValue(row);
      if (value !== null) points.push({ day: rows.days[row]!, value });
    }
    return points;
  }
}

function stepPoints(steps: StepFunction): readonly Point[] {
  return Array.from(steps.days, (day, index) => ({ day, value: steps.valueAt(index) }));
}

/** What a change adds to units held, or to a short; 0 if it only closes some. */
function openedUnits(before: Fixed, after: Fixed): Fixed {
  if (after > 0n) return after > before ? after - (before > 0n ? before : 0n) : 0n;
  return after < before ? after - (before < 0n ? before : 0n) : 0n;
}

function least(one: Fixed, other: Fixed): Fixed {
  return one < other ? one : other;
}

/** Units that were moved and not held had no time before. */
function withUnmovable(changes: readonly Point[], { day, held }: { day: Day; held: Fixed }): readonly Point[] {
  const count = countUntil(changes, day);
  const value = changes.slice(0, count).reduce((rest, change) => rest - change.value, held);
  return value === 0n ? changes : changes.toSpliced(count, 0, { day, value });
}
