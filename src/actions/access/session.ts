// Who is signed in: a session begins with a secret that only its cookie holds, goes on while somebody is there, and ends. Knows no
// cookie and no page.

import { hash, randomBytes } from 'node:crypto';
import type { Id } from '../../kit/id.ts';
import { hourMs, minuteMs } from '../../kit/clock.ts';
import type { PersonStanding } from '../../model/access/person-access.ts';
import { everything, type Reach } from '../../model/access/scope.ts';
import {
  endSessionCall,
  endSessionsOfCall,
  findSessionBySecret,
  insertSession,
  markSessionSeen,
} from '../../store/people/sessions.ts';
import { markIdentityUsed, type IdentityKey } from '../../store/people/identities.ts';
import type { House } from '../core/context.ts';

/** Without anything being asked. */
export const sessionIdleMs = 30 * minuteMs;
/** Whatever is asked. */
export const sessionMs = 12 * hourMs;
/** How long it can be told when somebody was signed in. */
export const sessionKeptMs = 7 * 24 * hourMs;
/** That somebody is there is written down this often at most. */
const seenEveryMs = minuteMs;
const secretBytes = 32;

export interface Session {
  readonly id: Id;
  readonly standing: PersonStanding;
}

export interface OpenedSession {
  /** For the cookie; nobody can tell it again. */
  readonly secret: string;
  readonly csrf: string;
}

type PersonPlace = Pick<PersonStanding, 'workspaceId' | 'environment' | 'personId'>;

function reachOf({ workspaceId, environment }: PersonPlace): Reach {
  return { workspaceId, environment, sight: everything, credentialId: null };
}

function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

export function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** What a form must hold that was made for whoever has a secret: it cannot be worked out without it, nor the secret from it. */
export function formTokenOf({ keyring }: Pick<House, 'keyring'>, secret: string): string {
  return keyring.mac('console-form', secret).toString('base64url');
}

/** A new one at every sign-in. `by` is the identity that was shown for it. */
export async function openSession(house: House, person: PersonPlace, by?: IdentityKey): Promise<OpenedSession> {
  const now = house.clock.now();
  const secret = newSecret();
  const reach = reachOf(person);
  await house.database.write(reach, async (run) => {
    const session = { id: house.ids.next(), personId: person.personId, secretHash: hashOf(secret) };
    await insertSession(run, reach, { ...session, now, expiresAt: now + sessionMs });
    if (by !== undefined) await markIdentityUsed(run, reach, { ...by, at: now });
  });
  return { secret, csrf: formTokenOf(house, secret) };
}

/** The session of a secret with how its person stands now; undefined once it is over, or nobody lets them in. */
export async function findSession(house: House, secret: string): Promise<Session | undefined> {
  const now = house.clock.now();
  const asked = { secretHash: hashOf(secret), now, idleSince: now - sessionIdleMs };
  const found = await findSessionBySecret(house.database, asked);
  if (found === undefined) return undefined;
  const { id, seenAt, standing } = found;
  if (now - seenAt >= seenEveryMs) {
    await house.database.changeAtOnce(reachOf(standing), [markSessionSeen(standing, { id, at: now })]);
  }
  return { id, standing };
}

export async function endSession(house: House, { id, standing }: Session): Promise<void> {
  const call = endSessionCall(standing, { id, at: house.clock.now() });
  await house.database.changeAtOnce(reachOf(standing), [call]);
}

/** Signs a person out wherever they are signed in. */
export async function endSessionsOf(house: House, person: PersonPlace): Promise<void> {
  const call = endSessionsOfCall(person, { personId: person.personId, at: house.clock.now() });
  await house.database.changeAtOnce(reachOf(person), [call]);
}
