// A line over time: value, return or drawdown, with an optional dashed second line and marked events.

import { greatestOf, leastOf } from '../../../kit/memory/long-list.ts';
import { scaleUtc } from 'd3-scale';
import { area, line } from 'd3-shape';
import type { Html } from '../../../kit/html.ts';
import { formatsOf, type Figure, type Formats } from '../language/formats.ts';
import type { Reader } from '../language/reader.ts';
import { tableTexts } from '../tables/table-texts.ts';
import type { Column, Row, Table } from '../tables/table.ts';
import { axisWriter, labelsBelow, valueAxis, valueScale, type Unit } from './axis.ts';
import { chartOf, frameRight, type Chart, type ChartInput, type Frame } from './chart.ts';
import { downSample, type Position } from './down-sample.ts';
import { element } from './svg.ts';

interface Point {
  readonly date: string;
  readonly value: string;
}

export interface LineChartInput extends ChartInput {
  /** The first line, and one to compare it with, which is dashed. Points by date, the earliest first. */
  readonly series: readonly { readonly title: string; readonly points: readonly Point[] }[];
  readonly unit?: Unit;
  readonly currency?: string;
  /** Fills the room below the first line. */
  readonly withArea?: boolean;
  /** The axis includes zero: for returns and drawdowns. */
  readonly fromZero?: boolean;
  /** Payments in and out, marked on the first line. */
  readonly events?: readonly { readonly date: string; readonly title: string }[];
  /** What the marks are, for the legend. */
  readonly eventsTitle?: string;
  readonly dateTitle: string;
}

interface Place {
  x(point: Position): number;
  y(point: Position): number;
}

const pointsMax: Readonly<Record<Frame['name'], number>> = { wide: 400, middle: 240, narrow: 160 };

/** Longer tables show month ends on the page. */
const rowsMax = 62;

export function lineChart(input: LineChartInput): Chart {
  const lines = input.series.map(({ title }, index) => ({ title, key: index === 0 ? 'line' : 'dashed' }) as const);
  const { events = [], eventsTitle } = input;
  const marked =
    events.length === 0 || eventsTitle === undefined ? [] : [{ title: eventsTitle, key: 'event' } as const];
  const table = lineTable(input);
  return chartOf(input, {
    draw: (frame) => drawLines(input, frame),
    legend: [...lines, ...marked],
    table,
    excerpt: monthEnds(table, input.reader),
  });
}

function drawLines(input: LineChartInput, frame: Frame): readonly Html[] {
  const { series, unit = 'money', withArea = false, fromZero = false, events = [], reader } = input;
  const formats = formatsOf(reader.locale);
  const lines = series.map(({ points }) => points.map(positionOf));
  const all = lines.flat();
  const y = valueScale(
    lines.flatMap((points) => extremesOf(points)),
    frame,
    fromZero,
  );
  const days = [
    leastOf(lines.map((points) => points[0]?.at ?? Infinity)),
    greatestOf(lines.map((points) => points.at(-1)?.at ?? -Infinity)),
  ];
  const axis = valueAxis(y, frame, axisWriter(unit, formats));
  if (all.length === 0) return axis.drawn;
  const x = scaleUtc(days, [axis.left, frame.width - frameRight]);
  const place: Place = { x: (point) => x(point.at), y: (point) => y(point.value) };
  const drawn = lines.map((points) => downSample(points, pointsMax[frame.name]));
  const path = line<Position>(place.x, place.y).digits(1);
  const filled = area<Position>(place.x, y(fromZero ? 0 : y.domain()[0]!), place.y).digits(1);
  const first = drawn[0] ?? [];
  return [
    ...(withArea ? [element('path', { class: 'area', d: filled(first) ?? '' })] : []),
    ...axis.drawn,
    ...labelsBelow(
      x.ticks(frame.ticks + 1).flatMap((day) => {
        const text = dayLabel(day, days, formats);
        return text === undefined ? [] : [{ x: x(day), text }];
      }),
      frame,
    ),
    ...drawn.slice(1).map((points) => element('path', { class: 'bench', d: path(points) ?? '' })),
    ...strokeOf(first, path(first) ?? '', place),
    ...events.flatMap(({ date, title }) => {
      const point = (lines[0] ?? []).find(({ at }) => at >= Date.parse(date));
      return point
        ? [
            element(
              'circle',
              { class: 'flow', cx: place.x(point), cy: place.y(point), r: 4 },
              element('title', {}, title),
            ),
          ]
        : [];
    }),
  ];
}

/** A single value has no line: a dot says where it is. */
function strokeOf(points: readonly Position[], d: string, place: Place): readonly Html[] {
  const [only] = points;
  if (only === undefined || points.length > 1) return [element('path', { class: 'stroke', d })];
  return [element('circle', { class: 'stroke', cx: place.x(only), cy: place.y(only), r: 4 })];
}

function positionOf({ date, value }: Point): Position {
  return { at: Date.parse(date), value: Number(value) };
}

function extremesOf(points: readonly Position[]): readonly number[] {
  if (points.length === 0) return [];
  return [
    points.reduce((low, { value }) => Math.min(low, value), Infinity),
    points.reduce((high, { value }) => Math.max(high, value), -Infinity),
  ];
}

const yearMs = 366 * 86_400_000;
const quarterMs = 92 * 86_400_000;

/** The year stands below its first day alone; over several years, the months between have no label. */
function dayLabel(day: Date, [start = 0, end = 0]: readonly number[], formats: Formats): string | undefined {
  const date = day.toISOString().slice(0, 10);
  if (date.endsWith('-01-01') && end - start > quarterMs) return date.slice(0, 4);
  if (end - start > 2 * yearMs) return undefined;
  return end - start > quarterMs ? formats.monthShort(date) : formats.dayMonth(date);
}

function lineTable({ id, title, series, unit = 'money', currency, dateTitle }: LineChartInput): Table {
  const dates = [...new Set(series.flatMap(({ points }) => points.map(({ date }) => date)))].toSorted();
  const values = series.map(({ points }) => new Map<string, Figure>(points.map(({ date, value }) => [date, value])));
  const columns = series.map(({ title }, index): Column => ({
    key: `series-${index}`,
    title,
    kind: unit,
    ...(currency !== undefined && { currency }),
  }));
  return {
    id: `${id}-table`,
    caption: title,
    columns: [{ key: 'date', title: dateTitle, kind: 'date' }, ...columns],
    rows: dates.map((date) => ({ cells: [{ value: date }, ...values.map((of) => ({ value: of.get(date) ?? null }))] })),
  };
}

/** The first row, the last of each month and the last, of a table by days that is too long to read. */
function monthEnds(table: Table, reader: Reader): { readonly table: Table; readonly remark: string } | undefined {
  const { rows } = table;
  if (rows.length <= rowsMax) return undefined;
  const monthOf = (row: Row | undefined): string | undefined => row?.cells[0]?.value?.slice(0, 7);
  const kept = rows.filter((row, index) => index === 0 || monthOf(row) !== monthOf(rows[index + 1]));
  const count = formatsOf(reader.locale).number(String(rows.length), 0);
  return { table: { ...table, rows: kept }, remark: tableTexts[reader.language].monthEnds(count) };
}
