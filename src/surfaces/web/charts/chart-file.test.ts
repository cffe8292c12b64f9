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
