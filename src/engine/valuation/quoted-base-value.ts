// Values units at a given point: splits since then, the price unit and an index ratio are applied to it.

import { unreachable } from '../../kit/assert.ts';
import type { IndexRatio } from '../instruments/accrued-interest.ts';
import type { ValuedInstrument } from '../instruments/instrument.ts';
import { quotedValue, quoteFromPoint, type QuoteUnit, type Quote } from '../instruments/quote.ts';
import type { Point } from '../amounts/series.ts';
import type { ValuationSubject } from './position-state.ts';
import { stalenessOf } from './staleness.ts';
import type { BaseValue } from './base-value.ts';

export interface SourcedPoint {
  readonly source: 'price' | 'net-asset-value' | 'last-trade';
  readonly point: Point;
}

export function quotedBaseValue(
  subject: ValuationSubject,
  { source, point }: SourcedPoint,
  index: IndexRatio | undefined,
): BaseValue {
  const { instrument, held, context } = subject;
  const { quantity } = held;
  const staleness = stalenessOf(instrument, context.staleness);
  const quote = quoteFromPoint(point, context.changes, { day: context.day, staleness });
  const priceUnit = priceUnitOf(instrument);
  const amount = quotedValue(quantity, indexQuote(quote, index), priceUnit);
  return {
    currency: instrument.currency,
    source,
    day: point.day,
    isStale: quote.isStale,
    isEstimated: source === 'last-trade',
    findings: [],
    parts: [{ kind: 'quoted', amount, quantity, quote, priceUnit, index }],
  };
}

/** Bonds are always quoted in per cent of their nominal; their own price unit is ignored. */
export function priceUnitOf({ terms, priceUnit }: ValuedInstrument): QuoteUnit {
  switch (terms.type) {
    case 'bond':
    case 'zero-coupon':
      return 'per 100';
    case 'listed':
    case 'fund':
    case 'loan':
    case 'fee':
    case 'private-fund':
    case 'forward':
    case 'other':
      return priceUnit;
    default:
      return unreachable(terms, 'the terms of an instrument');
  }
}

function indexQuote(quote: Quote, index: IndexRatio | undefined): Quote {
  if (index === undefined) return quote;
  const { factor, baseFactor } = index;
  return { ...quote, numerator: quote.numerator * factor, denominator: quote.denominator * baseFactor };
}
