// Finds out whether a database server is fit for the service: asks it about itself, with a connection like those of the service.

import pg from 'pg';
import { defined } from '../../../kit/assert.ts';
import { findDateStyleFault } from '../date-style.ts';
import { planDistribution, readDistributionState } from '../distribution/distribute.ts';
import { findCitus, readDistribution, type Distribution } from '../distribution/distribution.ts';
import { compareShardRights, differenceText } from '../distribution/shard-rights.ts';
import { canPutRoles, findRoleFault, preAuthRole, serviceRole } from '../roles.ts';
import { archivingText, type Archiving } from '../archiving.ts';
import {
  archivingFindings,
  clockFinding,
  connectionsFinding,
  durabilityFindings,
  rightsFindings,
  securityFinding,
  timeoutFindings,
  versionFinding,
  type RequestedTimeouts,
  type Finding,
  type ServerRow,
} from './server-findings.ts';

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
  (SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout') AS statement_timeout,
  (SELECT setting::int FROM pg_settings WHERE name = 'lock_timeout') AS lock_timeout,
  (SELECT setting::int FROM pg_settings WHERE name = 'transaction_timeout') AS transaction_timeout,
  (SELECT setting::int FROM pg_settings WHERE name = 'idle_session_timeout') AS idle_session_timeout,
  inet_server_addr() IS NOT NULL AND NOT inet_server_addr() <<= inet '127.0.0.0/8' AND inet_server_addr() <> inet '::1'
    AND NOT coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS is_open`;

/** `connectionsNeeded` is what one node opens at most; `isOwn` whether it is the database that comes with the service. */
export async function inspectServer(
  connection: pg.ClientConfig,
  { connectionsNeeded, isOwn }: { readonly connectionsNeeded: number; readonly isOwn: boolean },
): Promise<readonly Finding[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    const hasCitus = (await client.query<{ found: boolean }>(findCitus.text)).rows[0]?.found === true;
    const startedAt = Date.now();
    const server = defined(
      (await client.query<ServerRow>(serverText)).rows[0],
      'the server describes itself in one row',
    );
    const halfTrip = (Date.now() - startedAt) / 2;
    const { rows: archivers } = await client.query<Archiving>(archivingText);
    return [
      versionFinding(server),
      ...(await dateStyleFindings(client)),
      ...rightsFindings(server),
      await rolesFinding(client, hasCitus),
      securityFinding(server),
      clockFinding(server.now_ms - startedAt - halfTrip, halfTrip),
      connectionsFinding(server, connectionsNeeded),
      ...timeoutFindings(server, requestedTimeouts(connection)),
      ...durabilityFindings(server),
      ...archivers.flatMap((archiving) => archivingFindings(archiving, { isOwn })),
      ...(hasCitus ? await distributionFindings(client) : []),
    ];
  } finally {
    await client.end();
  }
}

function requestedTimeouts({
  statement_timeout: statementMs,
  lock_timeout: lockMs,
}: pg.ClientConfig): RequestedTimeouts | undefined {
  return typeof statementMs === 'number' && typeof lockMs === 'number' ? { statementMs, lockMs } : undefined;
}

async function dateStyleFindings(client: pg.Client): Promise<Finding[]> {
  const fault = await findDateStyleFault(client);
  return fault === undefined ? [] : [{ level: 'fail', what: 'the style of dates', remedy: fault.message }];
}

async function distributionFindings(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<Distribution>(readDistribution.text);
  const [distribution] = rows;
  if (distribution === undefined || distribution.count === 0)
    return [{ level: 'ok', what: 'the extension citus is there; no table is spread yet' }];
  const findings: Finding[] = [];
  const missing = planDistribution(await readDistributionState(client));
  findings.push(
    missing.length === 0
      ? { level: 'ok', what: `${distribution.count} tables are spread over servers` }
      : {
          level: 'fail',
          what: `${missing.length} statements are missing before workspaces are spread as they should be`,
          remedy: 'Stop all nodes and run `holdfast distribute`.',
        },
  );
  const rights = await compareShardRights(client);
  const difference = differenceText(rights);
  findings.push(
    difference === undefined
      ? {
          level: 'ok',
          what: `the policies and grants of ${rights.count} parts on all servers are those of their tables`,
        }
      : {
          level: 'fail',
          what: difference,
          remedy:
            'Who connects to such a server could read what is not theirs. Repeat there what was changed on one server only.',
        },
  );
  return findings;
}

/** Servers that spread tables reach each other in these roles. */
async function rolesFinding(client: pg.Client, mayLogIn: boolean): Promise<Finding> {
  const fault = await findRoleFault(client, { mayLogIn });
  if (fault === undefined)
    return { level: 'ok', what: `the roles ${serviceRole} and ${preAuthRole} are there and not too strong` };
  if (await canPutRoles(client, { mayLogIn }))
    return {
      level: 'ok',
      what: `the next start makes the roles ${serviceRole} and ${preAuthRole}: the database role may do so`,
    };
  return { level: 'fail', what: 'the roles that requests run in', remedy: fault.message };
}
