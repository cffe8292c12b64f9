// Bars per year, month or name, side by side or stacked, up and down from zero, with an optional line over them.

import { scaleBand } from 'd3-scale';
import { line } from 'd3-shape';
import type { Html } from '../../../kit/html.ts';
import { formatsOf, type Figure } from '../language/formats.ts';
import type { Column, Table } from '../tables/table.ts';
import { axisWriter, labelsBelow, valueAxis, valueScale, type Unit } from './axis.ts';
import { chartOf, frameRight, type Chart, type ChartInput, type Frame } from './chart.ts';
import { partClasses, partFill, type PartClass } from './patterns.ts';
import { element } from './svg.ts';

interface BarSeries {
  readonly title: string;
  /** In the order of the groups. */
  readonly values: readonly Figure[];
}

export interface BarChartInput extends ChartInput {
  /** What stands below the bars. */
  readonly groups: readonly string[];
  readonly groupTitle: string;
  /** At most five. A single one is coloured by its sign. */
  readonly series: readonly BarSeries[];
  readonly arrangement?: 'grouped' | 'stacked';
  /** Drawn over the bars: the sum so far of a J-curve. */
  readonly line?: BarSeries;
  readonly unit?: Unit;
  readonly currency?: string;
}

interface Bar {
  readonly group: number;
  readonly series: number;
  readonly from: number;
  readonly to: number;
}

export function barChart(input: BarChartInput): Chart {
  const legend = input.series.map(({ title }, index) => ({ title, key: partOf(index) }));
  const over = input.line ? [{ title: input.line.title, key: 'over' } as const] : [];
  return chartOf(input, {
    draw: (frame) => drawBars(input, frame),
    legend: [...legend, ...over],
    table: barTable(input),
    hasPatterns: input.series.length > 1 || input.line !== undefined,
  });
}

function drawBars(input: BarChartInput, frame: Frame): readonly Html[] {
  const { groups, series, arrangement = 'grouped', unit = 'money', reader } = input;
  const bars = arrangement === 'stacked' ? stackedBars(input) : groupedBars(input);
  const over = (input.line?.values ?? []).flatMap((value, group) =>
    value === null ? [] : [{ group, value: Number(value) }],
  );
  const y = valueScale([...bars.flatMap(({ from, to }) => [from, to]), ...over.map(({ value }) => value)], frame, true);
  const axis = valueAxis(y, frame, axisWriter(unit, formatsOf(reader.locale)));
  const band = scaleBand(groups.keys(), [axis.left, frame.width - frameRight])
    .paddingInner(0.4)
    .paddingOuter(0.2);
  const parts = arrangement === 'stacked' ? 1 : Math.max(series.length, 1);
  const width = band.bandwidth() / parts;
  const startOf = (group: number): number => band(group) ?? axis.left;
  const middle = (group: number): number => startOf(group) + band.bandwidth() / 2;
  const drawn = bars.map((bar) =>
    element('rect', {
      ...(series.length === 1 && !input.line ? { class: toneOf(bar) } : partFill(input.id, partOf(bar.series))),
      x: startOf(bar.group) + (parts === 1 ? 0 : bar.series * width),
      width,
      y: Math.min(y(bar.from), y(bar.to)),
      height: Math.abs(y(bar.from) - y(bar.to)),
    }),
  );
  const path = line<{ group: number; value: number }>(
    (point) => middle(point.group),
    (point) => y(point.value),
  ).digits(1);
  return [
    ...axis.drawn,
    ...drawn,
    ...(over.length === 0
      ? []
      : ['around', 'over'].map((name) => element('path', { class: name, d: path(over) ?? '' }))),
    ...labelsBelow(
      groups.map((text, group) => ({ x: middle(group), text })),
      frame,
    ),
  ];
}

function partOf(series: number): PartClass {
  return partClasses[series] ?? 'rest';
}

function toneOf({ to }: Bar): string {
  return to < 0 ? 'down' : 'up';
}

function groupedBars({ series }: BarChartInput): readonly Bar[] {
  return series.flatMap(({ values }, index) =>
    values.flatMap((value, group) => (value === null ? [] : [{ group, series: index, from: 0, to: Number(value) }])),
  );
}

/** What is positive piles up, what is negative piles down. */
function stackedBars({ groups, series }: BarChartInput): readonly Bar[] {
  return groups.flatMap((_, group) => {
    let [above, below] = [0, 0];
    return series.flatMap(({ values }, index) => {
      const value = Number(values[group] ?? 0);
      const from = value < 0 ? below : above;
      if (value < 0) below += value;
      else above += value;
      return value === 0 ? [] : [{ group, series: index, from, to: from + value }];
    });
  });
}

function barTable({ id, title, groups, groupTitle, series, line, unit = 'money', currency }: BarChartInput): Table {
  const all = line ? [...series, line] : series;
  const columns = all.map(({ title }, index): Column => ({
    key: `series-${index}`,
    title,
    kind: unit,
    ...(unit === 'number' ? { digits: 0 } : {}),
    ...(currency !== undefined && { currency }),
  }));
  return {
    id: `${id}-table`,
    caption: title,
    columns: [{ key: 'group', title: groupTitle, kind: 'text' }, ...columns],
    rows: groups.map((value, group) => ({
      cells: [{ value }, ...all.map(({ values }) => ({ value: values[group] ?? null }))],
    })),
  };
}
