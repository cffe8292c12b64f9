// Which positions are worth units × a point of one series on every day, and which series that is. Knows no days.

import type { History } from '../../history/history.ts';
import type { QuotedSeries } from '../../instruments/quote.ts';
import { stalenessOf } from '../../valuation/staleness.ts';

/** None where the value needs more than that: uploads, interest, accretion, the later of two series. */
export function findQuotedSeries(history: History, position: number): QuotedSeries | undefined {
  const instrument = history.instrument(position);
  const { terms, prices, netAssetValues } = instrument;
  if (history.values.uploads(position).length > 0) return undefined;
  const series =
    terms.type === 'listed'
      ? prices
      : terms.type === 'fund'
        ? netAssetValues.length > 0
          ? netAssetValues
          : prices
        : undefined;
  if (series === undefined) return undefined;
  const staleness = stalenessOf(instrument, history.facts.settings.staleness);
  return { series, changes: history.changes(position), staleness };
}
