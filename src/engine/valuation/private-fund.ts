// Values an investment in a private fund: its last net asset value, rolled forward by later calls and distributions.

import type { Day } from '../../kit/day.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { Point } from '../amounts/series.ts';
import { countUntil } from '../amounts/series.ts';
import type { ValuationSubject } from './position-state.ts';
import { findMarketBaseValue } from './quoted.ts';
import { fallbackBaseValue } from './fallback-value.ts';
import type { Valuation, ValuePart } from './value-part.ts';
import { convertIfNeeded, summedValuation, baseValueWithoutPoint, type BaseValue } from './base-value.ts';

/** Without a net asset value, the value is the sum of the flows. */
export function privateFundValuation(subject: ValuationSubject): Valuation {
  const { instrument } = subject;
  const base = findMarketBaseValue(subject);
  const after = base?.day ?? -Infinity;
  const parts = flowsAfter(after, subject).map((flow) =>
    flowPart(flow, subject, base?.currency ?? instrument.currency),
  );
  if (base === undefined && parts.length === 0) return summedValuation(fallbackBaseValue(subject));
  const rolledForward = summedValuation(base ?? flowsBaseValue(instrument.currency), { parts, findings: [] });
  if (parts.length === 0 || rolledForward.value >= 0n) return rolledForward;
  return summedValuation(rolledForward, {
    parts: [],
    findings: [{ kind: 'paid-out-beyond-value', amount: -rolledForward.value }],
  });
}

function flowsAfter(after: Day, { held, context }: ValuationSubject): readonly Point[] {
  const { fundFlows } = held;
  return fundFlows.slice(countUntil(fundFlows, after), countUntil(fundFlows, context.day));
}

/** Converts the flow at the rate of its own day if the value is in another currency than the fund's. */
function flowPart(flow: Point, { instrument, context }: ValuationSubject, currency: IsoCurrency): ValuePart {
  const exchange = { from: instrument.currency, to: currency, day: flow.day };
  return { kind: 'flow', ...convertIfNeeded(flow.value, exchange, context), flow };
}

function flowsBaseValue(currency: IsoCurrency): BaseValue {
  return { ...baseValueWithoutPoint({ currency, source: 'flows' }), isEstimated: true };
}
