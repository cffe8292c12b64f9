// Rules that every table must follow so that workspaces stay separate and can be spread over machines, checked on PostgreSQL's catalogs.
// Single tables appear only in what the pre-auth role may read, and in the rule that the audit log is never changed.

import type pg from 'pg';
import { referenceTables } from '../../../src/store/postgres/distribution/distribute.ts';

export interface Catalog {
  readonly tables: readonly {
    name: string;
    firstColumn: string;
    isSecured: boolean;
    isForced: boolean;
    policyRoles: string[];
  }[];
  readonly policies: readonly {
    table: string;
    name: string;
    text: string;
    isRestrictive: boolean;
    allowsDelete: boolean;
  }[];
  readonly uniqueIndexes: readonly { table: string; name: string; isPrimary: boolean; columns: string[] }[];
  readonly foreignKeys: readonly {
    table: string;
    name: string;
    from: string;
    to: string;
    leadsToOwned: boolean;
    carriesClient: boolean;
    emptiesColumns: boolean;
  }[];
  readonly triggers: readonly { table: string; name: string }[];
  readonly sequences: readonly { name: string }[];
  readonly views: readonly { name: string }[];
  readonly definerFunctions: readonly { name: string }[];
  readonly grants: readonly { table: string; column: string | null; role: string; privilege: string }[];
  readonly roles: readonly { name: string; canLogin: boolean; isSuperuser: boolean; passesRowSecurity: boolean }[];
}

const inOwnSchema = `c.relnamespace = current_schema()::regnamespace`;

const catalogQueries: { readonly [Part in keyof Catalog]: string } = {
  tables: `SELECT c.relname AS name, c.relrowsecurity AS "isSecured", c.relforcerowsecurity AS "isForced",
      (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum LIMIT 1) AS "firstColumn",
      ARRAY(SELECT r.rolname::text FROM pg_policy p JOIN pg_roles r ON r.oid = ANY (p.polroles) WHERE p.polrelid = c.oid) AS "policyRoles"
    FROM pg_class c WHERE ${inOwnSchema} AND c.relkind IN ('r', 'p')`,
  policies: `SELECT c.relname AS table, p.polname AS name,
      concat(pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) AS text,
      NOT p.polpermissive AS "isRestrictive", p.polpermissive AND p.polcmd IN ('d', '*') AS "allowsDelete"
    FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid WHERE ${inOwnSchema}`,
  uniqueIndexes: `SELECT c.relname AS table, i.indexrelid::regclass::text AS name, i.indisprimary AS "isPrimary",
      ARRAY(SELECT a.attname::text FROM pg_attribute a JOIN generate_series(0, i.indnkeyatts - 1) place ON a.attnum = i.indkey[place]
        WHERE a.attrelid = c.oid ORDER BY place) AS columns
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE ${inOwnSchema} AND (i.indisunique OR i.indisexclusion)`,
  foreignKeys: `SELECT c.relname AS table, n.conname AS name,
      (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = n.conrelid AND a.attnum = n.conkey[1]) AS from,
      (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = n.confrelid AND a.attnum = n.confkey[1]) AS to,
      EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = n.confrelid AND a.attname = 'client_id' AND a.attnotnull) AS "leadsToOwned",
      EXISTS (SELECT FROM unnest(n.conkey, n.confkey) AS k (f, t)
        JOIN pg_attribute f ON f.attrelid = n.conrelid AND f.attnum = k.f AND f.attname = 'client_id'
        JOIN pg_attribute t ON t.attrelid = n.confrelid AND t.attnum = k.t AND t.attname = 'client_id') AS "carriesClient",
      n.confdelsetcols IS NOT NULL OR n.confdeltype IN ('n', 'd') OR n.confupdtype IN ('n', 'd') AS "emptiesColumns"
    FROM pg_constraint n JOIN pg_class c ON c.oid = n.conrelid WHERE ${inOwnSchema} AND n.contype = 'f'`,
  triggers: `SELECT c.relname AS table, g.tgname AS name FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid WHERE ${inOwnSchema} AND NOT g.tgisinternal`,
  sequences: `SELECT c.relname AS name FROM pg_class c WHERE ${inOwnSchema} AND c.relkind = 'S'`,
  views: `SELECT c.relname AS name FROM pg_class c WHERE ${inOwnSchema} AND c.relkind IN ('v', 'm', 'f')`,
  definerFunctions: `SELECT p.proname AS name FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace AND p.prosecdef`,
  grants: `SELECT c.relname AS table, held.column, coalesce(r.rolname, 'PUBLIC') AS role, g.privilege_type AS privilege
    FROM pg_class c
    CROSS JOIN LATERAL (SELECT NULL::text AS column, c.relacl AS acl UNION ALL SELECT a.attname, a.attacl FROM pg_attribute a WHERE a.attrelid = c.oid) held
    CROSS JOIN LATERAL aclexplode(held.acl) g LEFT JOIN pg_roles r ON r.oid = g.grantee
    WHERE ${inOwnSchema} AND c.relkind IN ('r', 'p') AND g.grantee <> c.relowner`,
  roles: `SELECT rolname AS name, rolcanlogin AS "canLogin", rolsuper AS "isSuperuser", rolbypassrls AS "passesRowSecurity"
    FROM pg_roles WHERE rolname IN ('holdfast_service', 'holdfast_pre_auth')`,
};

