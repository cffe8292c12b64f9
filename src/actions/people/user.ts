// The use cases of users: add them to a client, list, read, change, disable, enable and remove them, within what the caller sees.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AnyChange, AnyRecord, ChangeOf } from '../../kit/resource.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { user, type Membership, type User } from '../../model/people/user.ts';
import { userPosition } from '../../store/people/people-query.ts';
import type { People } from '../../store/people/people.ts';
import type { ListQuery } from '../../store/resources/table.ts';
import { changedValues } from '../core/changed-values.ts';
import type { WriteActions } from '../core/record-actions.ts';
import { lockOwned } from '../core/reference.ts';
import { notFound, toResultPage, type Guard, type ResultPage } from '../core/resource.ts';
import { lacksAllClients, type Work } from '../core/work.ts';
import { cancelPendingInvites } from './invite-cancellation.ts';
import { changePendingInvites } from './invite-upkeep.ts';
import {
  requireRightToChangeAddress,
  requireRightToGiveRole,
  requireRightToGrant,
  requireRightToManage,
} from './handing-on.ts';
import type { Keyring } from '../../signing/keyring.ts';
import { addressDigest, addressDigests, createFirstKey, lockKnownAddress } from './personal-data-sealing.ts';
import { auditUser } from './user-audit.ts';

type UserInput = ChangeOf<typeof user>;
type UserGuard = Guard<typeof user>;

export function openPeople({ store }: Work): People {
  return store.people;
}

export async function getUser(work: Work, id: string): Promise<User> {
  const found = await openPeople(work).find(id);
  if (found === undefined) throw notFound(user);
  return found;
}

async function listUsers(work: Work, query: ListQuery): Promise<ResultPage<User>> {
  return toResultPage(await openPeople(work).list({ ...query, limit: query.limit + 1 }), query.limit);
}

async function countUsers(work: Work, where: AnyChange): Promise<number> {
  return openPeople(work).count(where);
}

/**
 * An address has one id in the whole environment, and keeps it when the person is deleted. The time in a new id is that of the
 * environment. So the answer does not reveal whether the address is known at another client, however often it is added and deleted.
 */
export async function personIdFor(work: Work, address: string): Promise<Id> {
  const [{ id, environmentAt }, formerId] = await Promise.all([
    openPeople(work).findByAddress(address),
    work.store.personKeys.findIdByAddress(addressDigests(work, address)),
  ]);
  return id ?? formerId ?? newPersonId(work, environmentAt);
}

function newPersonId({ ids }: Work, environmentAt: number): Id {
  return ids.uuidAt(environmentAt) as string as Id;
}

export interface FoundMember {
  readonly personId: Id;
  readonly membership: Membership;
}

/** Finds the person with the input's address if they are a member of the input's client. */
export async function findMember(work: Work, { contactEmail, client }: UserInput): Promise<FoundMember | undefined> {
  const present = await openPeople(work).findWithAddress(defined(contactEmail, 'a new user has an address'));
  const membership = present?.visibleMemberships.find(({ clientId }) => clientId === client);
  return present && membership && { personId: present.id, membership };
}

/** The person that an address belongs to or will belong to. */
interface FoundPerson {
  readonly id: Id;
  /** What their audit lines are sealed with; undefined if they have none yet. */
  readonly key: Keyring | undefined;
  /** Since when they are disabled at the client, where they were before they were removed from it. */
  readonly disabledAt: number | null;
}

/** Finds the person that an address belongs to or will belong to, as `personIdFor` does, and what is known of them at a client. */
async function findPerson(work: Work, address: string, client: Id): Promise<FoundPerson> {
  const [{ id: presentId, environmentAt }, known] = await Promise.all([
    openPeople(work).findByAddress(address),
    lockKnownAddress(work, address, client),
  ]);
  const id = presentId ?? known[0]?.personId ?? newPersonId(work, environmentAt);
  const { key, disabledAt = null } = known.find(({ personId }) => personId === id) ?? {};
  return { id, key, disabledAt };
}

