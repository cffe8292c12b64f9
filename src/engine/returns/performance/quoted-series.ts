// Tells which positions are worth units × a point of one series on every day, and which series that is.

import { unreachable } from '../../../kit/assert.ts';
import type { Series } from '../../amounts/series.ts';
import type { History } from '../../history/history.ts';
import type { ValuedInstrument } from '../../instruments/instrument.ts';
import type { QuotedSeries } from '../../instruments/quote.ts';
import { stalenessOf } from '../../valuation/staleness.ts';

/** Undefined if the value needs more than one series: uploads, interest, accretion, or the later of two series. */
export function findQuotedSeries(history: History, position: number): QuotedSeries | undefined {
  const instrument = history.instrument(position);
  if (history.values.uploads(position).length > 0) return undefined;
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
      return netAssetValues.length > 0 ? netAssetValues : prices;
    case 'bond':
    case 'zero-coupon':
    case 'loan':
    case 'fee':
    case 'private-fund':
    case 'forward':
    case 'other':
      return undefined;
    default:
      return unreachable(terms, 'the terms of an instrument');
  }
}
