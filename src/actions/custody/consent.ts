// Gives consent on an auth flow: by papers or an operator at once, or on the custodian's own pages, to which the person is sent and from
// which the browser comes back.

import { createHash } from 'node:crypto';
import { defined } from '../../kit/assert.ts';
import { minuteMs } from '../../kit/clock.ts';
import { isId, type Id } from '../../kit/id.ts';
import { Refusal, refusalForFaults } from '../../kit/refusal.ts';
import { environments, type Tenant } from '../../model/access/scope.ts';
import { authFlow, type AuthFlow } from '../../model/custody/auth-flow.ts';
import { nextState } from '../../model/custody/authority-state.ts';
import {
  ConnectorFailure,
  secretOrigins,
  type CompletedConsent,
  type ConnectorAccess,
  type ConnectorAccount,
} from '../../model/custody/connector.ts';
import type { ConsentType } from '../../model/custody/consent-type.ts';
import type { AppContext } from '../core/context.ts';
import { sealContext } from '../core/seal-context.ts';
import { runInTransaction, serviceAuthor, type Work } from '../core/work.ts';
import { grantLocked, lockFlow, showFlow, takeStep, type LockedFlow } from './auth-flow.ts';
import { callbackUrl, sharedCallbackPath } from './callback-address.ts';
import { sealCredentials } from './connector-access.ts';
import { askForAccounts } from './consent-accounts.ts';
import { openConnector, type OpenedConnector } from './custodian-settings.ts';

/** How long a person has for giving consent on the custodian's pages. */
export const redirectLifetimeMs = 60 * minuteMs;
/** How long the custodian has for an answer. */
const completionTimeoutMs = 30_000;

const statePurpose = 'consent-state';
export const pendingPurpose = 'consent-pending';

interface BegunFlow {
  readonly flow: AuthFlow;
  /** Where the person gives consent; null if that is not done on the custodian's pages. */
  readonly redirectUrl: string | null;
}

export async function giveConsent(work: Work, id: string, consentType: ConsentType): Promise<BegunFlow> {
  const locked = await lockFlow(work, id);
  const action = consentType === 'redirect' ? 'begin-redirect' : 'give-consent';
  nextState('auth flow', locked.flow.state, action);
  if (!locked.flow.supportedConsentTypes.includes(consentType)) {
    const detail = `The custodian does not support this consent type here, only: ${locked.flow.supportedConsentTypes.join(', ')}.`;
    throw refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail, field: 'consentType' }]);
  }
  if (action === 'begin-redirect') return beginRedirect(work, locked);
  const { flow } = await takeStep(work, locked, action, { consentType });
  return { flow: await showFlow(work, flow), redirectUrl: null };
}

/** Seals who comes back: nobody can make or change it, and it is of use once and for an hour. */
function sealState(work: Work, flowId: Id, until: number): string {
  const { workspaceId, environment } = work.store.scope;
  const state = JSON.stringify([workspaceId, environment, flowId, until]);
  return work.context.keyring.seal(statePurpose, state, statePurpose).toString('base64url');
}

interface CallbackState extends Tenant {
  readonly flowId: Id;
  readonly until: number;
}

function invalidCallback(detail: string): Refusal {
  return new Refusal('consent-link-invalid', detail);
}

const unknownLink =
  'This address does not belong to a consent that is being given. Ask for a new link and start again.';

function openState({ keyring }: AppContext, text: string | undefined): CallbackState {
  try {
    const opened: unknown = JSON.parse(
      keyring.open(statePurpose, Buffer.from(text ?? '', 'base64url'), statePurpose).toString(),
    );
    const [workspaceId, environmentWord, flowId, until] = opened as [Id, string, Id, number];
    const environment = environments.find((one) => one === environmentWord);
    if (environment !== undefined && isId(flowId)) return { workspaceId, environment, flowId, until };
  } catch {
    // Sealed by nobody here: an invented or shortened link.
  }
  throw invalidCallback(unknownLink);
}