/** Enqueues that the person has this address, and a key if they have none. */
function putKey(work: Work, { id, key }: FoundPerson, address: string): Keyring {
  if (key === undefined) return createFirstKey(work, id, address);
  work.store.personKeys.putAddress(id, addressDigest(work, address));
  return key;
}

export async function createUser(work: Work, input: UserInput): Promise<User> {
  const contactEmail = defined(input.contactEmail, 'a new user has an address');
  const { role = 'viewer', readAccessToReportingEntities = [] } = input;
  requireRightToGiveRole(work, role);
  requireRightToGrant(work, readAccessToReportingEntities.length);
  const clientId = defined(input.client, 'a new user is added to a client');
  const people = openPeople(work);
  const others = readAccessToReportingEntities.length > 0 ? { readAccessToReportingEntities } : {};
  // Memberships are read before it is looked up where the person was disabled: who is removed in between is still a member.
  const [client, present, person] = await Promise.all([
    lockOwned(work, user, { field: 'client', id: clientId, others }),
    people.findWithAddress(contactEmail),
    findPerson(work, contactEmail, clientId),
  ]);
  if (present?.visibleMemberships.some((one) => one.clientId === client)) {
    throw new Refusal('user-exists', `The user ${present.id} is already a member of this client.`);
  }
  const key = putKey(work, person, contactEmail);
  const fields = {
    contactEmail,
    firstName: defined(input.firstName, 'a new user has a first name'),
    lastName: defined(input.lastName, 'a new user has a last name'),
    role,
    client,
    readAccessToReportingEntities,
    createdAt: new Date(work.now),
    disabledAt: person.disabledAt,
  };
  const created = people.insert(person.id, fields, present);
  await auditUser(work, 'create', { after: created }, Promise.resolve(key));
  return created;
}

/** The login may reach clients that the caller does not see, and a caller that changes its address could take it over. */
async function refuseAddress(work: Work, person: User, address: string): Promise<void> {
  const { id } = person;
  if (lacksAllClients(work)) {
    const detail = 'Only callers of the whole workspace can change the address of a user.';
    throw new Refusal('outside-reach', detail);
  }
  const isAdministrator = (await work.store.administrators.find(id)) !== undefined;
  requireRightToChangeAddress(work, person, isAdministrator);
  const other = await openPeople(work).findByAddress(address);
  if (other.id === null || other.id === id) return;
  const detail = `The address belongs to the user ${other.id}.`;
  throw new Refusal('address-taken', detail, { faults: [{ code: 'address-taken', detail, field: 'contactEmail' }] });
}

/** A user can be granted only reporting entities of clients that they are a member of. */
async function refuseGrants(work: Work, { visibleMemberships }: User, ids: readonly Id[]): Promise<void> {
  const field = 'readAccessToReportingEntities';
  const locked = await work.store.table(reportingEntity).lockReferenced(ids);
  const clientsById = new Map(locked.map(({ id, client }) => [id, client]));
  for (const [item, id] of ids.entries()) {
    const client = clientsById.get(id);
    if (client === undefined) throw notFound(reportingEntity, { field, item });
    if (visibleMemberships.some(({ clientId }) => clientId === client)) continue;
    const code = 'different-client';
    const detail = 'The reporting entity belongs to another client than the user.';
    throw new Refusal(code, detail, { faults: [{ code, detail, field, item }] });
  }
}

/** The person keeps their id under the new address, and the former address may get another id. */
async function moveAddress(work: Work, { id }: User, address: string): Promise<void> {
  const formerId = await work.store.personKeys.releaseAddress(addressDigests(work, address), id);
  work.store.personKeys.putAddress(id, addressDigest(work, address));
  if (formerId !== undefined) openPeople(work).inheritDisabled(id, formerId);
}

