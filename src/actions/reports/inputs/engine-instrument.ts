// Turns a stored instrument and its series into what the engine values: terms by the family of its type.

import { defined, unreachable } from '../../../kit/assert.ts';
import { toDayNumber, type CalendarDate } from '../../../kit/calendar-date.ts';
import type { Day } from '../../../kit/day.ts';
import type { Decimal } from '../../../kit/decimal.ts';
import { toFixed, toFixedOrNull } from '../../../kit/fixed.ts';
import type { InterestRate } from '../../../engine/instruments/accrued-interest.ts';
import type { CouponSchedule } from '../../../engine/instruments/coupon-schedule.ts';
import type { IsoCurrency } from '../../../engine/currencies/exchange-rates.ts';
import type {
  BondTerms,
  FeeTerms,
  ForwardTerms,
  LoanTerms,
  ValuedInstrument as EngineInstrument,
  InstrumentTerms,
} from '../../../engine/instruments/instrument.ts';
import { Series } from '../../../engine/amounts/series.ts';
import { dayCountOf, traitsOf, type Instrument } from '../../../model/instrument/instrument.ts';
import type { SeriesKind } from '../../../model/instrument/series-point.ts';

export type SeriesByKind = Partial<Readonly<Record<SeriesKind, Series>>>;

interface EngineInstrumentContext {
  readonly series: SeriesByKind;
  /** The currency it is taken to be in if its own terms name none. */
  readonly currency: IsoCurrency;
  /** After how many days a point of its class is stale; null without a class. */
  readonly stalenessDays: number | null;
}

const emptySeries = new Series([]);

export function toEngineInstrument(instrument: Instrument, context: EngineInstrumentContext): EngineInstrument {
  const { series, currency, stalenessDays } = context;
  return {
    id: instrument.id,
    currency: instrument.ccyCode ?? instrument.listingCurrency ?? currency,
    priceUnit: instrument.priceUnit,
    terms: toTerms(instrument, series['interest-rate'] ?? emptySeries),
    prices: series.price ?? emptySeries,
    netAssetValues: series['net-asset-value'] ?? emptySeries,
    indexFactors: series['index-factor'] ?? emptySeries,
    ...(stalenessDays === null ? {} : { staleness: { daysMax: stalenessDays } }),
  };
}

function toTerms(instrument: Instrument, rates: Series): InstrumentTerms {
  const family = traitsOf(instrument.type).termFamily;
  switch (family) {
    case 'listed':
    case 'fund':
    case 'other':
      return { type: family };
    case 'bond':
      return bondTerms(instrument, rates);
    case 'index-linked-bond':
      return { ...bondTerms(instrument, rates), index: { baseFactor: toFixedOrNull(instrument.baseFactor) } };
    case 'zero-coupon-bond':
      return {
        type: 'zero-coupon',
        maturity: toDayNumber(defined(instrument.maturity, 'a zero-coupon bond has a maturity')),
        convention: dayCountOf(instrument),
      };
    case 'loan':
      return loanTerms(instrument, rates);
    case 'fee':
      return feeTerms(instrument);
    case 'private-fund':
      return { type: 'private-fund', commitment: toFixedOrNull(instrument.commitment) };
    case 'forward':
      return forwardTerms(instrument);
    default:
      return unreachable(family, 'the family of the terms');
  }
}

function bondTerms(instrument: Instrument, rates: Series): BondTerms {
  return {
    type: 'bond',
    schedule: toCouponSchedule(instrument),
    convention: dayCountOf(instrument),
    rate: toInterestRate(instrument, instrument.coupon, rates),
  };
}

function loanTerms(instrument: Instrument, rates: Series): LoanTerms {
  return {
    type: 'loan',
    principal: toFixed(defined(instrument.principal, 'a loan has a principal')),
    rate: toInterestRate(instrument, instrument.interestRate, rates),
    convention: dayCountOf(instrument),
    start: toDayNumber(defined(instrument.startDate, 'a loan has a start date')),
    maturity: toDayOrUndefined(instrument.maturity) ?? null,
  };
}

function feeTerms(instrument: Instrument): FeeTerms {
  return {
    type: 'fee',
    category: defined(instrument.category, 'a fee has a category'),
    rate: toFixed(defined(instrument.rate, 'a fee has a rate')),
    basis: toFixed(defined(instrument.basis, 'a fee has a basis')),
    convention: dayCountOf(instrument),
    start: toDayNumber(defined(instrument.startDate, 'a fee has a start date')),
  };
}

function toCouponSchedule(instrument: Instrument): CouponSchedule {
  return {
    maturity: toDayNumber(defined(instrument.maturity, 'a bond has a maturity')),
    frequency: instrument.couponFrequency ?? undefined,
    datedDate: toDayOrUndefined(instrument.datedDate),
    firstCouponDate: toDayOrUndefined(instrument.firstCouponDate),
    exDividendDays: instrument.exDividendDays ?? undefined,
  };
}

/** A fixed rate, or the points of the reference rate, which are stored as the instrument's own series. */
function toInterestRate({ spread }: Instrument, fixed: Decimal | null, rates: Series): InterestRate {
  if (fixed !== null) return toFixed(fixed);
  const points = Array.from({ length: rates.length }, (_, index) => rates.at(index));
  return { points, spread: toFixedOrNull(spread) ?? 0n };
}

function forwardTerms(instrument: Instrument): ForwardTerms {
  const legs = [
    defined(instrument.nearLeg, 'a forward has a near leg'),
    defined(instrument.farLeg, 'a forward has a far leg'),
  ].map(({ ccyCode, amount, date }) => ({
    currency: ccyCode,
    amount: toFixed(amount),
    day: toDayNumber(date),
  }));
  return { type: 'forward', legs };
}

function toDayOrUndefined(date: CalendarDate | null): Day | undefined {
  return date === null ? undefined : toDayNumber(date);
}
