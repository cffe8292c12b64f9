// Values the positions of a history and the units that move between them.

import { multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import type { UnitsOnDay, UnitWorth } from '../lots/lot-book-changes.ts';
import type { Checkpoints } from './checkpoint.ts';
import { convertedAmount, MissingConversion } from '../currencies/exchange-rates.ts';
import type { Facts } from './facts.ts';
import type { ValuedInstrument } from '../instruments/instrument.ts';
import type { UnitLeg } from '../ledger/leg.ts';
import type { LotSnapshot, QuantityAndCost } from '../lots/lot.ts';
import { findSyntheticInstrument } from '../ledger/position-key.ts';
import type { PositionTable } from '../ledger/position-table.ts';
import type { UnitChange } from '../instruments/unit-change-span.ts';
import { referenceValue, valueHolding } from '../valuation/valuation.ts';
import type { ReferenceValue, UploadedValue, Valuation, ValuationContext } from '../valuation/valuation.ts';
import { hasImpliedPrice } from '../valuation/upload.ts';
import { balanceValuation } from '../valuation/balance.ts';
import { carriedPrices, isPricedByUnit, type CarriedPrices } from '../valuation/carried-prices.ts';
import { InterestPeriods } from '../valuation/interest-periods.ts';
import { LazyPositionState, LeftShareState, MovedUnitsState, UnitsOnlyState } from './lazy-position-state.ts';
import { PositionFacts, type LeftShare } from './position-facts.ts';
import type { LedgerRows, RowsByPosition } from './ledger-rows.ts';
import type { StepFunction } from './step-function.ts';
import { unplacedRows, unplacedShare } from './position-kinds.ts';
import { SpreadFunds } from './spread-funds.ts';
import { fundDepartures, type FundDeparture } from './fund-departures.ts';
import { TradedPrices } from './prices/traded-prices.ts';
import { heldBefore, unitMoves, withDepartures, type UnitMove } from './unit-moves.ts';
import { datedUploads, uploadedValues } from './upload-value.ts';

export interface PositionValue extends ReferenceValue {
  readonly valuation: Valuation;
}

/** value = amount × rate, and amount = valuation without owed coupons × quantity of the leg ÷ units held. */
interface LegValue extends PositionValue {
  /** The position whose points and uploads count. */
  readonly valuedPosition: number;
  readonly held: Fixed;
  readonly amount: Fixed;
}

interface PositionValueSource {
  readonly facts: Facts;
  readonly table: PositionTable;
  readonly rows: LedgerRows;
  readonly byPosition: RowsByPosition;
  readonly checkpoints: Checkpoints;
  instrument(position: number): ValuedInstrument;
  units(position: number): StepFunction;
  quantityAndCost(position: number, day: Day): QuantityAndCost;
  lots(position: number, day: Day): LotSnapshot;
  changes(position: number): readonly UnitChange[];
}

const noCarriedPrices: CarriedPrices = { of: () => [], hasDifference: () => false };

export class PositionValues {
  readonly #carriedByInstrument = new Map<string, CarriedPrices>();
  readonly #source: PositionValueSource;
  readonly #facts = new Map<number, PositionFacts>();
  readonly #periodsByInstrument = new Map<string, InterestPeriods>();
  readonly #uploadsByInstrument = new Map<string, readonly UploadedValue[]>();
  readonly trades: TradedPrices;
  readonly spreadFunds: SpreadFunds;
  #moves: Map<string, readonly UnitMove[]> | undefined;
  readonly #fundsWithDepartures = new Set<string>();

  constructor(source: PositionValueSource) {
    this.#source = source;
    this.trades = new TradedPrices(source);
    this.spreadFunds = new SpreadFunds(source, (position) => this.#movesOf(position));
  }

  on(position: number, day: Day): PositionValue {
    const context = this.#context(position, day);
    return inReferenceCurrency(this.#valuation(position, context), context);
  }

  /** Without a rate into the reference currency. */
  inOwnCurrency(position: number, day: Day): Valuation {
    return this.#valuation(position, this.#context(position, day));
  }

  /**
   * Values the units of a leg at the end of its day: their share of the position's value, without coupons owed to it. Units that
   * are all gone by then count as if they had stayed.
   */
  legValue(leg: UnitLeg & { readonly day: Day }): LegValue {
    const { valuedPosition: of, quantity, day, movedFrom } = leg;
    if (movedFrom !== undefined && this.spreadFunds.positionsOf(of).length > 0) {
      return this.#movedShare({ of, from: movedFrom, quantity, day });
    }
    if (movedFrom !== undefined && this.#carriedPrices(of).hasDifference({ from: movedFrom, to: of, day })) {
      const left = this.#movedUnitsValue({ position: movedFrom, quantity, day });
      return { ...left, held: quantity, amount: left.valuation.value, valuedPosition: movedFrom };
    }
    const left = movedFrom === undefined ? this.#getFacts(of).leftShare(day) : undefined;
    if (left !== undefined) return this.#leftShare(left, { of, quantity, day });
    for (const heldOn of [day, day - 1]) {
      const held = this.#source.units(of).valueOn(heldOn);
      if (held === 0n) continue;
      const context = this.#context(of, day);
      const found = this.#valuation(of, context, { heldOn, movesUntil: heldOn });
      const amount = multiplyDivide(found.value - owedCoupons(found), quantity, held);
      const { conversion } = inReferenceCurrency(found, context);
      const value = convertedAmount(amount, conversion);
      return { valuation: found, held, amount, conversion, value, valuedPosition: of };
    }
    const unitsValue = this.#movedUnitsValue({ position: of, quantity, day });
    return { ...unitsValue, held: quantity, amount: unitsValue.valuation.value, valuedPosition: of };
  }

  /** The share of units in what left their place on the day: it is valued like a place of its own. */
  #leftShare(
    { units: held, fundPlaces }: LeftShare,
    { of, quantity, day }: { readonly of: number; readonly quantity: Fixed; readonly day: Day },
  ): LegValue {
    const context = this.#context(of, day);
    const state = new LeftShareState({ facts: this.#getFacts(of), day, quantity: held, fundPlaces });
    const found = valueHolding(this.#source.instrument(of), state, context);
    const amount = multiplyDivide(found.value, quantity, held);
    const { conversion } = inReferenceCurrency(found, context);
    const value = convertedAmount(amount, conversion);
    return { valuation: found, held, amount, conversion, value, valuedPosition: of };
  }

  /** Units of a fund differ in value from place to place: those that move are worth what the place that they leave loses. */
  #movedShare({
    of,
    from,
    quantity,
    day,
  }: {
    readonly of: number;
    readonly from: number;
    readonly quantity: Fixed;
    readonly day: Day;
  }): LegValue {
    const context = this.#context(from, day);
    const left = this.#valuation(from, context);
    const stayed = this.#valuation(from, context, { heldOn: day - 1, movesUntil: day - 1 });
    const value = stayed.value - left.value;
    const part = { kind: 'moved-share', amount: value, stayed: stayed.value, left: left.value } as const;
    const found: Valuation = { ...stayed, value, accrued: 0n, findings: [], parts: [part] };
    const moved = this.#movesOf(from).filter((move) => move.from === from && move.day === day);
    const held = moved.reduce((sum, move) => sum + move.quantity, 0n);
    const amount = held === 0n ? 0n : multiplyDivide(value, quantity, held);
    const { conversion } = inReferenceCurrency(found, context);
    const worth = convertedAmount(amount, conversion);
    return { valuation: found, held, amount, conversion, value: worth, valuedPosition: of };
  }

  /** Values units on a day, held or not, in the instrument's and the reference currency, without interest. */
  marketCost(units: UnitsOnDay): UnitWorth {
    const { position, day } = units;
    const { value, accrued, currency: from, source } = this.#unitsValuation(units, this.#context(position, day));
    if (source === 'cost') return { cost: 0n, referenceCost: 0n, isUnknown: true };
    const { rates, settings } = this.#source.facts;
    const amount = value - accrued;
    const own = rates.get({ from, to: this.#source.instrument(position).currency, day });
    const reference = rates.get({ from, to: settings.referenceCurrency, day });
    if (amount !== 0n && own instanceof MissingConversion)
      return { cost: 0n, referenceCost: 0n, gap: { conversion: own, lacks: 'both-costs' } };
    const cost = convertedAmount(amount, own);
    if (amount !== 0n && reference instanceof MissingConversion)
      return { cost, referenceCost: 0n, gap: { conversion: reference, lacks: 'reference-cost' } };
    return { cost, referenceCost: convertedAmount(amount, reference) };
  }

  /** Its own uploads, and those of a depository that its account shares with others. */
  uploads(position: number): readonly UploadedValue[] {
    const { table, checkpoints } = this.#source;
    if (checkpoints.size === 0) return [];
    const depositoryPosition = table.find({ ...table.key(position), account: null }) ?? -1;
    const { currency } = this.#source.instrument(position);
    const own = checkpoints.get(position);
    if (own !== undefined) return datedUploads(own, currency);
    return uploadedValues(checkpoints.get(depositoryPosition) ?? [], currency);
  }

  /** Of one day, the upload of the first place counts last. */
  #uploadsOfInstrument(position: number): readonly UploadedValue[] {
    const { checkpoints, table } = this.#source;
    if (checkpoints.size === 0) return [];
    const { instrument } = table.key(position);
    const cached = this.#uploadsByInstrument.get(instrument);
    if (cached !== undefined) return cached;
    const { currency } = this.#source.instrument(position);
    const uploads = table
      .sortedPositionsIn(instrument)
      .toReversed()
      .flatMap((one) => uploadedValues(checkpoints.get(one) ?? [], currency))
      .filter(hasImpliedPrice)
      .toSorted((one, other) => one.day - other.day);
    this.#uploadsByInstrument.set(instrument, uploads);
    return uploads;
  }

  /** Whether units that came from another own place decide what it is worth. */
  hasCarriedPrice(position: number): boolean {
    return this.#carriedPrices(position).of(position).length > 0;
  }

  #carriedPrices(position: number): CarriedPrices {
    const { table, checkpoints } = this.#source;
    if (checkpoints.size === 0) return noCarriedPrices;
    const { instrument } = table.key(position);
    const cached = this.#carriedByInstrument.get(instrument);
    if (cached !== undefined) return cached;
    const moves = this.#movesOf(position);
    const isPriced = isPricedByUnit(this.#source.instrument(position).terms);
    const isNeeded = isPriced && moves.length > 0 && this.#uploadsOfInstrument(position).length > 0;
    const computed = isNeeded ? this.#computeCarried(moves) : noCarriedPrices;
    this.#carriedByInstrument.set(instrument, computed);
    return computed;
  }

  #computeCarried(moves: readonly UnitMove[]): CarriedPrices {
    const units = (position: number): StepFunction => this.#source.units(position);
    return carriedPrices({
      moves,
      heldBefore: (move, earlier) => heldBefore(move.to, move, { moves, units, earlier }),
      subject: (position, day, { quantity, carriedPrice }) => ({
        instrument: this.#source.instrument(position),
        held: new MovedUnitsState({ facts: this.#getFacts(position), day, quantity, carriedPrice }),
        context: this.#context(position, day),
      }),
    });
  }

  #movedUnitsValue({ position, quantity, day }: UnitsOnDay): PositionValue {
    const context = this.#context(position, day);
    const held = new MovedUnitsState({ facts: this.#getFacts(position), day, quantity });
    return inReferenceCurrency(valueHolding(this.#source.instrument(position), held, context), context);
  }

  #unitsValuation({ position, quantity, day }: UnitsOnDay, context: ValuationContext): Valuation {
    const held = new UnitsOnlyState({ facts: this.#getFacts(position), day, quantity });
    return valueHolding(this.#source.instrument(position), held, context);
  }

  #valuation(
    position: number,
    context: ValuationContext,
    { heldOn = context.day, movesUntil = context.day }: { readonly heldOn?: Day; readonly movesUntil?: Day } = {},
  ): Valuation {
    const source = this.#source;
    const { day } = context;
    const instrument = source.instrument(position);
    if (findSyntheticInstrument(instrument.id) !== undefined) {
      return balanceValuation(instrument.currency, source.units(position).valueOn(day));
    }
    const held = new LazyPositionState({
      facts: this.#getFacts(position),
      day,
      heldOn,
      movesUntil,
      cost: () => source.quantityAndCost(position, heldOn).cost,
      lots: () => source.lots(position, heldOn).lots,
    });
    return valueHolding(instrument, held, context);
  }

  #context(position: number, day: Day): ValuationContext {
    const { rates, settings } = this.#source.facts;
    const { referenceCurrency, staleness } = settings;
    return { day, referenceCurrency, rates, changes: this.#source.changes(position), staleness };
  }

  #getFacts(position: number): PositionFacts {
    const cached = this.#facts.get(position);
    if (cached !== undefined) return cached;
    const facts = new PositionFacts({
      position,
      rows: this.#source.rows,
      ownRows: this.#source.byPosition.rowsOf(position),
      unplacedRows: () => unplacedRows(position, this.#source),
      unplacedShare: (of) => unplacedShare(position, of, this.#source),
      instrumentType: this.#source.instrument(position).terms.type,
      units: (of) => this.#source.units(of),
      uploads: () => this.uploads(position),
      uploadsAnywhere: () => this.#uploadsOfInstrument(position),
      carriedPrices: () => this.#carriedPrices(position).of(position),
      trades: () => this.trades.of(position),
      moves: () => this.#movesOf(position),
      factsOf: (of) => this.#getFacts(of),
      interestPeriodStart: (day) => this.#interestPeriods(position).startOn(day),
      spreadFundPositions: () => this.spreadFunds.positionsOf(position),
    });
    this.#facts.set(position, facts);
    return facts;
  }

  #interestPeriods(position: number): InterestPeriods {
    const { table } = this.#source;
    const { instrument } = table.key(position);
    const cached = this.#periodsByInstrument.get(instrument);
    if (cached !== undefined) return cached;
    const { terms } = this.#source.instrument(position);
    if (terms.type !== 'loan') throw new TypeError(`${instrument} is no loan`);
    const places = table.sortedPositionsIn(instrument);
    const periods = new InterestPeriods(
      terms,
      places.map((of) => this.#getFacts(of).ownCoupons),
    );
    this.#periodsByInstrument.set(instrument, periods);
    return periods;
  }

  /** Stakes in a private fund that left these positions: see fundDepartures. */
  fundDepartures(positions: readonly number[]): readonly FundDeparture[] {
    const [first] = positions;
    if (first === undefined) return [];
    return fundDepartures(
      {
        rows: this.#source.rows,
        moves: this.#movesOf(first),
        units: (of) => this.#source.units(of),
        calls: (of) => (this.spreadFunds.positionsOf(of).length > 0 ? this.#getFacts(of).ownCalls : undefined),
      },
      positions,
    );
  }

  /** For a private fund, also units that left: they take their share of the flows with them. */
  #movesOf(position: number): readonly UnitMove[] {
    const { rows, table } = this.#source;
    this.#moves ??= new Map(unitMoves(rows, table));
    const { instrument } = table.key(position);
    const moves = this.#moves.get(instrument) ?? [];
    if (this.#source.instrument(position).terms.type !== 'private-fund' || this.#fundsWithDepartures.has(instrument))
      return moves;
    const all = withDepartures(moves, table.sortedPositionsIn(instrument), this.#source);
    this.#moves.set(instrument, all);
    this.#fundsWithDepartures.add(instrument);
    return all;
  }
}

function inReferenceCurrency(found: Valuation, context: ValuationContext): PositionValue {
  const { value, conversion } = referenceValue(found, context);
  return { valuation: found, value, conversion };
}

function owedCoupons({ parts }: Valuation): Fixed {
  return parts.reduce((sum, part) => (part.kind === 'coupon' ? sum + part.amount : sum), 0n);
}
