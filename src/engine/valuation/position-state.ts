// What the value of a holding on a day is made from, besides the instrument itself. Knows no rule.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { IsoCurrency, ExchangeRates } from '../currencies/exchange-rates.ts';
import type { ValuedInstrument } from '../instruments/instrument.ts';
import type { DatedQuantityAndCost } from '../lots/lot.ts';
import type { UnitChange } from '../instruments/quote.ts';
import type { Point } from '../amounts/series.ts';
import type { StalenessByKind } from './staleness.ts';

/**
 * A position at the end of a day. Each rule reads what it needs and no more, so that fields may be getters. Nothing in it is
 * later than the day, but what lists days may go on: later ones are left alone.
 */
export interface PositionState {
  /** Units, nominal, contracts; of a private fund without units, 1. Negative when short. */
  readonly quantity: Fixed;
  /** In the instrument's currency, accrued interest left out. */
  readonly cost: Fixed;
  /** They add up to the quantity. */
  readonly lots: readonly DatedQuantityAndCost[];
  /** Units at the end of each day on which they changed, in the order of the days. */
  readonly quantities: readonly Point[];
  /** The last price as traded and its day. */
  readonly lastTrade: Point | null;
  /** The latest checkpoint on or before the day. */
  readonly upload: UploadedValue | null;
  /**
   * Of a private fund, in its currency and in the order of the days: what was called, positive, and paid out, negative. Not what
   * moved units of a fund that has units: their number already tells.
   */
  readonly fundFlows: readonly Point[];
  /** The trade dates of the booked coupons, of a loan of the booked interest, in their order. */
  readonly couponDays: readonly Day[];
  /** Of a fee instrument, when it was last charged. */
  readonly lastFee: Day | null;
}

/** What was stated for the end of a day, as it adds to the wealth: what is owed is negative. */
export interface UploadedValue {
  readonly day: Day;
  readonly quantity: Fixed;
  /** Without the accrued interest. */
  readonly marketValue: Fixed;
  readonly accrued: Fixed;
  /** Of both amounts. */
  readonly currency: IsoCurrency;
  /** 1 of the currency is so much of the reporting currency. */
  readonly rate: Fixed;
  readonly reportingCurrency: IsoCurrency;
}

export interface ValuationContext {
  readonly day: Day;
  readonly referenceCurrency: IsoCurrency;
  readonly rates: ExchangeRates;
  /** Splits and the like of this instrument, in the order of their ex-dates. */
  readonly changes: readonly UnitChange[];
  readonly staleness: StalenessByKind;
}

/** What is valued, as it is held, on a day. */
export interface ValuationSubject {
  readonly instrument: ValuedInstrument;
  readonly held: PositionState;
  readonly context: ValuationContext;
}
