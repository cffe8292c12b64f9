// Values a zero-coupon bond: at its price, else at its accreted cost.

import { accretedCost } from '../instruments/accrued-interest.ts';
import type { ZeroCouponTerms } from '../instruments/instrument.ts';
import type { ValuationSubject } from './position-state.ts';
import { findParBaseValue, maturityFindings } from './maturity.ts';
import { findMarketBaseValue } from './quoted.ts';
import { fallbackBaseValue } from './fallback-value.ts';
import type { Valuation } from './value-part.ts';
import { summedValuation, baseValueWithoutPoint, type BaseValue } from './base-value.ts';

export function zeroCouponValuation(terms: ZeroCouponTerms, subject: ValuationSubject): Valuation {
  const { maturity } = terms;
  const base =
    findParBaseValue(maturity, subject, undefined) ??
    findMarketBaseValue(subject) ??
    findAccretedBaseValue(terms, subject) ??
    fallbackBaseValue(subject);
  return summedValuation(base, { parts: [], findings: maturityFindings(maturity, subject.context.day) });
}

/** Accretes each lot from its cost on the day it was acquired to its nominal at maturity. */
function findAccretedBaseValue(
  { maturity, convention }: ZeroCouponTerms,
  subject: ValuationSubject,
): BaseValue | undefined {
  const { instrument, held, context } = subject;
  const { lots } = held;
  if (lots.length === 0) return undefined;
  const parts = lots.map(({ cost, quantity, acquired }) => {
    const accretion = accretedCost({ cost, par: quantity, acquired, maturity, convention }, context.day);
    return { kind: 'accretion', amount: accretion.amount, accretion } as const;
  });
  const base = baseValueWithoutPoint({ currency: instrument.currency, source: 'accretion' }, ...parts);
  return { ...base, isEstimated: lots.some((lot) => lot.isEstimated) };
}
