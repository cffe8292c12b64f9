// How a person stands at the moment: the clients that have let them in, as what, and what they may read there. Knows no table and
// no session.

import type { Id } from '../../kit/id.ts';
import type { Caller, Environment, Reach, Right, Sight } from './scope.ts';
import { isAtLeast, roles, type Role } from '../people/role.ts';

/** A membership that was joined and is not disabled. */
export interface StandingMembership {
  readonly clientId: Id;
  readonly role: Role;
  /** The clients above it and itself. */
  readonly clientPath: readonly Id[];
}

/** A reporting entity that may be read, with the role at its client. */
export interface StandingGrant {
  readonly reportingEntityId: Id;
  readonly clientId: Id;
  readonly role: Role;
}

export interface PersonStanding {
  readonly workspaceId: Id;
  readonly environment: Environment;
  readonly personId: string;
  readonly email: string;
  /** As the oldest of their memberships has it. */
  readonly name: string;
  readonly memberships: readonly StandingMembership[];
  readonly grants: readonly StandingGrant[];
}

/** The same person as far as a client and those below it. */
export function standingBelow(standing: PersonStanding, clientId: Id | null): PersonStanding {
  if (clientId === null) return standing;
  const memberships = standing.memberships.filter(({ clientPath }) => clientPath.includes(clientId));
  const seen = new Set(memberships.map((one) => one.clientId));
  return { ...standing, memberships, grants: standing.grants.filter((one) => seen.has(one.clientId)) };
}

/** What is in sight for something that takes a role: the clients where they have it, and what they may read of those. */
export function sightFor({ memberships, grants }: PersonStanding, needed: Role): Sight {
  const isEnough = ({ role }: { readonly role: Role }): boolean => isAtLeast(role, needed);
  return {
    kind: 'some',
    clientIds: memberships.filter(isEnough).map(({ clientId }) => clientId),
    reportingEntityIds: grants.filter(isEnough).map(({ reportingEntityId }) => reportingEntityId),
  };
}

/** The highest of their roles; undefined where they have none. */
export function highestRole({ memberships }: PersonStanding): Role | undefined {
  return roles.findLast((role) => memberships.some((one) => one.role === role));
}

const rightsOf: Readonly<Record<Role, readonly Right[]>> = {
  viewer: ['read'],
  advisor: ['read'],
  admin: ['read', 'write', 'admin'],
};

/** A person as a caller, before it is known what for: they see nothing yet. */
export function callerOf(standing: PersonStanding, credentialId: Id | null): Caller {
  const { workspaceId, environment, personId } = standing;
  const role = highestRole(standing);
  const reach: Reach = {
    workspaceId,
    environment,
    sight: { kind: 'some', clientIds: [], reportingEntityIds: [] },
    credentialId,
  };
  return { reach, rights: new Set(role === undefined ? [] : rightsOf[role]), subject: personId, person: standing };
}
