// Tests that charts are well-formed, stay inside their drawing, are small, and are the same bytes for the same values.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Reader } from '../language/reader.ts';
import { barChart } from './bar-chart.ts';
import { downSample } from './down-sample.ts';
import { headroomBar } from './headroom-bar.ts';
import { lineChart } from './line-chart.ts';
import { shareBar } from './share-bar.ts';

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

/** Tags that do not close, and coordinates outside of the drawing. */
function faultsOf(chart: string): readonly string[] {
  const faults: string[] = [];
  for (const [svg, width = '', height = ''] of chart.matchAll(/<svg[^>]*viewBox="0 0 (\d+) (\d+)".*?<\/svg>/gs)) {
    const open: string[] = [];
    for (const [tag, slash, name = '', attributes = ''] of svg.matchAll(/<(\/?)(\w+)([^>]*)>/g)) {
      if (slash === '/') {
        if (open.pop() !== name) faults.push(`unbalanced ${tag}`);
      } else if (!attributes.endsWith('/')) open.push(name);
      const [, x] = /\s(?:x|x1|x2|cx)="([^"]*)"/.exec(attributes) ?? [];
      const [, y] = /\s(?:y|y1|y2|cy)="([^"]*)"/.exec(attributes) ?? [];
      if (isOutside(x, width) || isOutside(y, height)) faults.push(tag);
      const [, path = ''] = /\sd="([^"]*)"/.exec(attributes) ?? [];
      for (const [, px, py] of path.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)) {
        if (isOutside(px, width) || isOutside(py, height)) faults.push(`${px},${py}`);
      }
    }
    if (/NaN|Infinity/.test(svg)) faults.push('not a number');
    if (open.length > 0) faults.push(`open ${open.join()}`);
  }
  return faults;
}

function isOutside(position: string | undefined, size: string): boolean {
  return position !== undefined && !(Number(position) >= 0 && Number(position) <= Number(size) + 0.1);
}
