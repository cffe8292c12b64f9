// Pages of rows that are worked out at each request: a cursor holds the day that the first page was about, and which row was the
// last, so that the pages fit together. Knows no report.

import { fromDayNumber, type CalendarDate } from '../../../kit/calendar-date.ts';
import type { Day } from '../../../kit/day.ts';
import type { JsonSchema } from '../../../kit/field.ts';
import { listFromCursor, pageSchema, type CursorPage } from '../lists/cursor-page.ts';
import type { RequestContext } from '../operation/operation.ts';

export interface ReportRows<Report, Row> {
  /** Which list it is, and what it was asked for. */
  readonly queryKey: readonly unknown[];
  readonly limit: number;
  /** The report, as it was asked for or for the day of the page before. */
  make(day: CalendarDate | undefined): Promise<Report>;
  dayOf(report: Report): Day;
  rowsOf(report: Report): readonly Row[];
  /** Tells a row from all others of the report. */
  keyOf(row: Row): string;
}

interface IndexedRow<Row> {
  readonly row: Row;
  readonly index: number;
}

type PagePosition = readonly [day: Day, index: number, key: string];

export interface ReportPage<Report, Row> {
  readonly report: Report;
  readonly page: CursorPage<Row>;
}

export async function reportPage<Report, Row>(
  request: RequestContext,
  { queryKey, limit, make, dayOf, rowsOf, keyOf }: ReportRows<Report, Row>,
): Promise<ReportPage<Report, Row>> {
  let builtReport: Report | undefined;
  const page = await listFromCursor<IndexedRow<Row>>(request, {
    queryKey,
    async list(after) {
      const position = after === undefined ? undefined : (JSON.parse(after) as PagePosition);
      builtReport = await make(position && fromDayNumber(position[0]));
      const rows = rowsOf(builtReport);
      const start = position === undefined ? 0 : startAfter(rows.map(keyOf), position);
      const records = rows.slice(start, start + limit).map((row, offset) => ({ row, index: start + offset }));
      return { records, hasMore: start + limit < rows.length };
    },
    positionOf: ({ row, index }) => JSON.stringify([dayOf(builtReport!), index, keyOf(row)] satisfies PagePosition),
  });
  return { report: builtReport!, page: { ...page, data: page.data.map(({ row }) => row) } };
}

/** Where the last row has gone since, the one that has its place now comes next. */
function startAfter(keys: readonly string[], [, index, key]: PagePosition): number {
  const at = keys[index] === key ? index : keys.indexOf(key);
  return at === -1 ? index : at + 1;
}

/** The schema of a list with what else the report says of itself. */
export function withExtraMembers(list: JsonSchema, extraMembers: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const { required, properties } = list as { readonly required: readonly string[]; readonly properties: object };
  return {
    ...list,
    required: [...required, ...Object.keys(extraMembers)],
    properties: { ...properties, ...extraMembers },
  };
}

export function reportPageSchema(row: JsonSchema, extraMembers: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return withExtraMembers(pageSchema(row), extraMembers);
}

export const ledgerVersionSchema = {
  type: 'string',
  description: 'Names what the figures were computed from: another one whenever anything else is known.',
} as const satisfies JsonSchema;
