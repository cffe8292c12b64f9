// Figures day by day as text, from their columns to JSON or CSV without an object for a day: to the byte what the shapes would give.
// Knows no report.

import { fromDayNumber } from '../../../kit/calendar-date.ts';
import { ratioText, objectOf, type Shape, type ShapeMember, type WritingStyle } from '../../../kit/shape.ts';
import { snakeCase } from '../../../kit/resource.ts';
import { amountTexts } from '../../../engine/amounts/amount-text.ts';
import type { FigureColumn, FigureSeries } from '../../../actions/reports/segments/segment-series.ts';
import type { PointFigure } from '../../../model/report/performance.ts';

/** What each day is told by, in this order. */
export type PointMembers = Readonly<Partial<Record<PointFigure, ShapeMember<any>>>>;

/** A series as an array of points, each an object: for what is short, and for the schema. */
export function pointList(members: PointMembers): Shape<FigureSeries> {
  const point = objectOf(members as Readonly<Record<string, ShapeMember<any>>>);
  return {
    write(series, style) {
      const columns = figuresOf(members).map((figure) => [figure, series.column(figure)] as const);
      return Array.from({ length: series.length }, (_, index) => {
        return point.write(Object.fromEntries(columns.map(([name, column]) => [name, valueAt(column, index)])), style);
      });
    },
    schema: (style) => ({ type: 'array', items: point.schema(style) }),
  };
}

export function figuresOf(members: PointMembers): PointFigure[] {
  return Object.keys(members) as PointFigure[];
}

function valueAt(column: FigureColumn, index: number): unknown {
  switch (column.kind) {
    case 'date':
      return column.days[index]!;
    case 'amount':
      return column.column.at(index + 1);
    case 'ratio':
      return column.ratios[index]!;
  }
}

/** After so many points a piece of text ends. */
const pointsPerPiece = 250;

/** The array that `pointList` would give, written. */
export function* seriesJson(series: FigureSeries, members: PointMembers, style: WritingStyle): Generator<string> {
  yield '[';
  yield* jsonPoints(series, members, { style, before: '', between: ',', after: '' });
  yield ']';
}

/** One object on a line of its own for each day; `before` are its first members, with a comma after them. */
export function seriesJsonLines(
  series: FigureSeries,
  members: PointMembers,
  { style, before }: { readonly style: WritingStyle; readonly before: string },
): Iterable<string> {
  return jsonPoints(series, members, { style, before, between: '', after: '\n' });
}

/** One line of CSV for each day; `before` are its first fields, with a comma after them. */
export function seriesCsvLines(series: FigureSeries, members: PointMembers, before: string): Iterable<string> {
  const writers = figuresOf(members).map((figure, place) => {
    return { before: place === 0 ? '' : ',', write: textOf(series.column(figure)) };
  });
  return pointTexts(series.length, writers, { before, between: '', after: '\r\n' });
}

interface JsonFrame extends PointFrame {
  readonly style: WritingStyle;
}

/** The quote that ends a text stands before the name of the next member: so a figure is not copied for its quotes. */
function jsonPoints(series: FigureSeries, members: PointMembers, { style, ...frame }: JsonFrame): Iterable<string> {
  let end = '';
  const writers = figuresOf(members).map((figure, place): MemberWriter => {
    const name = style.names === 'camel' ? figure : snakeCase(figure);
    const column = series.column(figure);
    const quote = style.decimals === 'string' || column.kind === 'date' ? '"' : '';
    const before = `${end}${place === 0 ? '' : ','}"${name}":${quote}`;
    end = quote;
    return { before, write: quote === '' ? numberOf(column) : textOf(column) };
  });
  return pointTexts(series.length, writers, {
    before: `{${frame.before}`,
    between: frame.between,
    after: `${end}}${frame.after}`,
  });
}

interface MemberWriter {
  readonly before: string;
  readonly write: TextAt;
}

interface PointFrame {
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

function* pointTexts(
  length: number,
  writers: readonly MemberWriter[],
  { before, between, after }: PointFrame,
): Generator<string> {
  for (let start = 0; start < length; start += pointsPerPiece) {
    const end = Math.min(start + pointsPerPiece, length);
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

/** JSON has no word for what is larger than a double. */
function numberOf(column: FigureColumn): TextAt {
  if (column.kind !== 'ratio') return textOf(column);
  const { ratios } = column;
  return (index) => (Number.isFinite(ratios[index]!) ? String(ratios[index]!) : 'null');
}

function textOf(column: FigureColumn): TextAt {
  switch (column.kind) {
    case 'date': {
      const dates = datesOf(column.days);
      return (index) => dates[index]!;
    }
    case 'amount': {
      const texts = amountTexts(column.column);
      return (index) => texts(index + 1);
    }
    case 'ratio': {
      const { ratios } = column;
      return (index) => ratioText(ratios[index]!);
    }
  }
}

const knownDates = new WeakMap<Int32Array, readonly string[]>();

/** All segments of a report have the same days. */
function datesOf(days: Int32Array): readonly string[] {
  const known = knownDates.get(days);
  if (known !== undefined) return known;
  const dates = Array.from(days, fromDayNumber);
  knownDates.set(days, dates);
  return dates;
}
