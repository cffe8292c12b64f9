// Writes daily figures from their columns as JSON or CSV, without an object for each day. The bytes are the same as those of the kinds.

import { AsciiTexts, asciiTarget, putText, type AsciiTarget, type PutAscii } from '../../../kit/text/ascii.ts';
import { keysOf } from '../../../kit/keys.ts';
import { fromDayNumber } from '../../../kit/calendar-date.ts';
import { doubleText } from '../../../kit/decimal.ts';
import type { Kind, WritingStyle } from '../../../kit/field.ts';
import { type Member, objectOf } from '../../../kit/structured-field.ts';
import { snakeCase } from '../../../kit/resource.ts';
import { amountWriter } from '../../../engine/amounts/amount-text.ts';
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

/** How many points a piece of text contains. */
const pointsPerChunk = 250;

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
): Iterable<Uint8Array> {
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
  readonly write: PutAscii;
}

interface PointDelimiters {
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

/** No double and no amount has a longer text. */
const valueLengthMax = 400;
/** Texts are written in whole words. */
const wordLength = 8;

/** What points are written to. All series share it: whoever takes them has copied them before the next are written. */
let scratch = bufferTarget(0);

function bufferTarget(length: number): AsciiTarget & { readonly bytes: Buffer } {
  const { bytes, view } = asciiTarget(length);
  return { bytes: Buffer.from(bytes.buffer), view };
}

function roomFor(length: number): AsciiTarget {
  if (scratch.bytes.length < length) scratch = bufferTarget(length);
  return scratch;
}

function* pointTexts(
  length: number,
  members: readonly MemberWriter[],
  { before, between, after }: PointDelimiters,
): Generator<Uint8Array> {
  const starts = members.map((member, position) => (position === 0 ? before + member.before : member.before));
  const row: PointRow = {
    writers: members.map(({ write }) => write),
    starts: starts.map((text) => new AsciiTexts([Buffer.from(text)])),
    // A point ends with what is between it and the next one.
    end: new AsciiTexts([Buffer.from(after + between)]),
  };
  const fixed = Buffer.byteLength(starts.join('') + after + between);
  const pointLengthMax = fixed + members.length * valueLengthMax;
  for (let start = 0; start < length; start += pointsPerChunk) {
    const end = Math.min(start + pointsPerChunk, length);
    const target = roomFor((end - start) * pointLengthMax + wordLength);
    const written = putPoints({ start, end }, row, target) - (end === length ? between.length : 0);
    yield scratch.bytes.subarray(0, written);
  }
}

interface PointRow {
  readonly starts: readonly AsciiTexts[];
  readonly writers: readonly PutAscii[];
  readonly end: AsciiTexts;
}

/** Returns how many bytes it wrote. */
function putPoints(
  { start, end }: { readonly start: number; readonly end: number },
  { starts, writers, end: pointEnd }: PointRow,
  target: AsciiTarget,
): number {
  let at = 0;
  for (let index = start; index < end; index++) {
    for (let position = 0; position < writers.length; position++) {
      at = writers[position]!(index, target, starts[position]!.put(0, target, at));
    }
    at = pointEnd.put(0, target, at);
  }
  return at;
}

/** JSON has no infinity, so it becomes null. */
function numberWriter(column: FigureColumn, style: WritingStyle): PutAscii {
  if (column.kind === 'missing') return (_index, target, at) => putText('null', target, at);
  if (column.kind !== 'ratio') return textWriter(column, style);
  return ratioWriter(column.ratios, (ratio) => (Number.isFinite(ratio) ? String(ratio) : 'null'));
}

function textWriter(column: FigureColumn, { rounding }: WritingStyle): PutAscii {
  switch (column.kind) {
    case 'date': {
      const dates = dateTexts(column.days);
      return (index, target, at) => dates.put(index, target, at);
    }
    case 'amount': {
      const write = amountWriter(column.column, rounding?.digits);
      return (index, target, at) => write(index + 1, target, at);
    }
    case 'ratio':
      return ratioWriter(column.ratios, doubleText);
    case 'missing':
      return (_index, _target, at) => at;
  }
}

/** Figures stay the same over weekends, and writing a double is the longest part of a day. */
function ratioWriter(ratios: Float64Array, toText: (ratio: number) => string): PutAscii {
  let last = Number.NaN;
  let text = '';
  return (index, _target, at) => {
    const ratio = ratios[index]!;
    if (ratio !== last) {
      last = ratio;
      text = toText(ratio);
    }
    // Faster than character by character.
    return at + scratch.bytes.write(text, at, 'latin1');
  };
}

const dateTextCache = new WeakMap<Int32Array, AsciiTexts>();

/** All segments of a report have the same days. */
function dateTexts(days: Int32Array): AsciiTexts {
  const cached = dateTextCache.get(days);
  if (cached !== undefined) return cached;
  const dates = new AsciiTexts(Array.from(days, (day) => Buffer.from(fromDayNumber(day))));
  dateTextCache.set(days, dates);
  return dates;
}
