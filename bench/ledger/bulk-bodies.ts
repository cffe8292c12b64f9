// The bodies of bulk requests, by format.

export type BulkFormatName = 'JSON lines' | 'CSV';

export type Row = Record<string, string>;

export const bulkBodies: Record<BulkFormatName, { type: string; write: (rows: readonly Row[]) => string }> = {
  'JSON lines': {
    type: 'application/x-ndjson',
    write: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  },
  CSV: {
    type: 'text/csv',
    write(rows) {
      const columns = [...new Set(rows.slice(0, 100).flatMap((row) => Object.keys(row)))];
      return [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))]
        .map((line) => `${line.join()}\n`)
        .join('');
    },
  },
};
