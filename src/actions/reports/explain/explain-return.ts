// Explains returns: of the whole or of given segments, on a day or over a window, and of a benchmark beside them.

import { defined } from '../../../kit/assert.ts';
import type { Day } from '../../../kit/day.ts';
import {
  explainAnnualised,
  explainAnnualisedMoneyWeightedReturn,
  explainBenchmarkDay,
  explainContribution,
  explainCumulative,
  explainDailyReturn,
  explainDayAmount,
  explainDrawdown,
  explainGainPart,
  explainMoneyWeightedReturn,
  explainTotal,
  explainVolatility,
  segmentDayFacets,
  type DayDerivation,
  type DayAmount,
  type ExplainedSegment,
  type Explanation,
  type Figure,
} from '../../../engine/explanation/explanation.ts';
import { amountFigure, formula, ratioFigure } from '../../../engine/explanation/figure.ts';
import type { PositionKey } from '../../../engine/ledger/position-key.ts';
import { performancePieces } from '../../../engine/returns/performance/performance.ts';
import type { FeeTreatment } from '../../../engine/returns/performance/position-days.ts';
import type { ReturnPath } from '../../../engine/returns/return-path.ts';
import type { SegmentReturn } from '../../../engine/returns/segments/segment-return.ts';
import type { FigureInGroup } from '../../../model/report/explainable-figures.ts';
import type { ReturnMethodName } from '../../../model/report/performance.ts';
import { openTurn, type Work } from '../../core/work.ts';
import { filteredAxes, matchesPlaces, type PlaceFilter } from './place-filter.ts';
import { benchmarkReport, excessReturn, type BenchmarkReport, type ComparedInstrument } from '../benchmark.ts';
import type { ReportBasis } from '../report-basis.ts';
import { engineReturnMethods } from '../performance.ts';
import { checkReportSize } from '../report-size.ts';
import type { ReportWindow } from '../report-window.ts';
import { AmbiguousFigure, type ExplanationDraft } from './explanation-draft.ts';

interface ReturnFigureInput {
  readonly work: Work;
  readonly basis: ReportBasis;
  readonly places: PlaceFilter;
  /** For a figure of a day, that day only. */
  readonly window: ReportWindow;
  readonly method: ReturnMethodName;
  readonly fees: FeeTreatment;
  readonly currency: string;
  readonly benchmark: ComparedInstrument | undefined;
}

/** Includes a day's value, if it is in another currency than the client's. */
export type ReturnFigureName = FigureInGroup<'return'> | 'marketValue';

export async function explainReturn(figure: ReturnFigureName, input: ReturnFigureInput): Promise<ExplanationDraft> {
  const { benchmark, basis, window, currency } = input;
  if (benchmark === undefined) return { explanation: await explainSegmentReturn(figure, input) };
  const compared = benchmarkReport(benchmark, basis, { window, currency });
  const own = figure === 'excessReturn' ? (await computeReturns(input)).explained : undefined;
  return explainBenchmarkFigure(figure, compared, own);
}

export interface RequestedReturns {
  readonly explained: ExplainedSegment;
  readonly whole: SegmentReturn;
}

/** Treats what is asked for as one segment beside everything else. */
async function computeReturns(input: ReturnFigureInput): Promise<RequestedReturns> {
  const { work, basis, places, window, method, fees, currency } = input;
  const { history } = basis;
  const isMatch = matchesPlaces(basis, places);
  const points = checkReportSize({ days: window.end - window.start + 1, segments: 3 });
  const request = {
    window,
    method: engineReturnMethods[method],
    axes: ['selection'] as const,
    covers: basis.places.covers,
    fees,
    currency,
    splitsGain: true,
    segmentsOf: (key: PositionKey) => ({ selection: [isMatch(key) ? 'selected' : 'other'] }),
  };
  const found = await openTurn(work, points).run(performancePieces(history, request));
  const [axis] = filteredAxes(places);
  const segment = axis === undefined ? found.whole : found.axes.selection.get('selected');
  if (segment === undefined) throw new AmbiguousFigure(axis!, 'Nothing of it was held by then.');
  const positions = found.positions.filter((position) => isMatch(history.key(position)));
  return { explained: { segment, report: { history, fees, currency }, positions }, whole: found.whole };
}

async function explainSegmentReturn(figure: ReturnFigureName, input: ReturnFigureInput): Promise<Explanation> {
  return explainSegmentFigure(figure, await computeReturns(input), input.window);
}

