// Tests that charts are well-formed, stay inside their drawing, are small, and are the same bytes for the same values.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Reader } from '../language/reader.ts';
import { barChart } from './bar-chart.ts';
import { downSample } from './down-sample.ts';
import { headroomBar } from './headroom-bar.ts';
import { lineChart } from './line-chart.ts';
import { shareBar } from './share-bar.ts';
import { textWidth } from './text-width.ts';

const reader: Reader = { language: 'en', locale: 'en-GB' };
const common = { id: 'c', title: 'Value <&>', description: 'From low to high.', reader };
const values = fc.array(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map(String), { maxLength: 30 });

function dayOf(index: number): string {
  return new Date(Date.UTC(2016, 0, 1 + index)).toISOString().slice(0, 10);
}

function chartsOf(figures: readonly string[]): readonly string[] {
  const points = figures.map((value, index) => ({ date: dayOf(index * 20), value }));
  const groups = figures.map((_, index) => String(2000 + index));
  const series = [{ title: 'Income', values: figures }];
  const words = { value: 'Value', min: 'Min', max: 'Max', headroom: 'Room' };
  return [
    lineChart({
      ...common,
      dateTitle: 'Day',
      withArea: true,
      series: [
        { title: 'Value', points },
        { title: 'Index', points },
      ],
    }),
    barChart({ ...common, groups, groupTitle: 'Year', series }),
    barChart({
      ...common,
      groups,
      groupTitle: 'Year',
      series: [...series, ...series],
      arrangement: 'stacked',
      line: series[0]!,
    }),
    shareBar({
      ...common,
      parts: figures.map((share) => ({ title: 'Part', share })),
      restTitle: 'Rest',
      nameTitle: 'Name',
      shareTitle: 'Share',
    }),
    headroomBar({
      ...common,
      value: figures[0] ?? '0',
      min: figures[1] ?? null,
      max: figures[2] ?? null,
      headroom: null,
      words,
    }),
  ].map(({ figure }) => figure.text);
}

