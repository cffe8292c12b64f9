// Sessions of people who signed in: opens, finds and ends them. Only the browser's cookie holds the secret of a session.

import { idFromRow, type Id } from '../../kit/id.ts';
import { hourMs, minuteMs } from '../../kit/clock.ts';
import type { PersonAccess } from '../../model/access/person-access.ts';
import { allClients } from '../../model/access/scope.ts';
import { user } from '../../model/people/user.ts';
import type { IdentityKey } from '../../store/people/identities.ts';
import type { OpenSession } from '../../store/people/sessions.ts';
import type { StoreOptions } from '../../store/scoped-tables.ts';
import type { Store } from '../../store/store.ts';
import type { AppContext } from '../core/context.ts';
import { audit, runInTransaction, serviceAuthor, type Author, type Work } from '../core/work.ts';
import { hashSecret, locateSecret, newPlacedSecret } from './placed-secret.ts';

/** A session ends after this long without a request. */
const sessionIdleMs = 30 * minuteMs;
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
  await runInTransaction(context, authorOf(person), async (work) => {
    const { store, now } = work;
    const session = { id: work.ids.next(), personId: person.personId, secretHash: hashSecret(secret) };
    const browser = sanitizeUserAgent(userAgent);
    await store.sessions.insert({ ...session, userAgent: browser, now, expiresAt: now + sessionLifetimeMs });
    if (identity !== undefined) await store.identities.markUsed({ ...identity, at: now });
    auditSession(work, person, 'sign-in', { session_id: session.id });
  });
  return { secret, csrf: deriveFormToken(context, secret) };
}

/** Returns the session with the person's present access; undefined once it has ended or the person has no access any more. */
export async function findSession(context: AppContext, secret: string): Promise<Session | undefined> {
  const now = context.clock.now();
  const query = { ...locateSecret(secret), now, idleSince: now - sessionIdleMs };
  const found = await context.stores.preAuth.findSession(query);
  if (found === undefined) return undefined;
  const { id, seenAt, access } = found;
  if (now - seenAt >= seenIntervalMs) {
    await context.stores.writeEnqueued(tenantOf(access), (store) => store.sessions.markSeen({ id, at: now }));
  }
  return { id, access };
}

export async function endSession(context: AppContext, { id, access }: Session): Promise<void> {
  await runInTransaction(context, authorOf(access), async (work) => {
    work.store.sessions.end({ id, at: work.now });
    auditSession(work, access, 'sign-out', { session_id: id });
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
