// A caller: who sends a request, what it may do, and what it sees.

import type { Id } from '../../kit/id.ts';
import type { Role } from '../people/role.ts';
import { highestRole, type PersonAccess } from './person-access.ts';
import { rights, type Right, type Scope } from './scope.ts';

/** A caller whose token or session was verified. */
export interface Caller {
  readonly scope: Scope;
  readonly rights: ReadonlySet<Right>;
  /** The `sub` of its token: the workspace, or a user. */
  readonly subject: string;
  /** Set where the caller is a person. */
  readonly person?: PersonAccess;
  /** Set where a person is signed in: the session of the request. */
  readonly sessionId?: Id;
}

const rightsByRole: Readonly<Record<Role, readonly Right[]>> = {
  viewer: ['read'],
  advisor: ['read'],
  admin: ['read', 'write', 'admin'],
};

/** The rights of a person's highest role; all of them for an administrator of the workspace. */
export function rightsOfPerson(access: PersonAccess): ReadonlySet<Right> {
  if (access.isWorkspaceAdministrator) return new Set(rights);
  const role = highestRole(access);
  return new Set(role === undefined ? [] : rightsByRole[role]);
}

/** A person as a caller who sees no client yet: each operation opens those at which the person has the role it takes. */
export function callerForPerson(access: PersonAccess, credentialId: Id | null): Caller {
  const { workspaceId, environment, personId } = access;
  const scope: Scope = {
    workspaceId,
    environment,
    visibleClients: { kind: 'some', clientIds: [], reportingEntityIds: [] },
    credentialId,
  };
  return { scope, rights: rightsOfPerson(access), subject: personId, person: access };
}
