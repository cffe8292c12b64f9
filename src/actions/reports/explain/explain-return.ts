// Returns, explained: of the whole or of what lies in the segments that are asked about, on a day or over a window, and of a benchmark
// beside it. Knows no wire.

import type { Day } from '../../../kit/day.ts';
import {
  explainAnnualised,
  explainBenchmarkDay,
  explainContribution,
  explainCumulative,
  explainDailyReturn,
  explainDayAmount,
  explainDrawdown,
  explainMoneyWeightedReturn,
  explainTotal,
  explainVolatility,
  type DayAmount,
  type ExplainedSegment,
  type Explanation,
  type Figure,
} from '../../../engine/explanation/explanation.ts';
import { amountFigure, formula, ratioFigure } from '../../../engine/explanation/figure.ts';
import { performance } from '../../../engine/returns/performance/performance.ts';
import type { FeeTreatment } from '../../../engine/returns/performance/position-days.ts';
import type { ReturnPath } from '../../../engine/returns/return-path.ts';
import type { SegmentReturn } from '../../../engine/returns/segments/segment-return.ts';
import type { FigureOf } from '../../../model/report/explainable-figures.ts';
import type { ReturnMethodName } from '../../../model/report/performance.ts';
import { askedAxes, liesIn, type AskedPlaces } from './place-filter.ts';
import { benchmarkReport, type BenchmarkReport, type ComparedInstrument } from '../benchmark.ts';
import type { ReportScope } from '../report-basis.ts';
import { methods } from '../performance.ts';
import { checkPoints } from '../report-size.ts';
import type { ReportWindow } from '../report-window.ts';
import { UnclearFigure, type Working } from './explanation-draft.ts';

export interface ReturnFigure {
  readonly scope: ReportScope;
  readonly places: AskedPlaces;
  /** Of a figure of a day, that day alone. */
  readonly window: ReportWindow;
  readonly method: ReturnMethodName;
  readonly fees: FeeTreatment;
  readonly currency: string;
  readonly benchmark: ComparedInstrument | undefined;
}

/** A day's value is one too, where it is in another currency than the client's. */
export type ReturnWord = FigureOf<'return'> | 'marketValue';

export function explainReturn(figure: ReturnWord, asked: ReturnFigure): Working {
  const { benchmark, scope, window, currency } = asked;
  if (benchmark === undefined) return { explanation: explainOwn(figure, asked) };
  const compared = benchmarkReport(benchmark, scope, { window, currency });
  const explanation = figure === 'excessReturn' ? excessReturn(asked, compared) : explainBenchmark(figure, compared);
  return { explanation, compared: benchmark };
}

interface AskedReturns {
  readonly explained: ExplainedSegment;
  readonly whole: SegmentReturn;
}

/** What is asked about is a segment beside all the rest. */
function returnsOf({ scope, places, window, method, fees, currency }: ReturnFigure): AskedReturns {
  const { history } = scope;
  const isAsked = liesIn(scope, places);
  checkPoints({ days: window.end - window.start + 1, segments: 3 });
  const found = performance(history, {
    window,
    method: methods[method],
    axes: ['asked'],
    covers: scope.places.covers,
    fees,
    currency,
    segmentsOf: (key) => ({ asked: [isAsked(key) ? 'asked' : 'other'] }),
  });
  const [axis] = askedAxes(places);
  const segment = axis === undefined ? found.whole : found.axes.asked.get('asked');
  if (segment === undefined) throw new UnclearFigure(axis!, 'Nothing of it was held by then.');
  const positions = found.positions.filter((position) => isAsked(history.key(position)));
  return { explained: { segment, report: { history, fees, currency }, positions }, whole: found.whole };
}

function explainOwn(figure: ReturnWord, asked: ReturnFigure): Explanation {
  const { explained, whole } = returnsOf(asked);
  const { segment } = explained;
  const { currency: unit } = asked;
  const { end: day } = asked.window;
  switch (figure) {
    case 'marketValue':
      return explainDayAmount(explained, 'value', day);
    case 'dailyTwr':
      return explainDailyReturn(explained, day);
    case 'dailyReturn':
      return explainDailyReturn(explained, day).of![0]!;
    case 'netCashFlow':
    case 'income':
    case 'fees':
      return explainAmount(figure, explained, asked.window);
    case 'gain':
      return explainGain(explained, asked.window);
    case 'contribution':
      return explainContribution({ segment, whole, unit });
    case 'moneyWeightedReturn':
      return explainMoneyWeightedReturn(segment, unit);
    default:
      return explainPath(figure, segment.path);
  }
}

const amountNames = { netCashFlow: 'flow', income: 'income', fees: 'fee' } as const satisfies Record<string, DayAmount>;
const totalNames = { netCashFlow: 'flow', income: 'income', fees: 'fees' } as const;

/** Of a day down to the rows, of a window down to the days. */
function explainAmount(
  figure: keyof typeof amountNames,
  explained: ExplainedSegment,
  { start, end }: ReportWindow,
): Figure {
  if (start === end) return explainDayAmount(explained, amountNames[figure], end);
  return explainTotal(explained.segment, totalNames[figure], explained.report.currency);
}

function explainGain(explained: ExplainedSegment, { start, end: day }: ReportWindow): Figure {
  const { segment, report } = explained;
  const unit = report.currency;
  const valueOn = (on: Day): Figure => explainDayAmount(explained, 'value', on);
  const flow = explainTotal(segment, 'flow', unit);
  return amountFigure('gain', segment.totals().gain, {
    unit,
    day,
    ...formula`${valueOn(day)} − ${valueOn(start - 1)} − ${flow}`,
  });
}

/** What daily returns come to, whosever they are. */
function explainPath(figure: ReturnWord, path: ReturnPath): Explanation {
  switch (figure) {
    case 'annualisedTwr':
      return explainAnnualised(path);
    case 'volatility':
      return explainVolatility(path);
    case 'maxDrawdown':
      return explainDrawdown(path);
    default:
      return explainCumulative(path);
  }
}

function explainBenchmark(figure: ReturnWord, { path, days }: BenchmarkReport): Explanation {
  return figure === 'dailyTwr' ? explainBenchmarkDay(days.at(-1)!) : explainPath(figure, path);
}

function excessReturn(asked: ReturnFigure, { path }: BenchmarkReport): Figure {
  const own = returnsOf(asked).explained.segment.path;
  const parts = formula`${explainCumulative(own)} − ${{ ...explainCumulative(path), name: 'benchmark-return' }}`;
  const value = own.cumulativeReturn - path.cumulativeReturn;
  return ratioFigure('excess-return', value, { ...parts, rounding: 'double' });
}
