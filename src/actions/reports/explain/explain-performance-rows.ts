// Explains the figures of the segments of a performance report, and of the benchmark beside them.

import { defined } from '../../../kit/assert.ts';
import { explainDayAmount, type ExplainedSegment } from '../../../engine/explanation/explanation.ts';
import { coveredPositions } from '../../../engine/history/holdings.ts';
import type { FeeTreatment } from '../../../engine/returns/performance/position-days.ts';
import type { Work } from '../../core/work.ts';
import type { PerformanceReport, SegmentReport } from '../performance.ts';
import type { ExplanationDraft } from './explanation-draft.ts';
import { explainSegmentFigure, type ReturnFigureName } from './explain-return.ts';
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

export type SegmentExplanations = RowExplanations<SegmentFigureName>;

/** In the order of the segments. */
export async function explainSegmentRows(
  work: Work,
  report: PerformanceReport,
  fees: FeeTreatment,
): Promise<readonly SegmentExplanations[]> {
  const { basis, segments } = report;
  const explainer = await RowExplainer.open(work, basis, segments.length * explainedSegmentFigures.length);
  const explanations: SegmentExplanations[] = [];
  for (const one of segments) explanations.push(await explainer.explain(segmentDrafts(report, one, fees)));
  return explanations;
}

function segmentDrafts(report: PerformanceReport, { axis, segment, returns }: SegmentReport, fees: FeeTreatment) {
  const { basis, window, currency, segments } = report;
  const { history, places } = basis;
  const isMatch = matchesPlaces(basis, axis === null ? {} : { [axis]: segment });
  const positions = coveredPositions(history, places.covers).filter((position) => isMatch(history.key(position)));
  const explained: ExplainedSegment = { segment: returns, positions, report: { history, fees, currency } };
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
