// Says how much money each finding could move, in one currency, and why: by the value that is in doubt, that is held, or that was
// booked.

import type { Day } from '../../../kit/day.ts';
import { fixedText, magnitude, multiplyDivide, type Fixed } from '../../../kit/fixed.ts';
import { convertedAmount, MissingRateError } from '../../../engine/currencies/exchange-rates.ts';
import { explainPositionValue, explainUnits, type Figure } from '../../../engine/explanation/explanation.ts';
import { convertedFigure } from '../../../engine/explanation/conversion.ts';
import {
  amountFigure,
  formula,
  halfEven,
  lazyFigure,
  magnitudeFigure,
  positionSource,
  sumOperands,
} from '../../../engine/explanation/figure.ts';
import { quotedUnitsFigure } from '../../../engine/explanation/value-part.ts';
import { quoteFromPoint, quotedValue } from '../../../engine/instruments/quote.ts';
import { findPoint } from '../../../engine/valuation/quoted.ts';
import { priceUnitOf } from '../../../engine/valuation/quoted-base-value.ts';
import { findingEffects } from '../../../model/report/finding-effect.ts';
import type { ReportBasis } from '../report-basis.ts';
import type { FindingWithRows } from './finding-with-rows.ts';

interface EffectOptions {
  readonly day: Day;
  /** Whether amounts are known: if a rate is missing, no value is right. */
  readonly amounts: 'known' | 'unknown';
  /** The currency of the effects. */
  readonly currency: string;
}

/** An amount, and how it came about. */
interface Effect {
  readonly amount: Fixed;
  explain(): Figure;
}

export class FindingEffects {
  readonly #basis: ReportBasis;
  readonly #options: EffectOptions;
  #byInstrument: ReadonlyMap<string, readonly number[]> | undefined;

  constructor(basis: ReportBasis, options: EffectOptions) {
    this.#basis = basis;
    this.#options = options;
  }

  /** Never negative; null if it cannot be said. */
  effectOf(found: FindingWithRows): Effect | null {
    if (this.#options.amounts === 'unknown') return null;
    try {
      return this.#effect(found);
    } catch (error) {
      // What no report counts may need a rate that no report needs.
      if (error instanceof MissingRateError) return null;
      throw error;
    }
  }

  #effect(found: FindingWithRows): Effect | null {
    const { quantity, priceChange } = found;
    switch (findingEffects[found.code]) {
      case 'amount':
        return this.#amountInDoubt(found);
      case 'held':
        return this.#fromReference(this.#valueOf(this.#positionsOf(found)));
      case 'held-before':
        return found.date === null
          ? null
          : this.#fromReference(this.#valueOf(this.#positionsOf(found), found.date - 1));
      case 'units':
        return quantity === null ? null : this.#unitsValue(found, quantity);
      case 'price':
        return priceChange === undefined || priceChange.from === 0n ? null : this.#priceEffect(found, priceChange);
      case 'booked':
        return this.#bookedAmount(found);
      case 'place':
        return this.#fromReference(this.#valueOf(this.#positionsAt(found)));
      case 'unknown':
        return null;
    }
  }

