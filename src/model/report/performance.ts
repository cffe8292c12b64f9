// The figures of performance as reports answer them: points of a series, what a window comes to, segments. Declared once; each wire
// shows a part. Knows not how they are computed.

import {
  amountShape,
  dateShape,
  arrayShape,
  shapeMember,
  instantShape,
  nullableShape,
  objectShape,
  enumShape,
  ratioShape,
  textShape,
  type Shape,
} from '../../kit/shape.ts';
import { segmentMembers } from './holding.ts';
import { warningShape } from './warning.ts';

/** `daily`: money comes in at the start of a day and leaves at its end. `modified-dietz`: it counts for half the day. */
export const returnMethods = ['daily', 'modified-dietz'] as const;
export type ReturnMethodName = (typeof returnMethods)[number];

export const feeTreatments = ['net', 'gross'] as const;

/** What a day of a segment may be told by. */
export const pointMembers = {
  date: shapeMember(dateShape, 'The day.'),
  marketValue: shapeMember(amountShape, "The value at the day's end."),
  netCashFlow: shapeMember(amountShape, 'What flowed in that day, less what flowed out.'),
  dailyReturn: shapeMember(amountShape, 'What the day earned, as an amount: the change in value without the flow.'),
  dailyTwr: shapeMember(ratioShape, 'What the day earned, as a fraction.'),
  cumulativeTwr: shapeMember(
    ratioShape,
    'What all days so far earned, as a fraction: the product of (1 + daily) less 1.',
  ),
};

export type PointFigure = keyof typeof pointMembers;

const headlineMembers = {
  annualised: shapeMember(nullableShape(ratioShape), 'The cumulative return as one for 365 days; null below a year.'),
  maxDrawdown: shapeMember(ratioShape, 'The deepest fall from a peak, as a positive fraction.'),
  volatility: shapeMember(
    nullableShape(ratioShape),
    'The standard deviation of the daily returns of weekdays × √252; null below two of them.',
  ),
};

const fromDate = shapeMember(dateShape, 'The first day.');
const toDate = shapeMember(dateShape, 'The last day: what was asked for, or the latest day with data.');
const currency = shapeMember(textShape, 'The currency of all amounts.');
const method = shapeMember(enumShape(returnMethods), 'How the return of a day with flows was computed.');
const warnings = shapeMember(arrayShape(warningShape), 'What to look at before trusting the figures.');

/** What stands beside the figures of every report. */
export const reportMembers = {
  asOf: shapeMember(instantShape, 'The moment of the figures: the end of the last day in the zone of the workspace.'),
  ledgerVersion: shapeMember(
    textShape,
    'Names what the figures were computed from: another one whenever anything else is known.',
  ),
};

/** A segment as JSON:API shows it; its series is an array of points, or what stands in for one. */
export function jsonApiSegment<S>(series: Shape<S>) {
  return objectShape({
    axis: shapeMember(
      enumShape([
        'total',
        'portfolios',
        'depositories',
        'instruments',
        'instrumentClasses',
        'instrumentClassesDetailed',
      ]),
      'The axis on which this is a segment; `total` for the whole.',
    ),
    currency,
    fromDate,
    toDate,
    method,
    series: shapeMember(series, 'Day by day, without gaps.'),
    warnings,
  });
}

const { date: day, marketValue, netCashFlow, dailyReturn, dailyTwr, cumulativeTwr } = pointMembers;

export const jsonApiPoint = { date: day, netCashFlow, dailyReturn, dailyTwr, cumulativeTwr };
export const plainPoint = { date: day, dailyTwr, cumulativeTwr };
export const v1Point = { date: day, marketValue, netCashFlow, dailyReturn, dailyTwr, cumulativeTwr };

/** Of a window, for the whole or one segment. */
const windowFigures = {
  beginMarketValue: shapeMember(amountShape, 'The value before the first day.'),
  endMarketValue: shapeMember(amountShape, 'The value at the end of the last day.'),
  netCashFlow: shapeMember(amountShape, 'What flowed in, less what flowed out.'),
};

const incomeAndFees = {
  income: shapeMember(amountShape, 'Dividends, coupons and interest, accrued interest bought and sold included.'),
  fees: shapeMember(amountShape, 'What was charged.'),
};

