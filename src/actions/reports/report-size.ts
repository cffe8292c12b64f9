// Limits the number of points in a report: each day of each segment is one point.

import { Refusal } from '../../kit/refusal.ts';

export const reportPointsMax = 10_000_000;

export function checkReportSize({ days, segments }: { readonly days: number; readonly segments: number }): void {
  if (days * segments <= reportPointsMax) return;
  const [daysText, segmentsText, maxText] = [days, segments, reportPointsMax].map((count) =>
    count.toLocaleString('en'),
  );
  const detail = `${daysText} days of ${segmentsText} segments are more points than the ${maxText} that a report has at most.`;
  throw new Refusal('report-too-large', detail);
}
