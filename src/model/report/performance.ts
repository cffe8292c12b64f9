// The figures of performance as reports answer them: points of a series, what a window comes to, segments. Declared once; each wire
// shows a part. Knows not how they are computed.

import { amount, anyText, date, instant, type Kind, nullable, oneOf, ratio } from '../../kit/field.ts';
import { listOf, member, objectOf } from '../../kit/structured-field.ts';
import { segmentMembers } from './holding.ts';
import { warningShape } from './warning.ts';

/** `daily`: money comes in at the start of a day and leaves at its end. `modified-dietz`: it counts for half the day. */
export const returnMethods = ['daily', 'modified-dietz'] as const;
export type ReturnMethodName = (typeof returnMethods)[number];

export const feeTreatments = ['net', 'gross'] as const;

/** What a day of a segment may be told by. */
export const pointMembers = {
  date: member(date, 'The day.'),
  marketValue: member(amount, "The value at the day's end."),
  netCashFlow: member(amount, 'What flowed in that day, less what flowed out.'),
  dailyReturn: member(amount, 'What the day earned, as an amount: the change in value without the flow.'),
  dailyTwr: member(ratio, 'What the day earned, as a fraction.'),
  cumulativeTwr: member(ratio, 'What all days so far earned, as a fraction: the product of (1 + daily) less 1.'),
};

export type PointFigure = keyof typeof pointMembers;

const headlineMembers = {
  annualised: member(nullable(ratio), 'The cumulative return as one for 365 days; null below a year.'),
  maxDrawdown: member(ratio, 'The deepest fall from a peak, as a positive fraction.'),
  volatility: member(
    nullable(ratio),
    'The standard deviation of the daily returns of weekdays × √252; null below two of them.',
  ),
};

const fromDate = member(date, 'The first day.');
const toDate = member(date, 'The last day: what was asked for, or the latest day with data.');
const currency = member(anyText, 'The currency of all amounts.');
const method = member(oneOf(returnMethods), 'How the return of a day with flows was computed.');
const warnings = member(listOf(warningShape), 'What to look at before trusting the figures.');

/** What stands beside the figures of every report. */
export const reportMembers = {
  asOf: member(instant, 'The moment of the figures: the end of the last day in the zone of the workspace.'),
  ledgerVersion: member(
    anyText,
    'Names what the figures were computed from: another one whenever anything else is known.',
  ),
};

/** A segment as JSON:API shows it; its series is an array of points, or what stands in for one. */
export function jsonApiSegment<S>(series: Kind<S>) {
  return objectOf({
    axis: member(
      oneOf(['total', 'portfolios', 'depositories', 'instruments', 'instrumentClasses', 'instrumentClassesDetailed']),
      'The axis on which this is a segment; `total` for the whole.',
    ),
    currency,
    fromDate,
    toDate,
    method,
    series: member(series, 'Day by day, without gaps.'),
    warnings,
  });
}

const { date: day, marketValue, netCashFlow, dailyReturn, dailyTwr, cumulativeTwr } = pointMembers;

export const jsonApiPoint = { date: day, netCashFlow, dailyReturn, dailyTwr, cumulativeTwr };
export const plainPoint = { date: day, dailyTwr, cumulativeTwr };
export const v1Point = { date: day, marketValue, netCashFlow, dailyReturn, dailyTwr, cumulativeTwr };

/** Of a window, for the whole or one segment. */
const windowFigures = {
  beginMarketValue: member(amount, 'The value before the first day.'),
  endMarketValue: member(amount, 'The value at the end of the last day.'),
  netCashFlow: member(amount, 'What flowed in, less what flowed out.'),
};

const incomeAndFees = {
  income: member(amount, 'Dividends, coupons and interest, accrued interest bought and sold included.'),
  fees: member(amount, 'What was charged.'),
};

