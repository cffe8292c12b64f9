// Takes over a database of release 0.1.0, whose migrations were written anew for 0.2.0: the same tables under plainer names.

import type pg from 'pg';
import { DatabaseUnfit } from './roles.ts';

interface NamedMigration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
}

const first = '0001-foundation.sql';
const last = '0042-retention.sql';

/** The migrations of 0.2.0 that lead to the schema of 0.1.0. The last of them is run again, since all policies and rights are new. */
const adopted = 15;

const oldNames: readonly [old: string, now: string][] = [
  ['thing_version', 'record_version'],
  ['webhook_lane', 'delivery_queue'],
  ['event_lane', 'event_order'],
];

const dropRights = `
DO $$
DECLARE
  found record;
BEGIN
  FOR found IN SELECT policyname, tablename FROM pg_policies WHERE schemaname = current_schema() LOOP
    EXECUTE format('DROP POLICY %I ON %I', found.policyname, found.tablename);
  END LOOP;
  FOR found IN SELECT rolname FROM pg_roles WHERE rolname IN ('holdfast_service', 'holdfast_gate') LOOP
    EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM %I', current_schema(), found.rolname);
  END LOOP;
END $$;
DROP FUNCTION is_visible(text)`;

/** Constraints take their indexes with them; the other indexes are renamed by themselves. */
function renameTable(old: string, now: string): string {
  return `
ALTER TABLE ${old} RENAME TO ${now};
DO $$
DECLARE
  found record;
BEGIN
  FOR found IN SELECT conname AS name FROM pg_constraint WHERE conrelid = '${now}'::regclass AND strpos(conname, '${old}') = 1 LOOP
    EXECUTE format('ALTER TABLE ${now} RENAME CONSTRAINT %I TO %I', found.name, replace(found.name, '${old}', '${now}'));
  END LOOP;
  FOR found IN SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = '${now}'::regclass AND strpos(c.relname, '${old}') = 1
  LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', found.name, replace(found.name, '${old}', '${now}'));
  END LOOP;
END $$`;
}

const renameColumns = ['event_order', 'outbox', 'delivery_queue', 'delivery'].map(
  (table) => `ALTER TABLE ${table} RENAME COLUMN lane TO order_key`,
);

/** Does nothing to other databases, and refuses those of the time before 0.1.0. Needs a transaction and the start lock. */
export async function adoptOldSchema(client: pg.Client, migrations: readonly NamedMigration[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migration ORDER BY version');
  if (rows[0]?.name !== first) return;
  if (rows.at(-1)?.name !== last) {
    throw new DatabaseUnfit(
      'The database was made by a development version from before release 0.1.0. Start release 0.1.0 on it once, then this one.',
    );
  }
  const known = migrations.slice(0, adopted);
  await client.query(dropRights);
  for (const [old, now] of oldNames) await client.query(renameTable(old, now));
  for (const rename of renameColumns) await client.query(rename);
  await client.query(known.at(-1)?.text ?? '');
  await client.query('DELETE FROM schema_migration');
  await client.query('INSERT INTO schema_migration (version, name) SELECT * FROM unnest($1::int[], $2::text[])', [
    known.map(({ version }) => version),
    known.map(({ name }) => name),
  ]);
}
