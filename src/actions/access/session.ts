// Who is signed in: a session begins with a secret that only its cookie holds, goes on while somebody is there, and ends. Knows no
// cookie and no page.

import { hash, randomBytes } from 'node:crypto';
import type { Id } from '../../kit/id.ts';
import { hourMs, minuteMs } from '../../kit/clock.ts';
import type { PersonAccess } from '../../model/access/person-access.ts';
import { allClients, type Scope } from '../../model/access/scope.ts';
import {
  endSessionCall,
  endAllSessionsCall,
  findSessionBySecret,
  insertSession,
  markSessionSeenCall,
} from '../../store/people/sessions.ts';
import { markIdentityUsed, type IdentityKey } from '../../store/people/identities.ts';
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

function tenantScope({ workspaceId, environment }: PersonRef): Scope {
  return { workspaceId, environment, visibleClients: allClients, credentialId: null };
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
  const scope = tenantScope(person);
  await context.database.write(scope, async (run) => {
    const session = { id: context.ids.next(), personId: person.personId, secretHash: hashSecret(secret) };
    await insertSession(run, scope, { ...session, now, expiresAt: now + sessionLifetimeMs });
    if (identity !== undefined) await markIdentityUsed(run, scope, { ...identity, at: now });
  });
  return { secret, csrf: deriveFormToken(context, secret) };
}

/** The session of a secret with how its person stands now; undefined once it is over, or nobody lets them in. */
export async function findSession(context: AppContext, secret: string): Promise<Session | undefined> {
  const now = context.clock.now();
  const query = { secretHash: hashSecret(secret), now, idleSince: now - sessionIdleMs };
  const found = await findSessionBySecret(context.database, query);
  if (found === undefined) return undefined;
  const { id, seenAt, access } = found;
  if (now - seenAt >= seenIntervalMs) {
    await context.database.writeBatch(tenantScope(access), [markSessionSeenCall(access, { id, at: now })]);
  }
  return { id, access };
}

export async function endSession(context: AppContext, { id, access }: Session): Promise<void> {
  const call = endSessionCall(access, { id, at: context.clock.now() });
  await context.database.writeBatch(tenantScope(access), [call]);
}

/** Signs a person out wherever they are signed in. */
export async function endAllSessions(context: AppContext, person: PersonRef): Promise<void> {
  const call = endAllSessionsCall(person, { personId: person.personId, at: context.clock.now() });
  await context.database.writeBatch(tenantScope(person), [call]);
}