export const performanceSummaryShape = objectShape({
  currency,
  fromDate,
  toDate,
  method,
  ...windowFigures,
  totalReturn: shapeMember(ratioShape, 'What the window earned, as a fraction: the same as `cumulativeTwr`.'),
  cumulativeTwr: shapeMember(ratioShape, 'The product of (1 + daily return) over all days, less 1.'),
  annualisedTwr: headlineMembers.annualised,
  contributionAmount: shapeMember(amountShape, 'What the window earned, as an amount.'),
  maxDrawdown: headlineMembers.maxDrawdown,
  volatility: headlineMembers.volatility,
  ...incomeAndFees,
  contributions: shapeMember(
    arrayShape(
      objectShape({
        id: shapeMember(nullableShape(textShape), 'The top-level class of instruments; null for what has none.'),
        name: shapeMember(nullableShape(textShape), 'Its name.'),
        contribution: shapeMember(ratioShape, 'What it contributed to the total return; all of them add up to it.'),
        contributionAmount: shapeMember(amountShape, 'The same as an amount.'),
        marketValue: shapeMember(amountShape, 'Its value at the end of the last day.'),
      }),
    ),
    'By top-level class of instruments.',
  ),
  warnings,
});

/** The whole as Plain shows it. */
export function plainPerformance<S>(series: Shape<S>) {
  return objectShape({
    reportingEntityId: shapeMember(textShape, 'The reporting entity.'),
    currency,
    start: fromDate,
    end: toDate,
    method,
    series: shapeMember(series, 'Day by day, without gaps.'),
    summary: shapeMember(
      objectShape({
        totalReturn: shapeMember(ratioShape, 'What the window earned, as a fraction.'),
        annualisedReturn: headlineMembers.annualised,
        maxDrawdown: headlineMembers.maxDrawdown,
        volatility: headlineMembers.volatility,
      }),
      'What the series comes to.',
    ),
    warnings,
    ...reportMembers,
  });
}

const v1Summary = {
  ...windowFigures,
  gain: shapeMember(amountShape, 'What was earned: the end less the beginning less the flow.'),
  ...incomeAndFees,
  twr: shapeMember(ratioShape, 'The cumulative time-weighted return, as a fraction.'),
  annualisedTwr: headlineMembers.annualised,
  volatility: headlineMembers.volatility,
  maxDrawdown: headlineMembers.maxDrawdown,
  maxDrawdownFrom: shapeMember(
    nullableShape(dateShape),
    'The last day at the peak before that fall; null where there was none.',
  ),
  maxDrawdownTo: shapeMember(nullableShape(dateShape), 'The first day at its bottom.'),
  moneyWeightedReturn: shapeMember(
    nullableShape(ratioShape),
    'The yearly rate at which all flows come to nothing (XIRR).',
  ),
  moneyWeightedReason: shapeMember(nullableShape(textShape), 'Why there is no such rate; null where there is one.'),
  contribution: shapeMember(
    ratioShape,
    "What it contributed to the whole's return; along an axis that does not overlap they add up.",
  ),
};

const segmentNames = {
  axis: shapeMember(textShape, 'The axis on which this is a segment; `total` for the whole.'),
  ...segmentMembers,
};

/** A segment without its days. */
export const v1SegmentSummary = objectShape({ ...segmentNames, ...v1Summary });

export function v1Segment<S>(series: Shape<S>) {
  return objectShape({
    ...segmentNames,
    ...v1Summary,
    warnings,
    series: shapeMember(series, 'Day by day, without gaps; empty with `detail=summary`.'),
  });
}

/** What stands beside the segments on v1. */
const v1HeadingMembers = {
  reportingEntityId: shapeMember(textShape, 'The reporting entity.'),
  currency,
  start: fromDate,
  end: toDate,
  method,
  fees: shapeMember(enumShape(feeTreatments), 'Whether what was paid for advice lowers the return.'),
  ...reportMembers,
};

/** An instrument's own returns, to compare with. */
export function v1Benchmark<S>(series: Shape<S>) {
  return objectShape({
    instrumentId: shapeMember(textShape, 'The instrument.'),
    seriesKind: shapeMember(nullableShape(textShape), 'Which of its series was taken; null where it has none.'),
    twr: shapeMember(ratioShape, 'The cumulative return, as a fraction.'),
    annualisedTwr: headlineMembers.annualised,
    volatility: headlineMembers.volatility,
    maxDrawdown: headlineMembers.maxDrawdown,
    excessReturn: shapeMember(ratioShape, 'The return of the whole less that of the benchmark.'),
    warnings,
    series: shapeMember(series, 'Day by day, without gaps; empty with `detail=summary`.'),
  });
}

export const benchmarkPoint = { date: day, dailyTwr, cumulativeTwr };

export function v1Performance<B, D>(benchmark: Shape<B>, data: Shape<D>) {
  return objectShape({
    ...v1HeadingMembers,
    benchmark: shapeMember(
      nullableShape(benchmark),
      'With `benchmark`: the returns of that instrument. Null without it.',
    ),
    data: shapeMember(
      data,
      'The whole first, then the segments along each axis; what an axis does not name comes last.',
    ),
  });
}
