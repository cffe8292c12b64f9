// What a person has access to: the clients they are members of, their role there, and the reporting entities they may read.

import type { Id } from '../../kit/id.ts';
import type { Environment, VisibleClients } from './scope.ts';
import { isRoleAtLeast, roles, type Role } from '../people/role.ts';

/** A membership that was joined and is not disabled. */
interface ActiveMembership {
  readonly clientId: Id;
  readonly role: Role;
  /** The client with its ancestors. */
  readonly clientPath: readonly Id[];
}

/** A reporting entity that the person may read, with their role at its client. */
interface ReadGrant {
  readonly reportingEntityId: Id;
  readonly clientId: Id;
  readonly role: Role;
}

export interface PersonAccess {
  readonly workspaceId: Id;
  readonly environment: Environment;
  readonly personId: string;
  readonly email: string;
  /** The name in their oldest membership, or as an administrator. */
  readonly name: string;
  /** Whether they administer the workspace in this environment: all clients, all rights, with or without memberships. */
  readonly isWorkspaceAdministrator: boolean;
  readonly memberships: readonly ActiveMembership[];
  readonly grants: readonly ReadGrant[];
}

/** The access that a person has to a client and its descendants; null: all of it. A part of the workspace is not administered as a whole. */
export function accessWithinClient(access: PersonAccess, clientId: Id | null): PersonAccess {
  if (clientId === null) return access;
  const memberships = access.memberships.filter(({ clientPath }) => clientPath.includes(clientId));
  const visibleClientIds = new Set(memberships.map((one) => one.clientId));
  const grants = access.grants.filter((one) => visibleClientIds.has(one.clientId));
  return { ...access, isWorkspaceAdministrator: false, memberships, grants };
}

/** Whether a person has access to anything. */
export function hasAccess({ isWorkspaceAdministrator, memberships }: PersonAccess): boolean {
  return isWorkspaceAdministrator || memberships.length > 0;
}

/** The clients at which a person has at least a role, with the reporting entities that they may read there. */
export function visibleClientsForRole({ memberships, grants }: PersonAccess, minimumRole: Role): VisibleClients {
  const hasRole = ({ role }: { readonly role: Role }): boolean => isRoleAtLeast(role, minimumRole);
  return {
    kind: 'some',
    clientIds: memberships.filter(hasRole).map(({ clientId }) => clientId),
    reportingEntityIds: grants.filter(hasRole).map(({ reportingEntityId }) => reportingEntityId),
  };
}

/** The highest role of a person; undefined where they have none. */
export function highestRole({ memberships }: PersonAccess): Role | undefined {
  return roles.findLast((role) => memberships.some((one) => one.role === role));
}
