// Performance goes out as a whole where it is short, and in pieces where it is not: the bytes are the same. Knows no wire.

import type { FigureSeries } from '../../../actions/reports/segments/segment-series.ts';
import type { PerformanceReport } from '../../../actions/reports/performance.ts';
import type { Kind } from '../../../kit/field.ts';
import { joinIntoChunks, placeholder } from './json-template.ts';
import type { OperationResponse } from '../operation/operation.ts';

/** The days of the reference's example requests. */
export const windowExample = { from: '2026-11-12', to: '2026-11-13' } as const;

/** About a megabyte of text. */
const shortPointsMax = 6_000;

/** Of each segment and day one point; none where only sums are asked for. */
export function isLongReport({ window, segments }: PerformanceReport): boolean {
  return (window.end - window.start + 1) * segments.length > shortPointsMax;
}

/** Where a series belongs that is written from its columns. */
export const seriesPlaceholder = placeholder('series') as Kind<FigureSeries>;

export function streamedResponse(mediaType: string, texts: Iterable<string>): OperationResponse {
  return { status: 200, headers: { 'content-type': mediaType }, chunks: joinIntoChunks(texts) };
}
