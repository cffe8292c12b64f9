// Pages of a computed report. Each request computes the report anew: the cursor names the day of the first page and the last
// row shown, so that the pages fit together.

import { fromDayNumber, type CalendarDate } from '../../../kit/calendar-date.ts';
import type { Day } from '../../../kit/day.ts';
import { defined } from '../../../kit/assert.ts';
import { listFromCursor, pageValues } from '../lists/cursor-page.ts';
import type { RequestContext } from '../operation/operation.ts';

interface ReportRows<Report, Row> {
  /** Identifies the report and its parameters. */
  readonly queryKey: readonly unknown[];
  readonly limit: number;
  /** Computes the report: for the day of the previous page, or as requested on the first one. */
  make(day: CalendarDate | undefined): Promise<Report>;
  dayOf(report: Report): Day;
  rowsOf(report: Report): readonly Row[] | Promise<readonly Row[]>;
  /** Identifies a row within the report. */
  keyOf(row: Row): string;
  readonly hasLastingCursor?: boolean;
}

interface IndexedRow<Row> {
  readonly row: Row;
  readonly index: number;
}

type PagePosition = readonly [day: Day, index: number, key: string];

interface ReportPage<Report, Row> {
  readonly report: Report;
  /** The values of `pageMembers`. */
  readonly page: ReturnType<typeof pageValues<Row>>;
}

export async function reportPage<Report, Row>(
  request: RequestContext,
  { queryKey, limit, make, dayOf, rowsOf, keyOf, hasLastingCursor = false }: ReportRows<Report, Row>,
): Promise<ReportPage<Report, Row>> {
  let builtReport: Report | undefined;
  const getReport = (): Report => defined(builtReport, 'the list is made before its positions');
  const page = await listFromCursor<IndexedRow<Row>>(request, {
    queryKey,
    hasLastingCursor,
    async list(after) {
      const position = after === undefined ? undefined : (JSON.parse(after) as PagePosition);
      builtReport = await make(position && fromDayNumber(position[0]));
      const rows = await rowsOf(builtReport);
      const start = position === undefined ? 0 : startAfter(rows.map(keyOf), position);
      const records = rows.slice(start, start + limit).map((row, offset) => ({ row, index: start + offset }));
      return { records, hasMore: start + limit < rows.length };
    },
    positionOf: ({ row, index }) => JSON.stringify([dayOf(getReport()), index, keyOf(row)] satisfies PagePosition),
  });
  return { report: getReport(), page: pageValues({ ...page, data: page.data.map(({ row }) => row) }) };
}

/** Continues after the last row shown; if that row is gone, at the row that has taken its position. */
function startAfter(keys: readonly string[], [, index, key]: PagePosition): number {
  const at = keys[index] === key ? index : keys.indexOf(key);
  return at === -1 ? index : at + 1;
}
