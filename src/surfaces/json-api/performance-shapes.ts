// The shapes of performance on JSON:API: a segment day by day, and the summary of a window.

import { amount, anyText, type Kind, nullable, oneOf, ratio } from '../../kit/field.ts';
import { listOf, member, objectOf } from '../../kit/structured-field.ts';
import {
  headlineMembers,
  incomeAndFees,
  noReturnText,
  performanceWarnings,
  pointMembers,
  windowFigures,
  windowMembers,
} from '../../model/report/performance.ts';

const { marketValue: _marketValue, ...jsonApiPoint } = pointMembers;
export { jsonApiPoint };

/** A segment; its series is an array of points, or a placeholder for one. */
export function jsonApiSegment<S>(series: Kind<S>) {
  return objectOf({
    axis: member(
      oneOf(['total', 'portfolios', 'depositories', 'instruments', 'instrumentClasses', 'instrumentClassesDetailed']),
      'The axis on which this is a segment; `total` for the whole.',
    ),
    ...windowMembers,
    series: member(series, 'Day by day, without gaps; empty where nothing was held in the window.'),
    warnings: performanceWarnings,
  });
}

export const performanceSummaryShape = objectOf({
  ...windowMembers,
  ...windowFigures,
  totalReturn: member(
    nullable(ratio),
    `What the window earned, as a fraction: the same as \`cumulativeTwr\`. ${noReturnText}`,
  ),
  cumulativeTwr: member(nullable(ratio), `The product of (1 + daily return) over all days, less 1. ${noReturnText}`),
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
        contribution: member(
          nullable(ratio),
          'What it contributed to the total return; all of them add up to it. Null if there is no total return.',
        ),
        contributionAmount: member(amount, 'The same as an amount.'),
        marketValue: member(amount, 'Its value at the end of the last day.'),
      }),
    ),
    'By top-level class of instruments.',
  ),
  warnings: performanceWarnings,
});
