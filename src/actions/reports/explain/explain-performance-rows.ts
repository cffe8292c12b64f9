// Explains the figures of the segments of a performance report, and of the benchmark beside them.

import { defined } from '../../../kit/assert.ts';
import { explainDayAmount, gainPartPieces, type ExplainedSegment } from '../../../engine/explanation/explanation.ts';
import { coveredPositions } from '../../../engine/history/holdings.ts';
import type { FeeTreatment } from '../../../engine/returns/performance/position-days.ts';
import type { Work } from '../../core/work.ts';
import { keysOf } from '../../../kit/keys.ts';
import type { BenchmarkReport } from '../benchmark.ts';
import type { PerformanceReport } from '../performance.ts';
import { checkExplainedSize } from '../report-size.ts';
import { groupBySegment } from '../segments/segments.ts';
import { explainBenchmarkFigure, explainSegmentFigure, type ReturnFigureName } from './explain-return.ts';
import { draftsOf, RowExplainer, type RowExplanations } from './explain-rows.ts';

/** By the name of the row's member, the figure. */
const segmentFigures = {
  netCashFlow: 'netCashFlow',
  gain: 'gain',
  gainPricePart: 'gainPricePart',
  gainIncomePart: 'gainIncomePart',
  gainCurrencyPart: 'gainCurrencyPart',
  income: 'income',
  fees: 'fees',
  twr: 'cumulativeTwr',
  annualisedTwr: 'annualisedTwr',
  volatility: 'volatility',
  maxDrawdown: 'maxDrawdown',
  moneyWeightedReturn: 'moneyWeightedReturn',
  annualisedMoneyWeightedReturn: 'annualisedMoneyWeightedReturn',
  contribution: 'contribution',
} as const satisfies Readonly<Record<string, ReturnFigureName>>;

export const explainedSegmentFigures = [
  'beginMarketValue',
  'endMarketValue',
  ...(Object.keys(segmentFigures) as (keyof typeof segmentFigures)[]),
] as const;
type SegmentFigureName = (typeof explainedSegmentFigures)[number];

/** By the name of the benchmark's member, the figure. */
const benchmarkFigures = {
  twr: 'cumulativeTwr',
  annualisedTwr: 'annualisedTwr',
  volatility: 'volatility',
  maxDrawdown: 'maxDrawdown',
  excessReturn: 'excessReturn',
} as const satisfies Readonly<Record<string, ReturnFigureName>>;
export const explainedBenchmarkFigures = keysOf(benchmarkFigures);

export interface PerformanceExplanations {
  /** In the order of the segments. */
  readonly segments: readonly RowExplanations<SegmentFigureName>[];
  readonly benchmark: RowExplanations<keyof typeof benchmarkFigures> | undefined;
}

export async function explainPerformance(
  work: Work,
  report: PerformanceReport,
  fees: FeeTreatment,
): Promise<PerformanceExplanations> {
  const { basis, segments, benchmark, window } = report;
  checkExplainedSize({ days: window.end - window.start + 1, segments: segments.length });
  const ofBenchmark = benchmark === null ? 0 : explainedBenchmarkFigures.length;
  const count = segments.length * explainedSegmentFigures.length + ofBenchmark;
  const explainer = await RowExplainer.open(work, basis, count);
  const explained = explainedSegments(report, fees);
  const whole = defined(explained[0], 'the first segment of a report is the whole');
  await explainer.run(gainPartPieces(whole));
  const explanations: RowExplanations<SegmentFigureName>[] = [];
  for (const one of explained) explanations.push(await explainer.explain(segmentDrafts(report, one, whole)));
  const drafts = benchmark === null ? undefined : benchmarkDrafts(benchmark, whole);
  return { segments: explanations, benchmark: drafts && (await explainer.explain(drafts)) };
}

function benchmarkDrafts(benchmark: BenchmarkReport, whole: ExplainedSegment) {
  return draftsOf(explainedBenchmarkFigures, (name) =>
    explainBenchmarkFigure(benchmarkFigures[name], benchmark, name === 'excessReturn' ? whole : undefined),
  );
}

/** All of one report, so that what they are computed from is computed once. */
function explainedSegments(
  { basis, currency, segments }: PerformanceReport,
  fees: FeeTreatment,
): readonly ExplainedSegment[] {
  const { history, places } = basis;
  const report = { history, fees, currency };
  const covered = coveredPositions(history, places.covers).map((position) => ({ ...history.key(position), position }));
  const axes = new Set(segments.flatMap(({ axis }) => axis ?? []));
  const groups = new Map([...axes].map((axis) => [axis, new Map(groupBySegment(axis, basis, covered))]));
  return segments.map(({ axis, segment, returns }) => {
    const members = axis === null ? covered : (groups.get(axis)?.get(segment) ?? []);
    return { segment: returns, positions: members.map(({ position }) => position), report };
  });
}

function segmentDrafts(
  { window }: PerformanceReport,
  explained: ExplainedSegment,
  { segment: whole }: ExplainedSegment,
) {
  return draftsOf(explainedSegmentFigures, (name) => {
    if (name === 'beginMarketValue') return { explanation: explainDayAmount(explained, 'value', window.start - 1) };
    if (name === 'endMarketValue') return { explanation: explainDayAmount(explained, 'value', window.end) };
    return { explanation: explainSegmentFigure(segmentFigures[name], { explained, whole }, window) };
  });
}
