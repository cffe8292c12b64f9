// Creates what a new database needs: the first workspace and, on request, the demo.

import type pg from 'pg';
import {
  createMissingClasses,
  demoTenant,
  setUpFirstWorkspace,
  seedDemo,
  type DemoApplication,
  type FirstApplication,
} from '../actions/access/bootstrap.ts';
import { makePrintedLink, type PrintedLink } from '../actions/people/administrator.ts';
import type { AppContext } from '../actions/core/context.ts';
import type { Tenant } from '../model/access/scope.ts';
import { isUnwritable } from '../model/refusals/unwritable.ts';
import { DatabaseUnfit } from '../store/postgres/roles.ts';
import { withStartLock } from '../store/postgres/start-lock.ts';
import type { Config } from './config.ts';
import { checkKeyring } from './encryption-key.ts';
import { withFirstSecretFile, type FirstSecrets } from './first-secret-file.ts';

/** Set if this start created them: their secrets are shown only once. */
export interface FirstApplications {
  readonly firstApplication: FirstApplication | undefined;
  readonly demoApplication: DemoApplication | undefined;
  /** The links with which people become administrators of what this start created. */
  readonly firstLink: PrintedLink | undefined;
  readonly demoLink: PrintedLink | undefined;
}

interface Created {
  readonly first: FirstSecrets;
  readonly demo: FirstSecrets & { readonly application: DemoApplication | undefined };
}

async function createFirst(config: Config, context: AppContext): Promise<Created> {
  const firstApplication = await setUpFirstWorkspace(context, config.bootstrap);
  const isDemoWanted = config.demo === 'on' || (config.demo === 'when-new' && firstApplication !== undefined);
  const demoApplication = isDemoWanted ? await seedDemo(context) : undefined;
  const isDevelopment = !config.isProduction;
  return {
    first: {
      application: firstApplication,
      link: firstApplication && (await makePrintedLink(context, firstApplication)),
    },
    demo: {
      application: demoApplication,
      link: demoApplication && isDevelopment ? await makePrintedLink(context, demoApplication) : undefined,
    },
  };
}

/** Whether the first workspace or the demo is missing and would be created. */
async function createsAnything({ demo }: Config, { stores }: AppContext): Promise<boolean> {
  const environments = await stores.preAuth.listEnvironments();
  const isDemo = ({ workspaceId }: Tenant): boolean => workspaceId === demoTenant.workspaceId;
  return environments.every(isDemo) || (demo === 'on' && !environments.some(isDemo));
}

/** A database that is in use can be used without what a start would add to it. */
async function unlessUnwritable<T>(context: AppContext, task: () => Promise<T>, without: T): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    const isInUse = (await context.stores.preAuth.listEnvironments()).length > 0;
    if (isInUse) return without;
    throw new DatabaseUnfit(`The database has no workspace yet, and none can be created now. ${error.message}`, {
      cause: error,
    });
  }
}

const nothingCreated: Created = {
  first: { application: undefined, link: undefined },
  demo: { application: undefined, link: undefined },
};

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
    await unlessUnwritable(context, () => createMissingClasses(context), undefined);
    const { firstSecretFile } = config;
    const create = (): Promise<Created> =>
      unlessUnwritable(context, () => createFirst(config, context), nothingCreated);
    const isKept = firstSecretFile !== undefined && (await createsAnything(config, context));
    const { first, demo } = isKept ? await withFirstSecretFile(firstSecretFile, create) : await create();
    firstApplications = {
      firstApplication: first.application,
      demoApplication: demo.application,
      firstLink: first.link,
      demoLink: demo.link,
    };
  });
  return firstApplications;
}
