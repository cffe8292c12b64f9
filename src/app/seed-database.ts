// Creates what a new database needs: the first workspace and, on request, the demo.

import type pg from 'pg';
import {
  createMissingClasses,
  setUpFirstWorkspace,
  seedDemo,
  type DemoApplication,
  type FirstApplication,
} from '../actions/access/bootstrap.ts';
import type { AppContext } from '../actions/core/context.ts';
import { withStartLock } from '../store/postgres/migrate.ts';
import type { Config } from './config.ts';
import { checkKeyring } from './encryption-key.ts';

/** Set if this start created them: their secrets are shown only once. */
export interface FirstApplications {
  readonly firstApplication: FirstApplication | undefined;
  readonly demoApplication: DemoApplication | undefined;
}

/** Runs on one node at a time, so that a new database gets one first workspace. */
export async function seedDatabase(
  config: Config,
  connection: pg.PoolConfig,
  context: AppContext,
): Promise<FirstApplications> {
  let firstApplications: FirstApplications = { firstApplication: undefined, demoApplication: undefined };
  await withStartLock(connection, async () => {
    await checkKeyring(context);
    await createMissingClasses(context);
    const firstApplication = await setUpFirstWorkspace(context, config.bootstrap);
    const isDemoWanted = config.demo === 'on' || (config.demo === 'when-new' && firstApplication !== undefined);
    firstApplications = { firstApplication, demoApplication: isDemoWanted ? await seedDemo(context) : undefined };
  });
  return firstApplications;
}