/** Explains a figure of a segment that has been computed. */
export function explainSegmentFigure(
  figure: ReturnFigureName,
  { explained, whole }: RequestedReturns,
  window: ReportWindow,
): Explanation {
  const { segment } = explained;
  const { end: day } = window;
  switch (figure) {
    case 'marketValue':
      return explainDayAmount(explained, 'value', day);
    case 'dailyTwr':
      return explainDailyReturn(explained, day);
    case 'dailyReturn':
      return gainOfDay(explained, day);
    case 'netCashFlow':
    case 'income':
    case 'fees':
      return explainAmount(figure, explained, window);
    case 'gain':
      return explainGain(explained, window);
    case 'gainPricePart':
      return explainGainPart(explained, 'price', () => explainGain(explained, window));
    case 'gainIncomePart':
      return explainGainPart(explained, 'income', () => explainGain(explained, window));
    case 'gainCurrencyPart':
      return explainGainPart(explained, 'currency', () => explainGain(explained, window));
    case 'contribution':
      return explainContribution({ explained, whole });
    case 'moneyWeightedReturn':
      return explainMoneyWeightedReturn(explained);
    case 'annualisedMoneyWeightedReturn':
      return explainAnnualisedMoneyWeightedReturn(explained);
    default:
      return explainPath(figure, segment.path, (on) => segmentDayFacets(explained, on));
  }
}

const amountNames = { netCashFlow: 'flow', income: 'income', fees: 'fee' } as const satisfies Record<string, DayAmount>;
const totalNames = { netCashFlow: 'flow', income: 'income', fees: 'fees' } as const;

/** A day is explained down to the rows, a window down to the days. */
function explainAmount(
  figure: keyof typeof amountNames,
  explained: ExplainedSegment,
  { start, end }: ReportWindow,
): Figure {
  if (start === end) return explainDayAmount(explained, amountNames[figure], end);
  return explainTotal(explained, totalNames[figure]);
}

function explainGain(explained: ExplainedSegment, { start, end: day }: ReportWindow): Figure {
  const { segment, report } = explained;
  const unit = report.currency;
  const valueOn = (on: Day): Figure => explainDayAmount(explained, 'value', on);
  const flow = explainTotal(explained, 'flow');
  return amountFigure('gain', segment.totals().gain, {
    unit,
    day,
    ...formula`${valueOn(day)} − ${valueOn(start - 1)} − ${flow}`,
  });
}

function gainOfDay(explained: ExplainedSegment, day: Day): Figure {
  const [gain] = explainDailyReturn(explained, day).of ?? [];
  return defined(gain, 'a daily return is explained by its gain');
}

/** Summarises daily returns of any origin. */
function explainPath(figure: ReturnFigureName, path: ReturnPath, explainDay: DayDerivation): Explanation {
  switch (figure) {
    case 'annualisedTwr':
      return explainAnnualised(path, explainDay);
    case 'volatility':
      return explainVolatility(path);
    case 'maxDrawdown':
      return explainDrawdown(path);
    default:
      return explainCumulative(path, explainDay);
  }
}

/** `own`: what the benchmark is compared with, for the excess return. */
export function explainBenchmarkFigure(
  figure: ReturnFigureName,
  report: BenchmarkReport,
  own: ExplainedSegment | undefined,
): ExplanationDraft {
  const explanation = own === undefined ? explainBenchmark(figure, report) : explainExcessReturn(own, report);
  return { explanation, compared: report.compared };
}

function explainBenchmark(figure: ReturnFigureName, { path, days }: BenchmarkReport): Explanation {
  return figure === 'dailyTwr'
    ? explainBenchmarkDay(defined(days.at(-1), 'a window has at least one day'))
    : explainPath(figure, path, benchmarkDay(days));
}

function benchmarkDay(days: BenchmarkReport['days']): DayDerivation {
  return (day) =>
    explainBenchmarkDay(defined(days[day - defined(days[0], 'a window has a day').day], 'it has all days'));
}

function explainExcessReturn(explained: ExplainedSegment, { path, days }: BenchmarkReport): Explanation {
  const ownPath = explained.segment.path;
  const own = explainCumulative(ownPath, (day) => segmentDayFacets(explained, day));
  const compared = explainCumulative(path, benchmarkDay(days));
  const name = 'excess-return';
  if (own.value === null) return { ...own, name };
  if (compared.value === null) return { ...compared, name };
  const parts = formula`${own} − ${{ ...compared, name: 'benchmark-return' }}`;
  const value = defined(excessReturn(ownPath, path), 'two returns have a difference');
  return ratioFigure(name, value, { ...parts, rounding: 'double' });
}
