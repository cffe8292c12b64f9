// The shapes of performance on Plain: the whole of a reporting entity, day by day.

import { anyText, type Kind, nullable, ratio } from '../../kit/field.ts';
import { member, objectOf } from '../../kit/structured-field.ts';
import {
  headlineMembers,
  noReturnText,
  performanceWarnings,
  pointMembers,
  reportMembers,
  windowMembers,
} from '../../model/report/performance.ts';

const { date, dailyTwr, cumulativeTwr } = pointMembers;
const { currency, fromDate, toDate, method } = windowMembers;

export const plainPoint = { date, dailyTwr, cumulativeTwr };

/** Its series is an array of points, or a placeholder for one. */
export function plainPerformance<S>(series: Kind<S>) {
  return objectOf({
    reportingEntityId: member(anyText, 'The reporting entity.'),
    currency,
    start: fromDate,
    end: toDate,
    method,
    series: member(series, 'Day by day, without gaps; empty where nothing was held in the window.'),
    summary: member(
      objectOf({
        totalReturn: member(nullable(ratio), `What the window earned, as a fraction. ${noReturnText}`),
        annualisedReturn: headlineMembers.annualised,
        maxDrawdown: headlineMembers.maxDrawdown,
        volatility: headlineMembers.volatility,
      }),
      'The figures of the whole series.',
    ),
    warnings: performanceWarnings,
    ...reportMembers,
  });
}
