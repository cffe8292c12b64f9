// Draws a table for a page: it scrolls inside its card with the first column kept in sight; figures are doors to their explanation.

import { emptyHtml, html, Html } from '../../../kit/html.ts';
import { formatsOf, type Formats } from '../language/formats.ts';
import type { Reader } from '../language/reader.ts';
import { linkableAddress, withParameters } from '../parts/address.ts';
import { breakable } from '../parts/breakable.ts';
import { marksHtml } from '../parts/marks.ts';
import { cellText, isFigure, isSigned, type Cell, type Column, type Row, type Table } from './table.ts';
import { tableTexts } from './table-texts.ts';

export interface Sorting {
  /** The page's address with its filters. */
  readonly address: string;
  /** What `?sort=` says now: `value`, or `-value` for the largest first. */
  readonly current?: string | undefined;
}

interface TableView {
  readonly reader: Reader;
  readonly sort?: Sorting;
}

const levelMax = 3;

/** Drawn when the page is written: whoever takes the table as a file gets no page. */
export function tableHtml(table: Table, view: TableView): Html {
  return new Html(() => drawTable(table, view).text);
}

function drawTable(table: Table, { reader, sort }: TableView): Html {
  const formats = formatsOf(reader.locale);
  const { id, caption, columns, rows } = table;
  const body =
    rows.length === 0
      ? html`<tr>
          <td class="soft" colspan="${columns.length}">${tableTexts[reader.language].empty}</td>
        </tr>`
      : rows.map((row) => rowHtml(row, columns, formats));
  return html`<div class="scroll" role="region" aria-labelledby="${id}-caption" tabindex="0">
    <table id="${id}">
      <caption id="${id}-caption">
        ${breakable(caption)}
      </caption>
      <thead>
        <tr>
          ${columns.map((column) => headingHtml(column, sort))}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
}

function headingHtml(column: Column, sort: Sorting | undefined): Html {
  const className = classAttribute(alignClass(column));
  const { sortKey, title } = column;
  if (sort === undefined || sortKey === undefined) return html`<th scope="col" ${className}>${title}</th>`;
  const order = orderOf(sortKey, sort.current);
  const address = withParameters(sort.address, {
    sort: order === 'ascending' ? `-${sortKey}` : sortKey,
    cursor: null,
  });
  const state = order === undefined ? emptyHtml : html` aria-sort="${order}"`;
  return html`<th scope="col" ${className}${state}><a class="sort" href="${address}">${title}</a></th>`;
}

function orderOf(sortKey: string, current: string | undefined): 'ascending' | 'descending' | undefined {
  if (current === sortKey) return 'ascending';
  return current === `-${sortKey}` ? 'descending' : undefined;
}

function rowHtml(
  { cells, level = 0, isSum = false, isHeading = false }: Row,
  columns: readonly Column[],
  formats: Formats,
): Html {
  const indent = level > 0 ? `in${Math.min(level, levelMax)}` : '';
  const written = columns.map((column, index) => {
    const cell = cells[index] ?? { value: null, text: '' };
    return index === 0 ? rowHeadingHtml(column, cell, { formats, indent }) : cellHtml(column, cell, formats);
  });
  return html`<tr${classAttribute(isSum ? 'sum' : '', isHeading ? 'group' : '')}>${written}</tr>`;
}

function rowHeadingHtml(column: Column, cell: Cell, { formats, indent }: { formats: Formats; indent: string }): Html {
  const nameClass = column.kind === 'text' ? 'name' : '';
  const text = cellText(column, cell, formats);
  return html`<th scope="row" ${classAttribute(alignClass(column), indent, wideClass(column, text), nameClass)}>
    ${contentHtml(column, cell, text)}
  </th>`;
}

function cellHtml(column: Column, cell: Cell, formats: Formats): Html {
  const text = cellText(column, cell, formats);
  const classes = [alignClass(column), isSigned(column) ? toneOf(text) : '', wideClass(column, text)];
  return html`<td${classAttribute(...classes)}>${contentHtml(column, cell, text)}</td>`;
}

function contentHtml(column: Column, cell: Cell, text: string): Html {
  const explain = linkableAddress(cell.explain);
  const href = linkableAddress(cell.href ?? (column.kind === 'link' ? cell.value : undefined));
  const note = remarksHtml(cell);
  const shown = isFigure(column) ? html`${text}` : breakable(text, isLong(column, text) ? longNameWordMax : undefined);
  if (explain !== undefined) return html`<a class="figure-link" href="${explain}">${shown}</a>${note}`;
  return href === undefined ? html`${shown}${note}` : html`<a href="${href}">${shown}</a>${note}`;
}

function remarksHtml({ note, marks = [] }: Cell): Html {
  const said = note === undefined ? emptyHtml : html`<small class="soft">${note}</small>`;
  return marks.length === 0 ? said : html`${said}<small>${marksHtml(marks)}</small>`;
}

/** Colour goes with the sign that is shown: what rounds to nothing has neither. */
export function toneOf(text: string): 'up' | 'down' | '' {
  if (text.startsWith('+')) return 'up';
  return text.startsWith('−') ? 'down' : '';
}

function alignClass(column: Column): string {
  return (column.align ?? (isFigure(column) ? 'end' : 'start')) === 'end' ? 'n' : '';
}

/** A longer text breaks into lines: on one, it would push the figures out of sight. */
const lineLengthMax = 40;
/** The words of a long name make room for figures sooner than others. */
const longNameWordMax = 12;

function isLong(column: Column, text: string): boolean {
  return !isFigure(column) && text.length > lineLengthMax;
}

function wideClass(column: Column, text: string): string {
  return column.wide === true || isLong(column, text) ? 'wide' : '';
}

function classAttribute(...classes: readonly string[]): Html {
  const names = classes.filter((name) => name !== '').join(' ');
  return names === '' ? emptyHtml : html` class="${names}"`;
}

interface Paging {
  readonly reader: Reader;
  /** The page's address with its filters. */
  readonly address: string;
  /** The cursor of this page; none on the first. */
  readonly cursor?: string | undefined;
  readonly nextCursor?: string | null | undefined;
}

/** Links to the first and the next page of a list; nothing where all fits on one. */
export function pagerHtml({ reader, address, cursor, nextCursor }: Paging): Html {
  const text = tableTexts[reader.language];
  const hasNext = nextCursor !== null && nextCursor !== undefined;
  if (cursor === undefined && !hasNext) return emptyHtml;
  const first =
    cursor === undefined ? emptyHtml : html`<a href="${withParameters(address, { cursor: null })}">${text.first}</a>`;
  const next = hasNext
    ? html`<a rel="next" href="${withParameters(address, { cursor: nextCursor })}">${text.next}</a>`
    : emptyHtml;
  return html`<nav class="pager" aria-label="${text.pages}">${first}${next}</nav>`;
}
