// A person as a caller: how they stand now, and what that opens to them. Knows no cookie and no path.

import { isUuid, type Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import {
  highestRole,
  visibleClientsForRole,
  accessWithinClient,
  type PersonAccess,
} from '../../model/access/person-access.ts';
import { callerForPerson, type Caller } from '../../model/access/caller.ts';
import { boundClientId } from '../../model/access/scope.ts';
import { isRoleAtLeast, type Role } from '../../model/people/role.ts';
import type { PersonLocator } from '../../store/people/person-access.ts';
import type { AppContext } from '../core/context.ts';

export type { PersonAccess as PersonStanding } from '../../model/access/person-access.ts';

/** Undefined where there is no such person, or no client lets them in any more. One trip. */
export async function findAccessOfPerson(
  { stores }: Pick<AppContext, 'stores'>,
  key: PersonLocator,
): Promise<PersonAccess | undefined> {
  return isUuid(key.personId) ? stores.preAuth.findPersonAccess(key) : undefined;
}

/** A person who has signed in. */
export function sessionCaller(access: PersonAccess): Caller {
  return callerForPerson(access, null);
}

/** Whether a token was issued for a person, who is still to be looked up. */
export function isDelegated({ subject, scope, person }: Caller): boolean {
  return person === undefined && subject !== scope.workspaceId;
}

/**
 * The person that a token of a key was issued for: what both of them may, as far as both of them see. Refused once no client that
 * the key reaches lets them in.
 */
export async function resolvePersonCaller(context: AppContext, token: Caller): Promise<Caller> {
  const { workspaceId, environment, visibleClients, credentialId } = token.scope;
  const access = await findAccessOfPerson(context, { workspaceId, environment, personId: token.subject });
  const accessWithin = access && accessWithinClient(access, boundClientId(visibleClients));
  if (accessWithin === undefined || accessWithin.memberships.length === 0) {
    throw new Refusal('token-revoked', 'The user this token was issued for is let in by no client any more.');
  }
  const caller = callerForPerson(accessWithin, credentialId as Id);
  return { ...caller, rights: caller.rights.intersection(token.rights) };
}

/** What something is open to: people of a role and of those above it, or no people at all. */
export type RequiredRole = Role | undefined;

/** For a part of what is open to a lower role: refused to a person whose role at the reporting entity's client is not enough. */
export function requireRoleAt({ person }: Caller, needed: Role, reportingEntityId: string): void {
  const grant = person?.grants.find((one) => one.reportingEntityId === reportingEntityId);
  if (grant === undefined || isRoleAtLeast(grant.role, needed)) return;
  throw new Refusal('right-missing', `This takes the role \`${needed}\` at its client, which you do not have.`);
}

/** The caller with what is in sight for them where something is open to a role; a token sees what it sees. */
export function callerForOperation(caller: Caller, requiredRole: RequiredRole): Caller {
  const { person } = caller;
  if (person === undefined) return caller;
  if (requiredRole === undefined)
    throw new Refusal('right-missing', 'This is open to applications and keys, not to people.');
  const role = highestRole(person);
  if (role === undefined || !isRoleAtLeast(role, requiredRole)) {
    throw new Refusal('right-missing', `This takes the role \`${requiredRole}\` at a client, which you do not have.`);
  }
  return { ...caller, scope: { ...caller.scope, visibleClients: visibleClientsForRole(person, requiredRole) } };
}
