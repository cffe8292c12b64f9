// Finds out whether a server is a replica that reports can be loaded from: a standby of the primary that keeps up with it.

import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { defined } from '../../../kit/assert.ts';
import { findRoleFault } from '../roles.ts';
import { connectionsFinding, lagFinding, type Finding } from './server-findings.ts';
import { withClient } from '../../with-client.ts';

interface PrimaryRow {
  readonly system: string;
  readonly position: string;
}

interface ReplicaRow {
  readonly standby: boolean;
  readonly system: string;
  readonly missing: number;
  readonly seconds: number;
  readonly max_connections: number;
}

const primaryText = `
SELECT system_identifier::text AS system, pg_current_wal_lsn()::text AS position FROM pg_control_system()`;

const replicaText = `
SELECT pg_is_in_recovery() AS standby, system_identifier::text AS system,
  CASE WHEN pg_is_in_recovery() THEN greatest(0, pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()))::float8 ELSE 0 END AS missing,
  greatest(0, extract(epoch FROM clock_timestamp() - coalesce(pg_last_xact_replay_timestamp(), pg_postmaster_start_time())))::float8
    AS seconds,
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS max_connections
FROM pg_control_system()`;

/** `connectionsNeeded` is what one node opens at most. Throws if the primary cannot be requested. */
export async function inspectReplica(
  primary: pg.ClientConfig,
  replica: pg.ClientConfig,
  connectionsNeeded: number,
): Promise<readonly Finding[]> {
  const { system, position } = await withClient(primary, async (client) =>
    defined((await client.query<PrimaryRow>(primaryText)).rows[0], 'the primary describes itself in one row'),
  );
  return withClient(replica, async (client) => {
    const server = await describeReplica(client, position);
    if (server.system !== system || !server.standby) return [strangerFinding(server)];
    return [lagFinding(server), await rolesFinding(client), connectionsFinding(server, connectionsNeeded)];
  }).catch((error) => [awayFinding(error)]);
}

/** Gives it a moment to receive what the primary has just written, which says nothing about whether it keeps up. */
async function describeReplica(client: pg.Client, position: string, triesLeft = 10): Promise<ReplicaRow> {
  const { rows } = await client.query<ReplicaRow>(replicaText, [position]);
  const server = defined(rows[0], 'so does the replica');
  if (server.missing === 0 || triesLeft === 1) return server;
  await setTimeout(100);
  return describeReplica(client, position, triesLeft - 1);
}

function awayFinding(error: unknown): Finding {
  return {
    level: 'warn',
    what: `the replica cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    remedy: 'Reports are loaded from the primary meanwhile. See DATABASE_READ_URL, and whether the server runs.',
  };
}

function strangerFinding({ standby }: ReplicaRow): Finding {
  return {
    level: 'fail',
    what: standby
      ? 'the server of DATABASE_READ_URL follows another server than that of DATABASE_URL'
      : 'the server of DATABASE_READ_URL follows no other: it is a primary itself',
    remedy: 'It is not asked. Set DATABASE_READ_URL to a standby that streams from the primary, or remove it.',
  };
}

async function rolesFinding(client: pg.Client): Promise<Finding> {
  const fault = await findRoleFault(client);
  if (fault === undefined) return { level: 'ok', what: 'reports run on the replica in the same roles' };
  return { level: 'fail', what: 'the roles that reports run in on the replica', remedy: fault.message };
}
