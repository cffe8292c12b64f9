// Turns a person into a caller, with the rights and clients that they have at present.

import { isUuid, type Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import {
  hasAccess,
  highestRole,
  visibleClientsForRole,
  accessWithinClient,
  type PersonAccess,
} from '../../model/access/person-access.ts';
import { callerForPerson, type Caller } from '../../model/access/caller.ts';
import { allClients, boundClientId } from '../../model/access/scope.ts';
import { isRoleAtLeast, type Role } from '../../model/people/role.ts';
import type { PersonLocator } from '../../store/people/person-access.ts';
import type { AppContext } from '../core/context.ts';

/** Returns undefined if there is no such person or they have no access to anything any more. */
export async function findAccessOfPerson(
  { stores }: Pick<AppContext, 'stores'>,
  key: PersonLocator,
): Promise<PersonAccess | undefined> {
  return isUuid(key.personId) ? stores.preAuth.findPersonAccess(key) : undefined;
}

/** The caller behind a session. */
export function sessionCaller(access: PersonAccess, sessionId?: Id): Caller {
  const caller = callerForPerson(access, null);
  return sessionId === undefined ? caller : { ...caller, sessionId };
}

/** Whether a token was issued for a person who still has to be looked up. */
export function isDelegated({ subject, scope, person }: Caller): boolean {
  return person === undefined && subject !== scope.workspaceId;
}

/**
 * Looks up the person that a key's token was issued for. The caller gets the rights that both have, at the clients that both see.
 * Refuses a person without access to anything in the key's scope.
 */
export async function resolvePersonCaller(context: AppContext, token: Caller): Promise<Caller> {
  const { workspaceId, environment, visibleClients, credentialId } = token.scope;
  const access = await findAccessOfPerson(context, { workspaceId, environment, personId: token.subject });
  const accessWithin = access && accessWithinClient(access, boundClientId(visibleClients));
  if (accessWithin === undefined || !hasAccess(accessWithin)) {
    throw new Refusal('token-revoked', 'The user that this token was issued for no longer has access to any client.');
  }
  const caller = callerForPerson(accessWithin, credentialId as Id);
  return { ...caller, rights: caller.rights.intersection(token.rights) };
}

/** The lowest role that an operation is open to; undefined if it is not open to people at all. */
type RequiredRole = Role | undefined;

/** Requires a higher role for a part of an operation. Refuses a person whose role at the reporting entity's client is too low. */
export function requireRoleAt({ person }: Caller, needed: Role, reportingEntityId: string): void {
  if (person?.isWorkspaceAdministrator) return;
  const grant = person?.grants.find((one) => one.reportingEntityId === reportingEntityId);
  if (grant === undefined || isRoleAtLeast(grant.role, needed)) return;
  throw new Refusal('right-missing', `This requires the role \`${needed}\` at its client, which you do not have.`);
}

/** Narrows a person to the clients at which they have the required role. Administrators of the workspace see all, and tokens stay as they are. */
export function callerForOperation(caller: Caller, requiredRole: RequiredRole): Caller {
  const { person } = caller;
  if (person === undefined) return caller;
  if (person.isWorkspaceAdministrator) return { ...caller, scope: { ...caller.scope, visibleClients: allClients } };
  if (requiredRole === undefined)
    throw new Refusal('right-missing', 'This is available to administrators of the workspace, applications and keys.');
  const role = highestRole(person);
  if (role === undefined || !isRoleAtLeast(role, requiredRole)) {
    throw new Refusal(
      'right-missing',
      `This requires the role \`${requiredRole}\` at a client, which you do not have.`,
    );
  }
  return { ...caller, scope: { ...caller.scope, visibleClients: visibleClientsForRole(person, requiredRole) } };
}
