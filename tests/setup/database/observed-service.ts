// Starts a service whose plans are observed, on a database that has no statistics yet.

import pg from 'pg';
import { onTestFinished } from 'vitest';
import { makeDatabase, startTestService, type TestService } from '../node/test-service.ts';
import { collectPlans, reportPlans, type ObservedPlan } from './observed-plans.ts';

interface ObservedService {
  readonly service: TestService;
  /** A connection of the owner of the database. */
  readonly owner: pg.Client;
  readonly plans: { take(): ObservedPlan[] };
}

/** It is stopped when the test ends. */
export async function observedServiceForThisTest(): Promise<ObservedService> {
  const database = await makeDatabase();
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await reportPlans(database);
  const plans = collectPlans();
  const service = await startTestService({ database });
  onTestFinished(async () => {
    plans.stop();
    await owner.end();
    await service.stop();
    await database.drop();
  });
  return { service, owner, plans };
}

/** How many rows of a table were read. */
export function rowsReadOf(table: string, plans: readonly ObservedPlan[]): number {
  const scans = plans.flatMap((plan) => plan.scans).filter((scan) => scan.table === table);
  return scans.reduce((sum, { rows }) => sum + rows, 0);
}
