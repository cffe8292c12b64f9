// The use cases of invites: send one to a member of a client, list and read them, and cancel one. Accepting is in invite-acceptance.ts.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AnyChange, ChangeOf } from '../../kit/resource.ts';
import { client } from '../../model/structure/client.ts';
import { invite, inviteLifetimeMs, type Invite } from '../../model/people/invite.ts';
import { user, type Membership, type User } from '../../model/people/user.ts';
import type { ListQuery } from '../../store/resources/table.ts';
import type { CreateActions } from '../core/record-actions.ts';
import { filterTargetRefusal } from '../core/filter-targets.ts';
import { notFound, toResultPage, type ResultPage } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import { auditInvite, cancelInvite, cancelLocked, openInvites } from './invite-cancellation.ts';
import { requireRightToGiveRole } from './handing-on.ts';
import { hashSecret, newPlacedSecret } from '../access/placed-secret.ts';
import { inviterName, queueInviteMail } from './mail.ts';
import { openPersonKey } from './personal-data-sealing.ts';
import { createUser, findMember, getUser, openPeople, type FoundMember } from './user.ts';

/** Adds the progress of the mail where the answer shows it. */
async function withMailProgress(work: Work, invites: readonly Invite[]): Promise<readonly Invite[]> {
  if (!work.store.fields.includes(invite, 'mail')) return invites;
  const mailStates = await work.store.mails.listMailStates(invites.map(({ id }) => id));
  return invites.map((one) => ({ ...one, mail: mailStates.get(one.id) ?? null }));
}

async function showInvite(work: Work, stored: Invite): Promise<Invite> {
  const [shown = stored] = await withMailProgress(work, [stored]);
  return shown;
}

export async function getInvite(work: Work, id: string): Promise<Invite> {
  const found = await openInvites(work).find(id);
  if (found === undefined) throw notFound(invite);
  return showInvite(work, found);
}

/** Refuses a filter by a user that does not exist or that the caller does not see. */
export async function requireInvitedUser(work: Work, { personId }: AnyChange): Promise<void> {
  if (typeof personId !== 'string' || (await openPeople(work).find(personId)) !== undefined) return;
  throw filterTargetRefusal(user, 'user_id');
}

export async function listInvites(work: Work, query: ListQuery): Promise<ResultPage<Invite>> {
  const rows = await openInvites(work).list({ ...query, limit: query.limit + 1 });
  const { records, hasMore } = toResultPage(rows, query.limit);
  return { records: await withMailProgress(work, records), hasMore };
}

async function countInvites(work: Work, where: AnyChange): Promise<number> {
  return openInvites(work).count(where);
}

/** Picks the membership at the client that the input names, or the first that was not joined yet. */
async function getInvitedMembership(
  work: Work,
  { visibleMemberships }: User,
  clientId: Id | null | undefined,
): Promise<Membership> {
  if (clientId == null) {
    const open = visibleMemberships.find(({ joinedAt, disabledAt }) => joinedAt === null && disabledAt === null);
    return defined(open ?? visibleMemberships[0], 'a visible user has a visible membership');
  }
  const found = visibleMemberships.find((one) => one.clientId === clientId);
  if (found !== undefined) return found;
  const isClientVisible = (await work.store.table(client).lockReferenced([clientId])).length > 0;
  if (!isClientVisible) throw notFound(client, { field: 'client' });
  const code = 'not-a-member';
  const detail = 'The user is not a member of this client. Add them to it first.';
  throw new Refusal(code, detail, { faults: [{ code, detail, field: 'client' }] });
}

/**
 * An invite is for the address of its user unless the input says otherwise: whoever has the link could else join with any account. `null`
 * leaves it open.
 */
function restrictionOf(person: User, email: string | null | undefined): Pick<Invite, 'email' | 'isOwnAddress'> {
  return email === undefined ? { email: person.contactEmail, isOwnAddress: true } : { email, isOwnAddress: false };
}

