// Values uploaded holdings: as stated on the day of the upload, and later by the price that the upload implies.

import { divideRounded, multiply } from '../../kit/fixed.ts';
import { quoteFromPoint } from '../instruments/quote.ts';
import type { ValuationSubject, UploadedValue } from './position-state.ts';
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

/** The value at the implied price, without accrued interest, in the currency of the upload. */
export function findImpliedBaseValue(subject: ValuationSubject): BaseValue | undefined {
  const { upload } = subject.held;
  return upload === null || !hasImpliedPrice(upload) ? undefined : impliedBaseValue(subject, upload);
}

/** Requires an upload that implies a price. */
export function impliedBaseValue(
  { instrument, held: { quantity }, context }: ValuationSubject,
  upload: UploadedValue,
): BaseValue {
  const staleness = stalenessOf(instrument, context.staleness);
  const statedPoint = { day: upload.day, value: upload.marketValue };
  const { numerator, denominator, changes, isStale } = quoteFromPoint(statedPoint, context.changes, {
    day: context.day,
    staleness,
  });
  const amount = divideRounded(quantity * numerator, upload.quantity * denominator);
  return {
    currency: upload.currency,
    source: 'upload',
    day: upload.day,
    isStale,
    isEstimated: false,
    findings: [],
    parts: [{ kind: 'implied', amount, quantity, upload, changes }],
  };
}
