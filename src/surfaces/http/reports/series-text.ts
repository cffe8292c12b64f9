// Writes daily figures from their columns as JSON or CSV, without an object for each day. The bytes are the same as those of the kinds.

import { keysOf } from '../../../kit/keys.ts';
import { fromDayNumber } from '../../../kit/calendar-date.ts';
import { doubleText } from '../../../kit/decimal.ts';
import type { Kind, WritingStyle } from '../../../kit/field.ts';
import { type Member, objectOf } from '../../../kit/structured-field.ts';
import { snakeCase } from '../../../kit/resource.ts';
import { amountFormatter } from '../../../engine/amounts/amount-text.ts';
import type { FigureColumn, FigureSeries } from '../../../actions/reports/segments/segment-series.ts';
import type { PointFigure } from '../../../model/report/performance.ts';

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

/** How many points a piece of text contains. */
const pointsPerChunk = 250;

/** Writes the same array as `pointList`. */
export function* seriesJson(series: FigureSeries, members: PointMembers, style: WritingStyle): Generator<string> {
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
  const writers = figureNames(members).map((figure, position) => {
    return { before: position === 0 ? '' : ',', write: textWriter(series.column(figure), style) };
  });
  return pointTexts(series.length, writers, { before, between: '', after: '\r\n' });
}

interface JsonDelimiters extends PointDelimiters {
  readonly style: WritingStyle;
}

/** Puts the closing quote of a text before the name of the next member, so that no figure is copied to add quotes. */
function jsonPoints(
  series: FigureSeries,
  members: PointMembers,
  { style, ...delimiters }: JsonDelimiters,
): Iterable<string> {
  let end = '';
  const writers = figureNames(members).map((figure, position): MemberWriter => {
    const name = style.names === 'camel' ? figure : snakeCase(figure);
    const column = series.column(figure);
    const isText = style.decimals === 'string' || column.kind === 'date';
    const quote = isText && column.kind !== 'missing' ? '"' : '';
    const before = `${end}${position === 0 ? '' : ','}"${name}":${quote}`;
    end = quote;
    return { before, write: quote === '' ? numberWriter(column, style) : textWriter(column, style) };
  });
  return pointTexts(series.length, writers, {
    before: `{${delimiters.before}`,
    between: delimiters.between,
    after: `${end}}${delimiters.after}`,
  });
}

interface MemberWriter {
  readonly before: string;
  readonly write: TextAt;
}

interface PointDelimiters {
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

function* pointTexts(
  length: number,
  writers: readonly MemberWriter[],
  { before, between, after }: PointDelimiters,
): Generator<string> {
  for (let start = 0; start < length; start += pointsPerChunk) {
    const end = Math.min(start + pointsPerChunk, length);
    let text = '';
    for (let index = start; index < end; index++) {
      text += index === 0 ? before : between + before;
      for (const writer of writers) text += writer.before + writer.write(index);
      text += after;
    }
    yield text;
  }
}

type TextAt = (index: number) => string;

/** JSON has no infinity, so it becomes null. */
function numberWriter(column: FigureColumn, style: WritingStyle): TextAt {
  if (column.kind === 'missing') return () => 'null';
  if (column.kind !== 'ratio') return textWriter(column, style);
  const { ratios } = column;
  return (index) => (Number.isFinite(ratios[index]!) ? String(ratios[index]!) : 'null');
}

function textWriter(column: FigureColumn, { rounding }: WritingStyle): TextAt {
  switch (column.kind) {
    case 'date': {
      const dates = dateTexts(column.days);
      return (index) => dates[index]!;
    }
    case 'amount': {
      const texts = amountFormatter(column.column, rounding?.digits);
      return (index) => texts(index + 1);
    }
    case 'ratio': {
      const { ratios } = column;
      return (index) => doubleText(ratios[index]!);
    }
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