/** Sends the link by mail. Cancels earlier invites of the same person to the same client, so that only the newest link works. */
export async function createInvite(work: Work, input: ChangeOf<typeof invite>): Promise<Invite> {
  // Taken first, so that the invite sorts before the mail that is queued with it.
  const id = work.ids.next();
  const personId = defined(input.personId, 'a new invite names a user');
  const locked = openPeople(work).lock(personId, 'to-change');
  const key = openPersonKey(work, personId);
  const [person, clientNames, pending, inviter] = await Promise.all([
    locked,
    openPeople(work).listClientNames(personId),
    openInvites(work).lockPending(personId, input.client ?? null),
    inviterName(work),
    key,
  ]);
  if (person === undefined) throw notFound(user, { field: 'personId' });
  const { clientId, role, disabledAt } = await getInvitedMembership(work, person, input.client);
  if (disabledAt !== null) {
    throw new Refusal('user-disabled', 'The user is disabled at this client. Enable them first.');
  }
  const givenRole = input.role ?? role;
  if (givenRole !== role) requireRightToGiveRole(work, givenRole);
  const clientName = clientNames.get(clientId);
  // The client was moved away after the membership was read.
  if (clientName === undefined) throw notFound(user, { field: 'personId' });
  const replaced = pending.filter((one) => one.client === clientId);
  await cancelLocked(work, replaced, key);
  const secret = newPlacedSecret(work.store.scope.workspaceId);
  const expiresAt = work.now + inviteLifetimeMs;
  queueInviteMail(work, {
    invite: { id, client: clientId, expiresAt },
    personId: person.id,
    to: person.contactEmail,
    secret,
    inviter,
    clientName,
  });
  const created = openInvites(work).put(id, {
    personId: person.id,
    client: clientId,
    role: givenRole,
    identityProvider: input.identityProvider,
    ...restrictionOf(person, input.email),
    secret_hash: hashSecret(secret),
    createdAt: new Date(work.now),
    expiresAt: new Date(expiresAt),
  });
  await auditInvite(work, 'create', { after: created }, key);
  if (!work.store.fields.includes(invite, 'mail')) return created;
  return { ...created, mail: { status: 'queued', at: work.now, failure: null } };
}

/** Adds a user to a client and invites them. A member who has not joined yet and has no pending invite gets a new one. */
export async function inviteToClient(work: Work, input: ChangeOf<typeof user>): Promise<Invite> {
  const member = await findMember(work, input);
  if (member !== undefined && (await isInvitable(work, member))) {
    const { personId, membership } = member;
    return createInvite(work, { personId, client: membership.clientId, ...(input.role ? { role: input.role } : {}) });
  }
  const { id: personId } = await createUser(work, input);
  return createInvite(work, { personId, client: defined(input.client, 'a new user is added to a client') });
}

/** Whether an attempt to invite a member is useful, or refused with a better reason than that they are a member: they may be disabled. */
async function isInvitable(work: Work, { personId, membership }: FoundMember): Promise<boolean> {
  if (membership.disabledAt !== null) return true;
  if (membership.joinedAt !== null) return false;
  // Locked, so that of two requests at once only one sends an invite.
  await openPeople(work).lock(personId, 'to-change');
  const pending = await openInvites(work).count({ personId, client: membership.clientId, state: 'pending' });
  return pending === 0;
}

/** Cancels an invite where the path names its user as well, who must be the invited one. */
export async function cancelUserInvite(
  work: Work,
  { userId, inviteId }: { userId: string; inviteId: string },
): Promise<Invite> {
  await getUser(work, userId);
  if ((await openInvites(work).find(inviteId))?.personId !== userId) throw notFound(invite);
  return cancelInvite(work, inviteId);
}

export const inviteActions: CreateActions<typeof invite> = {
  resource: invite,
  refusals: ['user-not-found', 'not-a-member', 'user-disabled', 'mail-limit'],
  get: getInvite,
  list: listInvites,
  count: countInvites,
  positionOf: ({ id }) => id,
  create: createInvite,
};
