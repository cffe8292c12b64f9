// Limits the number of points in a report: each day of each segment is one point.

import { Refusal } from '../../kit/refusal.ts';

/** How many points the series of a report may have: one for each day of each segment. */
export const reportPointsMax = 10_000_000;

/** Explanations have formulas with a number for each point, which are longer than the points themselves. */
export const explainedPointsMax = 1_000_000;

interface ReportSize {
  readonly days: number;
  readonly segments: number;
}

/** Returns the number of points. */
export function checkReportSize(size: ReportSize): number {
  return checkSize(size, reportPointsMax, 'The report would have', 'Choose a shorter window or fewer axes.');
}

/** The same for a report whose figures are explained. */
export function checkExplainedSize(size: ReportSize): number {
  const remedy = 'Choose a shorter window or fewer axes, or ask for the explanation of one figure.';
  return checkSize(size, explainedPointsMax, 'The explanations would cover', remedy);
}

function checkSize({ days, segments }: ReportSize, pointsMax: number, subject: string, remedy: string): number {
  if (days * segments <= pointsMax) return days * segments;
  const [daysText, segmentsText, maxText] = [days, segments, pointsMax].map((count) => count.toLocaleString('en'));
  throw new Refusal(
    'report-too-large',
    `${subject} ${daysText} days × ${segmentsText} segments, more than the limit of ${maxText} points. ${remedy}`,
  );
}
