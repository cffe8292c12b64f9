// A database of a release as files: its schema, its rows as SQL, and what its reports answered. Small enough to be kept for ever.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress } from 'node:zlib';
import type pg from 'pg';

const folders = new URL('../../upgrades/', import.meta.url);

/** The credentials and the key that every dump was made with. They open nothing else. */
export const dumpSettings = {
  ENCRYPTION_KEY: '8d1f6c2b94e07a53f6b8d0417ce25a9930bd47c1e86f2a5d71c4093b5e8a6f12',
  BOOTSTRAP_CLIENT_ID: 'test-admin',
  BOOTSTRAP_CLIENT_SECRET: 'a secret for tests that is long enough',
} as const;

export interface ReleaseDump {
  readonly schema: string;
  readonly rows: string;
  readonly answers: ReleaseAnswers;
}

export interface ReleaseAnswers {
  /** The body of each path, with `known_at` of a moment before the last corrections or after them. */
  readonly reports: Readonly<Record<string, string>>;
}

/** Columns that are computed from others are left out. */
const tablesText = `
SELECT c.relname AS name, array_agg(quote_ident(a.attname) ORDER BY a.attnum) AS columns
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
GROUP BY c.relname ORDER BY c.relname COLLATE "C"`;

/** Every row as a line of SQL. Literals without a type become whatever their column is. */
export async function dumpRows(client: pg.ClientBase): Promise<string> {
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(tablesText);
  const lines: string[] = [];
  for (const { name, columns } of tables) {
    const literals = columns.map((column) => `quote_nullable(${column}::text)`).join(` || ',' || `);
    const { rows } = await client.query<{ row: string }>(`SELECT ${literals} AS row FROM ${name} ORDER BY 1`);
    for (const { row } of rows) lines.push(`INSERT INTO ${name} (${columns.join(',')}) VALUES (${row});`);
  }
  return lines.join('\n');
}

/** Constraints, policies and rights come after the rows, so that these can be in any order. */
export function restoreText({ schema, rows }: ReleaseDump): string {
  const afterTables = schema.indexOf('\nALTER TABLE ');
  return `${schema.slice(0, afterTables)}\n${rows}\n${schema.slice(afterTables)}`;
}

export async function writeDump(release: string, { schema, rows, answers }: ReleaseDump): Promise<void> {
  const folder = new URL(`${release}/`, folders);
  await mkdir(folder, { recursive: true });
  const head = `-- The schema of release ${release}. Its roles are not part of a database and must be there before it.\n`;
  await writeFile(new URL('schema.sql', folder), schema.replace(/^(?:--.*\n)*/, head));
  await writeFile(new URL('rows.sql.br', folder), await promisify(brotliCompress)(rows));
  await writeFile(new URL('answers.json.br', folder), await promisify(brotliCompress)(JSON.stringify(answers)));
}

export async function readDump(release: string): Promise<ReleaseDump> {
  const folder = new URL(`${release}/`, folders);
  const unpacked = async (name: string): Promise<string> =>
    (await promisify(brotliDecompress)(await readFile(new URL(name, folder)))).toString();
  return {
    schema: await readFile(new URL('schema.sql', folder), 'utf8'),
    rows: await unpacked('rows.sql.br'),
    answers: JSON.parse(await unpacked('answers.json.br')) as ReleaseAnswers,
  };
}
