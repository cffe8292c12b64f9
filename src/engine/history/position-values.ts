// What the positions of a history are worth, and the units that move between them. Knows no report.

import { multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import type { UnitsOn } from '../lots/lot-books.ts';
import type { Checkpoints } from './checkpoint.ts';
import { convertedAmount } from '../currencies/exchange-rates.ts';
import type { Facts } from './facts.ts';
import type { Instrument } from '../instruments/instrument.ts';
import type { UnitLeg } from '../ledger/leg.ts';
import type { LotSnapshot, Stake } from '../lots/lot.ts';
import { findSynthetic } from '../ledger/position-key.ts';
import type { PositionTable } from '../ledger/position-table.ts';
import type { UnitChange } from '../instruments/quote.ts';
import { referenceValue, valuation } from '../valuation/valuation.ts';
import type { ReferenceValue, UploadedValue, Valuation, ValuationContext } from '../valuation/valuation.ts';
import { balanceValuation } from '../valuation/balance.ts';
import { HeldPosition, LooseUnits } from './held-position.ts';
import { PositionFacts, type Origin } from './position-facts.ts';
import type { Rows, RowsByPosition } from './ledger-rows.ts';
import type { Steps } from './step-function.ts';
import { unitOrigins, type UnitOrigin } from './unit-origins.ts';
import { uploadedValues } from './upload-value.ts';

export interface ValueOn extends ReferenceValue {
  readonly valuation: Valuation;
}

/** value = amount × rate, and amount = the valuation without owed coupons × the leg's quantity ÷ the units held. */
export interface LegValue extends ValueOn {
  readonly held: Fixed;
  readonly amount: Fixed;
}

export interface ValueSource {
  readonly facts: Facts;
  readonly table: PositionTable;
  readonly rows: Rows;
  readonly byPosition: RowsByPosition;
  readonly checkpoints: Checkpoints;
  instrument(position: number): Instrument;
  units(position: number): Steps;
  stake(position: number, day: Day): Stake;
  lots(position: number, day: Day): LotSnapshot;
  changes(position: number): readonly UnitChange[];
}

export class PositionValues {
  readonly #source: ValueSource;
  readonly #facts = new Map<number, PositionFacts>();
  #origins: ReadonlyMap<number, readonly UnitOrigin[]> | undefined;

  constructor(source: ValueSource) {
    this.#source = source;
  }

  on(position: number, day: Day): ValueOn {
    const context = this.#context(position, day);
    return inReference(this.#valuation(position, context), context);
  }

  /**
   * What the units of a leg are worth when its day ends: their share of what the position is worth, without coupons that are owed
   * to it. Units that are all gone by then count as if they had stayed.
   */
  ofLeg({ of, quantity, day }: UnitLeg & { readonly day: Day }): LegValue {
    for (const heldOn of [day, day - 1]) {
      const held = this.#source.units(of).on(heldOn);
      if (held === 0n) continue;
      const context = this.#context(of, day);
      const found = this.#valuation(of, context, heldOn);
      const amount = multiplyDivide(found.value - owedCoupons(found), quantity, held);
      const { conversion } = inReference(found, context);
      return { valuation: found, held, amount, conversion, value: convertedAmount(amount, conversion) };
    }
    const loose = this.#ofUnits({ position: of, quantity, day });
    return { ...loose, held: quantity, amount: loose.valuation.value };
  }

  /** What so many units are worth on a day, held or not, in the instrument's and in the reference currency: without interest. */
  worthOf(units: UnitsOn): Omit<Stake, 'quantity'> {
    const { position, day } = units;
    const { value, accrued, currency: from } = this.#ofUnits(units).valuation;
    const { rates, settings } = this.#source.facts;
    const into = (to: string): Fixed => convertedAmount(value - accrued, rates.get({ from, to, day }));
    return { cost: into(this.#source.instrument(position).currency), referenceCost: into(settings.referenceCurrency) };
  }

  /** Its own, and those of the depository that its account shares with others. */
  uploads(position: number): readonly UploadedValue[] {
    const { table, checkpoints } = this.#source;
    const { depository, instrument } = table.key(position);
    const shared = table.find({ account: null, depository, instrument }) ?? -1;
    const stated = checkpoints.get(position) ?? checkpoints.get(shared) ?? [];
    const { currency } = this.#source.instrument(position);
    return stated.flatMap((checkpoint) => uploadedValues(checkpoint, currency));
  }

  #ofUnits({ position, quantity, day }: UnitsOn): ValueOn {
    const held = new LooseUnits({ facts: this.#factsOf(position), day, quantity });
    const context = this.#context(position, day);
    return inReference(valuation(this.#source.instrument(position), held, context), context);
  }

  #valuation(position: number, context: ValuationContext, heldOn: Day = context.day): Valuation {
    const source = this.#source;
    const { day } = context;
    const instrument = source.instrument(position);
    if (findSynthetic(instrument.id) !== undefined) {
      return balanceValuation(instrument.currency, source.units(position).on(day));
    }
    const held = new HeldPosition({
      facts: this.#factsOf(position),
      day,
      heldOn,
      cost: () => source.stake(position, heldOn).cost,
      lots: () => source.lots(position, heldOn).lots,
    });
    return valuation(instrument, held, context);
  }

  #context(position: number, day: Day): ValuationContext {
    const { rates, settings } = this.#source.facts;
    const { referenceCurrency, staleness } = settings;
    return { day, referenceCurrency, rates, changes: this.#source.changes(position), staleness };
  }

  #factsOf(position: number): PositionFacts {
    const known = this.#facts.get(position);
    if (known !== undefined) return known;
    const facts = new PositionFacts({
      rows: this.#source.rows,
      ownRows: this.#source.byPosition.of(position),
      travels: this.#source.instrument(position).terms.type,
      units: () => this.#source.units(position),
      uploads: () => this.uploads(position),
      origins: () => this.#originsOf(position),
    });
    this.#facts.set(position, facts);
    return facts;
  }

  #originsOf(position: number): readonly Origin[] {
    this.#origins ??= unitOrigins(this.#source.rows, this.#source.table);
    const origins = this.#origins.get(position) ?? [];
    return origins.map((origin) => ({ ...origin, facts: this.#factsOf(origin.position) }));
  }
}

function inReference(found: Valuation, context: ValuationContext): ValueOn {
  const { value, conversion } = referenceValue(found, context);
  return { valuation: found, value, conversion };
}

function owedCoupons({ parts }: Valuation): Fixed {
  return parts.reduce((sum, part) => (part.kind === 'coupon' ? sum + part.amount : sum), 0n);
}
