// Values what is worth units × price, and decides which series prices which instrument.

import { unreachable } from '../../kit/assert.ts';
import type { Day } from '../../kit/day.ts';
import type { IndexRatio } from '../instruments/accrued-interest.ts';
import type { ValuedInstrument } from '../instruments/instrument.ts';
import type { Series } from '../amounts/series.ts';
import type { ValuationSubject } from './position-state.ts';
import { quotedBaseValue, type SourcedPoint } from './quoted-base-value.ts';
import { fallbackBaseValue } from './fallback-value.ts';
import { findImpliedBaseValue, findPriceStatement } from './upload.ts';
import type { Valuation } from './value-part.ts';
import { summedValuation, type BaseValue } from './base-value.ts';

export function quotedValuation(subject: ValuationSubject): Valuation {
  return summedValuation(findMarketBaseValue(subject) ?? fallbackBaseValue(subject));
}

/** Uses the latest point. After an upload only a newer point counts, else the price that the upload implies. */
export function findMarketBaseValue(subject: ValuationSubject, index?: IndexRatio): BaseValue | undefined {
  return findPointBaseValue(subject, index) ?? findImpliedBaseValue(subject);
}

export function findPointBaseValue(subject: ValuationSubject, index?: IndexRatio): BaseValue | undefined {
  const { instrument, held, context } = subject;
  const after = findPriceStatement(held)?.day ?? -Infinity;
  const found = findPoint(instrument, { day: context.day, after });
  return found && quotedBaseValue(subject, found, index);
}

/** The days in which a point must lie: later than `after`, up to and including `day`. */
interface PointSpan {
  readonly after: Day;
  readonly day: Day;
}

export function findPoint(
  { terms, prices, netAssetValues }: ValuedInstrument,
  span: PointSpan,
): SourcedPoint | undefined {
  switch (terms.type) {
    case 'fund':
      return laterPoint(findPointIn(netAssetValues, 'net-asset-value', span), findPointIn(prices, 'price', span));
    case 'private-fund':
      return findPointIn(netAssetValues, 'net-asset-value', span);
    case 'other':
      return laterPoint(findPointIn(prices, 'price', span), findPointIn(netAssetValues, 'net-asset-value', span));
    case 'listed':
    case 'bond':
    case 'zero-coupon':
    case 'loan':
    case 'fee':
    case 'forward':
      return findPointIn(prices, 'price', span);
    default:
      return unreachable(terms, 'the terms of an instrument');
  }
}

function findPointIn(
  series: Series,
  source: SourcedPoint['source'],
  { day, after }: PointSpan,
): SourcedPoint | undefined {
  const point = series.find(day);
  return point !== undefined && point.day > after ? { source, point } : undefined;
}

/** Returns the later of the two points, the first if both are of the same day. */
function laterPoint(one: SourcedPoint | undefined, other: SourcedPoint | undefined): SourcedPoint | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.point.day > one.point.day ? other : one;
}
