// The life of a workspace, as its operator decides it: created, listed, suspended, resumed, closed. Erasing is in the store, since the service
// itself can delete neither ledgers nor workspaces.

import type { Id } from '../../kit/id.ts';
import { snakeCase } from '../../kit/resource.ts';
import { application, key } from '../../model/access/credential.ts';
import { rights, type Environment, type Tenant } from '../../model/access/scope.ts';
import { workspaceSettingNames, type OwnSettings } from '../../model/access/workspace-settings.ts';
import type { WorkspaceState } from '../../model/access/workspace-state.ts';
import type { WorkspaceSummary } from '../../store/access/workspace-states.ts';
import { listSettings, type SettingState } from './workspace-settings.ts';
import { setUpWorkspace, type FirstApplication } from './bootstrap.ts';
import { applicationRules, createApplication, keyRules } from './credential.ts';
import type { AppContext } from '../core/context.ts';
import { deleteRecord } from '../core/resource.ts';
import { audit, openReadWork, runInTransaction, serviceAuthor, type Work } from '../core/work.ts';
import { makeClientSecret } from '../../signing/client-secret.ts';

export interface NewWorkspace {
  readonly id: Id;
  /** The administering application of each environment. */
  readonly applications: readonly FirstApplication[];
}

interface WorkspaceToCreate {
  readonly name: string;
  readonly clientId: string | undefined;
  /** What it has from its beginning: both are there, or neither. */
  readonly fill?: (work: Work) => Promise<void>;
}

/** Creates a workspace with both environments, each with an application that has all rights. */
export async function createWorkspace(
  context: AppContext,
  { name, clientId, fill }: WorkspaceToCreate,
): Promise<NewWorkspace> {
  const id = context.ids.next();
  const chosen = clientId === undefined ? undefined : { clientId, clientSecret: makeClientSecret() };
  const made: FirstApplication[] = [];
  const production = await setUpWorkspace(
    context,
    { id, name, environment: 'production', chosen, fill },
    async (work: Work) => {
      const created = await createApplication(work, { name: 'Administration', rights, environment: 'sandbox' });
      const { clientId: madeId } = created.application;
      made.push({ workspaceId: id, environment: 'sandbox', clientId: madeId, clientSecret: created.clientSecret });
    },
  );
  return { id, applications: [production, ...made] };
}

/** A workspace with what is in its environments. */
export interface ListedWorkspace extends WorkspaceSummary {
  readonly id: Id;
  readonly environments: readonly Environment[];
}

async function listTenants({ stores }: AppContext, workspaceId: string): Promise<readonly Tenant[]> {
  return (await stores.preAuth.listEnvironments()).filter((tenant) => tenant.workspaceId === workspaceId);
}

/** The oldest first, since ids begin with a moment. */
export async function listWorkspaces(context: AppContext): Promise<readonly ListedWorkspace[]> {
  const listed = new Map<Id, ListedWorkspace>();
  for (const tenant of await context.stores.preAuth.listEnvironments()) {
    const found = await openReadWork(context, serviceAuthor(tenant)).store.workspaceStates.readSummary();
    const before = listed.get(tenant.workspaceId);
    listed.set(tenant.workspaceId, {
      ...found,
      id: tenant.workspaceId,
      environments: [...(before?.environments ?? []), tenant.environment],
      clients: found.clients + (before?.clients ?? 0),
      transactions: found.transactions + (before?.transactions ?? 0),
    });
  }
  return [...listed.values()];
}

export async function findWorkspace(context: AppContext, id: string): Promise<ListedWorkspace | undefined> {
  return (await listWorkspaces(context)).find((one) => one.id === id);
}

/** Runs a task in each environment of a workspace, all in one transaction. */
async function inAllEnvironments<T>(
  context: AppContext,
  [first, ...others]: readonly [Tenant, ...Tenant[]],
  task: (work: Work) => Promise<T>,
): Promise<T> {
  return runInTransaction(context, serviceAuthor(first), async (work) => {
    const result = await task(work);
    for (const { environment } of others) {
      const store = await work.store.switchScope({ ...work.store.scope, environment });
      await task({ ...work, store });
    }
    await work.store.switchScope(work.store.scope);
    return result;
  });
}

interface StateChange {
  readonly from: readonly WorkspaceState[];
  readonly to: WorkspaceState;
}

/**
 * Changes the state of a workspace that is in one of the states `from`, with a line in the audit log of each environment. Returns the state
 * before; undefined where there is no such workspace.
 */
async function changeState(
  context: AppContext,
  workspaceId: string,
  { from, to }: StateChange,
): Promise<WorkspaceState | undefined> {
  const [first, ...others] = await listTenants(context, workspaceId);
  if (first === undefined) return undefined;
  let before: WorkspaceState | undefined;
  return inAllEnvironments(context, [first, ...others], async (work) => {
    // Locked and changed in the first environment only, since all share the state.
    const isFirst = work.store.scope.environment === first.environment;
    const state = isFirst ? (before = await work.store.workspaceStates.lock()) : (before ?? to);
    if (!from.includes(state)) return state;
    if (isFirst) await work.store.workspaceStates.set(to, work.now);
    const id = work.store.scope.workspaceId;
    audit(work, {
      act: 'change',
      type: 'workspace',
      id,
      clientId: null,
      before: { id, state },
      after: { id, state: to },
    });
    return state;
  });
}

