// Checks the laws over the rows of every tenant, all as of one moment, beside a running service.

import { append } from '../../../kit/memory/long-list.ts';
import type pg from 'pg';
import type { Tenant } from '../../../model/access/scope.ts';
import { enterTenant, leaveTenant, withSnapshotClient } from '../backup/snapshot-client.ts';
import { laws, type Law } from './laws.ts';
import { countIn } from '../statement.ts';

/** The faults of a tenant that are named; the rest is only counted. */
const namedMax = 20;

export interface LawReport {
  readonly name: string;
  /** How many rows it was checked on, in all tenants. */
  readonly count: number;
  readonly faultCount: number;
  /** The first of them, with the workspace and the environment. */
  readonly faults: readonly string[];
}

/** Calls `report` for each law in turn. The rows stay in the database: only faults are read. */
export function verifyLaws(connection: pg.ClientConfig, report: (law: LawReport) => void): Promise<void> {
  return withSnapshotClient(connection, async ({ client, listTenants }) => {
    const tenants = await listTenants();
    for (const law of laws) report(await checkLaw(client, law, tenants));
  });
}

async function checkLaw(client: pg.Client, law: Law, tenants: readonly Tenant[]): Promise<LawReport> {
  let [count, faultCount] = [0, 0];
  const faults: string[] = [];
  for (const tenant of tenants) {
    const { workspaceId, environment } = tenant;
    await enterTenant(client, tenant);
    const counted = await client.query<{ count: string }>(law.countText, [workspaceId, environment]);
    count += Number(countIn(counted));
    const found = await client.query<{ fault: string; total: string }>(
      `SELECT f.fault, count(*) OVER () AS total FROM (${law.faultText}) f ORDER BY f.fault LIMIT ${namedMax}`,
      [workspaceId, environment],
    );
    faultCount += Number(found.rows[0]?.total ?? 0);
    if (faults.length < namedMax)
      append(
        faults,
        found.rows.map(({ fault }) => `${workspaceId}/${environment}: ${fault}`),
      );
    await leaveTenant(client);
  }
  return { name: law.name, count, faultCount, faults: faults.slice(0, namedMax) };
}
