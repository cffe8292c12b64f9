// The page of the reference portfolio as text: its tables, and figures as it shows them. Knows none of them.

import { readFileSync } from 'node:fs';

import { markdownTables, type MarkdownTable } from './markdown-tables.ts';
import type { Convention, ReferencePortfolio, Tree, WindowReports } from './reference-portfolio.ts';

export const referencePortfolioPage = readFileSync(
  new URL('../../../docs/reference-portfolio.md', import.meta.url),
  'utf8',
);

const tables = markdownTables(referencePortfolioPage);

/** Of ratios that are not shown in percent. */
export const shownDecimals = 10;

/** The only one in a section that begins with these headings. */
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

/** Windows by the names of their ends. */
export function namedWindows({ expected }: ReferencePortfolio): ReadonlyMap<string, WindowReports> {
  const names = ['D1', 'D2', 'D3', 'D4', 'year'];
  return new Map(expected.byWindow.map((window, index) => [names[index]!, window]));
}

/** An instrument as the file calls it. */
export function instrumentNamed(name: string): string {
  return name.replace('cash ', 'cash:').replace('Meridian', 'meridian');
}

/** Grouped by thousands, with two places where it has any. */
export function pageAmountText(amount: Tree): string {
  const [whole, fraction] = String(amount).replace('-', '−').split('.');
  const grouped = whole!.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction.padEnd(2, '0')}`;
}

/** Six places of a percent; nothing is nothing. */
export function percentText(ratio: Tree): string {
  if (ratio === null) return 'null';
  const shown = Number(ratio) === 0 ? '0' : (Number(ratio) * 100).toFixed(6);
  return `${shown.replace('-', '−')} %`;
}

/** Ten places, but for zeros at the end. */
export function placesText(ratio: Tree): string {
  return ratio === null ? 'null' : String(Number(Number(ratio).toFixed(shownDecimals)));
}

/** What stands after the last equals sign. */
export function resultOf(cell: string): string {
  return cell.split('=').at(-1)!.trim();
}