test('charts are well-formed, inside their drawing, and the same for the same values', () => {
  fc.assert(
    fc.property(values, (figures) => {
      const charts = chartsOf(figures);
      expect(chartsOf(figures)).toEqual(charts);
      for (const chart of charts) expect(faultsOf(chart)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

/** What the labels below a line over so many days are. */
function labelsOver(days: number): 'years' | 'months' | 'days' {
  const points = [0, days].map((index) => ({ date: dayOf(index), value: '1' }));
  const { figure } = lineChart({ ...common, dateTitle: 'Day', series: [{ title: 'Value', points }] });
  const words = [...figure.text.matchAll(/>([^<>]+)<\/text>/g)].map(([, label = '']) => label).filter(isWorded);
  if (words.length === 0) return 'years';
  return words.every((label) => /^\d/.test(label)) ? 'days' : 'months';
}

const isWorded = (label: string): boolean => /[a-z]/i.test(label);

test.each([
  [92, 'days'],
  [93, 'months'],
  [732, 'months'],
  [733, 'years'],
])('a line over %i days is labelled with %s', (days, expected) => {
  expect(labelsOver(days)).toBe(expected);
});

test.each([94, 200, 366, 500, 733, 800, 1_100, 1_300, 1_461, 2_000, 5_000])(
  'a line over %i days has no label twice in a row',
  (days) => {
    for (const first of [0, 45, 170, 300]) {
      const points = [first, first + days].map((index) => ({ date: dayOf(index), value: '1' }));
      const { figure } = lineChart({ ...common, dateTitle: 'Day', series: [{ title: 'Value', points }] });
      for (const [drawing] of figure.text.matchAll(/<svg[^]*?<\/svg>/g)) {
        const below = [...drawing.matchAll(/text-anchor="middle"[^>]*>([^<>]+)<\/text>/g)].map(([, label]) => label);
        expect(below.length).toBeGreaterThan(0);
        expect(below.filter((label, index) => label === below[index + 1])).toEqual([]);
      }
    }
  },
);

test('ten years of days are drawn with few points, and no extreme is lost', () => {
  const points = Array.from({ length: 3650 }, (_, at) => ({
    at,
    value: at === 1234 ? 9e9 : at === 2345 ? -9e9 : Math.sin(at),
  }));
  const kept = downSample(points, 400);
  expect(kept.length).toBeLessThanOrEqual(400);
  expect(kept).toContain(points[1234]);
  expect(kept).toContain(points[2345]);
  expect([kept[0], kept.at(-1)]).toEqual([points[0], points.at(-1)]);
});

test('a table of more than 62 days shows the first, month ends and the last on the page; its files have all', () => {
  const points = Array.from({ length: 3650 }, (_, index) => ({ date: dayOf(index + 4), value: '1' }));
  const chartOfDays = (count: number) =>
    lineChart({ ...common, dateTitle: 'Day', series: [{ title: 'Value', points: points.slice(0, count) }] });
  const days = ({ figure }: ReturnType<typeof chartOfDays>): readonly (string | undefined)[] =>
    [...figure.text.matchAll(/<th scope="row"[^>]*>\s*([^<]*?)\s*<\/th>/g)].map(([, day]) => day);
  expect(days(chartOfDays(62))).toHaveLength(62);
  expect(days(chartOfDays(63))).toEqual(['5 Jan 2016', '31 Jan 2016', '29 Feb 2016', '7 Mar 2016']);
  expect(chartOfDays(63).figure.text).toContain('The first day, month ends and the last day of 63 days.');
  // 120 month ends of 2016 to 2025, the 5 January 2016 and the 1 January 2026.
  expect(days(chartOfDays(3650))).toHaveLength(122);
  expect(chartOfDays(3650).table.rows).toHaveLength(3650);
});

test.each(['grouped', 'stacked'] as const)(
  'what is written below a group, and a line over it, is at the middle of its %s bars',
  (arrangement) => {
    const series = ['Income', 'Costs'].map((title) => ({ title, values: ['5', '4', '3'] }));
    const line = { title: 'Net', values: ['1', '2', '3'] };
    const { figure } = barChart({ ...common, groups: ['A', 'B', 'C'], groupTitle: 'Year', series, arrangement, line });
    const drawing = /<svg class="wide".*?<\/svg>/s.exec(figure.text)?.[0] ?? '';
    const bars = [...drawing.matchAll(/<rect [^>]*x="([\d.]+)" width="([\d.]+)"/g)]
      .map(([, x, width]) => ({ from: Number(x), to: Number(x) + Number(width) }))
      .toSorted((one, other) => one.from - other.from);
    expect(bars).toHaveLength(6);
    const middles = [0, 2, 4].map((first) => (bars[first]!.from + bars[first + 1]!.to) / 2);
    const labels = [...drawing.matchAll(/<text x="([\d.]+)"[^>]*text-anchor="middle"[^>]*>[ABC]</g)].map(([, x]) =>
      Number(x),
    );
    const [, path = ''] = /<path class="over" d="([^"]*)"/.exec(drawing) ?? [];
    const points = [...path.matchAll(/[ML]([\d.]+),/g)].map(([, x]) => Number(x));
    for (const places of [labels, points]) {
      expect(places).toHaveLength(3);
      for (const [group, middle] of middles.entries()) expect(places[group]).toBeCloseTo(middle, 0);
    }
  },
);

test('a group without a value of one series has the next at zero, and nothing drawn for the one that is missing', () => {
  const series = [
    { title: 'Income', values: ['5', null] },
    { title: 'Costs', values: ['2', '4'] },
  ];
  const { figure } = barChart({ ...common, groups: ['A', 'B'], groupTitle: 'Year', series, arrangement: 'stacked' });
  const drawing = /<svg class="wide".*?<\/svg>/s.exec(figure.text)?.[0] ?? '';
  const zero = Number(/<line class="grid zero"[^>]* y1="([\d.]+)"/.exec(drawing)?.[1]);
  const bars = [...drawing.matchAll(/<rect [^>]*x="[\d.]+" width="[\d.]+" y="([\d.]+)" height="([\d.]+)"/g)].map(
    ([, y, height]) => [Number(height), zero - Number(y) - Number(height)],
  );
  const [scale = 0] = bars[0]!.map((height) => height / 5);
  const expected = [
    [5, 0],
    [2, 5],
    [4, 0],
  ];
  expect(bars).toHaveLength(3);
  for (const [index, bar] of bars.entries()) {
    for (const [at, length] of bar.entries()) expect(length).toBeCloseTo(expected[index]![at]! * scale, 0);
  }
});

test('a chart of one series needs no legend, one of two has it', () => {
  const legendOf = (count: number): readonly unknown[] => {
    const series = ['Income', 'Costs'].slice(0, count).map((title) => ({ title, values: ['5'] }));
    const { figure } = barChart({ ...common, groups: ['2026'], groupTitle: 'Year', series });
    const [, legend = ''] = /<ul class="legend">(.*?)<\/ul>/s.exec(figure.text) ?? [];
    return legend.match(/Income|Costs/g) ?? [];
  };
  expect([legendOf(1), legendOf(2)]).toEqual([[], ['Income', 'Costs']]);
});

test('bars and shares of one chart are told apart without colour', () => {
  const figures = ['5', '4', '3', '2', '1', '1'];
  const series = figures.slice(0, 5).map((value) => ({ title: 'Income', values: [value] }));
  const shares = figures.map((share) => ({ title: 'Part', share }));
  const charts = [
    barChart({ ...common, groups: ['2026'], groupTitle: 'Year', series }),
    barChart({ ...common, groups: ['2026'], groupTitle: 'Year', series, arrangement: 'stacked' }),
    shareBar({ ...common, parts: shares, restTitle: 'Rest', nameTitle: 'Name', shareTitle: 'Share' }),
  ].map(({ figure }) => figure.text);
  expect(charts.map((chart) => looksOf(chart).size)).toEqual([5, 5, 6]);
});

/** How the rectangles of a chart look when all colours are the same. */
function looksOf(chart: string): ReadonlySet<string> {
  const patterns = new Map(
    [...chart.matchAll(/<pattern id="([^"]*)"([^>]*)>(.*?)<\/pattern>/gs)].map(([, id, turn, marks]) => [
      `url(#${id})`,
      `${turn} ${marks}`.replaceAll(/class="c\d"/g, ''),
    ]),
  );
  const drawing = /<svg class="wide".*?<\/svg>/s.exec(chart)?.[0] ?? '';
  return new Set(
    [...drawing.matchAll(/<rect class="(\w+)"(?: fill="([^"]*)")?/g)].map(([, name = '', fill = '']) =>
      name === 'rest' ? 'dashed' : (patterns.get(fill) ?? 'plain'),
    ),
  );
}

/** The largest letters of each drawing, as the style sheet sets them. */
const fontSizes: Readonly<Record<string, number>> = { narrow: 16.1, middle: 14.3, wide: 14.2 };

/** Tags that do not close, and shapes and letters that leave the drawing. */
function faultsOf(chart: string): readonly string[] {
  const faults: string[] = [];
  for (const [svg, name = '', width, height] of chart.matchAll(
    /<svg class="(\w+)" viewBox="0 0 (\d+) (\d+)" role.*?<\/svg>/gs,
  )) {
    const open: string[] = [];
    for (const [tag, slash, element = '', attributes = '', content = ''] of svg.matchAll(
      /<(\/?)(\w+)([^>]*)>([^<]*)/g,
    )) {
      if (slash === '/') {
        if (open.pop() !== element) faults.push(`unbalanced ${tag}`);
      } else if (!attributes.endsWith('/')) open.push(element);
      const [across, down] = extentOf(attributes, { text: element === 'text' ? content : '', drawing: name });
      if (isOutside(across, Number(width)) || isOutside(down, Number(height))) faults.push(tag);
    }
    if (/NaN|Infinity/.test(svg)) faults.push('not a number');
    if (open.length > 0) faults.push(`open ${open.join()}`);
  }
  return faults;
}

type Extent = readonly (readonly number[])[];

/** All positions across and down that a shape or text reaches. */
function extentOf(attributes: string, { text, drawing }: { text: string; drawing: string }): Extent {
  const read = (name: string): readonly number[] =>
    [...attributes.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value]) => Number(value));
  const path = [...attributes.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)];
  const [radius = 0] = read('r');
  const [x = 0] = read('x');
  const [y = 0] = read('y');
  const around = (at: number): readonly number[] => [at - radius, at + radius];
  const across = [...read('x1'), ...read('x2'), ...read('cx').flatMap(around), ...path.map(([, px]) => Number(px))];
  const down = [...read('y1'), ...read('y2'), ...read('cy').flatMap(around), ...path.map(([, , py]) => Number(py))];
  if (text !== '') {
    const fontSize = fontSizes[drawing] ?? 0;
    const length = textWidth(text, fontSize);
    const start = x - length * ({ end: 1, middle: 0.5 }[/text-anchor="(end|middle)"/.exec(attributes)?.[1] ?? ''] ?? 0);
    return [
      [start, start + length],
      [y - 0.95 * fontSize, y + 0.25 * fontSize],
    ];
  }
  return [
    [...across, x, ...read('width').map((size) => x + size)],
    [...down, y, ...read('height').map((size) => y + size)],
  ];
}

function isOutside(positions: readonly number[] = [], size: number): boolean {
  return positions.some((position) => !(position >= -0.1 && position <= size + 0.1));
}
