// Parses the tables and figures of a Markdown page as text.

/** A table with its section headings: cells by column name, or by column index where the heading is empty. */
export interface MarkdownTable {
  readonly section: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Returns the tables in page order. */
export function markdownTables(page: string): readonly MarkdownTable[] {
  const tables: MarkdownTable[] = [];
  let section = '';
  let openRows: string[][] = [];
  for (const line of [...page.split('\n'), '']) {
    if (line.startsWith('|')) openRows.push(splitCells(line));
    else {
      const [headings, , ...rows] = openRows;
      if (headings !== undefined) tables.push({ section, headings, rows });
      openRows = [];
      if (line.startsWith('#')) section = line.replace(/^#+ /, '');
    }
  }
  return tables;
}

function splitCells(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.replaceAll('*', '').trim());
}

const figurePattern = /−?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?/;

/**
 * Returns the first figure after the last equals sign as a canonical decimal; returns `null` and cells without a figure
 * unchanged.
 */
export function parseFigure(cell: string): string {
  const result = cell.split('=').at(-1)!.trim();
  const text = figurePattern.exec(result)?.[0];
  if (text === undefined) return result;
  const plain = text.replaceAll(',', '').replace('−', '-');
  return plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain;
}
