// What may happen to a user: added to a client, changed and taken away as far as the caller sees, disabled and enabled. Each membership
// has lines of its own in the audit log, for those who see its client.

import { isDeepStrictEqual } from 'node:util';
import type { Id } from '../../kit/id.ts';
import { formatInstant } from '../../kit/instant.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AnyChange, AnyRecord, ChangeOf } from '../../kit/resource.ts';
import type { AuditedAction } from '../../model/access/audit-entry.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { membershipStatus, user, type Membership, type User } from '../../model/people/user.ts';
import { userPosition } from '../../store/people/people-query.ts';
import { People } from '../../store/people/people.ts';
import { cancelPendingInvites } from './invite-cancellation.ts';
import { createPersonKey, sealSnapshots } from './personal-data-sealing.ts';
import { holdOwner, holdReferences } from '../core/reference.ts';
import { notFound, type Guard, type WriteRules } from '../core/resource.ts';
import { audit, type Work } from '../core/work.ts';

export function openPeople({ store, context }: Work): People {
  return new People(store, context.database);
}

/** One id for an address in the whole environment. A new one tells no more of its time than any other: who adds somebody who is known
 * elsewhere cannot tell that from the answer. */
async function idFor(work: Work, { contactEmail }: ChangeOf<typeof user>): Promise<Id> {
  const { id, environmentAt } = await openPeople(work).findByAddress(contactEmail!);
  return id ?? (work.ids.uuidAt(environmentAt) as string as Id);
}

async function addUser(work: Work, input: ChangeOf<typeof user>, id: Id): Promise<AnyChange> {
  const { readAccessToReportingEntities = [], ...fields } = input;
  const client = await holdOwner(work, user, 'client', input.client!);
  await holdReferences(work, user, { client, input: { readAccessToReportingEntities } });
  const present = await openPeople(work).find(id);
  if (present?.visibleMemberships.some(({ clientId }) => clientId === client)) {
    throw new Refusal('user-exists', `The user ${id} is a member of this client already.`);
  }
  createPersonKey(work, id);
  return { role: 'viewer', ...fields, client, readAccessToReportingEntities, createdAt: new Date(work.now) };
}

/** The login may reach further than the caller sees: whoever could change its address could take it over. */
async function checkAddress(work: Work, { id }: User, address: string): Promise<void> {
  if (work.store.scope.visibleClients.kind !== 'all') {
    const detail = 'The address of a user can be changed by applications and keys of the whole workspace alone.';
    throw new Refusal('outside-reach', detail);
  }
  const other = await openPeople(work).findByAddress(address);
  if (other.id === null || other.id === id) return;
  const detail = `The address is that of the user ${other.id}.`;
  throw new Refusal('address-taken', detail, { faults: [{ code: 'address-taken', detail, field: 'contactEmail' }] });
}

/** Reporting entities of the clients that the user is a member of. */
async function checkGrants(work: Work, { visibleMemberships: seen }: User, ids: readonly Id[]): Promise<void> {
  const field = 'readAccessToReportingEntities';
  const clientsById = new Map(
    (await work.store.table(reportingEntity).lockReferenced(ids)).map(({ id, client }) => [id, client]),
  );
  for (const [item, id] of ids.entries()) {
    const client = clientsById.get(id);
    if (client === undefined) throw notFound(reportingEntity, { field, item });
    if (seen.some(({ clientId }) => clientId === client)) continue;
    const code = 'different-client';
    const detail = 'The reporting entity belongs to another client than the user.';
    throw new Refusal(code, detail, { faults: [{ code, detail, field, item }] });
  }
}

async function changeUser(work: Work, present: User, input: ChangeOf<typeof user>): Promise<AnyChange> {
  const { contactEmail, readAccessToReportingEntities: granted } = input;
  if (contactEmail !== undefined) await checkAddress(work, present, contactEmail);
  if (granted !== undefined) await checkGrants(work, present, granted);
  return input;
}

