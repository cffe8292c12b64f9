// Splits the gain of a position over a window: what its currency brought, and interest that was earned and not yet booked. The
// rest of the gain is income that was booked and what the price brought.

import type { Day } from '../../../kit/day.ts';
import { divideRounded, multiplyDivide, oneFixed, type Fixed } from '../../../kit/fixed.ts';
import { AmountColumn } from '../../amounts/amount-column.ts';
import { sumPartDifferences } from '../../amounts/amount-parts.ts';
import { convertedAmount, type IsoCurrency } from '../../currencies/exchange-rates.ts';
import type { History } from '../../history/history.ts';
import type { PositionValue } from '../../history/position-values.ts';
import type { DatedLeg } from '../../history/unit-replay.ts';
import { findSyntheticInstrument } from '../../ledger/position-key.ts';
import { DailyRates, type DayWindow } from '../../quick/daily-rates.ts';
import { quickCash, quickValues, type ValueRequest } from '../../quick/quick-values.ts';
import type { GainShares, PositionAmounts, PositionColumns } from '../segments/segment-columns.ts';

interface SplitRequest {
  readonly window: DayWindow;
  readonly currency: IsoCurrency;
}

/** What else decides the parts of a position's gain. */
interface SplitRest {
  /** What flowed beyond the amounts of rows. */
  readonly legs: readonly DatedLeg[];
  /** In the report's currency: charges that gross returns give back. */
  readonly returnedFees?: PositionAmounts;
}

/** Units × prices, or balances. */
export type QuickRequest = Pick<ValueRequest, 'units'> & { readonly prices?: ValueRequest['prices'] };

/**
 * A day's currency gain is what was there the evening before, in its own currency, at the day's rate, less its value then. So
 * what the price brings on a day is measured at that day's rate.
 */
export class GainSplitter {
  readonly #history: History;
  readonly #request: SplitRequest;
  readonly #nextRates = new Map<IsoCurrency, DailyRates>();
  /** By day: the value at that evening, at the rate of the next day, in the reference currency. */
  readonly #carried: AmountColumn;
  #interest: DailyInterest[] = [];
  /** What the rates brought, if a quick valuation has summed it. */
  #rateGain: Fixed | undefined;

  constructor(history: History, request: SplitRequest) {
    this.#history = history;
    this.#request = request;
    this.#carried = new AmountColumn(request.window.last - request.window.first + 1);
  }

  /** Forgets the position before. */
  begin(): void {
    if (!this.#carried.isEmpty) this.#carried.clear();
    this.#interest = [];
    this.#rateGain = undefined;
  }

  /** Whether a quick valuation may sum on the way what the rates bring. */
  sumsRateGain(position: number): boolean {
    return this.#isInReference && this.isCarried(position);
  }

  takeRateGain(gain: Fixed): void {
    this.#rateGain = gain;
  }

  get #isInReference(): boolean {
    return this.#request.currency === this.#history.facts.settings.referenceCurrency;
  }

