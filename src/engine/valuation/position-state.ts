// The inputs of a valuation besides the instrument: the position on the day, uploads, rates and settings.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { IsoCurrency, ExchangeRates } from '../currencies/exchange-rates.ts';
import type { ValuedInstrument } from '../instruments/instrument.ts';
import type { DatedQuantityAndCost } from '../lots/lot.ts';
import type { UnitChange } from '../instruments/unit-change-span.ts';
import type { Point } from '../amounts/series.ts';
import type { BookedCoupon } from './booked-coupon.ts';
import type { StalenessByKind } from './staleness.ts';

/**
 * A position at the end of a day. Each rule reads only the fields it needs, so they may be getters. Nothing is later than the
 * day, except in the lists of days and points, which may go on: a rule ignores what is later.
 */
export interface PositionState {
  /** Units, nominal or contracts; 1 for a private fund without units. Negative when short. */
  readonly quantity: Fixed;
  /** In the instrument's currency, without accrued interest. */
  readonly cost: Fixed;
  /** Their quantities add up to `quantity`. */
  readonly lots: readonly DatedQuantityAndCost[];
  /** Units at the end of each day on which they changed, by day. */
  readonly quantities: readonly Point[];
  /** The instrument's last price as traded, in whichever own account, and its day. */
  readonly lastTrade: Point | null;
  /** The latest upload that states units of the instrument in another own place. */
  readonly uploadElsewhere?: UploadedValue | null;
  /** The latest checkpoint on or before the day. */
  readonly upload: UploadedValue | null;
  /** What units are worth on average since others came from an own place where an upload implies another price. */
  readonly carriedPrice?: UploadedValue | null;
  /**
   * For a private fund, in its currency and by day: calls are positive, distributions negative. Flows that moved units of a fund
   * with units are not among them, because the quantity already reflects them.
   */
  readonly fundFlows: readonly Point[];
  /** For a private fund without units that several own places have paid for: all of them. */
  readonly fundPlaces?: FundPlaces | null;
  /**
   * For a loan, in its currency and by day: accrued interest that was bought with it (positive), or sold or repaid with it (negative). The
   * quantities only tell what has accrued here.
   */
  readonly boughtInterest: readonly Point[];
  /** For a loan, what was bought without stated accrued interest, by day. */
  readonly boughtWithoutInterest: readonly BoughtNominal[];
  /** Booked coupons (for a loan, booked interest), in the order of their days. */
  readonly coupons: readonly BookedCoupon[];
  /** For a fee, the day it was last charged. */
  readonly lastFee: Day | null;
}

/** Nominal of a loan that was bought without stated accrued interest. */
export interface BoughtNominal {
  readonly day: Day;
  readonly nominal: Fixed;
  /** When the interest period in which it was bought began. */
  readonly since: Day;
}

/** Of the units that are there; the lists may go on after the day. */
export interface FundPlace {
  /** Without units there is no value: what is paid out there belongs to the first place that has some. */
  readonly units: Fixed;
  /** Calls, by day. */
  readonly paidIn: readonly Point[];
  /** Calls and distributions, by day: calls are positive. */
  readonly flows: readonly Point[];
  /** If this is no place but a stake that was sold or given away: the day. Nothing after it is shared with the others. */
  readonly leftOn?: Day;
}

/** Stakes in a private fund that left all own places on a day, and what stayed. Both in one measure: paid in, or units. */
export interface DepartedShares {
  readonly day: Day;
  readonly left: Fixed;
  readonly stayed: Fixed;
}

export interface FundPlaces {
  /** All places, then the stakes that left. */
  readonly places: readonly FundPlace[];
  /** The index of the place or stake to value. */
  readonly own: number;
  /** By day. */
  readonly departures: readonly DepartedShares[];
}

/** What an upload states for the end of a day. Debts are negative. */
export interface UploadedValue {
  readonly day: Day;
  readonly quantity: Fixed;
  /** Without accrued interest. */
  readonly marketValue: Fixed;
  readonly accrued: Fixed;
  /** The currency of both amounts. */
  readonly currency: IsoCurrency;
  /** How much of the reporting currency 1 of the currency is. */
  readonly rate: Fixed;
  readonly reportingCurrency: IsoCurrency;
  /** If no upload states it, but units that came and what they were worth: the day of the oldest price in it. */
  readonly pricedOn?: Day;
  /** The day on which a newer statement of the place no longer lists it. */
  readonly endedOn?: Day;
  /** If nothing was there on the day because a statement no longer lists it: the day of the last one that did. */
  readonly listedOn?: Day;
}

export interface ValuationContext {
  readonly day: Day;
  readonly referenceCurrency: IsoCurrency;
  readonly rates: ExchangeRates;
  /** Splits and similar changes of this instrument's units, by ex-date. */
  readonly changes: readonly UnitChange[];
  readonly staleness: StalenessByKind;
}

/** A holding to value on a day: the instrument, the position and the context. */
export interface ValuationSubject {
  readonly instrument: ValuedInstrument;
  readonly held: PositionState;
  readonly context: ValuationContext;
}
