// Reads the page of the reference portfolio as text: its tables, and its figures in their printed form.

import { readFileSync } from 'node:fs';

import { markdownTables, type MarkdownTable } from './markdown-tables.ts';
import type { Convention, ReferencePortfolio, Tree, WindowReports } from './reference-portfolio.ts';

export const referencePortfolioPage = readFileSync(
  new URL('../../../docs/reference-portfolio.md', import.meta.url),
  'utf8',
);

const tables = markdownTables(referencePortfolioPage);

/** Decimal places of ratios that are not shown in percent. */
export const shownDecimals = 10;

/** Returns the only table with these first headings in a section. */
export function getTable(section: string, ...headings: readonly string[]): MarkdownTable {
  const [found, ...others] = tables.filter(
    (one) => one.section.startsWith(section) && headings.every((heading, index) => one.headings[index] === heading),
  );
  if (found === undefined || others.length > 0) throw new Error(`${section}: no one table with ${headings.join(', ')}`);
  return found;
}

export const pageConventions: readonly (readonly [word: string, convention: Convention])[] = [
  ['JSON:API', 'json-api'],
  ['Plain', 'plain'],
];

/** Pairs each window with the names of its first and last day. */
export function namedWindows({ expected }: ReferencePortfolio): ReadonlyMap<string, WindowReports> {
  const names = ['D1', 'D2', 'D3', 'D4', 'year'];
  return new Map(expected.byWindow.map((window, index) => [names[index]!, window]));
}

/** Returns the instrument's name in the file. */
export function instrumentNamed(name: string): string {
  return name.replace('cash ', 'cash:').replace('Meridian', 'meridian');
}

/** Formats an amount with grouped thousands, and with two decimal places if it has a fraction. */
export function pageAmountText(amount: Tree): string {
  const [whole, fraction] = String(amount).replace('-', '−').split('.');
  const grouped = whole!.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction.padEnd(2, '0')}`;
}

/** Formats a ratio in percent with six decimal places. */
export function percentText(ratio: Tree): string {
  if (ratio === null) return 'null';
  const shown = Number(ratio) === 0 ? '0' : (Number(ratio) * 100).toFixed(6);
  return `${shown.replace('-', '−')} %`;
}

/** Formats a ratio with up to ten decimal places, without trailing zeros. */
export function placesText(ratio: Tree): string {
  return ratio === null ? 'null' : String(Number(Number(ratio).toFixed(shownDecimals)));
}

/** Returns the text after the last equals sign. */
export function resultOf(cell: string): string {
  return cell.split('=').at(-1)!.trim();
}
