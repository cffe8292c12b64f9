// Daily returns of every segment of every axis with the engine's performance report, from facts that it has not cached.

import type { Facts } from '../../../src/engine/history/facts.ts';
import { History } from '../../../src/engine/history/history.ts';
import {
  performance as performanceOf,
  type PerformanceRequest,
} from '../../../src/engine/returns/performance/performance.ts';
import type { SegmentReturn } from '../../../src/engine/returns/segments/segment-return.ts';
import { cashInstrument } from '../../../src/engine/ledger/position-key.ts';
import { currencies, type GeneratedLedger } from '../ledger/generated-ledger.ts';
import { accountName, instrumentName } from '../ledger/journal.ts';
import type { BenchAxisName, Segmentation } from '../ledger/segments.ts';

type PartAxis = Exclude<BenchAxisName, 'whole'>;
type PartsOfPosition = Readonly<Record<PartAxis, readonly string[]>>;

export type HoldfastRequest = PerformanceRequest<PartAxis>;

export function holdfastRequest({ firstDay, dayCount }: GeneratedLedger, segmentation: Segmentation): HoldfastRequest {
  const { holdings, axes } = segmentation;
  const parts = new Map<string, PartsOfPosition>();
  for (const [index, { account, instrument, currency }] of holdings.entries()) {
    const name = instrument === null ? cashInstrument(currencies[currency]!) : instrumentName(instrument);
    const segments = axes.slice(1).map((axis) => [axis.name, [String(axis.segments[index])]]);
    parts.set(`${accountName(account)} ${name}`, Object.fromEntries(segments) as PartsOfPosition);
  }
  return {
    window: { start: firstDay, end: firstDay + dayCount - 1 },
    method: 'start-end-of-day',
    axes: axes.slice(1).map(({ name }) => name as PartAxis),
    covers: () => true,
    fees: 'net',
    segmentsOf: ({ account, instrument }) => parts.get(`${account} ${instrument}`)!,
  };
}

export interface HoldfastReturns {
  readonly history: History;
  readonly segments: ReadonlyMap<BenchAxisName, ReadonlyMap<string, SegmentReturn>>;
}

/** Reads all figures, since the engine computes them lazily. */
export function holdfastReturns(facts: Facts, request: HoldfastRequest): HoldfastReturns {
  const history = new History(facts);
  const { whole, axes } = performanceOf(history, request);
  const segments = new Map<BenchAxisName, ReadonlyMap<string, SegmentReturn>>([['whole', new Map([['0', whole]])]]);
  for (const axis of request.axes) segments.set(axis, axes[axis]);
  let sum = 0;
  for (const ofAxis of segments.values())
    for (const { path, contribution } of ofAxis.values()) sum += (path.cumulativeReturn ?? 0) + (contribution ?? 0);
  if (Number.isNaN(sum)) throw new Error('A return is no number.');
  return { history, segments };
}
