// Limits the number of points in a report: each day of each segment is one point.

import { Refusal } from '../../kit/refusal.ts';

export const reportPointsMax = 10_000_000;

/** Returns the number of points. */
export function checkReportSize({ days, segments }: { readonly days: number; readonly segments: number }): number {
  if (days * segments <= reportPointsMax) return days * segments;
  const [daysText, segmentsText, maxText] = [days, segments, reportPointsMax].map((count) =>
    count.toLocaleString('en'),
  );
  const detail = `The report would have ${daysText} days × ${segmentsText} segments, more than the limit of ${maxText} points. Choose a shorter window or fewer axes.`;
  throw new Refusal('report-too-large', detail);
}
