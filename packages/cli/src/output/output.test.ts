// What is shown in a terminal: harmless text, tables that fit, lines and bars, trees.

import { describe, expect, test } from 'vitest';
import { treeText } from '../commands/explain.ts';
import { bar, sparkline } from './sparkline.ts';
import { recordColumns, recordText, tableText, type Column } from './table.ts';
import { harmless, oneLine, pad, shorten, textWidth } from './terminal-text.ts';

describe('text from others', () => {
  test('is not obeyed by the terminal', () => {
    expect(harmless('paid \u001b[2J\u009b1m\u202e reversed\u0007')).toBe(
      'paid \u{fffd}[2J\u{fffd}1m\u{fffd} reversed\u{fffd}',
    );
    expect(oneLine('two\n\tlines')).toBe('two lines');
  });

  test('is as wide as it is shown', () => {
    expect(['é', 'e\u0301', '株式', '📈'].map(textWidth)).toEqual([1, 1, 4, 2]);
    expect(shorten('株式会社', 5)).toBe('株式…');
    expect(pad('株', 4, 'right')).toBe('  株');
  });
});

describe('tables', () => {
  const rows = [
    { id: '01a1df141e00fae16ccc13f7', name: 'A very long name of an account at a bank', amount: '-12.5' },
    { id: '01a1df141e00fae16ccc13f8', name: 'Short', amount: '1000' },
  ];

  test('align numbers, and shorten the widest column where they do not fit', () => {
    const columns: Column<(typeof rows)[number]>[] = [
      { title: 'name', value: (row) => row.name },
      { title: 'amount', value: (row) => row.amount, align: 'right' },
    ];
    expect(tableText(rows, columns, 20).split('\n')).toEqual([
      'name          amount',
      'A very long…   -12.5',
      'Short           1000',
      '',
    ]);
    expect(tableText(rows, columns, Infinity)).toContain('A very long name of an account at a bank');
  });

  test('of any record leave columns out before they shorten an id', () => {
    const shown = recordColumns(rows, { widthMax: 40 });
    expect(shown.map(({ title }) => title)).toEqual(['id', 'amount']);
    expect(recordColumns(rows, { widthMax: 40, names: ['name'] }).map(({ title }) => title)).toEqual(['name']);
  });
});

test('words of a list are shown as words', () => {
  expect(recordText({ rights: ['read', 'write'], none: [] }, 80)).toBe(
    'field   value\nrights  read, write\nnone    –\n',
  );
});

describe('lines and bars', () => {
  test('a line goes from the lowest to the highest value, with gaps where there is none', () => {
    expect(sparkline(['0', '0.5', null, '1'], 10)).toBe('▁▅ █');
    expect(sparkline(['2', '2'], 10)).toBe('▅▅');
    expect(sparkline([], 10)).toBe('');
    const long = Array.from({ length: 1000 }, (_, index) => String(index));
    expect(sparkline(long, 8)).toBe('▁▂▃▄▅▆▇█');
  });

  test('a bar is as long as the share, to an eighth of a block', () => {
    expect(['0.5', '0.0625', '0', '1', '1.7', '-3', null].map((share) => bar(share, 8))).toEqual([
      '████',
      '▌',
      '',
      '████████',
      '████████',
      '',
      '',
    ]);
  });
});

test('an explanation is a tree whose branches end where its parts do', () => {
  const leaf = (name: string, value: string) => ({ name, value });
  const whole = {
    name: 'value',
    value: '20',
    unit: 'EUR',
    formula: '2 × 10',
    of: [
      { ...leaf('units', '2'), of: [leaf('bought', '2')] },
      { ...leaf('price', '10'), truncated: true },
    ],
  };
  expect(treeText(whole)).toBe(`value  20 EUR
│  = 2 × 10
├─ units  2
│  └─ bought  2
└─ price  10
   └─ …
`);
});

test('an explanation says each figure once, with all its digits', () => {
  const figure = (sentence: string, value: string | null, unit?: string) =>
    treeText({ name: '', sentence, value, ...(unit === undefined ? {} : { unit, formula: value ?? '' }) });
  expect(figure('Market value of A: B on 30 Oct 2026: 1,234.57 CHF', '1234.567', 'CHF')).toBe(
    'Market value of A: B on 30 Oct 2026  1234.567 CHF\n',
  );
  expect(figure('Return: −11.35 % (estimated)', '-0.113459')).toBe('Return (estimated)  -0.113459\n');
  expect(figure('Exchange rate on 30 Oct 2026: 1 EUR = 0.94 CHF', '0.9404', 'CHF/EUR')).toBe(
    'Exchange rate on 30 Oct 2026  0.9404 CHF/EUR\n',
  );
  expect(figure('Return: no value', null)).toBe('Return  no value\n');
  expect(figure('Deposit on 3 Jan 2024: 10.00 EUR', '9.4', 'CHF')).toBe('Deposit on 3 Jan 2024: 10.00 EUR  9.4 CHF\n');
});
