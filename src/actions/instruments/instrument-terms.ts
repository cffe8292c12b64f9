// The terms of an instrument, by the traits of its type: which of them contradict each other, and what a new one gets by
// default.

import type { Fault } from '../../kit/refusal.ts';
import { traitsOf, type Instrument, type InstrumentType } from '../../model/instrument/instrument.ts';

/** As they would be stored: a term that was not sent is missing or null. */
export type TermsInput = Partial<Instrument> & { readonly type: InstrumentType };

/** Lists everything that does not fit. */
export function listTermFaults(terms: TermsInput): readonly Fault[] {
  const found = traitsOf(terms.type).checks.flatMap((check) => check(terms));
  return found.filter((one) => one !== false);
}

/** The terms that a new instrument gets where nothing was sent. */
export function defaultTerms(terms: TermsInput): Partial<Instrument> {
  const { priceUnit, dayCount } = traitsOf(terms.type);
  return {
    tags: [],
    priceUnit: 'fixed' in priceUnit ? priceUnit.fixed : priceUnit.default,
    ...(dayCount !== null && 'default' in dayCount ? { dayCountConvention: dayCount.default } : {}),
    ...(terms.listingCurrency ? { ccyCode: terms.listingCurrency } : {}),
    ...(terms.farLeg ? { settlementDate: terms.farLeg.date } : {}),
  };
}
