// A person as a caller: how they stand now, and what that opens to them. Knows no cookie and no path.

import { isUuid, type Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import {
  callerOf,
  highestRole,
  sightFor,
  standingBelow,
  type PersonStanding,
} from '../../model/access/person-access.ts';
import { scopedClient, type Caller } from '../../model/access/scope.ts';
import { isAtLeast, type Role } from '../../model/people/role.ts';
import { readStanding, type PersonPlace } from '../../store/people/person-access.ts';
import type { House } from '../core/context.ts';

export type { PersonStanding } from '../../model/access/person-access.ts';

/** Undefined where there is no such person, or no client lets them in any more. One trip. */
export async function findStanding(
  house: Pick<House, 'database'>,
  place: PersonPlace,
): Promise<PersonStanding | undefined> {
  return isUuid(place.personId) ? readStanding(house.database, place) : undefined;
}

/** A person who has signed in. */
export function callerInSession(standing: PersonStanding): Caller {
  return callerOf(standing, null);
}

/** Whether a token was issued for a person, who is still to be looked up. */
export function isForPerson({ subject, reach, person }: Caller): boolean {
  return person === undefined && subject !== reach.workspaceId;
}

/**
 * The person that a token of a key was issued for: what both of them may, as far as both of them see. Refused once no client that
 * the key reaches lets them in.
 */
export async function standInFor(house: House, token: Caller): Promise<Caller> {
  const { workspaceId, environment, sight, credentialId } = token.reach;
  const standing = await findStanding(house, { workspaceId, environment, personId: token.subject });
  const within = standing && standingBelow(standing, scopedClient(sight));
  if (within === undefined || within.memberships.length === 0) {
    throw new Refusal('token-revoked', 'The user this token was issued for is let in by no client any more.');
  }
  const caller = callerOf(within, credentialId as Id);
  return { ...caller, rights: caller.rights.intersection(token.rights) };
}

/** What something is open to: people of a role and of those above it, or no people at all. */
export type OpenTo = Role | undefined;

/** For a part of what is open to a lower role: refused to a person whose role at the reporting entity's client is not enough. */
export function requireRoleAt({ person }: Caller, needed: Role, reportingEntityId: string): void {
  const grant = person?.grants.find((one) => one.reportingEntityId === reportingEntityId);
  if (grant === undefined || isAtLeast(grant.role, needed)) return;
  throw new Refusal('right-missing', `This takes the role \`${needed}\` at its client, which you do not have.`);
}

/** The caller with what is in sight for them where something is open to a role; a token sees what it sees. */
export function forOperation(caller: Caller, openTo: OpenTo): Caller {
  const { person } = caller;
  if (person === undefined) return caller;
  if (openTo === undefined) throw new Refusal('right-missing', 'This is open to applications and keys, not to people.');
  const role = highestRole(person);
  if (role === undefined || !isAtLeast(role, openTo)) {
    throw new Refusal('right-missing', `This takes the role \`${openTo}\` at a client, which you do not have.`);
  }
  return { ...caller, reach: { ...caller.reach, sight: sightFor(person, openTo) } };
}
