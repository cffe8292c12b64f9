// Values an investment in a private fund: its last net asset value, rolled forward by later calls and distributions. A distribution
// takes it down to zero at most.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { Point } from '../amounts/series.ts';
import { countUntil } from '../amounts/series.ts';
import type { ValuationSubject } from './position-state.ts';
import { findMarketBaseValue } from './quoted.ts';
import { spreadFundValuation } from './spread-fund.ts';
import { fallbackBaseValue } from './fallback-value.ts';
import type { Valuation, ValuePart } from './value-part.ts';
import {
  convertIfNeeded,
  summedValuation,
  baseValueWithoutPoint,
  type Addition,
  type BaseValue,
} from './base-value.ts';

type FlowPart = Extract<ValuePart, { kind: 'flow' }>;

/** Without a net asset value, a price that was paid for it counts in its place; without that, what it cost. */
export function privateFundValuation(subject: ValuationSubject): Valuation {
  const { instrument, held } = subject;
  if (held.fundPlaces) return spreadFundValuation(subject, held.fundPlaces);
  const base = findMarketBaseValue(subject) ?? findPaidBaseValue(subject);
  const after = base?.day ?? -Infinity;
  const flows = flowsAfter(after, subject).map((flow) =>
    flowPart(flow, subject, base?.currency ?? instrument.currency),
  );
  if (base === undefined && flows.length === 0) return summedValuation(fallbackBaseValue(subject));
  const start = summedValuation(base ?? flowsBaseValue(instrument.currency));
  const value = summedValuation(start, rollForward(start.value, flows, held.quantity < 0n ? -1n : 1n));
  return base === undefined && value.value !== held.cost ? summedValuation(fallbackBaseValue(subject)) : value;
}

function findPaidBaseValue(subject: ValuationSubject): BaseValue | undefined {
  const { lastTrade, uploadElsewhere = null } = subject.held;
  return lastTrade === null && uploadElsewhere === null ? undefined : fallbackBaseValue(subject);
}

/**
 * In the order of the ledger: calls of a day before its distributions. What a distribution pays beyond the value was earned since the last
 * net asset value, so a later call adds to zero and not to a debt. For what is owed, everything has the other sign.
 */
function rollForward(start: Fixed, flows: readonly FlowPart[], sign: 1n | -1n): Addition {
  const parts: ValuePart[] = [];
  let [value, excess] = [start, 0n];
  for (const flow of flows) {
    const paid = -sign * flow.amount;
    const available = sign * value > 0n ? sign * value : 0n;
    parts.push(flow);
    value += flow.amount;
    if (paid <= available) continue;
    const beyond = sign * (paid - available);
    const { day } = flow.flow;
    parts.push({ kind: 'beyond-value', amount: beyond, paid: sign * paid, available: sign * available, day });
    value += beyond;
    excess += beyond;
  }
  return { parts, findings: excess === 0n ? [] : [{ kind: 'paid-out-beyond-value', amount: excess }] };
}

function flowsAfter(after: Day, { held, context }: ValuationSubject): readonly Point[] {
  const { fundFlows } = held;
  return fundFlows.slice(countUntil(fundFlows, after), countUntil(fundFlows, context.day));
}

/** Converts the flow at the rate of its own day if the value is in another currency than the fund's. */
function flowPart(flow: Point, { instrument, context }: ValuationSubject, currency: IsoCurrency): FlowPart {
  const exchange = { from: instrument.currency, to: currency, day: flow.day };
  return { kind: 'flow', ...convertIfNeeded(flow.value, exchange, context), flow };
}

function flowsBaseValue(currency: IsoCurrency): BaseValue {
  return { ...baseValueWithoutPoint({ currency, source: 'flows' }), isEstimated: true };
}