/** Checks a change against what the caller may hand on and against the records that it names. */
async function refuseChanges(work: Work, before: User, changes: UserInput): Promise<void> {
  const { contactEmail, readAccessToReportingEntities: granted, role } = changes;
  if (role !== undefined) {
    requireRightToGiveRole(work, role);
    requireRightToManage(work, before, 'Changing the role of');
  }
  if (contactEmail !== undefined) await refuseAddress(work, before, contactEmail);
  if (granted === undefined) return;
  const added = granted.filter((id) => !before.readAccessToReportingEntities.includes(id));
  requireRightToGrant(work, added.length);
  await refuseGrants(work, before, granted);
}

/** Leaves out the fields in which memberships differ, so that a sent value is set at all of them, even if the oldest has it already. */
function comparableFields(shown: User): AnyRecord {
  const fields = ['firstName', 'lastName', 'role'] as const;
  const differing = fields.filter((name) => shown.visibleMemberships.some((one) => one[name] !== shown[name]));
  return { ...shown, ...Object.fromEntries(differing.map((name) => [name, undefined])) };
}

/** Grants are links of the client: locks them before the user, in the same order as every other change of links. */
async function lockGrants(work: Work, people: People, id: string): Promise<void> {
  const found = await people.find(id);
  if (found !== undefined) work.store.clientHierarchy.lockLinks(found.client);
}

async function lockUser(people: People, id: string, purpose: 'to-change' | 'to-delete'): Promise<User> {
  const found = await people.lock(id, purpose);
  if (found === undefined) throw notFound(user);
  return found;
}

async function changeUser(work: Work, id: string, input: UserInput, guard: UserGuard = () => {}): Promise<User> {
  const people = openPeople(work);
  if (input.readAccessToReportingEntities !== undefined) await lockGrants(work, people, id);
  const before = await lockUser(people, id, 'to-change');
  guard(before);
  const changes: UserInput = changedValues(user, comparableFields(before), input);
  if (Object.keys(changes).length === 0) return before;
  await refuseChanges(work, before, changes);
  if (changes.contactEmail !== undefined) await moveAddress(work, before, changes.contactEmail);
  const after = await people.update(id, changes);
  await auditUser(work, 'change', { before, after });
  if (changes.role !== undefined || changes.contactEmail !== undefined)
    await changePendingInvites(work, before.id, changes);
  return after;
}

/** Disables a user at every client that the caller sees, with immediate effect, or enables them again. */
export async function setDisabled(work: Work, id: string, wanted: 'disabled' | 'enabled'): Promise<User> {
  const people = openPeople(work);
  const before = await lockUser(people, id, 'to-change');
  const after = await people.update(id, { disabledAt: wanted === 'disabled' ? new Date(work.now) : null });
  await auditUser(work, 'change', { before, after });
  return after;
}

/** Removes a user from every client that the caller sees. */
export async function deleteUser(work: Work, id: string, guard: UserGuard = () => {}): Promise<void> {
  const people = openPeople(work);
  const present = await lockUser(people, id, 'to-delete');
  guard(present);
  requireRightToManage(work, present, 'Deleting');
  await auditUser(work, 'delete', { before: present });
  work.store.personKeys.putAddress(id, addressDigest(work, present.contactEmail));
  const clientIds = present.visibleMemberships.map(({ clientId }) => clientId);
  await cancelPendingInvites(work, { personId: present.id, clientIds });
  await people.delete(id);
}

/** Removes all members of a client that is being deleted: memberships do not block its deletion. */
export async function removeMembers(work: Work, client: Id): Promise<void> {
  const people = openPeople(work);
  for (const member of await people.lockMembers(client)) {
    await cancelPendingInvites(work, { personId: member.id, clientIds: [client] });
    work.store.personKeys.putAddress(member.id, addressDigest(work, member.contactEmail));
    await auditUser(work, 'delete', {
      before: { ...member, visibleMemberships: member.visibleMemberships.filter((one) => one.clientId === client) },
    });
    await people.removeFrom(client, member.id);
  }
}

export const userActions: WriteActions<typeof user> = {
  resource: user,
  refusals: ['user-exists', 'address-taken', 'different-client', 'outside-reach'],
  get: getUser,
  list: listUsers,
  count: countUsers,
  positionOf: userPosition,
  create: createUser,
  change: changeUser,
  delete: deleteUser,
};
