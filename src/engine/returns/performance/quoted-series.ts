// Tells which positions are worth units × a point of one series on every day, and which series that is.

import { unreachable } from '../../../kit/assert.ts';
import { Series } from '../../amounts/series.ts';
import type { History } from '../../history/history.ts';
import type { ValuedInstrument } from '../../instruments/instrument.ts';
import type { QuotedSeries } from '../../instruments/quote.ts';
import { stalenessOf } from '../../valuation/staleness.ts';

/** Undefined if the value needs more than one series: uploads, interest, accretion. */
export function findQuotedSeries(history: History, position: number): QuotedSeries | undefined {
  const instrument = history.instrument(position);
  if (history.values.uploads(position).length > 0 || history.values.hasCarriedPrice(position)) return undefined;
  const series = findOnlySeries(instrument);
  if (series === undefined) return undefined;
  const staleness = stalenessOf(instrument, history.facts.settings.staleness);
  return { series, changes: history.changes(position), staleness };
}

function findOnlySeries({ terms, prices, netAssetValues }: ValuedInstrument): Series | undefined {
  switch (terms.type) {
    case 'listed':
      return prices;
    case 'fund':
      return joinedSeries(netAssetValues, prices);
    case 'bond':
    case 'zero-coupon':
    case 'loan':
    case 'fee':
    case 'private-fund':
    case 'forward':
      return undefined;
    case 'other':
      return joinedSeries(prices, netAssetValues);
    default:
      return unreachable(terms, 'the terms of an instrument');
  }
}

/** By the series that wins on a day that both have. */
const joinedCache = new WeakMap<Series, { readonly other: Series; readonly joined: Series }>();

/** The later of two points counts, so all are points of one series. */
function joinedSeries(first: Series, other: Series): Series {
  if (first.length === 0) return other;
  if (other.length === 0) return first;
  const cached = joinedCache.get(first);
  if (cached?.other === other) return cached.joined;
  const joined = new Series(
    [other, first].flatMap((series) => Array.from(series.days, (_, index) => series.at(index))),
  );
  joinedCache.set(first, { other, joined });
  return joined;
}
