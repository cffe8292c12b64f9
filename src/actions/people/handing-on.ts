// Nobody hands on more than they have: what it takes to give a person a role, a grant or an address, and to manage those with a role.

import { Refusal } from '../../kit/refusal.ts';
import { rights as allRights, type Right } from '../../model/access/scope.ts';
import type { Role } from '../../model/people/role.ts';
import type { User } from '../../model/people/user.ts';
import { lacksRight, type Work } from '../core/work.ts';

type Rights = Pick<Work, 'rights' | 'needs'>;

function requireRightFor(rights: Rights, right: Right, act: string): void {
  if (!lacksRight(rights, right)) return;
  throw new Refusal(
    'right-missing',
    `${act} requires the right \`${right}\`, which the application or key does not have.`,
  );
}

function isAboveViewer(role: Role): boolean {
  return role !== 'viewer';
}

function hasRoleAboveViewer({ visibleMemberships }: User): boolean {
  return visibleMemberships.some(({ role }) => isAboveViewer(role));
}

/** Giving a role lets the person do at the client what the role allows. */
export function requireRightToGiveRole(rights: Rights, role: Role): void {
  if (isAboveViewer(role)) requireRightFor(rights, 'admin', `Giving the role \`${role}\``);
}

/** Otherwise a caller that only writes could take away the role of an admin, or the admin. */
export function requireRightToManage(rights: Rights, person: User, act: 'Changing the role of' | 'Deleting'): void {
  if (hasRoleAboveViewer(person)) requireRightFor(rights, 'admin', `${act} a user with a role above \`viewer\``);
}

/** A caller that cannot read could otherwise read through a person of its own. */
export function requireRightToGrant(rights: Rights, addedCount: number): void {
  if (addedCount > 0) requireRightFor(rights, 'read', 'Granting read access');
}

/** The holder of the new address can become the person: with what they may read, with their role, and whether or not they were disabled. */
export function requireRightToChangeAddress(rights: Rights, person: User, isAdministrator: boolean): void {
  const { visibleMemberships, readAccessToReportingEntities } = person;
  if (isAdministrator) {
    const act = 'Changing the address of an administrator of the workspace';
    for (const right of allRights) requireRightFor(rights, right, act);
  }
  if (hasRoleAboveViewer(person) || visibleMemberships.some(({ disabledAt }) => disabledAt !== null)) {
    const act = 'Changing the address of a user who is disabled or has a role above `viewer`';
    requireRightFor(rights, 'admin', act);
  }
  if (readAccessToReportingEntities.length > 0) {
    requireRightFor(rights, 'read', 'Changing the address of a user with read access');
  }
}