export const performanceSummaryShape = objectOf({
  currency,
  fromDate,
  toDate,
  method,
  ...windowFigures,
  totalReturn: member(ratio, 'What the window earned, as a fraction: the same as `cumulativeTwr`.'),
  cumulativeTwr: member(ratio, 'The product of (1 + daily return) over all days, less 1.'),
  annualisedTwr: headlineMembers.annualised,
  contributionAmount: member(amount, 'What the window earned, as an amount.'),
  maxDrawdown: headlineMembers.maxDrawdown,
  volatility: headlineMembers.volatility,
  ...incomeAndFees,
  contributions: member(
    listOf(
      objectOf({
        id: member(nullable(anyText), 'The top-level class of instruments; null for what has none.'),
        name: member(nullable(anyText), 'Its name.'),
        contribution: member(ratio, 'What it contributed to the total return; all of them add up to it.'),
        contributionAmount: member(amount, 'The same as an amount.'),
        marketValue: member(amount, 'Its value at the end of the last day.'),
      }),
    ),
    'By top-level class of instruments.',
  ),
  warnings,
});

/** The whole as Plain shows it. */
export function plainPerformance<S>(series: Kind<S>) {
  return objectOf({
    reportingEntityId: member(anyText, 'The reporting entity.'),
    currency,
    start: fromDate,
    end: toDate,
    method,
    series: member(series, 'Day by day, without gaps.'),
    summary: member(
      objectOf({
        totalReturn: member(ratio, 'What the window earned, as a fraction.'),
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
  gain: member(amount, 'What was earned: the end less the beginning less the flow.'),
  ...incomeAndFees,
  twr: member(ratio, 'The cumulative time-weighted return, as a fraction.'),
  annualisedTwr: headlineMembers.annualised,
  volatility: headlineMembers.volatility,
  maxDrawdown: headlineMembers.maxDrawdown,
  maxDrawdownFrom: member(nullable(date), 'The last day at the peak before that fall; null where there was none.'),
  maxDrawdownTo: member(nullable(date), 'The first day at its bottom.'),
  moneyWeightedReturn: member(nullable(ratio), 'The yearly rate at which all flows come to nothing (XIRR).'),
  moneyWeightedReason: member(nullable(anyText), 'Why there is no such rate; null where there is one.'),
  contribution: member(
    ratio,
    "What it contributed to the whole's return; along an axis that does not overlap they add up.",
  ),
};

const segmentNames = {
  axis: member(anyText, 'The axis on which this is a segment; `total` for the whole.'),
  ...segmentMembers,
};

/** A segment without its days. */
export const v1SegmentSummary = objectOf({ ...segmentNames, ...v1Summary });

export function v1Segment<S>(series: Kind<S>) {
  return objectOf({
    ...segmentNames,
    ...v1Summary,
    warnings,
    series: member(series, 'Day by day, without gaps; empty with `detail=summary`.'),
  });
}

/** What stands beside the segments on v1. */
const v1HeadingMembers = {
  reportingEntityId: member(anyText, 'The reporting entity.'),
  currency,
  start: fromDate,
  end: toDate,
  method,
  fees: member(oneOf(feeTreatments), 'Whether what was paid for advice lowers the return.'),
  ...reportMembers,
};

/** An instrument's own returns, to compare with. */
export function v1Benchmark<S>(series: Kind<S>) {
  return objectOf({
    instrumentId: member(anyText, 'The instrument.'),
    seriesKind: member(nullable(anyText), 'Which of its series was taken; null where it has none.'),
    twr: member(ratio, 'The cumulative return, as a fraction.'),
    annualisedTwr: headlineMembers.annualised,
    volatility: headlineMembers.volatility,
    maxDrawdown: headlineMembers.maxDrawdown,
    excessReturn: member(ratio, 'The return of the whole less that of the benchmark.'),
    warnings,
    series: member(series, 'Day by day, without gaps; empty with `detail=summary`.'),
  });
}

export const benchmarkPoint = { date: day, dailyTwr, cumulativeTwr };

export function v1Performance<B, D>(benchmark: Kind<B>, data: Kind<D>) {
  return objectOf({
    ...v1HeadingMembers,
    benchmark: member(nullable(benchmark), 'With `benchmark`: the returns of that instrument. Null without it.'),
    data: member(data, 'The whole first, then the segments along each axis; what an axis does not name comes last.'),
  });
}
