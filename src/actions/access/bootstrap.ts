// What a new database begins with: a first workspace with an application that may do everything, and, where it is asked
// for, a demo family office in a workspace of its own. Each is made once.

import type { Id } from '../../kit/id.ts';
import { everything, rights, type Environment, type Reach } from '../../model/access/scope.ts';
import { listEnvironments } from '../../store/access/expiry.ts';
import { createWorkspace, ensureEnvironment, listEnvironmentsWithoutClasses } from '../../store/access/workspaces.ts';
import { createApplication, type ChosenCredentials } from './credential.ts';
import { demoIds, furnishDemo } from '../demo/seed-demo.ts';
import type { House } from '../core/context.ts';
import { layOutClasses } from '../instruments/instrument-class.ts';
import { writingWork, type Work } from '../core/work.ts';

export interface FirstApplication {
  readonly workspaceId: Id;
  readonly environment: Environment;
  readonly clientId: string;
  /** In clear for this once. */
  readonly clientSecret: string;
}

/** The same on every deployment, so that a second start knows that it is there. */
const demoWorkspaceId = '00000000000000000000de30' as Id;

export interface NewWorkspace {
  readonly id: Id;
  readonly name: string;
  readonly environment: Environment;
  readonly chosen?: ChosenCredentials | undefined;
}

export async function openWorkspace(
  house: House,
  { id, name, environment, chosen }: NewWorkspace,
  furnish: (work: Work) => Promise<void> = async () => {},
): Promise<FirstApplication> {
  const reach: Reach = { workspaceId: id, environment, sight: everything, credentialId: null };
  return writingWork(house, { reach, view: null, subject: null, requestId: null }, async (work) => {
    await createWorkspace(work.store.run, { id, name, at: work.now });
    await ensureEnvironment(work.store.run, { workspaceId: id, environment, at: work.now });
    await layOutClasses(work);
    const { application, clientSecret } = await createApplication(work, { name: 'Administration', rights }, chosen);
    await furnish(work);
    return { workspaceId: id, environment, clientId: application.clientId, clientSecret };
  });
}

/** On an empty database only. */
export async function openFirstWorkspace(
  house: House,
  chosen: ChosenCredentials | undefined,
): Promise<FirstApplication | undefined> {
  const known = await listEnvironments(house.database);
  if (known.some(({ workspaceId }) => workspaceId !== demoWorkspaceId)) return undefined;
  return openWorkspace(house, { id: house.ids.next(), name: 'Workspace', environment: 'production', chosen });
}

/** Environments from before there were classes get theirs. */
export async function layOutMissingClasses(house: House): Promise<void> {
  for (const { workspaceId, environment } of await listEnvironmentsWithoutClasses(house.database)) {
    const reach: Reach = { workspaceId, environment, sight: everything, credentialId: null };
    await writingWork(house, { reach, view: null, subject: null, requestId: null }, layOutClasses);
  }
}

export interface DemoApplication extends FirstApplication {
  /** What there is most to see of. */
  readonly reportingEntityId: Id;
}

export async function seedDemo(house: House): Promise<DemoApplication | undefined> {
  const known = await listEnvironments(house.database);
  if (known.some(({ workspaceId }) => workspaceId === demoWorkspaceId)) return undefined;
  const demo = { id: demoWorkspaceId, name: 'Lindqvist Family Office', environment: 'sandbox' } as const;
  let reportingEntityId: Id;
  const application = await openWorkspace({ ...house, ids: demoIds() }, demo, async (work) => {
    reportingEntityId = await furnishDemo(work);
  });
  return { ...application, reportingEntityId: reportingEntityId! };
}