  /** Carries the days that a quick valuation has written. */
  carryQuickly(currency: IsoCurrency, { units, prices }: QuickRequest, values: AmountColumn): void {
    const rates = this.#ratesOfNextDay(currency);
    if (rates.isOne) this.#carried.addColumn(values);
    else if (prices === undefined) quickCash({ balances: units, rates }, this.#carried);
    else quickValues({ units, prices, rates }, this.#carried);
  }

  /** Whether what the position's currency brings has to be computed day by day. */
  isCarried(position: number): boolean {
    const { currency, terms, id } = this.#history.instrument(position);
    if (findSyntheticInstrument(id)?.kind === 'cash') return false;
    return currency !== this.#request.currency || terms.type === 'forward';
  }

  /** Carries a day that was valued by itself. */
  carryDay(position: number, found: PositionValue, day: Day): void {
    const { first, last } = this.#request.window;
    if (day < last && this.isCarried(position)) this.#carried.set(day - first, this.#carriedValue(found, day + 1));
    const interest = interestOf(found);
    const { currency } = found.valuation;
    this.#interest.push({ day, interest, value: convertedAmount(interest, found.conversion), currency });
  }

  #carriedValue({ valuation }: PositionValue, day: Day): Fixed {
    const { referenceCurrency: to } = this.#history.facts.settings;
    const { rates } = this.#history.facts;
    const [part] = valuation.parts;
    if (valuation.source === 'legs') {
      return valuation.parts.reduce((sum, one) => {
        if (one.kind !== 'leg') return sum;
        const { numerator, denominator } = rates.get({ from: one.leg.currency, to, day });
        return sum + divideRounded(one.leg.amount * one.quantity * numerator, oneFixed * denominator);
      }, 0n);
    }
    if (part?.kind === 'uploaded') {
      const { currency: from, marketValue, accrued } = part.upload;
      const conversion = rates.find({ from, to, day });
      if (conversion !== undefined) return convertedAmount(marketValue + accrued, conversion);
    }
    return convertedAmount(valuation.value, rates.get({ from: valuation.currency, to, day }));
  }

  /** Takes the values in the reference currency, and the columns in the report's. */
  finish(position: number, values: AmountColumn, columns: PositionColumns, rest: SplitRest): GainShares {
    const synthetic = findSyntheticInstrument(this.#history.key(position).instrument);
    if (synthetic?.kind === 'cash') return { currency: this.#moneyResidual(columns, rest), interest: 0n };
    return {
      currency: this.#currencyGain(position, values, columns),
      interest: this.#interestEarned(position, rest.legs),
    };
  }

  /**
   * Cash has no price: what it gained beyond interest, and lost beyond fees, is its currency. Fees that flowed out of it were no loss:
   * those that paid what was owed, and those that gross returns give back.
   */
  #moneyResidual({ values, flows, income, fees }: PositionColumns, { legs, returnedFees }: SplitRest): Fixed {
    const gain = values.at(values.length - 1) - values.at(0) - windowSum(flows);
    const flowedOut = legs.reduce((sum, leg) => sum + this.#paidOff(leg), windowSum(returnedFees));
    return gain - windowSum(income) + windowSum(fees) - flowedOut;
  }

  /** In the report's currency. */
  #paidOff(leg: DatedLeg): Fixed {
    if (leg.measure !== 'cash' || leg.settles !== 'fees-owed') return 0n;
    const { rates, settings } = this.#history.facts;
    const conversion = rates.get({ from: leg.currency, to: settings.referenceCurrency, day: leg.day });
    return this.#toReport(convertedAmount(-leg.amount, conversion), leg.day);
  }

  #currencyGain(position: number, values: AmountColumn, columns: PositionColumns): Fixed {
    if (!this.isCarried(position)) return 0n;
    if (this.#rateGain !== undefined) return this.#rateGain;
    const carried = this.#carried;
    if (this.#isInReference) return sumOfDifferences(carried, values);
    const { first } = this.#request.window;
    let gain = 0n;
    for (let index = 0; index < values.length - 1; index++) {
      if (carried.isZero(index)) continue;
      gain += this.#toReport(carried.at(index), first + index + 1) - columns.values.at(index);
    }
    return gain;
  }

  /**
   * Interest at the end of a day less that of the evening before, both at the day's rate, and less what came with units that were
   * not traded. A day on which an upload changed units earns nothing: it does not say how much of their interest came with them.
   */
  #interestEarned(position: number, legs: readonly DatedLeg[]): Fixed {
    if (this.#interest.length === 0 || this.#history.instrument(position).terms.type === 'fee') return 0n;
    const moved = this.#movedInterest(legs);
    let earned = 0n;
    let before: DailyInterest | undefined;
    for (const one of this.#interest) {
      const movedIn = moved.get(one.day) ?? 0n;
      if (one.day > this.#request.window.first && movedIn !== 'unknown')
        earned += this.#toReport(one.value - this.#carriedInterest(before, one.day) - movedIn, one.day);
      before = one;
    }
    return earned;
  }

  /** By day, in the reference currency. */
  #movedInterest(legs: readonly DatedLeg[]): ReadonlyMap<Day, Fixed | 'unknown'> {
    const moved = new Map<Day, Fixed | 'unknown'>();
    for (const leg of legs) {
      const before = moved.get(leg.day) ?? 0n;
      if (leg.measure === 'cash' || before === 'unknown') {
        moved.set(leg.day, 'unknown');
        continue;
      }
      const { valuation, held, conversion } = this.#history.values.legValue(leg);
      const interest = multiplyDivide(valuation.accrued, leg.quantity, held);
      moved.set(leg.day, before + convertedAmount(interest, conversion));
    }
    return moved;
  }

  #carriedInterest(before: DailyInterest | undefined, day: Day): Fixed {
    if (before === undefined || before.interest === 0n) return 0n;
    const { rates, settings } = this.#history.facts;
    return convertedAmount(before.interest, rates.get({ from: before.currency, to: settings.referenceCurrency, day }));
  }

  #toReport(amount: Fixed, day: Day): Fixed {
    const { rates, settings } = this.#history.facts;
    const { currency: to } = this.#request;
    if (to === settings.referenceCurrency || amount === 0n) return amount;
    return convertedAmount(amount, rates.get({ from: settings.referenceCurrency, to, day }));
  }

  #ratesOfNextDay(from: IsoCurrency): DailyRates {
    const cached = this.#nextRates.get(from);
    if (cached !== undefined) return cached;
    const { rates, settings } = this.#history.facts;
    const daily = new DailyRates(rates, { from, to: settings.referenceCurrency }, this.#request.window, 'nextDay');
    this.#nextRates.set(from, daily);
    return daily;
  }
}

/** At the end of a day: accrued interest and coupons that are owed. */
interface DailyInterest {
  readonly day: Day;
  /** In the currency of the valuation, and in the reference currency. */
  readonly interest: Fixed;
  readonly value: Fixed;
  readonly currency: IsoCurrency;
}

function interestOf({ valuation: { accrued, parts } }: PositionValue): Fixed {
  return parts.reduce((sum, part) => (part.kind === 'coupon' ? sum + part.amount : sum), accrued);
}

/** Nothing flows on the day before the window: see PositionDays. */
function windowSum(amounts: PositionAmounts | undefined): Fixed {
  return amounts?.sum() ?? 0n;
}

/** Sums what one column has more than another, without their last entries. One loop, since two sums would take twice the time. */
function sumOfDifferences(one: AmountColumn, other: AmountColumn): Fixed {
  const [own, others] = [one.findParts(), other.findParts()];
  if (own !== undefined && others !== undefined) return sumPartDifferences(own, others);
  let sum = 0n;
  for (let index = 0; index < one.length - 1; index++) sum += one.at(index) - other.at(index);
  return sum;
}