  #amountInDoubt({ amount, currency, drafts }: FindingWithRows): Effect | null {
    if (amount === null || currency === null) return null;
    const explain = (): Figure => {
      const drafted = drafts?.amount?.().explanation;
      const own = drafted?.value === fixedText(amount) ? drafted : amountFigure('amount', amount, { unit: currency });
      return magnitudeFigure(own);
    };
    return this.#converted({ amount: magnitude(amount), explain }, currency);
  }

  #priceEffect(found: FindingWithRows, { from, by }: { readonly from: Fixed; readonly by: Fixed }): Effect | null {
    const held = this.#valueOf(this.#positionsOf(found));
    const amount = multiplyDivide(held.amount, magnitude(by), magnitude(from));
    const explain = (): Figure => {
      const difference = magnitudeFigure(amountFigure('difference-of-price', by));
      const price = magnitudeFigure(amountFigure('price-of-the-ledger', from));
      const whole = formula`${held.explain()} × ${difference} ÷ ${price}`;
      return amountFigure('value-of-difference', amount, { ...this.#facets(), ...whole, rounding: halfEven });
    };
    return this.#fromReference({ amount, explain });
  }

  #facets(): { readonly unit: string; readonly day: Day } {
    return { unit: this.#basis.currency, day: this.#options.day };
  }

  #fromReference(effect: Effect): Effect | null {
    return this.#converted(effect, this.#basis.currency);
  }

  #converted({ amount, explain }: Effect, from: string): Effect | null {
    const { currency: to, day } = this.#options;
    const conversion = from === to ? null : this.#basis.history.facts.rates.find({ from, to, day });
    if (conversion === undefined) return null;
    const value = conversion === null ? amount : convertedAmount(amount, conversion);
    return {
      amount: value,
      explain: () => {
        const converted = convertedFigure('converted-amount', value, { original: explain(), conversion });
        return conversion === null ? { ...converted, name: explain().name } : converted;
      },
    };
  }

  /** Values of both signs count in full: either may be wrong. */
  #valueOf(positions: readonly number[], day = this.#options.day): Effect {
    const { history, currency: unit } = this.#basis;
    const held = positions
      .map((position) => ({ position, value: history.value(position, day).value }))
      .filter(({ value }) => value !== 0n);
    const amount = held.reduce((sum, { value }) => sum + magnitude(value), 0n);
    const explain = (): Figure => {
      const values = held.map(({ position, value }) => {
        const known = { unit, day, source: positionSource(history.key(position)) };
        const own = lazyFigure('market-value', value, known, () => explainPositionValue(history, position, day));
        return magnitudeFigure(own);
      });
      return amountFigure('value-held', amount, { unit, day, ...sumOperands(values) });
    };
    return { amount, explain };
  }

  /** The position itself, or those of its instrument in the same places. */
  #positionsOf({ instrumentId, accountId, depositoryId }: FindingWithRows): readonly number[] {
    if (instrumentId === null) return [];
    const { table } = this.#basis.history;
    const exact = table.find({ account: accountId, depository: depositoryId, instrument: instrumentId });
    if (exact !== undefined) return [exact];
    return this.#positionsWith(instrumentId).filter((position) => {
      const { account, depository } = table.key(position);
      return (accountId === null || account === accountId) && (depositoryId === null || depository === depositoryId);
    });
  }

  #positionsWith(instrument: string): readonly number[] {
    const { table } = this.#basis.history;
    this.#byInstrument ??= Map.groupBy(table.sortedPositions(), (position) => table.key(position).instrument);
    return this.#byInstrument.get(instrument) ?? [];
  }

  #positionsAt({ accountId, depositoryId }: FindingWithRows): readonly number[] {
    const { table } = this.#basis.history;
    return table.sortedPositions().filter((position) => {
      const { account, depository } = table.key(position);
      return accountId === null ? account === null && depository === depositoryId : account === accountId;
    });
  }

  /** At the value of the units that are held, here or elsewhere, else at the price of the day. */
  #unitsValue(found: FindingWithRows, quantity: Fixed): Effect | null {
    const { instrumentId, drafts } = found;
    if (instrumentId === null) return null;
    const { history } = this.#basis;
    const { day } = this.#options;
    const units = magnitude(quantity);
    const explainUnitsInQuestion = (): Figure => {
      const drafted = drafts?.quantity?.().explanation;
      const own = amountFigure('units-in-question', quantity, { unit: 'units' });
      return magnitudeFigure(drafted?.value === own.value ? drafted : own);
    };
    const held = [...this.#positionsOf(found), ...this.#positionsWith(instrumentId)].find(
      (position) => history.units(position).valueOn(day) !== 0n,
    );
    if (held === undefined) return this.#quotedUnits(instrumentId, { amount: units, explain: explainUnitsInQuestion });
    const value = this.#valueOf([held]);
    const heldUnits = magnitude(history.units(held).valueOn(day));
    const amount = multiplyDivide(units, value.amount, heldUnits);
    const explain = (): Figure => {
      const all = magnitudeFigure(explainUnits(history, held, day));
      const whole = formula`${explainUnitsInQuestion()} × ${value.explain()} ÷ ${all}`;
      return amountFigure('value-of-units', amount, { ...this.#facets(), ...whole, rounding: halfEven });
    };
    return this.#fromReference({ amount, explain });
  }

  #quotedUnits(instrumentId: string, { amount: units, explain: explainOwn }: Effect): Effect | null {
    const { history } = this.#basis;
    const { day } = this.#options;
    const instrument = history.facts.instruments.get(instrumentId);
    const found = instrument && findPoint(instrument, { day, after: -Infinity });
    if (instrument === undefined || found === undefined) return null;
    const [position] = this.#positionsWith(instrumentId);
    const changes = position === undefined ? [] : history.changes(position);
    const quote = quoteFromPoint(found.point, changes, { day, staleness: { daysMax: Infinity } });
    const { currency } = instrument;
    const priceUnit = priceUnitOf(instrument);
    const amount = quotedValue(units, quote, priceUnit);
    const explain = (): Figure =>
      quotedUnitsFigure({ amount, units: explainOwn(), quote, priceUnit }, { currency, source: found.source });
    return this.#converted({ amount, explain }, currency);
  }

  #bookedAmount({ rows, date }: FindingWithRows): Effect | null {
    if (date === null) return null;
    const { ledger } = this.#basis.history.facts;
    const booked: Effect[] = [];
    for (const row of rows) {
      const own = ledger.find({ row, day: date });
      if (own === undefined) return null;
      const facets = { unit: own.currency, day: date, source: { kind: 'row', row } } as const;
      const explain = (): Figure => magnitudeFigure(amountFigure('row-amount', own.amount, facets));
      const converted = this.#converted({ amount: magnitude(own.amount), explain }, own.currency);
      if (converted === null) return null;
      booked.push(converted);
    }
    const amount = booked.reduce((sum, one) => sum + one.amount, 0n);
    const { currency: unit } = this.#options;
    const explain = (): Figure =>
      amountFigure('booked', amount, { unit, ...sumOperands(booked.map((one) => one.explain())) });
    return { amount, explain };
  }
}
