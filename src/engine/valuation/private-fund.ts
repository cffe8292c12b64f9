// The value of a stake in a private fund: its last net asset value, rolled forward by what was called and paid out since. Knows
// no commitment.

import type { Day } from '../../kit/day.ts';
import type { Currency } from '../currencies/exchange-rates.ts';
import type { Point } from '../amounts/series.ts';
import { countUntil } from '../amounts/series.ts';
import type { Subject } from './valuation-input.ts';
import { findMarketWorth } from './quoted.ts';
import { standInWorth } from './fallback-worth.ts';
import type { Valuation, ValuePart } from './value-part.ts';
import { converted, valuationOf, worthWithoutPoint, type Worth } from './worth.ts';

/** Without a net asset value the flows themselves are the value. */
export function privateFundValuation(subject: Subject): Valuation {
  const { instrument } = subject;
  const worth = findMarketWorth(subject);
  const after = worth?.day ?? -Infinity;
  const parts = flowsAfter(after, subject).map((flow) =>
    flowPart(flow, subject, worth?.currency ?? instrument.currency),
  );
  if (worth === undefined && parts.length === 0) return valuationOf(standInWorth(subject));
  const rolled = valuationOf(worth ?? flowsWorth(instrument.currency), { parts, findings: [] });
  if (parts.length === 0 || rolled.value >= 0n) return rolled;
  return valuationOf(rolled, { parts: [], findings: [{ kind: 'paid-out-beyond-value', amount: -rolled.value }] });
}

function flowsAfter(after: Day, { held, context }: Subject): readonly Point[] {
  const { fundFlows } = held;
  return fundFlows.slice(countUntil(fundFlows, after), countUntil(fundFlows, context.day));
}

/** At the rate of its own day, where the stake was uploaded in another currency than the fund's. */
function flowPart(flow: Point, { instrument, context }: Subject, currency: Currency): ValuePart {
  const exchange = { from: instrument.currency, to: currency, day: flow.day };
  return { kind: 'flow', ...converted(flow.value, exchange, context), flow };
}

function flowsWorth(currency: Currency): Worth {
  return { ...worthWithoutPoint({ currency, source: 'flows' }), isEstimated: true };
}
