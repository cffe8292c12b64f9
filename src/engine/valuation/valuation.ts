// Values one holding at the end of one day, whatever its type, and lists the parts that the value consists of.

import { unreachable } from '../../kit/assert.ts';
import type { Fixed } from '../../kit/fixed.ts';
import { convertedAmount, type Conversion } from '../currencies/exchange-rates.ts';
import type { ValuedInstrument } from '../instruments/instrument.ts';
import { bondValuation, findOwedCoupons } from './bond.ts';
import { feeValuation } from './fee.ts';
import { forwardValuation } from './forward.ts';
import type { PositionState, ValuationSubject, ValuationContext } from './position-state.ts';
import { loanValuation } from './loan.ts';
import { privateFundValuation } from './private-fund.ts';
import { quotedValuation } from './quoted.ts';
import { uploadedValuation } from './upload.ts';
import type { Valuation } from './value-part.ts';
import { zeroCouponValuation } from './zero-coupon.ts';

export type { PositionState, UploadedValue, ValuationContext } from './position-state.ts';
export { defaultStaleness, type StalenessByKind } from './staleness.ts';
export type { PrepaidAmount, Valuation, ValuationFinding, ValuationSource, ValuePart } from './value-part.ts';

/**
 * An upload for the day decides. If nothing is held, only what is still owed counts. Everything else is valued by the family of
 * its terms.
 */
export function valueHolding(instrument: ValuedInstrument, held: PositionState, context: ValuationContext): Valuation {
  const { upload } = held;
  if (upload !== null && upload.day === context.day) return uploadedValuation(upload);
  if (held.quantity === 0n) return findOwedValuation({ instrument, held, context }) ?? emptyValuation(instrument);
  return valuationByTerms({ instrument, held, context });
}

function valuationByTerms(subject: ValuationSubject): Valuation {
  const { terms } = subject.instrument;
  switch (terms.type) {
    case 'bond':
      return bondValuation(terms, subject);
    case 'zero-coupon':
      return zeroCouponValuation(terms, subject);
    case 'loan':
      return loanValuation(terms, subject);
    case 'fee':
      return feeValuation(terms, subject);
    case 'private-fund':
      return privateFundValuation(subject);
    case 'forward':
      return forwardValuation(terms, subject);
    case 'listed':
    case 'fund':
    case 'other':
      return quotedValuation(subject);
    default:
      return unreachable(terms, 'the terms of an instrument');
  }
}

function findOwedValuation(subject: ValuationSubject): Valuation | undefined {
  const { terms } = subject.instrument;
  return terms.type === 'bond' ? findOwedCoupons(terms, subject) : undefined;
}

function emptyValuation({ currency }: ValuedInstrument): Valuation {
  const flags = { day: null, isStale: false, isEstimated: false, findings: [] };
  return { currency, value: 0n, accrued: 0n, source: 'nothing', ...flags, parts: [] };
}

export interface ReferenceValue {
  readonly value: Fixed;
  readonly conversion: Conversion;
}

/** The value in the reference currency at the day's rate, rounded once. Throws if the rate is missing. */
export function referenceValue(
  { currency, value }: Valuation,
  { day, referenceCurrency, rates }: Pick<ValuationContext, 'day' | 'referenceCurrency' | 'rates'>,
): ReferenceValue {
  const conversion = rates.get({ from: currency, to: referenceCurrency, day });
  return { value: convertedAmount(value, conversion), conversion };
}
