// Sets up a new database: a first workspace with an application that has all rights, and, on request, a demo family office in its own
// workspace. Each is created once.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { rights, type Environment, type Tenant } from '../../model/access/scope.ts';
import { createApplication, replaceClientSecret, type ChosenCredentials } from './credential.ts';
import { demoIds, seedDemoData } from '../demo/seed-demo.ts';
import type { AppContext } from '../core/context.ts';
import { ensureEnvironment } from './replaced-keys.ts';
import { createDefaultClasses } from '../instruments/instrument-class.ts';
import { runInTransaction, serviceAuthor, type Work } from '../core/work.ts';

export interface FirstApplication {
  readonly workspaceId: Id;
  readonly environment: Environment;
  readonly clientId: string;
  /** Returned in clear only here. */
  readonly clientSecret: string;
}

/** The same on every deployment, so that a second start recognises it. */
const demoWorkspaceId = '00000000000000000000de30' as Id;
export const demoTenant: Tenant = { workspaceId: demoWorkspaceId, environment: 'sandbox' };

interface NewWorkspace {
  readonly id: Id;
  readonly name: string;
  readonly environment: Environment;
  readonly chosen?: ChosenCredentials | undefined;
  /** What it has from its beginning, instruments with their classes included. */
  readonly fill?: ((work: Work) => Promise<void>) | undefined;
}

export async function setUpWorkspace(
  context: AppContext,
  { id, name, environment, chosen, fill }: NewWorkspace,
  seed: (work: Work) => Promise<void> = async () => {},
): Promise<FirstApplication> {
  return runInTransaction(context, serviceAuthor({ workspaceId: id, environment }), async (work) => {
    await work.store.workspaces.create({ name, at: work.now });
    await ensureEnvironment(work);
    await fill?.(work);
    // Where there are none yet.
    await createDefaultClasses(work);
    const { application, clientSecret } = await createApplication(work, { name: 'Administration', rights }, chosen);
    await seed(work);
    return { workspaceId: id, environment, clientId: application.clientId, clientSecret };
  });
}

/** Does nothing unless the database is empty, apart from the demo. */
export async function setUpFirstWorkspace(
  context: AppContext,
  chosen: ChosenCredentials | undefined,
): Promise<FirstApplication | undefined> {
  if (await context.stores.preAuth.hasOtherWorkspace(demoWorkspaceId)) return undefined;
  return setUpWorkspace(context, { id: context.ids.next(), name: 'Workspace', environment: 'production', chosen });
}

interface ReplacedSecret extends FirstApplication {
  readonly name: string;
}

/**
 * Replaces the secret of an application, by default that of the oldest one that may do everything outside the demo. For an operator, who
 * needs no token: having the database and the key is enough.
 */
export async function replaceSecretAsOperator(
  context: AppContext,
  clientId: string | undefined,
): Promise<ReplacedSecret | undefined> {
  const { preAuth } = context.stores;
  const found =
    clientId === undefined ? await preAuth.findFirstAdmin(demoWorkspaceId) : await preAuth.findApplication(clientId);
  if (found === undefined) return undefined;
  const { workspaceId, environment } = found;
  return runInTransaction(context, serviceAuthor(found), async (work) => {
    const { application, clientSecret } = await replaceClientSecret(work, found.id);
    return { workspaceId, environment, clientId: application.clientId, name: application.name, clientSecret };
  });
}

/** The tenant of the oldest application that may do everything outside the demo. */
export async function findFirstTenant({ stores }: AppContext): Promise<Tenant | undefined> {
  return stores.preAuth.findFirstAdmin(demoWorkspaceId);
}

/** Creates the default classes in environments that were set up before classes existed. */
export async function createMissingClasses(context: AppContext): Promise<void> {
  for (const tenant of await context.stores.preAuth.listEnvironmentsWithoutClasses()) {
    await runInTransaction(context, serviceAuthor(tenant), createDefaultClasses);
  }
}

export interface DemoApplication extends FirstApplication {
  /** The reporting entity with the most data. */
  readonly reportingEntityId: Id;
}

export async function seedDemo(context: AppContext): Promise<DemoApplication | undefined> {
  const environments = await context.stores.preAuth.listEnvironments();
  if (environments.some(({ workspaceId }) => workspaceId === demoWorkspaceId)) return undefined;
  const demo = { id: demoWorkspaceId, name: 'Lindqvist Family Office', environment: 'sandbox' } as const;
  let reportingEntityId: Id | undefined;
  const application = await setUpWorkspace({ ...context, ids: demoIds() }, demo, async (work) => {
    reportingEntityId = await seedDemoData(work);
  });
  return {
    ...application,
    reportingEntityId: defined(reportingEntityId, 'seeding the demo returns a reporting entity'),
  };
}
