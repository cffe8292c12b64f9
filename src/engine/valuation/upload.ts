// Values uploaded holdings: as stated on the day of the upload, and later by the price that the upload implies.

import { divideRounded, multiply } from '../../kit/fixed.ts';
import { quoteFromPoint } from '../instruments/quote.ts';
import type { PositionState, ValuationSubject, UploadedValue } from './position-state.ts';
import { stalenessOf } from './staleness.ts';
import type { Valuation } from './value-part.ts';
import { summedValuation, type BaseValue } from './base-value.ts';

/** The stated value, in the reporting currency of the upload. */
export function uploadedValuation(upload: UploadedValue): Valuation {
  const { marketValue, accrued, rate } = upload;
  const amount = multiply(marketValue + accrued, rate);
  return summedValuation({
    currency: upload.reportingCurrency,
    source: 'upload',
    day: upload.day,
    isStale: false,
    isEstimated: false,
    findings: [],
    parts: [{ kind: 'uploaded', amount, accruedAmount: multiply(accrued, rate), upload }],
  });
}

/** A price is market value ÷ quantity, so an upload without units implies none. */
export function hasImpliedPrice({ quantity }: UploadedValue): boolean {
  return quantity !== 0n;
}

/** What implies a price: the latest upload, or units that came since from where another price was implied. */
export function findPriceStatement({ upload, carriedPrice = null }: PositionState): UploadedValue | undefined {
  const stated = upload !== null && hasImpliedPrice(upload) ? upload : undefined;
  return carriedPrice !== null && carriedPrice.day > (stated?.day ?? -Infinity) ? carriedPrice : stated;
}

/** The value at the implied price, without accrued interest, in the currency of the upload. */
export function findImpliedBaseValue(subject: ValuationSubject): BaseValue | undefined {
  const statement = findPriceStatement(subject.held);
  return statement === undefined || isOutdated(statement, subject.held)
    ? undefined
    : impliedBaseValue(subject, statement);
}

/** A place of which nothing was uploaded goes by the latest price of all places. */
function isOutdated({ day, pricedOn }: UploadedValue, held: PositionState): boolean {
  if (pricedOn === undefined || held.upload !== null) return false;
  const { lastTrade, uploadElsewhere = null } = held;
  return (lastTrade !== null && lastTrade.day > day) || (uploadElsewhere !== null && uploadElsewhere.day > day);
}

/** Requires an upload that implies a price. */
export function impliedBaseValue(
  { instrument, held: { quantity }, context }: ValuationSubject,
  upload: UploadedValue,
): BaseValue {
  const staleness = stalenessOf(instrument, context.staleness);
  const statedPoint = { day: upload.day, value: upload.marketValue };
  const { numerator, denominator, changes } = quoteFromPoint(statedPoint, context.changes, {
    day: context.day,
    staleness,
  });
  const amount = divideRounded(quantity * numerator, upload.quantity * denominator);
  const day = upload.pricedOn ?? upload.day;
  return {
    currency: upload.currency,
    source: 'upload',
    day,
    isStale: context.day - day > staleness.daysMax,
    isEstimated: upload.pricedOn !== undefined,
    findings: [],
    parts: [{ kind: 'implied', amount, quantity, upload, changes }],
  };
}
