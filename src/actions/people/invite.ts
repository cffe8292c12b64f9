// What may happen to an invite: sent to a member of a client, found by the secret of its link, and accepted, once, by whoever it is for.

import { hash, randomBytes } from 'node:crypto';
import { isUuid, type Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AnyChange, ChangeOf } from '../../kit/resource.ts';
import { addressKey } from '../../model/people/email-address.ts';
import { client } from '../../model/structure/client.ts';
import type { VerifiedIdentity } from '../../model/people/identity.ts';
import { invite, inviteLifetimeMs, type Invite } from '../../model/people/invite.ts';
import type { InviteState } from '../../model/people/invite-state.ts';
import type { Environment } from '../../model/access/scope.ts';
import { user, type Membership, type User } from '../../model/people/user.ts';
import { findIdentityOwner, linkIdentity } from '../../store/people/identities.ts';
import { findInvitePreAuth, type InviteLookup } from '../../store/people/invites.ts';
import { findWorkspaceName } from '../../store/access/workspaces.ts';
import type { AppContext } from '../core/context.ts';
import { auditInvite, cancelPendingInvites, openInvites } from './invite-cancellation.ts';
import { queueInviteMail } from './mail.ts';
import { notFound, type WriteRules } from '../core/resource.ts';
import { auditUser, openPeople } from './user.ts';
import { serviceAuthor, openReadWork, runInTransaction, type Work } from '../core/work.ts';

const secretBytes = 32;

function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The membership that an invite is for: at the client that was asked for, else the first that was not joined yet. */
async function getInvitedMembership(
  work: Work,
  { visibleMemberships: seen }: User,
  input: Id | null | undefined,
): Promise<Membership> {
  if (input == null)
    return seen.find(({ joinedAt, disabledAt }) => joinedAt === null && disabledAt === null) ?? seen[0]!;
  const found = seen.find(({ clientId }) => clientId === input);
  if (found !== undefined) return found;
  if ((await work.store.table(client).lockReferenced([input])).length === 0)
    throw notFound(client, { field: 'client' });
  const code = 'not-a-member';
  const detail = 'The user is not a member of this client: add them to it first.';
  throw new Refusal(code, detail, { faults: [{ code, detail, field: 'client' }] });
}

/** Who invites, by name: a person, or else the workspace. */
async function inviterName(work: Work): Promise<string> {
  const person = isUuid(work.subject ?? '') ? await openPeople(work).find(work.subject!) : undefined;
  return person?.name ?? (await findWorkspaceName(work.store.run, work.store.scope.workspaceId));
}

async function sendInvite(work: Work, input: ChangeOf<typeof invite>, id: Id): Promise<AnyChange> {
  const person = await openPeople(work).lock(input.personId!, 'to-change');
  if (person === undefined) throw notFound(user, { field: 'personId' });
  const { clientId, role, disabledAt } = await getInvitedMembership(work, person, input.client);
  if (disabledAt !== null) {
    throw new Refusal('user-disabled', 'The user is disabled at this client: enable them first.');
  }
  await cancelPendingInvites(work, person.id, [clientId]);
  const secret = randomBytes(secretBytes).toString('base64url');
  const expiresAt = work.now + inviteLifetimeMs;
  const current = await work.store.table(client).find(clientId);
  // Moved out of sight since the membership was seen.
  if (current === undefined) throw notFound(user, { field: 'personId' });
  await queueInviteMail(work, {
    invite: { id, client: clientId, expiresAt },
    personId: person.id,
    to: person.contactEmail,
    secret,
    inviter: await inviterName(work),
    clientName: current.name,
  });
  return {
    personId: person.id,
    client: clientId,
    role: input.role ?? role,
    identityProvider: input.identityProvider ?? null,
    email: input.email ?? null,
    secret_hash: hashSecret(secret),
    createdAt: new Date(work.now),
    expiresAt: new Date(expiresAt),
  };
}

export const inviteRules: WriteRules<typeof invite> = {
  resource: invite,
  refusals: ['user-not-found', 'not-a-member', 'user-disabled', 'mail-limit'],
  table: openInvites,
  async show(work, invites) {
    if (!work.store.fields.includes(invite, 'mail')) return invites;
    const mailStates = await work.store.mails.listMailStates(invites.map(({ id }) => id));
    return invites.map((one) => ({ ...one, mail: mailStates.get(one.id) ?? null }));
  },
  create: sendInvite,
  change: async (_work, _present, input) => input,
  audit: auditInvite,
};

