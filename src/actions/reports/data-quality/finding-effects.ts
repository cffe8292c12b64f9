// Says how much money each finding could move, in one currency: by the value that is in doubt, that is held, or that was booked.

import type { Day } from '../../../kit/day.ts';
import { magnitude, multiplyDivide, type Fixed } from '../../../kit/fixed.ts';
import { convertedAmount, MissingRateError } from '../../../engine/currencies/exchange-rates.ts';
import { quoteFromPoint, quotedValue } from '../../../engine/instruments/quote.ts';
import { findPoint } from '../../../engine/valuation/quoted.ts';
import { findingEffects } from '../../../model/report/finding.ts';
import type { ReportBasis } from '../report-basis.ts';
import type { FindingWithRows } from './finding-with-rows.ts';

interface EffectOptions {
  readonly day: Day;
  /** Whether amounts are known: if a rate is missing, no value is right. */
  readonly amounts: 'known' | 'unknown';
  /** The currency of the effects. */
  readonly currency: string;
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
  effectOf(found: FindingWithRows): Fixed | null {
    if (this.#options.amounts === 'unknown') return null;
    try {
      return this.#effect(found);
    } catch (error) {
      // What no report counts may need a rate that no report needs.
      if (error instanceof MissingRateError) return null;
      throw error;
    }
  }

  #effect(found: FindingWithRows): Fixed | null {
    const { amount, currency, quantity, priceChange } = found;
    switch (findingEffects[found.code]) {
      case 'amount':
        return amount === null || currency === null ? null : this.#converted(amount, currency);
      case 'held':
        return this.#fromReference(this.#valueOf(this.#positionsOf(found)));
      case 'held-before':
        return found.date === null
          ? null
          : this.#fromReference(this.#valueOf(this.#positionsOf(found), found.date - 1));
      case 'units':
        return quantity === null ? null : this.#unitsValue(found, magnitude(quantity));
      case 'price': {
        if (priceChange === undefined || priceChange.from === 0n) return null;
        const held = this.#valueOf(this.#positionsOf(found));
        return this.#fromReference(multiplyDivide(held, magnitude(priceChange.by), magnitude(priceChange.from)));
      }
      case 'booked':
        return this.#bookedAmount(found);
      case 'place':
        return this.#fromReference(this.#valueOf(this.#positionsAt(found)));
      case 'unknown':
        return null;
    }
  }

  #fromReference(amount: Fixed): Fixed | null {
    return this.#converted(amount, this.#basis.currency);
  }

  #converted(amount: Fixed, from: string): Fixed | null {
    const { currency: to, day } = this.#options;
    if (from === to) return magnitude(amount);
    const conversion = this.#basis.history.facts.rates.find({ from, to, day });
    return conversion === undefined ? null : convertedAmount(magnitude(amount), conversion);
  }

  /** Values of both signs count in full: either may be wrong. */
  #valueOf(positions: readonly number[], day = this.#options.day): Fixed {
    const { history } = this.#basis;
    return positions.reduce((sum, position) => sum + magnitude(history.value(position, day).value), 0n);
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
  #unitsValue(found: FindingWithRows, units: Fixed): Fixed | null {
    const { instrumentId } = found;
    if (instrumentId === null) return null;
    const { history } = this.#basis;
    const { day } = this.#options;
    const held = [...this.#positionsOf(found), ...this.#positionsWith(instrumentId)].find(
      (position) => history.units(position).valueOn(day) !== 0n,
    );
    if (held === undefined) return this.#quotedUnits(instrumentId, units);
    const heldUnits = magnitude(history.units(held).valueOn(day));
    return this.#fromReference(multiplyDivide(units, magnitude(history.value(held, day).value), heldUnits));
  }

  #quotedUnits(instrumentId: string, units: Fixed): Fixed | null {
    const { history } = this.#basis;
    const { day } = this.#options;
    const instrument = history.facts.instruments.get(instrumentId);
    const found = instrument && findPoint(instrument, { day, after: -Infinity });
    if (instrument === undefined || found === undefined) return null;
    const [position] = this.#positionsWith(instrumentId);
    const changes = position === undefined ? [] : history.changes(position);
    const quote = quoteFromPoint(found.point, changes, { day, staleness: { daysMax: Infinity } });
    return this.#converted(quotedValue(units, quote, instrument.priceUnit), instrument.currency);
  }

  #bookedAmount({ rows, date }: FindingWithRows): Fixed | null {
    if (date === null) return null;
    const { ledger } = this.#basis.history.facts;
    let sum = 0n;
    for (const row of rows) {
      const booked = ledger.find({ row, day: date });
      const amount = booked && this.#converted(booked.amount, booked.currency);
      if (amount === undefined || amount === null) return null;
      sum += amount;
    }
    return sum;
  }
}
