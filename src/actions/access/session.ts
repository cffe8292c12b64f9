// Sessions of people who signed in: opens, finds and ends them. Only the browser's cookie holds the secret of a session.

import { idFromRow, type Id } from '../../kit/id.ts';
import { hourMs, minuteMs } from '../../kit/clock.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { PersonAccess } from '../../model/access/person-access.ts';
import { allClients } from '../../model/access/scope.ts';
import { user } from '../../model/people/user.ts';
import { isUnwritable } from '../../model/refusals/unwritable.ts';
import type { IdentityKey } from '../../store/people/identities.ts';
import type { OpenSession } from '../../store/people/sessions.ts';
import type { StoreOptions } from '../../store/scoped-tables.ts';
import type { Store } from '../../store/store.ts';
import type { AppContext } from '../core/context.ts';
import { findAccessOfPerson } from './person-caller.ts';
import { audit, runInTransaction, serviceAuthor, type Author, type Work } from '../core/work.ts';
import { SealBroken } from '../../signing/keyring.ts';
import { hashSecret, locateSecret, newPlacedSecret } from './placed-secret.ts';
import { sessionIdleMs, type UnrecordedAct } from './sessions-in-memory.ts';

/** A session ends after this long in any case. */
export const sessionLifetimeMs = 12 * hourMs;
/** How long ended sessions are kept for a person's data export. */
export const sessionRetentionMs = 7 * 24 * hourMs;
/** `seen_at` is updated at most this often. */
const seenIntervalMs = minuteMs;

export interface Session {
  readonly id: Id;
  readonly access: PersonAccess;
}

export interface OpenedSession {
  /** For the cookie; only its hash is stored. */
  readonly secret: string;
  readonly csrf: string;
}

type PersonRef = Pick<PersonAccess, 'workspaceId' | 'environment' | 'personId'>;

function tenantOf({ workspaceId, environment }: PersonRef): StoreOptions {
  return { scope: { workspaceId, environment, visibleClients: allClients, credentialId: null } };
}

/** The person acts, on sessions that belong to no client. */
function authorOf(person: PersonRef): Author {
  return { ...serviceAuthor(person), subject: person.personId };
}

/** `session_id` is null where all sessions of the person end. */
function auditSession(
  work: Work,
  { personId }: PersonRef,
  act: 'sign-in' | 'sign-out',
  after: { readonly session_id: Id | null },
): void {
  audit(work, { act, type: user.type, id: idFromRow(personId), clientId: null, before: null, after });
}

const formPurpose = 'console-form';

/** Derives the token that every form of a browser must carry. Neither the token nor the secret can be computed from the other. */
export function deriveFormToken({ keyring }: Pick<AppContext, 'keyring'>, secret: string): string {
  return keyring.mac(formPurpose, secret).toString('base64url');
}

/** The tokens that forms may come back with: while the encryption key is being replaced, another node may have made the page. */
export function acceptedFormTokens({ keyring }: Pick<AppContext, 'keyring'>, secret: string): readonly Buffer[] {
  return keyring.macs(formPurpose, secret);
}

/** How much of the name of a browser is kept. */
const userAgentLengthMax = 200;

/** What a browser says about itself may be anything: only visible ASCII is kept, and not much of it. */
function sanitizeUserAgent(text: string | undefined): string | null {
  const visible = (text ?? '').replaceAll(/[^ -~]+/g, ' ').trim();
  return visible === '' ? null : visible.slice(0, userAgentLengthMax);
}

interface SignInDetails {
  /** The identity that was used. */
  readonly identity?: IdentityKey;
  /** The browser as it names itself. */
  readonly userAgent?: string | undefined;
}

/** Opens a new session at every sign-in. */
export async function openSession(
  context: AppContext,
  person: PersonRef,
  { identity, userAgent }: SignInDetails = {},
): Promise<OpenedSession> {
  const secret = newPlacedSecret(person.workspaceId);
  const recording = runInTransaction(context, authorOf(person), async (work) => {
    const { store, now } = work;
    const session = { id: work.ids.next(), personId: person.personId, secretHash: hashSecret(secret) };
    const browser = sanitizeUserAgent(userAgent);
    await store.sessions.insert({ ...session, userAgent: browser, now, expiresAt: now + sessionLifetimeMs });
    if (identity !== undefined) await store.identities.markUsed({ ...identity, at: now });
    auditSession(work, person, 'sign-in', { session_id: session.id });
    return secret;
  });
  const opened = await recording.catch((error: unknown) => {
    if (isUnwritable(error)) return openUnrecorded(context, person, error);
    throw error;
  });
  return { secret: opened, csrf: deriveFormToken(context, opened) };
}

/** A session that no row tells of: the browser's cookie says all of it, sealed. No other secret begins like this. */
const unrecordedPrefix = 'unrecorded.';
const unrecordedPurpose = 'unrecorded-session';

interface UnrecordedSession extends PersonRef {
  readonly id: Id;
  readonly at: number;
}

/** While nothing can be written, a person signs in for half an hour. The sign-in is recorded later. */
function openUnrecorded(
  context: AppContext,
  { workspaceId, environment, personId }: PersonRef,
  refusal: Refusal,
): string {
  const { clock, ids, keyring, sessionsInMemory } = context;
  const session: UnrecordedSession = { workspaceId, environment, personId, id: ids.next(), at: clock.now() };
  const person = { workspaceId, environment, personId };
  sessionsInMemory.note({ person, act: 'sign-in', sessionId: session.id, at: session.at }, refusal);
  return unrecordedPrefix + keyring.seal(unrecordedPurpose, JSON.stringify(session), '').toString('base64url');
}

