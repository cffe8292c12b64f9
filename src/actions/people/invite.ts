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
import { findInviteAtGate, type FoundInvite } from '../../store/people/invites.ts';
import { findWorkspaceName } from '../../store/access/workspaces.ts';
import type { House } from '../core/context.ts';
import { auditInvite, cancelPendingInvites, invitesOf } from './invite-cancellation.ts';
import { queueInviteMail } from './mail.ts';
import { notFound, type WriteRules } from '../core/resource.ts';
import { auditUser, peopleOf } from './user.ts';
import { ownDoing, readingWork, writingWork, type Work } from '../core/work.ts';

const secretBytes = 32;

function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The membership that an invite is for: at the client that was asked for, else the first that was not joined yet. */
async function membershipFor(work: Work, { seen }: User, asked: Id | null | undefined): Promise<Membership> {
  if (asked == null)
    return seen.find(({ joinedAt, disabledAt }) => joinedAt === null && disabledAt === null) ?? seen[0]!;
  const found = seen.find(({ clientId }) => clientId === asked);
  if (found !== undefined) return found;
  if ((await work.store.table(client).hold([asked])).length === 0) throw notFound(client, { field: 'client' });
  const code = 'not-a-member';
  const detail = 'The user is not a member of this client: add them to it first.';
  throw new Refusal(code, detail, { faults: [{ code, detail, field: 'client' }] });
}

/** Who invites, by name: a person, or else the workspace. */
async function inviterOf(work: Work): Promise<string> {
  const person = isUuid(work.subject ?? '') ? await peopleOf(work).find(work.subject!) : undefined;
  return person?.name ?? (await findWorkspaceName(work.store.run, work.store.reach.workspaceId));
}

async function sendInvite(work: Work, asked: ChangeOf<typeof invite>, id: Id): Promise<AnyChange> {
  const person = await peopleOf(work).lock(asked.personId!, 'to-change');
  if (person === undefined) throw notFound(user, { field: 'personId' });
  const { clientId, role, disabledAt } = await membershipFor(work, person, asked.client);
  if (disabledAt !== null) {
    throw new Refusal('user-disabled', 'The user is disabled at this client: enable them first.');
  }
  await cancelPendingInvites(work, person.id, [clientId]);
  const secret = randomBytes(secretBytes).toString('base64url');
  const expiresAt = work.now + inviteLifetimeMs;
  const there = await work.store.table(client).find(clientId);
  // Moved out of sight since the membership was seen.
  if (there === undefined) throw notFound(user, { field: 'personId' });
  await queueInviteMail(work, {
    invite: { id, client: clientId, expiresAt },
    personId: person.id,
    to: person.contactEmail,
    secret,
    inviter: await inviterOf(work),
    clientName: there.name,
  });
  return {
    personId: person.id,
    client: clientId,
    role: asked.role ?? role,
    identityProvider: asked.identityProvider ?? null,
    email: asked.email ?? null,
    secret_hash: hashOf(secret),
    createdAt: new Date(work.now),
    expiresAt: new Date(expiresAt),
  };
}

export const inviteRules: WriteRules<typeof invite> = {
  resource: invite,
  refusals: ['user-not-found', 'not-a-member', 'user-disabled', 'mail-limit'],
  table: invitesOf,
  async show(work, invites) {
    if (work.store.view !== 'v1') return invites;
    const standings = await work.store.mails.listStandings(invites.map(({ id }) => id));
    return invites.map((one) => ({ ...one, mail: standings.get(one.id) ?? null }));
  },
  create: sendInvite,
  change: async (_work, _present, asked) => asked,
  audit: auditInvite,
};

/** An invite as whoever has its link is shown it. */
export interface InviteAtTheDoor {
  readonly state: InviteState;
  readonly invite: Invite;
  readonly person: User;
  readonly clientName: string;
  readonly workspaceName: string;
}

export async function findInviteBySecret(house: House, secret: string): Promise<InviteAtTheDoor | undefined> {
  const found = await findInviteAtGate(house.database, hashOf(secret));
  if (found === undefined) return undefined;
  const work = readingWork(house, ownDoing(found));
  const [there, person, workspaceName] = await Promise.all([
    invitesOf(work).find(found.id),
    peopleOf(work).find(found.personId),
    findWorkspaceName(work.store.run, found.workspaceId),
  ]);
  if (there === undefined || person === undefined) return undefined;
  return { state: there.state, invite: there, person, clientName: found.clientName, workspaceName };
}

export interface Accepted {
  readonly outcome: 'accepted';
  readonly workspaceId: Id;
  readonly environment: Environment;
  readonly personId: Id;
}

/**
 * Why an invite was not accepted; it is as it was before. `unknown`: there is none, or the user is gone. `provider`: it asks for another
 * one. `unverified`: the provider does not vouch for the address. `address`: it is another one. `account`: the identity is somebody else's.
 */
export interface Wrong {
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

function wrong(reason: Wrong['reason']): Wrong {
  return { outcome: 'wrong', reason };
}

/** Whether an identity is one that an invite is for: one that the person is known by, or one with the address that counts. */
function misfitOf(
  { identityProvider, email }: Invite,
  person: User,
  { identity, owner }: { identity: VerifiedIdentity; owner: string | undefined },
): Wrong['reason'] | undefined {
  if (identityProvider !== null && identityProvider !== identity.provider) return 'provider';
  if (owner !== undefined && owner !== person.id) return 'account';
  if (owner !== undefined && email === null) return undefined;
  if (!identity.emailVerified) return 'unverified';
  return addressKey(identity.email) === addressKey(email ?? person.contactEmail) ? undefined : 'address';
}

async function acceptHeld(work: Work, found: FoundInvite, identity: VerifiedIdentity): Promise<Accepted | Wrong> {
  const [people, invites] = [peopleOf(work), invitesOf(work)];
  const person = await people.lock(found.personId, 'to-change');
  const before = await invites.lock(found.id, 'to-change');
  const membership = person?.seen.find(({ clientId }) => clientId === before?.client);
  if (person === undefined || before === undefined) return wrong('unknown');
  if (before.state !== 'pending') return wrong(before.state);
  if (membership === undefined) return wrong('unknown');
  if (membership.disabledAt !== null) return wrong('disabled');
  const { run, reach } = work.store;
  const owner = await findIdentityOwner(run, reach, identity);
  const misfit = misfitOf(before, person, { identity, owner });
  if (misfit !== undefined) return wrong(misfit);
  if (!(await invites.accept(before.id))) return wrong('expired');
  people.join(person.id, { client: membership.clientId, role: before.role, at: work.now });
  await linkIdentity(run, reach, { ...identity, personId: person.id, at: work.now });
  await auditInvite(work, 'change', { before, after: { ...before, acceptedAt: work.now } });
  await auditUser(work, 'change', { before: person, after: (await people.find(person.id))! });
  const { workspaceId, environment } = reach;
  return { outcome: 'accepted', workspaceId, environment, personId: person.id };
}

/** Lets whoever has signed in join the client, or changes nothing. */
export async function acceptInvite(
  house: House,
  secret: string,
  identity: VerifiedIdentity,
): Promise<Accepted | Wrong> {
  const found = await findInviteAtGate(house.database, hashOf(secret));
  if (found === undefined) return wrong('unknown');
  const author = { ...ownDoing(found), subject: found.personId };
  return writingWork(house, author, (work) => acceptHeld(work, found, identity));
}