async function beginRedirect(work: Work, locked: LockedFlow): Promise<BegunFlow> {
  const { flow } = locked;
  const opened = await openConnector(work, flow.custodian);
  if (opened?.connector.beginConsent === undefined) {
    throw new Refusal('connector-missing', 'The custodian has no connector that can begin consent on its pages.');
  }
  const { callbackPath } = opened;
  const until = work.now + redirectLifetimeMs;
  const state = sealState(work, flow.id, until);
  const begun = await opened.connector
    .beginConsent({
      settings: opened.settings,
      signal: AbortSignal.timeout(completionTimeoutMs),
      state,
      callbackUrl: callbackUrl(work.context, callbackPath),
    })
    .catch(refuseConnectorFailure);
  const { flow: waiting } = await takeStep(work, locked, 'begin-redirect', {
    consentType: 'redirect',
    pending_sealed: sealPending(work, flow.id, { state, pending: begun.pending, callbackPath }),
    pending_until: new Date(until),
  });
  return { flow: await showFlow(work, waiting), redirectUrl: begun.redirectUrl };
}

function refuseConnectorFailure(error: unknown): never {
  if (!(error instanceof ConnectorFailure)) throw error;
  throw new Refusal('connector-missing', error.message, { cause: error });
}

/** A browser that comes back: to which path of this service, and with what. */
interface Callback {
  readonly path: string;
  readonly state: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** What is stored while consent is being given. */
interface StoredPending {
  readonly state: string;
  readonly pending: string;
  /** The path that the browser has to come back to. Links of earlier releases name none: they lead to the shared one. */
  readonly callbackPath?: string;
  /** The callback that completes it, once one has come back. */
  readonly completion?: Id;
}

interface PendingConsent extends LockedFlow {
  readonly stored: StoredPending;
}

function sealPending({ context, store }: Work, flowId: Id, pending: StoredPending): Buffer {
  return context.keyring.seal(pendingPurpose, JSON.stringify(pending), sealContext(store.scope, flowId));
}

/**
 * Finds the consent that a callback belongs to: the last one that was begun on a flow that still waits for it. Refuses an answer at the
 * address of another custodian: its code is that custodian's, and must not be sent to this one.
 */
async function findPending(
  work: Work,
  { flowId, until }: CallbackState,
  { path, state }: Pick<Callback, 'path' | 'state'>,
): Promise<PendingConsent> {
  const locked = await lockFlow(work, flowId).catch(() => {
    throw invalidCallback(unknownLink);
  });
  const sealed = await work.store.custody.sealed.find('auth_flow', flowId);
  if (locked.flow.state !== 'awaiting-custodian' || sealed === null) throw invalidCallback(unknownLink);
  if (until <= work.now) throw invalidCallback('This link was open for too long. Ask for a new one and start again.');
  const { keyring } = work.context;
  const text = keyring.open(pendingPurpose, sealed, sealContext(work.store.scope, flowId)).toString();
  const stored: StoredPending = JSON.parse(text);
  const { callbackPath = sharedCallbackPath } = stored;
  if (stored.state !== state || callbackPath !== path) throw invalidCallback(unknownLink);
  return { ...locked, stored };
}

/** Tells one link from all others, so that its page can be shown again. It opens nothing. */
function completionMark({ path, state }: Pick<Callback, 'path' | 'state'>): string {
  return createHash('sha256').update(`${path} ${state}`).digest('hex');
}

/** How the consent of a link ended, if it has: whoever reloads the page sees the same again, and nobody is asked anything. */
async function findOutcome(
  work: Work,
  { flowId }: CallbackState,
  callback: Pick<Callback, 'path' | 'state'>,
): Promise<CallbackOutcome | undefined> {
  const ended = await work.store.custody.flows.findCompleted(flowId, completionMark(callback));
  if (ended === undefined) return undefined;
  return ended.detail === null ? { kind: 'granted' } : { kind: 'refused', detail: ended.detail };
}

/** What a consent was about that has ended. */
export interface EndedConsent {
  readonly flow: Id;
  readonly authority: Id;
  readonly custodianName: string;
}

/** For the page that says how a consent ended, and leads on. */
export async function getEndedConsent(
  context: AppContext,
  { path, parameters }: Pick<Callback, 'path' | 'parameters'>,
): Promise<EndedConsent> {
  const state = parameters['state'] ?? '';
  const opened = openState(context, state);
  return runInTransaction(context, serviceAuthor(opened), async (work) => {
    const ended = await work.store.custody.flows.findCompleted(opened.flowId, completionMark({ path, state }));
    if (ended === undefined) throw invalidCallback(unknownLink);
    return { flow: opened.flowId, authority: ended.authority, custodianName: ended.custodian };
  });
}

/** Lets one callback complete the consent: a code that is sent twice is refused, and what it gave the first time may be withdrawn. */
async function beginCompletion(
  work: Work,
  opened: CallbackState,
  { completion, ...callback }: Pick<Callback, 'path' | 'state'> & { readonly completion: Id },
) {
  const { flow, stored } = await findPending(work, opened, callback);
  if (stored.completion !== undefined)
    throw invalidCallback(
      'This consent is being completed already. Reload this page in a moment. If it says the same then, ask for a new link.',
    );
  await work.store
    .table(authFlow)
    .update(flow.id, { pending_sealed: sealPending(work, flow.id, { ...stored, completion }) });
  return { opened: await openConnector(work, flow.custodian), pending: stored.pending, authority: flow.authority };
}

/** What a callback led to. `refused`: the person or the custodian said no, and consent can be given again. */
export type CallbackOutcome = { readonly kind: 'granted' } | { readonly kind: 'refused'; readonly detail: string };

/**
 * Completes consent with what the browser came back with. The custodian is called between two transactions, so that its slowness holds
 * no lock; the second one checks again.
 */
export async function completeRedirect(
  context: AppContext,
  { path, parameters }: Pick<Callback, 'path' | 'parameters'>,
): Promise<CallbackOutcome> {
  const state = parameters['state'] ?? '';
  const tenant = openState(context, state);
  const author = serviceAuthor(tenant);
  const completion = context.ids.next();
  const begun = await runInTransaction(context, author, async (work) => {
    const ended = await findOutcome(work, tenant, { path, state });
    return ended ?? beginCompletion(work, tenant, { path, state, completion });
  });
  if ('kind' in begun) return begun;
  const { opened, pending, authority } = begun;
  const complete = opened?.connector.completeConsent?.bind(opened.connector);
  if (opened === undefined || complete === undefined) throw invalidCallback(unknownLink);
  const signal = AbortSignal.timeout(completionTimeoutMs);
  const call = { settings: opened.settings, signal, callbackUrl: callbackUrl(context, path), pending, parameters };
  const completed = await complete(call)
    .then((given) => withListedAccounts({ ...opened, signal, authority }, given))
    .catch((error: unknown) => {
      if (error instanceof ConnectorFailure) return error;
      throw error;
    });
  return runInTransaction(context, author, async (work) => {
    const found = await findPending(work, tenant, { path, state });
    if (found.stored.completion !== completion) throw invalidCallback(unknownLink);
    const detail = completed instanceof ConnectorFailure ? completed.message : null;
    if (completed instanceof ConnectorFailure) await refuseConsent(work, found);
    else await grantConsent(work, found, completed);
    const ended = { completed_state: completionMark({ path, state }), completed_detail: detail };
    await work.store.table(authFlow).update(found.flow.id, ended);
    return defined(await findOutcome(work, tenant, { path, state }), 'a consent that has just ended has an outcome');
  });
}

/** What was consented to, with what it is for, if the custodian says so by now. */
interface GivenConsent extends CompletedConsent {
  readonly accounts: readonly ConnectorAccount[] | undefined;
}

type ConsentAccess = Pick<OpenedConnector, 'connector' | 'settings'> & Pick<ConnectorAccess, 'signal' | 'authority'>;

/** Asks at once what the consent is for, so that the person can go on with it. The first run of the feed asks again. */
async function withListedAccounts(
  { connector, settings, signal, authority }: ConsentAccess,
  given: CompletedConsent,
): Promise<GivenConsent> {
  let { credentials } = given;
  const access: ConnectorAccess = {
    settings,
    signal,
    authority,
    credentials,
    saveCredentials: async (renewed) => void (credentials = renewed),
    originsAtConsent: async () => secretOrigins(settings),
  };
  const accounts = await askForAccounts(connector, access);
  return { ...given, credentials, accounts };
}

async function refuseConsent(work: Work, found: LockedFlow): Promise<void> {
  await takeStep(work, found, 'refuse-consent', { pending_sealed: null, pending_until: null });
}

async function grantConsent(work: Work, found: LockedFlow, completed: GivenConsent): Promise<void> {
  const { credentials, expiresAt, accounts } = completed;
  const isEnding = expiresAt !== null && expiresAt > work.now;
  await grantLocked(work, found, {
    credentialsSealed: sealCredentials(work, found.authority.id, credentials),
    ...(isEnding ? { expiresAt } : {}),
  });
  if (accounts !== undefined)
    await work.store.custody.consentAccounts.saveListed(found.authority.id, accounts, work.now);
}