/** The person's access is looked up as for any session. */
async function findUnrecorded(context: AppContext, secret: string): Promise<Session | undefined> {
  const session = openSealed(context, secret.slice(unrecordedPrefix.length));
  if (session === undefined) return undefined;
  const { id, at, workspaceId, environment, personId } = session;
  const age = context.clock.now() - at;
  if (age >= sessionIdleMs || context.sessionsInMemory.hasEnded(id)) return undefined;
  const access = await findAccessOfPerson(context, { workspaceId, environment, personId });
  return access && { id, access };
}

function openSealed({ keyring }: AppContext, sealed: string): UnrecordedSession | undefined {
  try {
    const session: UnrecordedSession = JSON.parse(
      keyring.open(unrecordedPurpose, Buffer.from(sealed, 'base64url'), '').toString('utf8'),
    );
    return session;
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

/** Whether it helps to wait. */
function isTemporary(error: unknown): boolean {
  return error instanceof Refusal && error.retryAfterSeconds !== undefined;
}

/** Records the sign-ins and sign-outs of the time in which nothing could be written. Leaves out those of workspaces that are gone since. */
export async function recordSessionActs(context: AppContext): Promise<void> {
  const { sessionsInMemory } = context;
  for (const recorded of sessionsInMemory.unrecorded) {
    const error = await recordAct(context, recorded).then(
      () => undefined,
      (failure: unknown) => failure,
    );
    if (isTemporary(error)) return;
    sessionsInMemory.forget(recorded);
  }
}

function recordAct(context: AppContext, { person, act, sessionId, at }: UnrecordedAct): Promise<void> {
  return runInTransaction(context, authorOf(person), async (work) => {
    if (act === 'sign-out') work.store.sessions.end({ id: sessionId, at });
    auditSession({ ...work, now: at }, person, act, { session_id: sessionId });
  });
}

/** Returns the session with the person's present access; undefined once it has ended or the person has no access any more. */
export async function findSession(context: AppContext, secret: string): Promise<Session | undefined> {
  if (secret.startsWith(unrecordedPrefix)) return findUnrecorded(context, secret);
  const now = context.clock.now();
  const located = locateSecret(secret);
  const seenHere = context.sessionsInMemory.findSeenAt(located.secretHash, now);
  const idleSince = seenHere === undefined ? now - sessionIdleMs : 0;
  const found = await context.stores.preAuth.findSession({ ...located, now, idleSince });
  if (found === undefined || context.sessionsInMemory.hasEnded(found.id)) return undefined;
  const { id, seenAt, access } = found;
  if (now - Math.max(seenAt, seenHere ?? 0) >= seenIntervalMs) await markSeen(context, { id, access }, located);
  return { id, access };
}

/** While that cannot be written, this node remembers it: otherwise everybody would be signed out after half an hour. */
async function markSeen(
  context: AppContext,
  { id, access }: Session,
  { secretHash }: { readonly secretHash: Buffer },
): Promise<void> {
  const at = context.clock.now();
  try {
    await context.stores.writeEnqueued(tenantOf(access), (store) => store.sessions.markSeen({ id, at }));
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    context.sessionsInMemory.noteSeen(secretHash, at);
  }
}

/** While nothing can be written, this node ends the session, and the browser forgets its secret. */
export async function endSession(context: AppContext, { id, access }: Session): Promise<void> {
  const { workspaceId, environment, personId } = access;
  const person = { workspaceId, environment, personId };
  const ending: UnrecordedAct = { person, act: 'sign-out', sessionId: id, at: context.clock.now() };
  await recordAct(context, ending).catch((error: unknown) => {
    if (!isUnwritable(error)) throw error;
    context.sessionsInMemory.note(ending, error);
  });
}

/** The sessions of a person that have not ended, newest first. */
export async function listOpenSessions(context: AppContext, person: PersonRef): Promise<readonly OpenSession[]> {
  return listOpen(context.stores.forReading(tenantOf(person)), person, context.clock.now());
}

function listOpen(
  { sessions }: Pick<Store, 'sessions'>,
  { personId }: PersonRef,
  now: number,
): Promise<readonly OpenSession[]> {
  return sessions.listOpen({ personId, now, idleSince: now - sessionIdleMs });
}

/** Ends one session of a person, which may be another one than that of the request. Returns whether it was open. */
export async function endOwnSession(work: Work, person: PersonRef, id: string): Promise<boolean> {
  const open = await listOpen(work.store, person, work.now);
  const found = open.find((one) => one.id === id);
  if (found === undefined) return false;
  work.store.sessions.end({ id: found.id, at: work.now });
  auditSession(work, person, 'sign-out', { session_id: found.id });
  return true;
}

/** Signs a person out of all their sessions. */
export async function endAllSessions(context: AppContext, person: PersonRef): Promise<void> {
  await runInTransaction(context, authorOf(person), async (work) => {
    work.store.sessions.endAll({ personId: person.personId, at: work.now });
    auditSession(work, person, 'sign-out', { session_id: null });
  });
}
