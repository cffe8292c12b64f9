// Writes daily figures from their columns as JSON or CSV, without an object for each day. The bytes are the same as those of the kinds.

import { keysOf } from '../../../kit/keys.ts';
import { fromDayNumber } from '../../../kit/calendar-date.ts';
import type { Kind, WritingStyle } from '../../../kit/field.ts';
import { type Member, objectOf } from '../../../kit/structured-field.ts';
import { snakeCase } from '../../../kit/resource.ts';
import { amountText } from '../../../engine/amounts/amount-text.ts';
import { exactRatioText } from '../../../engine/amounts/ratio-text.ts';
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
): Iterable<string> {
  return jsonPoints(series, members, { style, before, between: '', after: '\n' });
}

/** Writes one line of CSV for each day; `before` contains its first fields, followed by a comma. */
export function seriesCsvLines(
  series: FigureSeries,
  members: PointMembers,
  { style, before }: { readonly style: WritingStyle; readonly before: string },
): Iterable<string> {
  const fields = figureNames(members).map((figure, position) => ({
    before: position === 0 ? before : ',',
    textAt: columnText(series.column(figure), style, exactRatioText),
  }));
  return inPieces(series.length, (index) => `${rowText(fields, index)}\r\n`);
}

interface JsonDelimiters {
  readonly style: WritingStyle;
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

function jsonPoints(
  series: FigureSeries,
  members: PointMembers,
  { style, before, between, after }: JsonDelimiters,
): Iterable<string> {
  const fields = figureNames(members).map((figure, position): RowField => {
    const name = style.names === 'camel' ? figure : snakeCase(figure);
    const column = series.column(figure);
    const start = `${position === 0 ? `{${before}` : ','}"${name}":`;
    if (column.kind === 'missing') return { before: start, textAt: () => 'null' };
    if (style.decimals === 'number' && column.kind !== 'date')
      return { before: start, textAt: columnText(column, style, JSON.stringify) };
    const textAt = columnText(column, style, exactRatioText);
    return { before: start, textAt: (index) => `"${textAt(index)}"` };
  });
  return inPieces(series.length, (index) => `${index === 0 ? '' : between}${rowText(fields, index)}}${after}`);
}

/** A text that stays the same, and a value of each row. */
interface RowField {
  readonly before: string;
  readonly textAt: (index: number) => string;
}

function rowText(fields: readonly RowField[], index: number): string {
  let text = '';
  for (const { before, textAt } of fields) text += before + textAt(index);
  return text;
}

/** Others may compute between the pieces. */
const rowsPerPiece = 100;

function* inPieces(length: number, rowAt: (index: number) => string): Generator<string> {
  for (let start = 0; start < length; start += rowsPerPiece) {
    let piece = '';
    for (let index = start; index < Math.min(start + rowsPerPiece, length); index++) piece += rowAt(index);
    yield piece;
  }
}

function columnText(
  column: FigureColumn,
  { rounding }: WritingStyle,
  ratioText: (ratio: number) => string,
): (index: number) => string {
  switch (column.kind) {
    case 'date': {
      const texts = dateTexts(column.days);
      return (index) => texts[index]!;
    }
    case 'amount': {
      // The first entry is of the day before.
      const textAt = amountText(column.column, rounding?.digits ?? null);
      return (index) => textAt(index + 1);
    }
    case 'ratio':
      return (index) => ratioText(column.ratios[index]!);
    case 'missing':
      return () => '';
  }
}

const dateTextCache = new WeakMap<Int32Array, readonly string[]>();

/** All segments of a report have the same days. */
function dateTexts(days: Int32Array): readonly string[] {
  const cached = dateTextCache.get(days);
  if (cached !== undefined) return cached;
  const dates = Array.from(days, fromDayNumber);
  dateTextCache.set(days, dates);
  return dates;
}
