// Writes migrations/schema.sql: the schema after all migrations, read from PostgreSQL's catalogs so that it is the same on every
// release from 15 on.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/store/postgres/embedded/embedded-postgres.ts';
import { migrate } from '../src/store/postgres/migrate.ts';

export const schemaFile = new URL('../migrations/schema.sql', import.meta.url);

const head = `-- The schema that the migrations lead to, for reading. Written by \`npm run schema\`; a test compares it with a migrated
-- database. The roles holdfast_service and holdfast_pre_auth are not part of a database and must be there before it.
`;

/** Each gives its lines in the order they are written; names are compared by their bytes on every server. */
const ofSchema = `c.relnamespace = current_schema()::regnamespace`;

const tables = `
SELECT format(E'CREATE TABLE %I (\\n%s\\n);', c.relname, string_agg(
    '  ' || quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
    || coalesce(' COLLATE ' || quote_ident(l.collname), '')
    || coalesce(CASE WHEN a.attgenerated = '' THEN ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid)
         ELSE ' GENERATED ALWAYS AS (' || pg_get_expr(d.adbin, d.adrelid) || ') STORED' END, '')
    || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END, E',\\n' ORDER BY a.attnum)) AS line
FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_collation l ON l.oid = a.attcollation AND a.attcollation <> t.typcollation
LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE ${ofSchema} AND c.relkind IN ('r', 'p')
GROUP BY c.relname ORDER BY c.relname COLLATE "C"`;

/** Foreign keys come last, when what they refer to is there. Not-null constraints are catalogued from PostgreSQL 18 on only. */
const constraints = `
SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s;', c.relname, n.conname, pg_get_constraintdef(n.oid)) AS line
FROM pg_constraint n JOIN pg_class c ON c.oid = n.conrelid
WHERE ${ofSchema} AND n.contype <> 'n'
ORDER BY n.contype = 'f', c.relname COLLATE "C", strpos('puxc', n.contype::text), n.conname COLLATE "C"`;

const indexes = `
SELECT replace(pg_get_indexdef(i.indexrelid), ' ON ' || quote_ident(current_schema()) || '.', ' ON ') || ';' AS line
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE ${ofSchema} AND NOT EXISTS (SELECT FROM pg_constraint n WHERE n.conindid = i.indexrelid AND n.contype IN ('p', 'u', 'x'))
ORDER BY c.relname COLLATE "C"`;

const functions = `
SELECT rtrim(pg_get_functiondef(p.oid), E'\\n') || ';' AS line FROM pg_proc p
WHERE p.pronamespace = current_schema()::regnamespace AND p.prokind IN ('f', 'p')
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = p.oid AND e.deptype = 'e')
ORDER BY p.proname COLLATE "C", pg_get_function_identity_arguments(p.oid) COLLATE "C"`;

const rowSecurity = `
SELECT format('ALTER TABLE %I %s ROW LEVEL SECURITY;', c.relname, word) AS line
FROM pg_class c, LATERAL (VALUES (c.relrowsecurity, 'ENABLE'), (c.relforcerowsecurity, 'FORCE')) AS flag (is_set, word)
WHERE ${ofSchema} AND c.relkind IN ('r', 'p') AND flag.is_set
ORDER BY c.relname COLLATE "C", word`;

const policies = `
SELECT format(E'CREATE POLICY %I ON %I AS %s FOR %s TO %s%s%s;', p.polname, c.relname,
    CASE WHEN p.polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
    CASE p.polcmd WHEN '*' THEN 'ALL' WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' ELSE 'DELETE' END,
    (SELECT string_agg(CASE r WHEN 0 THEN 'PUBLIC' ELSE r::regrole::text END, ', ' ORDER BY r::regrole::text COLLATE "C") FROM unnest(p.polroles) r),
    E'\\n  USING (' || pg_get_expr(p.polqual, p.polrelid) || ')',
    E'\\n  WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')') AS line
FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
WHERE ${ofSchema} ORDER BY c.relname COLLATE "C", p.polname COLLATE "C"`;

const grants = `
SELECT format('GRANT %s ON %I TO %I;', string_agg(g.privilege_type, ', ' ORDER BY g.privilege_type COLLATE "C"), c.relname, r.rolname) AS line
FROM pg_class c, aclexplode(c.relacl) g JOIN pg_roles r ON r.oid = g.grantee
WHERE ${ofSchema} AND r.rolname IN ('holdfast_service', 'holdfast_pre_auth')
GROUP BY c.relname, r.rolname ORDER BY c.relname COLLATE "C", r.rolname COLLATE "C"`;

const columnGrants = `
SELECT format('GRANT %s (%s) ON %I TO %I;', g.privilege_type, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum), c.relname, r.rolname) AS line
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid, aclexplode(a.attacl) g JOIN pg_roles r ON r.oid = g.grantee
WHERE ${ofSchema} AND r.rolname IN ('holdfast_service', 'holdfast_pre_auth')
GROUP BY c.relname, r.rolname, g.privilege_type ORDER BY c.relname COLLATE "C", r.rolname COLLATE "C", g.privilege_type COLLATE "C"`;

const parts = [tables, constraints, indexes, functions, rowSecurity, policies, grants, columnGrants];

/** The schema of the database that `client` is connected to, as SQL that makes it again. */
export async function dumpSchema(client: pg.ClientBase): Promise<string> {
  const written = [head];
  for (const part of parts) {
    const { rows } = await client.query<{ line: string }>(part);
    const gap = part === tables || part === policies ? '\n\n' : '\n';
    if (rows.length > 0) written.push(`${rows.map(({ line }) => line).join(gap)}\n`);
  }
  return written.join('\n');
}

async function writeSchema(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-schema-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: { fsync: 'off' } });
  try {
    await migrate(postgres.connection);
    const client = new pg.Client(postgres.connection);
    await client.connect();
    await writeFile(schemaFile, await dumpSchema(client));
    await client.end();
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (import.meta.main) await writeSchema();
