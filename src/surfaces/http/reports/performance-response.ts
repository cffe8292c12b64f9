// Sends performance reports whole if they are short, and streamed if they are long. The bytes are the same.

import type { FigureSeries } from '../../../actions/reports/segments/segment-series.ts';
import type { PerformanceReport, SegmentReport } from '../../../actions/reports/performance.ts';
import type { Kind } from '../../../kit/field.ts';
import { joinIntoChunks, placeholder, type TextPart } from './json-template.ts';
import type { OperationResponse } from '../operation/operation.ts';

/** The days of the example requests in the API reference. */
export const windowExample = { from: '2026-11-12', to: '2026-11-13' } as const;

/** About a megabyte of text. */
const shortPointsMax = 6_000;

/** Counts one point for each segment and day. */
export function isLongReport({ window, segments }: PerformanceReport): boolean {
  return (window.end - window.start + 1) * segments.length > shortPointsMax;
}

/** The placeholder of a series, which is written from its columns. */
export const seriesPlaceholder = placeholder('series') as Kind<FigureSeries>;

export function streamedResponse(
  mediaType: string,
  parts: Iterable<TextPart>,
  { pause }: PerformanceReport,
): OperationResponse {
  return { status: 200, headers: { 'content-type': mediaType }, chunks: joinIntoChunks(parts, pause) };
}

/** Computes something for each segment, and lets others compute in between. */
export async function mapSegments<T>(
  { segments, pause }: PerformanceReport,
  compute: (segment: SegmentReport) => T,
): Promise<T[]> {
  const results: T[] = [];
  for (const segment of segments) {
    results.push(compute(segment));
    await pause();
  }
  return results;
}