/** An invite as whoever has its link is shown it. */
export interface OpenedInvite {
  readonly state: InviteState;
  readonly invite: Invite;
  readonly person: User;
  readonly clientName: string;
  readonly workspaceName: string;
}

export async function findInviteBySecret(context: AppContext, secret: string): Promise<OpenedInvite | undefined> {
  const found = await findInvitePreAuth(context.database, hashSecret(secret));
  if (found === undefined) return undefined;
  const work = openReadWork(context, serviceAuthor(found));
  const [current, person, workspaceName] = await Promise.all([
    openInvites(work).find(found.id),
    openPeople(work).find(found.personId),
    findWorkspaceName(work.store.run, found.workspaceId),
  ]);
  if (current === undefined || person === undefined) return undefined;
  return { state: current.state, invite: current, person, clientName: found.clientName, workspaceName };
}

export interface InviteAcceptance {
  readonly outcome: 'accepted';
  readonly workspaceId: Id;
  readonly environment: Environment;
  readonly personId: Id;
}

/**
 * Why an invite was not accepted; it is as it was before. `unknown`: there is none, or the user is gone. `provider`: it asks for another
 * one. `unverified`: the provider does not vouch for the address. `address`: it is another one. `account`: the identity is somebody else's.
 */
export interface InviteRejection {
  readonly outcome: 'wrong';
  readonly reason:
    | 'unknown'
    | Exclude<InviteState, 'pending'>
    | 'disabled'
    | 'provider'
    | 'unverified'
    | 'address'
    | 'account';
}

function reject(reason: InviteRejection['reason']): InviteRejection {
  return { outcome: 'wrong', reason };
}

/** Whether an identity is one that an invite is for: one that the person is known by, or one with the address that counts. */
function identityMismatch(
  { identityProvider, email }: Invite,
  person: User,
  { identity, owner }: { identity: VerifiedIdentity; owner: string | undefined },
): InviteRejection['reason'] | undefined {
  if (identityProvider !== null && identityProvider !== identity.provider) return 'provider';
  if (owner !== undefined && owner !== person.id) return 'account';
  if (owner !== undefined && email === null) return undefined;
  if (!identity.emailVerified) return 'unverified';
  return addressKey(identity.email) === addressKey(email ?? person.contactEmail) ? undefined : 'address';
}

async function acceptLocked(
  work: Work,
  found: InviteLookup,
  identity: VerifiedIdentity,
): Promise<InviteAcceptance | InviteRejection> {
  const [people, invites] = [openPeople(work), openInvites(work)];
  const person = await people.lock(found.personId, 'to-change');
  const before = await invites.lock(found.id, 'to-change');
  const membership = person?.visibleMemberships.find(({ clientId }) => clientId === before?.client);
  if (person === undefined || before === undefined) return reject('unknown');
  if (before.state !== 'pending') return reject(before.state);
  if (membership === undefined) return reject('unknown');
  if (membership.disabledAt !== null) return reject('disabled');
  const { run, scope } = work.store;
  const owner = await findIdentityOwner(run, scope, identity);
  const mismatch = identityMismatch(before, person, { identity, owner });
  if (mismatch !== undefined) return reject(mismatch);
  if (!(await invites.accept(before.id))) return reject('expired');
  people.join(person.id, { client: membership.clientId, role: before.role, at: work.now });
  await linkIdentity(run, scope, { ...identity, personId: person.id, at: work.now });
  await auditInvite(work, 'change', { before, after: { ...before, acceptedAt: work.now } });
  await auditUser(work, 'change', { before: person, after: (await people.find(person.id))! });
  const { workspaceId, environment } = scope;
  return { outcome: 'accepted', workspaceId, environment, personId: person.id };
}

/** Lets whoever has signed in join the client, or changes nothing. */
export async function acceptInvite(
  context: AppContext,
  secret: string,
  identity: VerifiedIdentity,
): Promise<InviteAcceptance | InviteRejection> {
  const found = await findInvitePreAuth(context.database, hashSecret(secret));
  if (found === undefined) return reject('unknown');
  const author = { ...serviceAuthor(found), subject: found.personId };
  return runInTransaction(context, author, (work) => acceptLocked(work, found, identity));
}
