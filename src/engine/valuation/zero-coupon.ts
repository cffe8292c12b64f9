// The value of a bond that pays nothing but par: its price, else what its cost has grown to. Knows no coupons.

import { accretedCost } from '../instruments/accrued-interest.ts';
import type { ZeroCouponTerms } from '../instruments/instrument.ts';
import type { Subject } from './valuation-input.ts';
import { findParWorth, maturityFindings } from './maturity.ts';
import { findMarketWorth } from './quoted.ts';
import { standInWorth } from './fallback-worth.ts';
import type { Valuation } from './value-part.ts';
import { valuationOf, worthWithoutPoint, type Worth } from './worth.ts';

export function zeroCouponValuation(terms: ZeroCouponTerms, subject: Subject): Valuation {
  const { maturity } = terms;
  const worth =
    findParWorth(maturity, subject, undefined) ??
    findMarketWorth(subject) ??
    findAccretedWorth(terms, subject) ??
    standInWorth(subject);
  return valuationOf(worth, { parts: [], findings: maturityFindings(maturity, subject.context.day) });
}

/** Each lot from its cost and day to its nominal. */
function findAccretedWorth({ maturity, convention }: ZeroCouponTerms, subject: Subject): Worth | undefined {
  const { instrument, held, context } = subject;
  const { lots } = held;
  if (lots.length === 0) return undefined;
  const parts = lots.map(({ cost, quantity, acquired }) => {
    const accretion = accretedCost({ cost, par: quantity, acquired, maturity, convention }, context.day);
    return { kind: 'accretion', amount: accretion.amount, accretion } as const;
  });
  const worth = worthWithoutPoint({ currency: instrument.currency, source: 'accretion' }, ...parts);
  return { ...worth, isEstimated: lots.some((lot) => lot.isEstimated) };
}
