// Explains the figures of the segments of a performance report, and of the benchmark beside them.

import { defined } from '../../../kit/assert.ts';
import { explainDayAmount, type ExplainedSegment } from '../../../engine/explanation/explanation.ts';
import { coveredPositions } from '../../../engine/history/holdings.ts';
import type { FeeTreatment } from '../../../engine/returns/performance/position-days.ts';
import type { Work } from '../../core/work.ts';
import { keysOf } from '../../../kit/keys.ts';
import type { BenchmarkReport } from '../benchmark.ts';
import type { PerformanceReport, SegmentReport } from '../performance.ts';
import type { ExplanationDraft } from './explanation-draft.ts';
import { explainBenchmarkFigure, explainSegmentFigure, type ReturnFigureName } from './explain-return.ts';
import { RowExplainer, type RowExplanations } from './explain-rows.ts';
import { matchesPlaces } from './place-filter.ts';

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
  const { basis, segments, benchmark } = report;
  const ofBenchmark = benchmark === null ? 0 : explainedBenchmarkFigures.length;
  const count = segments.length * explainedSegmentFigures.length + ofBenchmark;
  const explainer = await RowExplainer.open(work, basis, count);
  const explained: RowExplanations<SegmentFigureName>[] = [];
  for (const one of segments) explained.push(await explainer.explain(segmentDrafts(report, one, fees)));
  const drafts = benchmark === null ? undefined : benchmarkDrafts(report, benchmark, fees);
  return { segments: explained, benchmark: drafts && (await explainer.explain(drafts)) };
}

function benchmarkDrafts(report: PerformanceReport, benchmark: BenchmarkReport, fees: FeeTreatment) {
  const whole = defined(report.segments[0], 'the first segment of a report is the whole');
  const draftOf = (name: keyof typeof benchmarkFigures) => () => {
    const own = name === 'excessReturn' ? explainedSegment(report, whole, fees) : undefined;
    return explainBenchmarkFigure(benchmarkFigures[name], benchmark, own);
  };
  return {
    twr: draftOf('twr'),
    annualisedTwr: draftOf('annualisedTwr'),
    volatility: draftOf('volatility'),
    maxDrawdown: draftOf('maxDrawdown'),
    excessReturn: draftOf('excessReturn'),
  };
}

function explainedSegment(
  { basis, currency }: PerformanceReport,
  { axis, segment, returns }: SegmentReport,
  fees: FeeTreatment,
): ExplainedSegment {
  const { history, places } = basis;
  const isMatch = matchesPlaces(basis, axis === null ? {} : { [axis]: segment });
  const positions = coveredPositions(history, places.covers).filter((position) => isMatch(history.key(position)));
  return { segment: returns, positions, report: { history, fees, currency } };
}

function segmentDrafts(report: PerformanceReport, one: SegmentReport, fees: FeeTreatment) {
  const { window, segments } = report;
  const explained = explainedSegment(report, one, fees);
  const whole = defined(segments[0], 'the first segment of a report is the whole').returns;
  const figures = Object.entries(segmentFigures).map(([name, figure]) => [
    name,
    () => ({ explanation: explainSegmentFigure(figure, { explained, whole }, window) }),
  ]);
  return {
    beginMarketValue: () => ({ explanation: explainDayAmount(explained, 'value', window.start - 1) }),
    endMarketValue: () => ({ explanation: explainDayAmount(explained, 'value', window.end) }),
    ...Object.fromEntries(figures),
  } as { readonly [N in SegmentFigureName]: () => ExplanationDraft };
}