export async function readCatalog(client: pg.ClientBase): Promise<Catalog> {
  const catalog: Record<string, unknown[]> = {};
  for (const [part, query] of Object.entries(catalogQueries)) catalog[part] = (await client.query(query)).rows;
  return catalog as unknown as Catalog;
}

/** All but those that belong to no workspace, which every server has where tables are spread. */
const tenantTables = ({ tables }: Catalog): Catalog['tables'] =>
  tables.filter(({ name }) => !referenceTables.includes(name));

const preAuthTables = [
  'environment',
  'credential',
  'signing_key',
  // Fingerprints and sealed values, which a node needs before it looks for anybody.
  'replaced_key',
  'person',
  'person_identity',
  'membership',
  'read_grant',
  'invite',
  'session',
  'workspace_administrator',
  'administrator_link',
  // Its name and its ancestors.
  'client',
  // Digests and moments, which show how much mail an address has received.
  'mail',
];

/** What shows which tenants have something due, and how much room they take: besides the tenant, moments and what makes them count, and no word of what it is about. */
const dueColumns: Readonly<Record<string, readonly string[]>> = {
  round_mark: ['since'],
  shared_round_mark: ['since'],
  calculation_round: ['id', 'finished_at', 'lease_until'],
  outbox: ['first_id'],
  delivery_queue: ['webhook_id', 'due_at'],
  delivery: ['webhook_id'],
  webhook: ['id', 'state', 'previous_secret_until'],
  feed_run: ['authority_id', 'finished_at', 'due_at', 'lease_until'],
  authority: ['id', 'custodian_id', 'state', 'broken_at', 'expires_at', 'has_credentials', 'rows_to_book_after'],
  authority_warning: ['authority_id', 'expires_at', 'days', 'mailed_at'],
  custodian: ['id', 'connector', 'expiry_warning_days'],
  unchained_audit_entry: ['entry_id'],
  import_work: ['started_at', 'reported_at'],
  used_assertion: ['expires_at'],
  idempotent_answer: ['expires_at'],
  webhook_key: ['retired_at'],
  request_log: ['id', 'number'],
  request_log_end: ['number'],
  log_shipment: ['log', 'destination', 'position', 'due_at'],
  audit_chain: ['number', 'anchor_number'],
  audit_link: ['number', 'entry_id'],
  event: ['id'],
  limit_state: ['until'],
  audit_entry: ['id'],
  workspace: [
    'state',
    'storage_bytes_max',
    'import_rows_max',
    'import_bytes_max',
    'import_rows_per_day',
    'request_log_days',
    'event_days',
    'round_days',
    'limit_days',
    'audit_days',
    'unbooked_import_days',
  ],
  storage_measure: ['measured_at', 'took_ms', 'row_count', 'bytes', 'last_entry'],
  import_usage: ['stored_rows', 'stored_bytes', 'day', 'day_rows'],
  request_count: ['day'],
  import: ['id', 'state'],
};

export const dueTables: readonly string[] = Object.keys(dueColumns);

function isPreAuthGrant({ table, column, privilege }: Catalog['grants'][number]): boolean {
  if (privilege !== 'SELECT') return false;
  const ofTenant = ['workspace_id', 'environment'];
  return (
    preAuthTables.includes(table) ||
    (column !== null && [...ofTenant, ...(dueColumns[table] ?? [])].includes(column) && table in dueColumns)
  );
}

