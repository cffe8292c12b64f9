// The shapes of performance on v1: segments with and without their days, a benchmark, and the whole report.

import { amount, anyText, date, type Kind, nullable, oneOf, ratio } from '../../../kit/field.ts';
import { listOf, member, objectOf, omissible } from '../../../kit/structured-field.ts';
import {
  explainedBenchmarkFigures,
  explainedSegmentFigures,
} from '../../../actions/reports/explain/explain-performance-rows.ts';
import { explanationsMember } from '../../../model/report/explanation.ts';
import { segmentMembers } from '../../../model/report/holding.ts';
import { calendarPeriods } from '../../../model/report/calendar-period.ts';
import { noRateReasons, rateRangeText, rootsText } from '../../../model/report/no-rate-reason.ts';
import {
  feeTreatments,
  headlineMembers,
  noReturnReasons,
  incomeAndFees,
  performanceWarnings as warnings,
  pointMembers,
  reportMembers,
  windowFigures,
  windowMembers,
} from '../../../model/report/performance.ts';

const { currency, fromDate, toDate, method } = windowMembers;

export const v1Point = pointMembers;
export const benchmarkPoint = {
  date: pointMembers.date,
  dailyTwr: pointMembers.dailyTwr,
  cumulativeTwr: pointMembers.cumulativeTwr,
};

const summaryMembers = {
  ...windowFigures,
  gain: member(
    amount,
    'What was earned: the end less the beginning less the flow. Of the whole window, its three parts add up to it exactly.',
  ),
  gainPricePart: member(
    amount,
    'What prices brought, less the fees charged: all of the gain that is neither income nor currency.',
  ),
  gainIncomePart: member(amount, '`income`, plus the change of interest that is accrued or owed and not yet booked.'),
  gainCurrencyPart: member(
    amount,
    'What exchange rates brought: the value of every evening, in its own currency, × the change of its rate on the next day. What cash gained beyond interest and fees, and what a forward without a price gained.',
  ),
  ...incomeAndFees,
  twr: member(nullable(ratio), 'The cumulative time-weighted return, as a fraction.'),
  twrReason: member(
    nullable(oneOf(noReturnReasons)),
    'Why there is no time-weighted return, and so no volatility and drawdown. `nothing-covered`: nothing was held and nothing moved. `nothing-invested`: what there was to earn on is nothing that anybody invested (forwards, short positions, amounts that net to zero). Null where there is one.',
  ),
  annualisedTwr: headlineMembers.annualised,
  volatility: headlineMembers.volatility,
  maxDrawdown: headlineMembers.maxDrawdown,
  maxDrawdownFrom: member(nullable(date), 'The last day at the peak before that fall; null where there was none.'),
  maxDrawdownTo: member(nullable(date), 'The first day at its bottom.'),
  moneyWeightedReturn: member(
    nullable(ratio),
    'The rate of the window itself, not annualised, at which the value before, all flows and the value at the end add up to zero: (1 + yearly rate) ^ (days / 365) − 1, over the days from the first of these amounts to the last.',
  ),
  annualisedMoneyWeightedReturn: member(
    nullable(ratio),
    'The same as a yearly rate (XIRR, ACT/365); null for less than a year.',
  ),
  moneyWeightedReason: member(
    nullable(oneOf([...noRateReasons, ...noReturnReasons])),
    `Why there is no such rate; null where there is one. ${rateRangeText}`,
  ),
  moneyWeightedRoots: member(
    listOf(ratio),
    `${rootsText} Like \`money_weighted_return\`, each is the rate of the window.`,
  ),
  contribution: member(
    nullable(ratio),
    "What it contributed to the whole's return; along an axis that does not overlap they add up. Null if the whole has none.",
  ),
};

const segmentNames = {
  axis: member(anyText, 'The axis on which this is a segment; `total` for the whole.'),
  ...segmentMembers,
};

/** A calendar period within the window. */
const periodShape = objectOf({
  every: member(oneOf(calendarPeriods), 'Which kind of period it is.'),
  start: member(date, 'The first day.'),
  end: member(date, 'The last day.'),
  ...windowFigures,
  gain: summaryMembers.gain,
  ...incomeAndFees,
  twr: member(
    nullable(ratio),
    'The time-weighted return of the period, as a fraction; null where the segment has none.',
  ),
});

/** A segment without its days. */
export const v1SegmentSummary = objectOf({ ...segmentNames, ...summaryMembers });

export function v1Segment<S>(series: Kind<S>) {
  return objectOf({
    ...segmentNames,
    ...summaryMembers,
    periods: omissible(
      listOf(periodShape),
      'With `every`: the calendar periods of the window; the first and the last may be shorter.',
    ),
    explanations: explanationsMember(explainedSegmentFigures),
    warnings,
    series: member(
      series,
      'Day by day, without gaps; empty with `detail=summary`, and where nothing of the whole was held in the window.',
    ),
  });
}

/** What the report says beside the segments. */
const headingMembers = {
  reportingEntityId: member(anyText, 'The reporting entity.'),
  currency,
  start: fromDate,
  end: toDate,
  carriedFrom: member(
    nullable(date),
    'The first day after the latest data that the report needs: from it on, values are carried, and only interest and fees accrue. Null if the last day has data, or if nothing was held.',
  ),
  method,
  fees: member(oneOf(feeTreatments), 'Whether what was paid for advice lowers the return.'),
  ...reportMembers,
};

/** An instrument's own returns, to compare with. */
export function v1Benchmark<S>(series: Kind<S>) {
  return objectOf({
    instrumentId: member(anyText, 'The instrument.'),
    seriesKind: member(nullable(anyText), 'Which of its series was taken; null where it has none.'),
    twr: member(nullable(ratio), 'The cumulative return, as a fraction.'),
    annualisedTwr: headlineMembers.annualised,
    volatility: headlineMembers.volatility,
    maxDrawdown: headlineMembers.maxDrawdown,
    excessReturn: member(
      nullable(ratio),
      'The return of the whole less that of the benchmark; null if the whole has none.',
    ),
    explanations: explanationsMember(explainedBenchmarkFigures),
    warnings,
    series: member(
      series,
      'Day by day, without gaps; empty with `detail=summary`, and where nothing of the whole was held in the window.',
    ),
  });
}

export function v1Performance<B, D>(benchmark: Kind<B>, data: Kind<D>) {
  return objectOf({
    ...headingMembers,
    benchmark: member(nullable(benchmark), 'With `benchmark`: the returns of that instrument. Null without it.'),
    data: member(data, 'The whole first, then the segments along each axis; what an axis does not name comes last.'),
  });
}
