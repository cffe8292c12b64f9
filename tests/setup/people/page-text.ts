// Reads pages in tests: what a reader sees of them, and the cells of their tables.

import type { Reply } from '../http/caller.ts';

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The text without tags, its white space as single spaces. */
export function plainText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_whole, name: string) => entities[name]!)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The figures above a page or in a part of it: title, value and what stands below it. */
export function figuresOf(html: string): readonly string[] {
  return [...html.matchAll(/<dt>(.*?)<\/dt>\s*<dd[^>]*>(.*?)<\/dd>/gs)].map(([, title = '', value = '']) =>
    plainText(`${title} ${value}`),
  );
}

/** The cells of the table with an id, row by row, without its headings. */
export function tableCells({ text }: Pick<Reply, 'text'>, id: string): readonly (readonly string[])[] {
  const [, table = ''] = new RegExp(`<table id="${id}">(.*?)</table>`, 's').exec(text) ?? [];
  const [, body = ''] = /<tbody>(.*)<\/tbody>/s.exec(table) ?? [];
  return [...body.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<(th|td)[^>]*>(.*?)<\/\1>/gs)].map(([, , cell = '']) => plainText(cell)),
  );
}

/** The lines of a CSV file as records by its headings; for files without quoted cells. */
export function csvRecords(text: string): readonly Readonly<Record<string, string>>[] {
  const [heading = '', ...lines] = text
    .replace(/^\uFEFF/, '')
    .trim()
    .split('\r\n');
  const names = heading.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [names[index]!, cell])));
}
