// Short ways to build holdings and instruments for tests of valuation.

import type { ValuedInstrument, InstrumentTerms } from '../../../src/engine/instruments/instrument.ts';
import { ExchangeRates } from '../../../src/engine/currencies/exchange-rates.ts';
import type { DatedQuantityAndCost } from '../../../src/engine/lots/lot.ts';
import type { QuoteUnit } from '../../../src/engine/instruments/quote.ts';
import type { UnitChange } from '../../../src/engine/instruments/unit-change-span.ts';
import { Series, type Point } from '../../../src/engine/amounts/series.ts';
import { amountOn } from '../../../src/engine/valuation/amount-on.ts';
import { paidUnits, type BookedCoupon } from '../../../src/engine/valuation/booked-coupon.ts';
import { defaultStaleness, valueHolding } from '../../../src/engine/valuation/valuation.ts';
import type {
  PositionState,
  UploadedValue,
  Valuation,
  ValuationContext,
} from '../../../src/engine/valuation/valuation.ts';
import { parseCalendarDate, toDayNumber } from '../../../src/kit/calendar-date.ts';
import type { Day } from '../../../src/kit/day.ts';
import { parseDecimal } from '../../../src/kit/decimal.ts';
import { fromFixed, toFixed, type Fixed } from '../../../src/kit/fixed.ts';

export function day(text: string): Day {
  return toDayNumber(parseCalendarDate(text));
}

export function fixed(text: string): Fixed {
  return toFixed(parseDecimal(text));
}

/** Values by date. */
export type Dated = Readonly<Record<string, string>>;

export function points(dated: Dated): readonly Point[] {
  return Object.entries(dated).map(([date, value]) => ({ day: day(date), value: fixed(value) }));
}

export interface InstrumentText {
  readonly currency?: string;
  readonly priceUnit?: QuoteUnit;
  readonly prices?: Dated;
  readonly netAssetValues?: Dated;
  readonly indexFactors?: Dated;
}

export function instrument(terms: InstrumentTerms, text: InstrumentText = {}): ValuedInstrument {
  return {
    id: 'one',
    currency: text.currency ?? 'EUR',
    priceUnit: text.priceUnit ?? '1',
    terms,
    prices: new Series(points(text.prices ?? {})),
    netAssetValues: new Series(points(text.netAssetValues ?? {})),
    indexFactors: new Series(points(text.indexFactors ?? {})),
  };
}

export interface LotText {
  readonly quantity: string;
  readonly cost: string;
  readonly acquired: string;
  readonly isEstimated?: boolean;
}

function lot({ quantity, cost, acquired, isEstimated = false }: LotText): DatedQuantityAndCost {
  const quantityAndCost = { quantity: fixed(quantity), cost: fixed(cost), referenceCost: fixed(cost) };
  return { ...quantityAndCost, acquired: day(acquired), isEstimated };
}

export interface UploadText {
  readonly day: string;
  readonly quantity: string;
  readonly marketValue: string;
  readonly accrued?: string;
  readonly currency?: string;
  readonly rate?: string;
  readonly reportingCurrency?: string;
}

export function upload(text: UploadText): UploadedValue {
  return {
    day: day(text.day),
    quantity: fixed(text.quantity),
    marketValue: fixed(text.marketValue),
    accrued: fixed(text.accrued ?? '0'),
    currency: text.currency ?? 'EUR',
    rate: fixed(text.rate ?? '1'),
    reportingCurrency: text.reportingCurrency ?? 'EUR',
  };
}

export interface HoldingStateText {
  readonly quantity: string;
  readonly cost?: string;
  readonly lots?: readonly LotText[];
  readonly quantities?: Dated;
  readonly lastTrade?: readonly [date: string, price: string];
  readonly upload?: UploadText;
  readonly fundFlows?: Dated;
  readonly boughtInterest?: Dated;
  readonly coupons?: readonly string[];
  readonly lastFee?: string;
}

/** `2024-06-15 30`: a coupon and its amount; 1 if it is not stated. */
function bookedCoupon(stated: string, { quantities = {} }: HoldingStateText): BookedCoupon {
  const [date = '', amount = '1'] = stated.split(' ');
  const units = paidUnits((on) => amountOn(points(quantities), on), day(date));
  const gross = fixed(amount);
  return { day: day(date), paidOn: day(date), periodEnd: null, gross, currency: 'EUR', units, movedOn: null };
}

export function holdingState(text: HoldingStateText): PositionState {
  const { lastTrade } = text;
  return {
    quantity: fixed(text.quantity),
    cost: fixed(text.cost ?? '0'),
    lots: (text.lots ?? []).map(lot),
    quantities: points(text.quantities ?? {}),
    lastTrade: lastTrade === undefined ? null : { day: day(lastTrade[0]), value: fixed(lastTrade[1]) },
    upload: text.upload === undefined ? null : upload(text.upload),
    fundFlows: points(text.fundFlows ?? {}),
    boughtInterest: points(text.boughtInterest ?? {}),
    boughtWithoutInterest: [],
    coupons: (text.coupons ?? []).map((date) => bookedCoupon(date, text)),
    lastFee: text.lastFee === undefined ? null : day(text.lastFee),
  };
}

export function split(exDate: string, numerator: bigint, denominator: bigint): UnitChange {
  return { exDay: day(exDate), ratio: { numerator, denominator } };
}

export function valuationContext(date: string, more: Partial<ValuationContext> = {}): ValuationContext {
  const rates = new ExchangeRates([
    { base: 'EUR', quote: 'USD', points: points({ '2020-01-01': '1.25', '2025-06-01': '1.2' }) },
  ]);
  return { day: day(date), referenceCurrency: 'EUR', rates, changes: [], staleness: defaultStaleness, ...more };
}

/** A holding to be valued on several dates. */
export interface ValuationCase {
  readonly instrument: ValuedInstrument;
  readonly holdingState: HoldingStateText;
  readonly more?: Partial<ValuationContext>;
}

export function valuationOn(one: ValuationCase, date: string): Valuation {
  return valueHolding(one.instrument, holdingState(one.holdingState), valuationContext(date, one.more));
}

export function valueTextOn(one: ValuationCase, date: string): string {
  return fromFixed(valuationOn(one, date).value);
}

/** The flags of a value: `stale`, `estimated` and the kinds of its findings. */
export function flagsOn(one: ValuationCase, date: string): string {
  const { isStale, isEstimated, findings } = valuationOn(one, date);
  return [
    ...(isStale ? ['stale'] : []),
    ...(isEstimated ? ['estimated'] : []),
    ...findings.map(({ kind }) => kind),
  ].join(' ');
}
