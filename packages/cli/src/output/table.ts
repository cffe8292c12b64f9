// Tables in a terminal: columns as wide as their content, shortened from the widest on where they do not fit.

import { oneLine, pad, paint, shorten, textWidth } from './terminal-text.ts';

export interface Column<T> {
  readonly title: string;
  readonly value: (row: T) => string;
  readonly align?: 'left' | 'right';
}

const gap = '  ';
const widthMin = 8;

export function tableText<T>(rows: readonly T[], columns: readonly Column<T>[], widthMax: number): string {
  const cells = rows.map((row) => columns.map(({ value }) => oneLine(value(row))));
  const widths = columns.map(({ title }, index) =>
    Math.max(textWidth(title), ...cells.map((line) => textWidth(line[index] ?? ''))),
  );
  fitWidths(widths, widthMax);
  const line = (values: readonly string[]): string =>
    values
      .map((text, index) => {
        const width = widths[index] ?? 0;
        return pad(shorten(text, width), width, columns[index]?.align === 'right' ? 'right' : 'left');
      })
      .join(gap)
      .trimEnd();
  const header = paint('bold', line(columns.map(({ title }) => title)));
  return [header, ...cells.map(line)].map((text) => `${text}\n`).join('');
}

/** Takes from the widest column until the line fits. */
function fitWidths(widths: number[], widthMax: number): void {
  const total = (): number => widths.reduce((sum, width) => sum + width + gap.length, -gap.length);
  while (total() > widthMax) {
    const widest = widths.indexOf(Math.max(...widths));
    const width = widths[widest] ?? 0;
    if (width <= widthMin) return;
    widths[widest] = Math.max(widthMin, width - (total() - widthMax), Math.floor(width * 0.8));
  }
}

const plain = (value: unknown): string => {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ') || '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

type AnyRow = Readonly<Record<string, unknown>>;

const columnWidthMax = 40;

/** The columns of any record: those that were asked for, else the most telling ones that there is room for. */
export function recordColumns(
  rows: readonly AnyRow[],
  { names, widthMax }: { readonly names?: readonly string[] | undefined; readonly widthMax: number },
): Column<AnyRow>[] {
  if (names !== undefined) return names.map((name) => recordColumn(name, rows));
  const known = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const simple = known.filter((name) => rows.every((row) => typeof row[name] !== 'object' || row[name] === null));
  const used = simple.filter((name) => rows.some((row) => row[name] !== null && row[name] !== undefined));
  const first = ['id', 'date', 'name', 'type', 'state'].filter((name) => used.includes(name));
  const chosen: string[] = [];
  let width = 0;
  for (const name of new Set([...first, ...used])) {
    const widest = Math.max(textWidth(name), ...rows.map((row) => textWidth(oneLine(plain(row[name])))));
    const wider = width + Math.min(widest, columnWidthMax) + (width === 0 ? 0 : gap.length);
    if (width > 0 && wider > Math.min(widthMax, anyWidthMax)) continue;
    width = wider;
    chosen.push(name);
  }
  return chosen.map((name) => recordColumn(name, rows));
}

/** Where nobody looks, a line is still a line. */
const anyWidthMax = 160;

function recordColumn(name: string, rows: readonly AnyRow[]): Column<AnyRow> {
  const isNumber = rows.every((row) => /^(–|-?\d[\d.]*)$/.test(plain(row[name])));
  return {
    title: name.replaceAll('_', ' '),
    value: (row) => plain(row[name]),
    align: isNumber && name !== 'id' ? 'right' : 'left',
  };
}

/** One record, a line for each member. */
export function recordText(record: Readonly<Record<string, unknown>>, widthMax: number): string {
  const columns: Column<[string, unknown]>[] = [
    { title: 'field', value: ([name]) => name.replaceAll('_', ' ') },
    { title: 'value', value: ([, value]) => plain(value) },
  ];
  return tableText(Object.entries(record), columns, widthMax);
}
