// What each kind of finding could move.

import type { FindingCode } from './finding.ts';

/**
 * What a finding could move: the `amount` in doubt; what is `held` of the instrument at its place, or was on the day before; the `units` in question at the value
 * of one; what is held times the relative difference of the `price`; what was `booked` by its transaction; all that is held at the
 * `place`; or `unknown`, because everything depends on it or nobody knows.
 */
type EffectRule = 'amount' | 'held' | 'held-before' | 'units' | 'price' | 'booked' | 'place' | 'unknown';

export const findingEffects: Readonly<Record<FindingCode, EffectRule>> = {
  'fx-rate-missing': 'unknown',
  'rate-missing': 'held',
  'index-factor-missing': 'held',
  unidentified: 'held',
  'no-portfolio': 'unknown',
  'break-unknown-instrument': 'unknown',
  'break-missing-trade': 'units',
  'break-quantity': 'units',
  'break-cash': 'amount',
  'break-price': 'price',
  'outside-portfolios': 'place',
  unclassified: 'amount',
  short: 'held',
  'short-opened': 'booked',
  overdrawn: 'held',
  'unexplained-value-change': 'amount',
  'amount-far-from-price': 'amount',
  'accrued-interest-differs': 'amount',
  'more-than-principal': 'amount',
  'fund-units-unclear': 'held',
  'unexplained-difference': 'amount',
  'settlement-not-booked': 'held-before',
  'coupon-not-booked': 'amount',
  matured: 'held',
  'paid-out-beyond-value': 'amount',
  'stale-value': 'amount',
  'stale-rate': 'amount',
  'estimated-value': 'amount',
  'named-lot-missing': 'booked',
  'lots-not-named': 'booked',
  'too-much-named': 'booked',
  'break-timing': 'units',
  'implied-flow': 'units',
  'settles-after-upload': 'booked',
  'estimated-cost': 'amount',
  'fund-in-several-places': 'held',
  'coupon-paid-early': 'amount',
  'rate-assumed': 'held',
  'index-base-assumed': 'held',
};
