// Finds out whether a database server is fit for the service: version, rights, row-level security, clock, connections and how it keeps data.

import pg from 'pg';
import { defined } from '../../../kit/assert.ts';
import { findRoleFault } from '../roles.ts';

export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly what: string;
  /** What to do about it. */
  readonly remedy?: string;
}

const versionMin = 150_000;
const clockMs = { warn: 1_000, fail: 30_000 };

interface ServerRow {
  readonly version: number;
  readonly version_name: string;
  readonly encoding: string;
  readonly now_ms: number;
  readonly max_connections: number;
  readonly can_create: boolean;
  readonly foreign_tables: number;
  readonly unforced: readonly string[];
  readonly fsync: string;
  readonly synchronous_commit: string;
  readonly full_page_writes: string;
  readonly checksums: string;
  readonly is_open: boolean;
}

const serverText = `
SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS version_name,
  current_setting('server_encoding') AS encoding, extract(epoch FROM clock_timestamp())::float8 * 1000 AS now_ms,
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS max_connections,
  coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS can_create,
  (SELECT count(*)::int FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
     AND NOT pg_has_role(c.relowner, 'USAGE')) AS foreign_tables,
  ARRAY(SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
     AND c.relname <> 'schema_migration' AND NOT (c.relrowsecurity AND c.relforcerowsecurity) ORDER BY 1) AS unforced,
  current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
  current_setting('full_page_writes') AS full_page_writes, current_setting('data_checksums') AS checksums,
  inet_server_addr() IS NOT NULL AND NOT inet_server_addr() <<= inet '127.0.0.0/8' AND inet_server_addr() <> inet '::1'
    AND NOT coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS is_open`;

/** `connectionsNeeded` is what one node opens at most. */
export async function inspectServer(
  connection: pg.ClientConfig,
  connectionsNeeded: number,
): Promise<readonly Finding[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    const startedAt = Date.now();
    const server = defined(
      (await client.query<ServerRow>(serverText)).rows[0],
      'the server describes itself in one row',
    );
    const halfTrip = (Date.now() - startedAt) / 2;
    return [
      versionFinding(server),
      ...rightsFindings(server),
      await rolesFinding(client),
      securityFinding(server),
      clockFinding(server.now_ms - startedAt - halfTrip, halfTrip),
      connectionsFinding(server, connectionsNeeded),
      ...durabilityFindings(server),
    ];
  } finally {
    await client.end();
  }
}

function versionFinding({ version, version_name: name, encoding }: ServerRow): Finding {
  if (version < versionMin)
    return {
      level: 'fail',
      what: `PostgreSQL ${name}`,
      remedy: 'Use PostgreSQL 15 or later: `holdfast move` brings the data there.',
    };
  if (encoding !== 'UTF8')
    return {
      level: 'fail',
      what: `PostgreSQL ${name} with the encoding ${encoding}`,
      remedy: 'Create the database with ENCODING UTF8.',
    };
  return { level: 'ok', what: `PostgreSQL ${name}; no extension is needed` };
}

function rightsFindings({ can_create: canCreate, foreign_tables: foreignTables }: ServerRow): Finding[] {
  const grant =
    'Let the role of DATABASE_URL own the database: ALTER DATABASE … OWNER TO …, and the tables: REASSIGN OWNED BY … TO ….';
  if (!canCreate) return [{ level: 'fail', what: 'the database role may not create tables', remedy: grant }];
  if (foreignTables > 0)
    return [{ level: 'fail', what: `${foreignTables} tables belong to another role`, remedy: grant }];
  return [{ level: 'ok', what: 'the database role owns the tables and may migrate them' }];
}

async function rolesFinding(client: pg.Client): Promise<Finding> {
  const fault = await findRoleFault(client);
  if (fault === undefined)
    return { level: 'ok', what: 'the roles holdfast_service and holdfast_gate are there and not too strong' };
  return { level: 'fail', what: 'the roles that requests run in', remedy: fault.message };
}

function securityFinding({ unforced }: ServerRow): Finding {
  if (unforced.length === 0) return { level: 'ok', what: 'row-level security is forced on every table' };
  return {
    level: 'fail',
    what: `row-level security is not forced on ${unforced.join(', ')}`,
    remedy: 'Run ALTER TABLE … ENABLE ROW LEVEL SECURITY and ALTER TABLE … FORCE ROW LEVEL SECURITY on each.',
  };
}

/** A difference below half of the round trip cannot be told from its duration. */
function clockFinding(differenceMs: number, halfTripMs: number): Finding {
  const difference = Math.max(0, Math.abs(differenceMs) - halfTripMs);
  const what = `the clock of the database differs by ${Math.round(difference)} ms`;
  if (difference < clockMs.warn) return { level: 'ok', what };
  return {
    level: difference < clockMs.fail ? 'warn' : 'fail',
    what,
    remedy: 'Let NTP set the clocks of all machines.',
  };
}

export function connectionsFinding(
  { max_connections: available }: Pick<ServerRow, 'max_connections'>,
  needed: number,
): Finding {
  const what = `a node opens up to ${needed} connections, of ${available} that the server has`;
  const remedy = 'Lower DATABASE_POOL or WORK_THREADS, or raise max_connections.';
  if (needed > available) return { level: 'fail', what, remedy };
  if (needed * 2 > available) return { level: 'warn', what: `${what}: a second node may find none`, remedy };
  return { level: 'ok', what };
}

function durabilityFindings(server: ServerRow): Finding[] {
  const { fsync, full_page_writes: fullPages, synchronous_commit: commit, checksums, is_open: isOpen } = server;
  const findings: Finding[] = [];
  if (fsync !== 'on' || fullPages !== 'on')
    findings.push({
      level: 'fail',
      what: `fsync is ${fsync}, full_page_writes is ${fullPages}: a power cut can destroy the database`,
      remedy: 'Set both to on.',
    });
  if (commit === 'off')
    findings.push({
      level: 'warn',
      what: 'synchronous_commit is off: a crash can lose what was acknowledged',
      remedy: 'Set it to on.',
    });
  if (checksums !== 'on')
    findings.push({
      level: 'warn',
      what: 'data checksums are off: damage on the disk is not noticed',
      remedy: 'Stop the server and run pg_checksums --enable.',
    });
  if (isOpen)
    findings.push({
      level: 'warn',
      what: 'the connection to the database is not encrypted',
      remedy: 'Add ?sslmode=verify-full to DATABASE_URL.',
    });
  return findings.length === 0 ? [{ level: 'ok', what: 'what is acknowledged is on the disk' }] : findings;
}
