// The value of what is worth units × price, and which series says the price of what. Knows no interest.

import type { Day } from '../../kit/day.ts';
import type { IndexRatio } from '../instruments/accrued-interest.ts';
import type { Instrument } from '../instruments/instrument.ts';
import type { Series } from '../amounts/series.ts';
import type { Subject } from './valuation-input.ts';
import { quotedWorth, type SourcedPoint } from './quoted-worth.ts';
import { standInWorth } from './fallback-worth.ts';
import { findImpliedWorth, impliesPrice } from './upload.ts';
import type { Valuation } from './value-part.ts';
import { valuationOf, type Worth } from './worth.ts';

export function quotedValuation(subject: Subject): Valuation {
  return valuationOf(findMarketWorth(subject) ?? standInWorth(subject));
}

/** By the latest point; after an upload by a newer one, else by the price the upload implies. */
export function findMarketWorth(subject: Subject, index?: IndexRatio): Worth | undefined {
  return findPointWorth(subject, index) ?? findImpliedWorth(subject);
}

export function findPointWorth(subject: Subject, index?: IndexRatio): Worth | undefined {
  const { instrument, held, context } = subject;
  const { upload } = held;
  const after = upload !== null && impliesPrice(upload) ? upload.day : -Infinity;
  const found = findPoint(instrument, { day: context.day, after });
  return found && quotedWorth(subject, found, index);
}

/** The days in which a point must lie, the first not included. */
export interface PointSpan {
  readonly after: Day;
  readonly day: Day;
}

export function findPoint({ terms, prices, netAssetValues }: Instrument, span: PointSpan): SourcedPoint | undefined {
  switch (terms.type) {
    case 'fund':
      return findIn(netAssetValues, 'net-asset-value', span) ?? findIn(prices, 'price', span);
    case 'private-fund':
      return findIn(netAssetValues, 'net-asset-value', span);
    case 'other':
      return laterOf(findIn(prices, 'price', span), findIn(netAssetValues, 'net-asset-value', span));
    default:
      return findIn(prices, 'price', span);
  }
}

function findIn(series: Series, source: SourcedPoint['source'], { day, after }: PointSpan): SourcedPoint | undefined {
  const point = series.find(day);
  return point !== undefined && point.day > after ? { source, point } : undefined;
}

/** Of one day, the first. */
function laterOf(one: SourcedPoint | undefined, other: SourcedPoint | undefined): SourcedPoint | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.point.day > one.point.day ? other : one;
}
