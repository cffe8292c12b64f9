// Who is signed in: a session begins with a secret that only its cookie holds, goes on while somebody is there, and ends. Knows no
// cookie and no page.

import { hash, randomBytes } from 'node:crypto';
import type { Id } from '../../kit/id.ts';
import { hourMs, minuteMs } from '../../kit/clock.ts';
import type { PersonAccess } from '../../model/access/person-access.ts';
import { allClients } from '../../model/access/scope.ts';
import type { IdentityKey } from '../../store/people/identities.ts';
import type { StoreOptions } from '../../store/store.ts';
import type { AppContext } from '../core/context.ts';

/** Without anything being asked. */
export const sessionIdleMs = 30 * minuteMs;
/** Whatever is asked. */
export const sessionLifetimeMs = 12 * hourMs;
/** How long it can be told when somebody was signed in. */
export const sessionRetentionMs = 7 * 24 * hourMs;
/** That somebody is there is written down this often at most. */
const seenIntervalMs = minuteMs;
const secretBytes = 32;

export interface Session {
  readonly id: Id;
  readonly access: PersonAccess;
}

export interface OpenedSession {
  /** For the cookie; nobody can tell it again. */
  readonly secret: string;
  readonly csrf: string;
}

type PersonRef = Pick<PersonAccess, 'workspaceId' | 'environment' | 'personId'>;

function tenantOf({ workspaceId, environment }: PersonRef): StoreOptions {
  return { scope: { workspaceId, environment, visibleClients: allClients, credentialId: null } };
}

function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

export function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** What a form must hold that was made for whoever has a secret: it cannot be worked out without it, nor the secret from it. */
export function deriveFormToken({ keyring }: Pick<AppContext, 'keyring'>, secret: string): string {
  return keyring.mac('console-form', secret).toString('base64url');
}

/** A new one at every sign-in. `by` is the identity that was shown for it. */
export async function openSession(
  context: AppContext,
  person: PersonRef,
  identity?: IdentityKey,
): Promise<OpenedSession> {
  const now = context.clock.now();
  const secret = newSecret();
  await context.stores.forWriting(tenantOf(person), async (store) => {
    const session = { id: context.ids.next(), personId: person.personId, secretHash: hashSecret(secret) };
    await store.sessions.insert({ ...session, now, expiresAt: now + sessionLifetimeMs });
    if (identity !== undefined) await store.identities.markUsed({ ...identity, at: now });
  });
  return { secret, csrf: deriveFormToken(context, secret) };
}

/** The session of a secret with how its person stands now; undefined once it is over, or nobody lets them in. */
export async function findSession(context: AppContext, secret: string): Promise<Session | undefined> {
  const now = context.clock.now();
  const query = { secretHash: hashSecret(secret), now, idleSince: now - sessionIdleMs };
  const found = await context.stores.preAuth.findSession(query);
  if (found === undefined) return undefined;
  const { id, seenAt, access } = found;
  if (now - seenAt >= seenIntervalMs) {
    await context.stores.writeEnqueued(tenantOf(access), (store) => store.sessions.markSeen({ id, at: now }));
  }
  return { id, access };
}

export async function endSession(context: AppContext, { id, access }: Session): Promise<void> {
  const at = context.clock.now();
  await context.stores.writeEnqueued(tenantOf(access), (store) => store.sessions.end({ id, at }));
}

/** Signs a person out wherever they are signed in. */
export async function endAllSessions(context: AppContext, person: PersonRef): Promise<void> {
  const ending = { personId: person.personId, at: context.clock.now() };
  await context.stores.writeEnqueued(tenantOf(person), (store) => store.sessions.endAll(ending));
}
