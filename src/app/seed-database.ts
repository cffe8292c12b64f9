// Creates what a new database needs: the first workspace and, on request, the demo.

import type pg from 'pg';
import {
  createMissingClasses,
  setUpFirstWorkspace,
  seedDemo,
  type DemoApplication,
  type FirstApplication,
} from '../actions/access/bootstrap.ts';
import { makePrintedLink, type PrintedLink } from '../actions/people/administrator.ts';
import type { AppContext } from '../actions/core/context.ts';
import { withStartLock } from '../store/postgres/start-lock.ts';
import type { Config } from './config.ts';
import { checkKeyring } from './encryption-key.ts';

/** Set if this start created them: their secrets are shown only once. */
export interface FirstApplications {
  readonly firstApplication: FirstApplication | undefined;
  readonly demoApplication: DemoApplication | undefined;
  /** The links with which people become administrators of what this start created. */
  readonly firstLink: PrintedLink | undefined;
  readonly demoLink: PrintedLink | undefined;
}

/** Runs on one node at a time, so that a new database gets one first workspace. */
export async function seedDatabase(
  config: Config,
  connection: pg.PoolConfig,
  context: AppContext,
): Promise<FirstApplications> {
  let firstApplications: FirstApplications = {
    firstApplication: undefined,
    demoApplication: undefined,
    firstLink: undefined,
    demoLink: undefined,
  };
  await withStartLock(connection, async () => {
    await checkKeyring(context);
    await createMissingClasses(context);
    const firstApplication = await setUpFirstWorkspace(context, config.bootstrap);
    const isDemoWanted = config.demo === 'on' || (config.demo === 'when-new' && firstApplication !== undefined);
    const demoApplication = isDemoWanted ? await seedDemo(context) : undefined;
    const isDevelopment = !config.isProduction;
    firstApplications = {
      firstApplication,
      demoApplication,
      firstLink: firstApplication && (await makePrintedLink(context, firstApplication)),
      demoLink: demoApplication && isDevelopment ? await makePrintedLink(context, demoApplication) : undefined,
    };
  });
  return firstApplications;
}
