// The tables that hold rows of workspaces, read from PostgreSQL's catalogs, so that none is forgotten: with their columns, in an order in
// which every table comes after those that it refers to.

import type pg from 'pg';
import { assert } from '../../kit/assert.ts';

export interface TableColumn {
  readonly name: string;
  readonly type: string;
}

/** A foreign key of a table to itself, as pairs of columns. */
export interface SelfReference {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

export interface TenantTable {
  readonly name: string;
  /** Without those that PostgreSQL computes. */
  readonly columns: readonly TableColumn[];
  /** False for `workspace` itself. */
  readonly hasEnvironment: boolean;
  /** False where all rows belong to the workspace as a whole. */
  readonly hasClient: boolean;
  readonly selfReferences: readonly SelfReference[];
}

const listTables = `
SELECT c.relname AS name,
  (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, NULL)) ORDER BY a.attnum) FROM pg_attribute a
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
  (SELECT coalesce(json_agg(DISTINCT p.relname), '[]') FROM pg_constraint k JOIN pg_class p ON p.oid = k.confrelid
    WHERE k.contype = 'f' AND k.conrelid = c.oid AND k.confrelid <> c.oid) AS parents,
  (SELECT coalesce(json_agg(json_build_object(
      'from', (SELECT json_agg(a.attname ORDER BY u.place) FROM unnest(k.conkey) WITH ORDINALITY u (number, place)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = u.number),
      'to', (SELECT json_agg(a.attname ORDER BY u.place) FROM unnest(k.confkey) WITH ORDINALITY u (number, place)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = u.number))), '[]')
    FROM pg_constraint k WHERE k.contype = 'f' AND k.conrelid = c.oid AND k.confrelid = c.oid) AS "selfReferences"
FROM pg_class c
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped)
ORDER BY c.relname`;

interface TableRow extends Pick<TenantTable, 'name' | 'columns' | 'selfReferences'> {
  readonly parents: readonly string[];
}

/** Those that are referred to first. */
export async function listTenantTables(client: pg.ClientBase): Promise<readonly TenantTable[]> {
  const { rows } = await client.query<TableRow>(listTables);
  const ordered = new Map<string, TenantTable>();
  while (ordered.size < rows.length) {
    const next = rows.filter(({ name, parents }) => !ordered.has(name) && parents.every((one) => ordered.has(one)));
    assert(next.length > 0, 'foreign keys between tables form no cycle');
    for (const { name, columns, selfReferences } of next) {
      const has = (column: string): boolean => columns.some((one) => one.name === column);
      ordered.set(name, {
        name,
        columns,
        selfReferences,
        hasEnvironment: has('environment'),
        hasClient: has('client_id') && name !== 'credential',
      });
    }
  }
  return [...ordered.values()];
}
