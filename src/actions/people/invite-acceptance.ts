// The use cases around the link of an invite: find the invite by the link's secret, and accept it, once, as the invited person.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { addressKey } from '../../model/people/email-address.ts';
import type { VerifiedIdentity } from '../../model/people/identity.ts';
import type { Invite } from '../../model/people/invite.ts';
import type { InviteState } from '../../model/people/invite-state.ts';
import type { Environment } from '../../model/access/scope.ts';
import type { User } from '../../model/people/user.ts';
import type { InviteLookup } from '../../store/people/invites.ts';
import type { AppContext } from '../core/context.ts';
import { serviceAuthor, openReadWork, runInTransaction, type Work } from '../core/work.ts';
import { auditInvite, openInvites } from './invite-cancellation.ts';
import { hashInviteSecret } from './invite-secret.ts';
import { auditUser } from './user-audit.ts';
import { openPeople } from './user.ts';

/** What the holder of the link is shown of an invite. */
export interface OpenedInvite {
  readonly state: InviteState;
  readonly invite: Invite;
  readonly person: User;
  readonly clientName: string;
  readonly workspaceName: string;
}

export async function findInviteBySecret(context: AppContext, secret: string): Promise<OpenedInvite | undefined> {
  const found = await context.stores.preAuth.findInvite(hashInviteSecret(secret));
  if (found === undefined) return undefined;
  const work = openReadWork(context, serviceAuthor(found));
  const [current, person, workspaceName] = await Promise.all([
    openInvites(work).find(found.id),
    openPeople(work).find(found.personId),
    work.store.workspaces.findName(),
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
 * Why an invite was not accepted; it stays unchanged. `unknown`: there is no such invite, or the user was removed. `provider`: the invite
 * requires another identity provider. `unverified`: the provider has not verified the address. `address`: the person signed in with
 * another address than the invited one. `account`: the identity belongs to another user.
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

/** An invite is accepted with an identity that is already linked to the person, or with one that has the invited address. */
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
  const { identities, scope } = work.store;
  const owner = await identities.findOwner(identity);
  const mismatch = identityMismatch(before, person, { identity, owner });
  if (mismatch !== undefined) return reject(mismatch);
  if (!(await invites.accept(before.id))) return reject('expired');
  people.join(person.id, { client: membership.clientId, role: before.role, at: work.now });
  await identities.link({ ...identity, personId: person.id, at: work.now });
  await auditInvite(work, 'change', { before, after: { ...before, acceptedAt: work.now } });
  const joined = defined(await people.find(person.id), 'a locked person is still there');
  await auditUser(work, 'change', { before: person, after: joined });
  const { workspaceId, environment } = scope;
  return { outcome: 'accepted', workspaceId, environment, personId: person.id };
}

/** Makes the signed-in person a member of the client, or changes nothing. */
export async function acceptInvite(
  context: AppContext,
  secret: string,
  identity: VerifiedIdentity,
): Promise<InviteAcceptance | InviteRejection> {
  const found = await context.stores.preAuth.findInvite(hashInviteSecret(secret));
  if (found === undefined) return reject('unknown');
  const author = { ...serviceAuthor(found), subject: found.personId };
  return runInTransaction(context, author, (work) => acceptLocked(work, found, identity));
}