/** From now on nothing of the workspace can be read or changed, and nothing of it is done, on any node. */
export function suspendWorkspace(context: AppContext, workspaceId: string): Promise<WorkspaceState | undefined> {
  return changeState(context, workspaceId, { from: ['active'], to: 'suspended' });
}

/** Lets a workspace work again. Deliveries and mail that waited have a new day of attempts, since none could be made. */
export async function resumeWorkspace(
  context: AppContext,
  workspaceId: string,
  from: readonly WorkspaceState[],
): Promise<WorkspaceState | undefined> {
  const state = (await findWorkspace(context, workspaceId))?.state;
  if (state === undefined || !from.includes(state)) return state;
  for (const tenant of await listTenants(context, workspaceId)) {
    const restart = (): Promise<boolean> =>
      runInTransaction(context, serviceAuthor(tenant), (work) => work.store.workspaceStates.restartAttempts(work.now));
    while (await restart());
  }
  return changeState(context, workspaceId, { from, to: 'active' });
}

/** What an operator has changed of a workspace. */
export interface SettingsChange {
  readonly before: OwnSettings;
  readonly after: OwnSettings;
}

/**
 * Sets what a workspace may use and for how long its rows are kept, with a line in the audit log of each environment. Null: as the installation
 * says. Undefined where there is no such workspace.
 */
export async function changeSettings(
  context: AppContext,
  workspaceId: string,
  { changes, command }: { readonly changes: Partial<OwnSettings>; readonly command: string },
): Promise<SettingsChange | undefined> {
  const [first, ...others] = await listTenants(context, workspaceId);
  if (first === undefined) return undefined;
  let change: SettingsChange | undefined;
  return inAllEnvironments(context, [first, ...others], async (work) => {
    const { workspaceSettings, scope } = work.store;
    if (change === undefined) {
      await work.store.workspaceStates.lock();
      const before = await workspaceSettings.readOwn();
      change = { before, after: { ...before, ...changes } };
      await workspaceSettings.putOwn(change.after);
    }
    const { before, after } = change;
    const changed = workspaceSettingNames.filter((name) => before[name] !== after[name]);
    if (changed.length === 0) return change;
    const line = (own: OwnSettings) => ({
      id: scope.workspaceId,
      ...Object.fromEntries(changed.map((name) => [snakeCase(name), own[name]])),
    });
    audit(work, {
      act: 'change',
      type: 'workspace',
      id: scope.workspaceId,
      clientId: null,
      before: line(before),
      after: { ...line(after), operator_command: command },
    });
    return change;
  });
}

/** What an operator has set for a workspace, with the environments it holds for. Undefined where there is no such workspace. */
export async function readWorkspaceSettings(
  context: AppContext,
  workspaceId: string,
): Promise<readonly EnvironmentSettings[] | undefined> {
  const found = await listTenants(context, workspaceId);
  if (found.length === 0) return undefined;
  const states: EnvironmentSettings[] = [];
  for (const tenant of found)
    states.push({
      environment: tenant.environment,
      settings: await listSettings(openReadWork(context, serviceAuthor(tenant))),
    });
  return states;
}

export interface EnvironmentSettings {
  readonly environment: Environment;
  readonly settings: readonly SettingState[];
}

/** After this a workspace cannot be opened again: parts of it may be gone. */
export function beginErasure(context: AppContext, workspaceId: string): Promise<WorkspaceState | undefined> {
  return changeState(context, workspaceId, { from: ['closed'], to: 'erasing' });
}

/** How many credentials one transaction deletes. */
const credentialsMax = 50;

/** Suspends a workspace for good: nobody has a credential or a session any more. Can be repeated if it was interrupted. */
export async function closeWorkspace(context: AppContext, workspaceId: string): Promise<WorkspaceState | undefined> {
  const state = await changeState(context, workspaceId, { from: ['active', 'suspended'], to: 'closed' });
  if (state === undefined || state === 'erasing') return state;
  for (const tenant of await listTenants(context, workspaceId)) {
    await runInTransaction(context, serviceAuthor(tenant), (work) => work.store.workspaceStates.endAccess(work.now));
    while (await deleteCredentials(context, tenant));
  }
  return state;
}

/** Returns whether there may be more. */
async function deleteCredentials(context: AppContext, tenant: Tenant): Promise<boolean> {
  return runInTransaction(context, serviceAuthor(tenant), async (work) => {
    const query = { limit: credentialsMax };
    const applications = await work.store.table(application).list(query);
    const keys = await work.store.table(key).list(query);
    for (const { id } of applications) await deleteRecord(work, applicationRules, id);
    for (const { id } of keys) await deleteRecord(work, keyRules, id);
    return applications.length === credentialsMax || keys.length === credentialsMax;
  });
}