/** Each rule returns what violates it. */
export const schemaRules = {
  'every table begins with its workspace': (catalog) =>
    tenantTables(catalog).flatMap(({ name, firstColumn }) =>
      firstColumn === 'workspace_id' ? [] : [`${name} begins with ${firstColumn}`],
    ),
  'every primary key begins with the workspace, and every other unique key has it': ({ uniqueIndexes }) =>
    uniqueIndexes.flatMap(({ table, name, isPrimary, columns }) => {
      if (referenceTables.includes(table)) return [];
      if (isPrimary) return columns[0] === 'workspace_id' ? [] : [`${name} begins with ${columns[0]}`];
      return columns.includes('workspace_id') ? [] : [`${name} lacks it`];
    }),
  'every foreign key begins with the workspace on both sides': ({ foreignKeys }) =>
    foreignKeys.flatMap(({ name, from, to }) =>
      from === 'workspace_id' && to === 'workspace_id' ? [] : [`${name} leads from ${from} to ${to}`],
    ),
  'every foreign key to what belongs to a client carries the client on both sides': ({ foreignKeys }) =>
    foreignKeys.flatMap(({ name, leadsToOwned, carriesClient }) => (leadsToOwned && !carriesClient ? [name] : [])),
  'no foreign key empties columns of its rows': ({ foreignKeys }) =>
    foreignKeys.flatMap(({ name, emptiesColumns }) => (emptiesColumns ? [name] : [])),
  'there are no triggers': ({ triggers }) => triggers.map(({ table, name }) => `${name} on ${table}`),
  'no sequence is shared across workspaces': ({ sequences }) => sequences.map(({ name }) => name),
  'nothing reads tables with its creator’s rights: no view, no security definer': ({ views, definerFunctions }) =>
    [...views, ...definerFunctions].map(({ name }) => name),
  'row-level security is enabled and forced on every table': (catalog) =>
    tenantTables(catalog).flatMap(({ name, isSecured, isForced }) => (isSecured && isForced ? [] : [name])),
  'policies compare rows with settings and read no other table': ({ policies }) =>
    policies.filter(({ text }) => text.includes('SELECT')).map(({ table, name }) => `${name} on ${table}`),
  'every table has a policy for the service': (catalog) =>
    tenantTables(catalog).flatMap(({ name, policyRoles }) => (policyRoles.includes('holdfast_service') ? [] : [name])),
  'the service role and the pre-auth role can neither log in nor bypass row-level security': ({ roles }) =>
    ['holdfast_service', 'holdfast_pre_auth'].filter((wanted) => {
      const role = roles.find(({ name }) => name === wanted);
      return role === undefined || role.canLogin || role.isSuperuser || role.passesRowSecurity;
    }),
  'the pre-auth role can only read, and only what identifies a caller, how much mail an address has received, which tenants have something due, or how much room they take':
    ({ grants }) =>
      grants.flatMap((grant) =>
        grant.role !== 'holdfast_pre_auth' || isPreAuthGrant(grant) ? [] : [`${grant.privilege} on ${grant.table}`],
      ),
  'only the service role and the pre-auth role have been granted access': ({ grants }) =>
    grants.flatMap(({ table, role, privilege }) =>
      ['holdfast_service', 'holdfast_pre_auth'].includes(role) ? [] : [`${privilege} on ${table} to ${role}`],
    ),
  'the service adds to the audit log and to its chain, and cannot change an entry': ({ grants }) =>
    grants.flatMap(({ table, privilege }) =>
      ['audit_entry', 'audit_link'].includes(table) && !['SELECT', 'INSERT', 'DELETE'].includes(privilege)
        ? [privilege]
        : [],
    ),
  'the audit log, rounds, states of limits, events and deliveries are deleted only before a stated moment': ({
    policies,
  }) =>
    ['audit_entry', 'audit_link', 'calculation_round', 'limit_state', 'event', 'delivery'].filter((wanted) =>
      policies.some(
        ({ table, text, allowsDelete }) =>
          table === wanted && allowsDelete && !text.includes("< current_setting('holdfast.dropped_before'"),
      ),
    ),
  'policies only permit: servers that spread tables make a restrictive policy permissive': ({ policies }) =>
    policies.flatMap(({ table, name, isRestrictive }) => (isRestrictive ? [`${name} on ${table}`] : [])),
} as const satisfies Record<string, (catalog: Catalog) => string[]>;

export type SchemaRule = keyof typeof schemaRules;
