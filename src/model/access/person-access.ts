// How a person stands at the moment: the clients that have let them in, as what, and what they may read there. Knows no table and
// no session.

import type { Id } from '../../kit/id.ts';
import type { Caller, Environment, Scope, Right, VisibleClients } from './scope.ts';
import { isRoleAtLeast, roles, type Role } from '../people/role.ts';

/** A membership that was joined and is not disabled. */
export interface ActiveMembership {
  readonly clientId: Id;
  readonly role: Role;
  /** The clients above it and itself. */
  readonly clientPath: readonly Id[];
}

/** A reporting entity that may be read, with the role at its client. */
export interface ReadGrant {
  readonly reportingEntityId: Id;
  readonly clientId: Id;
  readonly role: Role;
}

export interface PersonAccess {
  readonly workspaceId: Id;
  readonly environment: Environment;
  readonly personId: string;
  readonly email: string;
  /** As the oldest of their memberships has it. */
  readonly name: string;
  readonly memberships: readonly ActiveMembership[];
  readonly grants: readonly ReadGrant[];
}

/** The same person as far as a client and those below it. */
export function accessWithinClient(access: PersonAccess, clientId: Id | null): PersonAccess {
  if (clientId === null) return access;
  const memberships = access.memberships.filter(({ clientPath }) => clientPath.includes(clientId));
  const visibleClientIds = new Set(memberships.map((one) => one.clientId));
  return { ...access, memberships, grants: access.grants.filter((one) => visibleClientIds.has(one.clientId)) };
}

/** What is in sight for something that takes a role: the clients where they have it, and what they may read of those. */
export function visibleClientsForRole({ memberships, grants }: PersonAccess, minimumRole: Role): VisibleClients {
  const hasRole = ({ role }: { readonly role: Role }): boolean => isRoleAtLeast(role, minimumRole);
  return {
    kind: 'some',
    clientIds: memberships.filter(hasRole).map(({ clientId }) => clientId),
    reportingEntityIds: grants.filter(hasRole).map(({ reportingEntityId }) => reportingEntityId),
  };
}

/** The highest of their roles; undefined where they have none. */
export function highestRole({ memberships }: PersonAccess): Role | undefined {
  return roles.findLast((role) => memberships.some((one) => one.role === role));
}

const rightsByRole: Readonly<Record<Role, readonly Right[]>> = {
  viewer: ['read'],
  advisor: ['read'],
  admin: ['read', 'write', 'admin'],
};

/** A person as a caller, before it is known what for: they see nothing yet. */
export function callerForPerson(access: PersonAccess, credentialId: Id | null): Caller {
  const { workspaceId, environment, personId } = access;
  const role = highestRole(access);
  const scope: Scope = {
    workspaceId,
    environment,
    visibleClients: { kind: 'some', clientIds: [], reportingEntityIds: [] },
    credentialId,
  };
  return { scope, rights: new Set(role === undefined ? [] : rightsByRole[role]), subject: personId, person: access };
}
