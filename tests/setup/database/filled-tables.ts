// Fills tables with very many rows by SQL, so that a list that reads them all is noticed. One row of each table is copied: the copies have
// other ids, other clients and other values wherever a list can be filtered, and lead to records that do not exist.

import type pg from 'pg';

const copiesPerTable = 5_000;
/** How many of the copies belong to the client whose row is copied. */
export const copiesOfClient = 500;

interface Column {
  readonly name: string;
  readonly type: string;
}

async function listColumns(admin: pg.Client, table: string): Promise<Column[]> {
  const { rows } = await admin.query<Column>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  );
  return rows;
}

/** A client that owns copies, one of a thousand. */
const otherClient = `lpad(to_hex(n % 1000 + 65536), 24, 'c')`;

/** The id of copies of the same number in all tables, so that they lead to each other. Ids begin with a moment: these are old. */
const copiedId = `lpad(to_hex(n + 65536), 24, '0')`;

/** The value of a column in the copy number `n` of the row `t`. */
function copiedValue({ name, type }: Column): string {
  const own = `t.${name}`;
  if (name === 'id') return copiedId;
  if (name === 'client_id')
    return `CASE WHEN n <= ${copiesOfClient} OR ${own} IS NULL THEN ${own} ELSE ${otherClient} END`;
  if (name === 'path') return `ARRAY[${copiedId}]`;
  if (name.endsWith('_id')) return `CASE WHEN ${own} IS NULL THEN NULL ELSE ${copiedId} END`;
  if (type === 'text') return `${own} || '~' || n`;
  if (type === 'bytea') return `${own} || decode(lpad(to_hex(n), 8, '0'), 'hex')`;
  if (type === 'boolean') return `NOT ${own}`;
  if (type === 'date') return `${own} - n % 3000`;
  if (type.startsWith('timestamp')) return `${own} - n * interval '1 minute'`;
  return ['integer', 'bigint', 'numeric'].includes(type) ? `${own} + n` : own;
}

/** Lets rows be copied that lead nowhere and have values which the service never writes. For a database of one test only. */
export async function liftConstraints(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ text: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS text FROM pg_constraint
     WHERE contype = 'f' OR contype = 'c' AND connamespace = 'public'::regnamespace`,
  );
  await admin.query(rows.map(({ text }) => text).join(';'));
}

interface FilledTable {
  readonly table: string;
  /** Finds the row that is copied, as `t`. */
  readonly where: string;
  /** These columns stay as they are. */
  readonly kept: readonly string[];
  /** What the copies have in these columns, as SQL. */
  readonly values: Readonly<Record<string, string>>;
}

/** Copies a row of a table very many times. */
export async function fillTable(admin: pg.Client, filled: FilledTable): Promise<void> {
  const { table, where, kept, values: given } = filled;
  const columns = await listColumns(admin, table);
  const isKept = (name: string): boolean => ['workspace_id', 'environment', ...kept].includes(name);
  const values = columns.map((column) =>
    isKept(column.name) ? `t.${column.name}` : (given[column.name] ?? copiedValue(column)),
  );
  await admin.query(
    `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')})
     SELECT ${values.join(', ')} FROM (SELECT * FROM ${table} t WHERE ${where} LIMIT 1) t, generate_series(1, ${copiesPerTable}) n`,
  );
}
