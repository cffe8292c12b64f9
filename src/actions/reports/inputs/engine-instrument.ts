// Instruments as the engine takes them: their terms by type, and their series. Knows no store and no holding.

import { toDayNumber, type CalendarDate } from '../../../kit/calendar-date.ts';
import type { Day } from '../../../kit/day.ts';
import type { Decimal } from '../../../kit/decimal.ts';
import { toFixed, type Fixed } from '../../../kit/fixed.ts';
import type { InterestRate } from '../../../engine/instruments/accrued-interest.ts';
import type { CouponFrequency, CouponSchedule } from '../../../engine/instruments/coupon-schedule.ts';
import type { IsoCurrency } from '../../../engine/currencies/exchange-rates.ts';
import type {
  BondTerms,
  ForwardTerms,
  ValuedInstrument as EngineInstrument,
  InstrumentTerms,
} from '../../../engine/instruments/instrument.ts';
import { Series } from '../../../engine/amounts/series.ts';
import type { Instrument } from '../../../model/instrument/instrument.ts';
import type { SeriesKind } from '../../../model/instrument/series-point.ts';

export type SeriesByKind = Partial<Readonly<Record<SeriesKind, Series>>>;

export interface EngineInstrumentContext {
  readonly series: SeriesByKind;
  /** What it is in where its own terms name no currency. */
  readonly currency: IsoCurrency;
  /** After how many days its class calls a point stale; null without a class. */
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
  switch (instrument.type) {
    case 'stock-instrument':
      return { type: 'listed' };
    case 'mutual-fund-instrument':
      return { type: 'fund' };
    case 'bond-instrument':
      return bondTerms(instrument, rates);
    case 'index-linked-bond-instrument':
      return { ...bondTerms(instrument, rates), index: { baseFactor: toFixedOrNull(instrument.baseFactor) } };
    case 'zero-coupon-bond-instrument':
      return {
        type: 'zero-coupon',
        maturity: toDayNumber(instrument.maturity!),
        convention: instrument.dayCountConvention!,
      };
    case 'loan-instrument':
      return {
        type: 'loan',
        principalPerUnit: toFixed(instrument.principal!),
        rate: toInterestRate(instrument, instrument.interestRate, rates),
        convention: instrument.dayCountConvention!,
        start: toDayNumber(instrument.startDate!),
        maturity: toDayOrUndefined(instrument.maturity) ?? null,
      };
    case 'fee-instrument':
      return {
        type: 'fee',
        category: instrument.category!,
        rate: toFixed(instrument.rate!),
        basis: toFixed(instrument.basis!),
        convention: 'ACT/365',
        start: toDayNumber(instrument.startDate!),
      };
    case 'private-market-fund':
      return { type: 'private-fund', commitment: toFixedOrNull(instrument.commitment) };
    case 'fx-forward-cash-settlement-contract':
    case 'fx-forward-physical-delivery-contract':
      return forwardTerms(instrument);
    case 'other-instrument':
      return { type: 'other' };
  }
}

function bondTerms(instrument: Instrument, rates: Series): BondTerms {
  return {
    type: 'bond',
    schedule: toCouponSchedule(instrument),
    convention: instrument.dayCountConvention!,
    rate: toInterestRate(instrument, instrument.coupon, rates),
  };
}

function toCouponSchedule(instrument: Instrument): CouponSchedule {
  return {
    maturity: toDayNumber(instrument.maturity!),
    frequency: (instrument.couponFrequency ?? undefined) as CouponFrequency | undefined,
    datedDate: toDayOrUndefined(instrument.datedDate),
    firstCouponDate: toDayOrUndefined(instrument.firstCouponDate),
    exDividendDays: instrument.exDividendDays ?? undefined,
  };
}

/** Fixed, or what follows a reference rate: its points are the instrument's own. */
function toInterestRate({ spread }: Instrument, fixed: Decimal | null, rates: Series): InterestRate {
  if (fixed !== null) return toFixed(fixed);
  const points = Array.from({ length: rates.length }, (_, index) => rates.at(index));
  return { points, spread: toFixedOrNull(spread) ?? 0n };
}

function forwardTerms({ nearLeg, farLeg }: Instrument): ForwardTerms {
  const legs = [nearLeg!, farLeg!].map(({ ccyCode, amount, date }) => ({
    currency: ccyCode,
    amount: toFixed(amount),
    day: toDayNumber(date),
  }));
  return { type: 'forward', legs };
}

function toFixedOrNull(decimal: Decimal | null): Fixed | null {
  return decimal === null ? null : toFixed(decimal);
}

function toDayOrUndefined(date: CalendarDate | null): Day | undefined {
  return date === null ? undefined : toDayNumber(date);
}
