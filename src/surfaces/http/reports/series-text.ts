// Writes daily figures from their columns as JSON or CSV, without an object for each day. The bytes are the same as those of the kinds.

import {
  encodeTexts,
  rowTexts,
  sliceTexts,
  type RowField,
  type RowValue,
  type Texts,
} from '../../../kit/text/rows/row-text.ts';
import { keysOf } from '../../../kit/keys.ts';
import { fromDayNumber } from '../../../kit/calendar-date.ts';
import type { Kind, WritingStyle } from '../../../kit/field.ts';
import { type Member, objectOf } from '../../../kit/structured-field.ts';
import { snakeCase } from '../../../kit/resource.ts';
import type { AmountColumn } from '../../../engine/amounts/amount-column.ts';
import { amountText } from '../../../engine/amounts/amount-text.ts';
import type { FigureColumn, FigureSeries } from '../../../actions/reports/segments/segment-series.ts';
import type { PointFigure } from '../../../model/report/performance.ts';
import type { TextPart } from './json-template.ts';

/** The figures of each day, in this order. */
export type PointMembers = Readonly<Partial<Record<PointFigure, Member<any>>>>;

/** A series as an array of objects: for short reports, and for the schema. */
export function pointList(members: PointMembers): Kind<FigureSeries> {
  const point = objectOf(members as Readonly<Record<string, Member<any>>>);
  return {
    write(series, style) {
      const columns = figureNames(members).map((figure) => [figure, series.column(figure)] as const);
      return Array.from({ length: series.length }, (_, index) => {
        return point.write(Object.fromEntries(columns.map(([name, column]) => [name, valueAt(column, index)])), style);
      });
    },
    schema: (style) => ({ type: 'array', items: point.schema(style) }),
  };
}

export function figureNames(members: PointMembers): PointFigure[] {
  return keysOf(members);
}

function valueAt(column: FigureColumn, index: number): unknown {
  switch (column.kind) {
    case 'date':
      return column.days[index]!;
    case 'amount':
      return column.column.at(index + 1);
    case 'ratio':
      return column.ratios[index]!;
    case 'missing':
      return null;
  }
}

/** Writes the same array as `pointList`. */
export function* seriesJson(series: FigureSeries, members: PointMembers, style: WritingStyle): Generator<TextPart> {
  yield '[';
  yield* jsonPoints(series, members, { style, before: '', between: ',', after: '' });
  yield ']';
}

/** Writes one line with an object for each day; `before` contains its first members, followed by a comma. */
export function seriesJsonLines(
  series: FigureSeries,
  members: PointMembers,
  { style, before }: { readonly style: WritingStyle; readonly before: string },
): Iterable<Uint8Array> {
  return jsonPoints(series, members, { style, before, between: '', after: '\n' });
}

/** Writes one line of CSV for each day; `before` contains its first fields, followed by a comma. */
export function seriesCsvLines(
  series: FigureSeries,
  members: PointMembers,
  { style, before }: { readonly style: WritingStyle; readonly before: string },
): Iterable<Uint8Array> {
  const fields = figureNames(members).map((figure, position): RowField => {
    const column = series.column(figure);
    return { before: position === 0 ? before : ',', value: rowValue(column, style, 'plainNumber') };
  });
  return rowTexts(series.length, [...fields, { before: '\r\n', value: nothing }]);
}

interface JsonDelimiters {
  readonly style: WritingStyle;
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

/** Puts the closing quote of a text before the name of the next member. */
function jsonPoints(
  series: FigureSeries,
  members: PointMembers,
  { style, before, between, after }: JsonDelimiters,
): Iterable<Uint8Array> {
  let end = '';
  const fields = figureNames(members).map((figure, position): RowField => {
    const name = style.names === 'camel' ? figure : snakeCase(figure);
    const column = series.column(figure);
    const isText = style.decimals === 'string' || column.kind === 'date';
    const isMissing = column.kind === 'missing';
    const quote = isText && !isMissing ? '"' : '';
    const start = `${end}${position === 0 ? `{${before}` : ','}"${name}":${quote}${isMissing ? 'null' : ''}`;
    end = quote;
    return { before: start, value: rowValue(column, style, isText ? 'plainNumber' : 'number') };
  });
  return rowTexts(series.length, [...fields, { before: `${end}}${after}`, value: nothing }], between);
}

const nothing = { kind: 'nothing' } as const;

function rowValue(column: FigureColumn, { rounding }: WritingStyle, ratioKind: 'number' | 'plainNumber'): RowValue {
  switch (column.kind) {
    case 'date': {
      const texts = dateTexts(column.days);
      return { kind: 'text', textsOf: (start, end) => sliceTexts(texts, start, end) };
    }
    case 'amount':
      return amountValue(column.column, rounding?.digits ?? null);
    case 'ratio':
      return { kind: ratioKind, doubles: column.ratios };
    case 'missing':
      return nothing;
  }
}

/** Without the first entry, which is of the day before. */
function amountValue(column: AmountColumn, digits: number | null): RowValue {
  const parts = digits === null ? column.findParts() : undefined;
  if (parts !== undefined) return { kind: 'decimal', high: parts.high.subarray(1), low: parts.low.subarray(1) };
  const textAt = amountText(column, digits);
  return {
    kind: 'text',
    textsOf: (start, end) => encodeTexts(Array.from({ length: end - start }, (_, index) => textAt(start + index + 1))),
  };
}

const dateTextCache = new WeakMap<Int32Array, Texts>();

/** All segments of a report have the same days. */
function dateTexts(days: Int32Array): Texts {
  const cached = dateTextCache.get(days);
  if (cached !== undefined) return cached;
  const dates = encodeTexts(Array.from(days, fromDayNumber));
  dateTextCache.set(days, dates);
  return dates;
}
