// Tests that a chart's file stands alone: well-formed, with its title, its legend and its own colours.

import { expect, test } from 'vitest';
import type { Reader } from '../language/reader.ts';
import { barChart } from './bar-chart.ts';
import { lineChart } from './line-chart.ts';

const reader: Reader = { language: 'en', locale: 'en-GB' };
const common = { id: 'c', title: 'Value <&>', description: 'From low to high.', reader };
const points = [
  { date: '2026-01-01', value: '1' },
  { date: '2026-06-30', value: '2' },
];

function unbalanced(svg: string): readonly string[] {
  const open: string[] = [];
  for (const [, slash, name = '', rest = ''] of svg.matchAll(/<(\/?)([a-z]\w*)([^>]*)>/gi)) {
    if (slash === '/') {
      if (open.pop() !== name) return [name];
    } else if (!rest.endsWith('/')) open.push(name);
  }
  return open;
}

test('the file of a line has title, legend and drawing, and needs no style sheet', () => {
  const { table } = lineChart({
    ...common,
    dateTitle: 'Day',
    series: [{ title: 'Own', points }],
    events: [{ date: '2026-02-01', title: 'paid in' }],
    eventsTitle: 'Payments',
  });
  const file = table.picture?.() ?? '';
  expect(file).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  expect(unbalanced(file)).toEqual([]);
  expect(file.match(/<text[^>]*>(?:Value &lt;&amp;&gt;|Own|Payments)<\/text>/g)).toHaveLength(3);
  expect(file).toContain('<path class="stroke"');
  expect(file).not.toContain('var(');
});

test('the file of bars has the patterns that its bars are filled with', () => {
  const series = ['Paid in', 'Paid back'].map((title) => ({ title, values: ['1', '2'] }));
  const file = barChart({ ...common, groups: ['2025', '2026'], groupTitle: 'Year', series }).table.picture?.() ?? '';
  expect(unbalanced(file)).toEqual([]);
  for (const [, id] of file.matchAll(/url\(#([\w-]+)\)/g)) expect(file).toContain(`<pattern id="${id}"`);
  expect(file).toContain('url(#');
});

test('the drawing begins below the title, and below the legend where there is one', () => {
  const fileOf = (...titles: readonly string[]) =>
    lineChart({ ...common, dateTitle: 'Day', series: titles.map((title) => ({ title, points })) }).table.picture!();
  const placesOf = (file: string): (readonly number[])[] =>
    [...file.matchAll(/<g transform="translate\(([\d.]+) ([\d.]+)\)"/g)].map(([, x, y]) => [Number(x), Number(y)]);
  const heightOf = (file: string): number => Number(/viewBox="0 0 \d+ (\d+)"/.exec(file)![1]);
  const [one, two] = [fileOf('Own'), fileOf('Own', 'Other')];
  const [drawing] = placesOf(one);
  const [first, second, lower] = placesOf(two);
  expect([placesOf(one).length, placesOf(two).length]).toEqual([1, 3]);
  // The title is written above 40, the legend between it and the drawing, one entry beside the other.
  expect(drawing![1]).toBeGreaterThan(40);
  expect(first![1]).toBeGreaterThan(40);
  expect(first![1]).toBeLessThan(lower![1]!);
  expect(first![1]).toBe(second![1]);
  expect(second![0]).toBeGreaterThan(first![0]! + 40);
  expect(lower![0]).toBe(drawing![0]);
  expect(heightOf(two) - heightOf(one)).toBe(lower![1]! - drawing![1]!);
  // The key of an entry stands beside its title.
  const titleAt = Number(/<text x="[\d.]+" y="([\d.]+)">Own<\/text>/.exec(two)![1]);
  expect(titleAt - first![1]!).toBeGreaterThan(0);
  expect(titleAt - first![1]!).toBeLessThan(16);
});