/** Where memberships differ, what is sent is set at all of them, whatever the oldest has. */
function comparable(shown: User): AnyRecord {
  const fields = ['firstName', 'lastName', 'role'] as const;
  const differing = fields.filter((name) => shown.visibleMemberships.some((one) => one[name] !== shown[name]));
  return { ...(shown as object), ...Object.fromEntries(differing.map((name) => [name, undefined])) } as AnyRecord;
}

function membershipSnapshot({ id, contactEmail }: User, membership: Membership): Readonly<Record<string, unknown>> {
  const { clientId, firstName, lastName, role, joinedAt, createdAt, reportingEntityIds } = membership;
  return {
    id,
    email: contactEmail,
    first_name: firstName,
    last_name: lastName,
    role,
    status: membershipStatus(membership),
    joined_at: joinedAt === null ? null : formatInstant(joinedAt),
    created_at: formatInstant(createdAt),
    client_id: clientId,
    reporting_entity_ids: reportingEntityIds,
  };
}

interface UserChange {
  readonly before?: User;
  readonly after?: User;
}

/** A line for each membership that is another one than before. */
export async function auditUser(work: Work, act: AuditedAction, { before, after }: UserChange): Promise<void> {
  const person = (after ?? before)!;
  const clientIdOf = ({ clientId }: Membership) => clientId;
  const clients = after?.addedToClientId
    ? [after.addedToClientId]
    : [
        ...new Set([
          ...(before?.visibleMemberships ?? []).map(clientIdOf),
          ...(after?.visibleMemberships ?? []).map(clientIdOf),
        ]),
      ];
  for (const clientId of clients) {
    const snapshotAt = (one: User | undefined) => {
      const membership = one?.visibleMemberships.find((candidate) => candidate.clientId === clientId);
      return one && membership ? membershipSnapshot(one, membership) : null;
    };
    const snapshots = [snapshotAt(before), snapshotAt(after)];
    if (isDeepStrictEqual(snapshots[0], snapshots[1])) continue;
    const [sealedBefore = null, sealedAfter = null] = await sealSnapshots(work, person.id, snapshots);
    audit(work, { act, type: user.type, id: person.id, clientId, before: sealedBefore, after: sealedAfter });
  }
}

export const userRules = {
  resource: user,
  refusals: ['user-exists', 'address-taken', 'different-client', 'outside-reach'],
  table: openPeople,
  cursorOf: (shown) => userPosition(shown as User),
  idFor,
  create: addUser,
  comparable: (shown) => comparable(shown as User),
  change: (work, present, input) => changeUser(work, present as User, input),
  beforeDelete: async (work, { id, memberships }) => {
    await cancelPendingInvites(
      work,
      id,
      memberships.map(({ clientId }) => clientId),
    );
  },
  audit: (work, act, change) => auditUser(work, act, change as UserChange),
} as const satisfies WriteRules<typeof user>;

/** Lets a user in no more at any client in reach, at once, or again. What is so already stays as it is. */
export async function setDisabled(
  work: Work,
  id: string,
  wanted: 'disabled' | 'enabled',
  guard: Guard<typeof user> = () => {},
): Promise<User> {
  const people = openPeople(work);
  const before = await people.lock(id, 'to-change');
  if (before === undefined) throw notFound(user);
  guard(before);
  const after = await people.update(id, { disabledAt: wanted === 'disabled' ? new Date(work.now) : null });
  await auditUser(work, 'change', { before, after });
  return after;
}

/** Memberships go with their client; they are no data that keeps it. */
export async function removeMembers(work: Work, client: Id): Promise<void> {
  const people = openPeople(work);
  for (const member of await people.lockMembers(client)) {
    await cancelPendingInvites(work, member.id, [client]);
    await auditUser(work, 'delete', {
      before: { ...member, visibleMemberships: member.visibleMemberships.filter((one) => one.clientId === client) },
    });
    await people.removeFrom(client, member.id);
  }
}
