// Finds out which migrations a database has not had, without running any.

import pg from 'pg';
import { listAppliedMigrations } from './backup/tables.ts';
import { listMigrations } from './migrate.ts';

export interface MissingMigrations {
  /** The last migration that the database has had; undefined if it is empty. */
  readonly last: string | undefined;
  /** The names of those that a start would run, in their order. */
  readonly missing: readonly string[];
  /** Whether it has had others than this release has. */
  readonly isOther: boolean;
}

export async function findMissingMigrations(connection: pg.ClientConfig, folder?: URL): Promise<MissingMigrations> {
  const own = (await listMigrations(folder)).map(({ name }) => name);
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ there: boolean }>(
      `SELECT to_regclass('schema_migration') IS NOT NULL AS there`,
    );
    const applied = rows[0]?.there === true ? await listAppliedMigrations(client) : [];
    const isOther = applied.some((name, index) => own[index] !== name);
    return { last: applied.at(-1), missing: own.slice(isOther ? 0 : applied.length), isOther };
  } finally {
    await client.end();
  }
}
