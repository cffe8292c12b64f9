// The use cases around the link of an invite: find the invite by the link's secret, and accept it, once, as the invited person.

import { defined } from '../../kit/assert.ts';
import { addressKey } from '../../model/people/email-address.ts';
import type { VerifiedIdentity } from '../../model/people/identity.ts';
import type { Invite } from '../../model/people/invite.ts';
import type { User } from '../../model/people/user.ts';
import type { InviteLookup } from '../../store/people/invites.ts';
import type { AppContext } from '../core/context.ts';
import { serviceAuthor, openReadWork, runInTransaction, type Work } from '../core/work.ts';
import { acceptAdministratorLink, openAdministratorLink } from './administrator-acceptance.ts';
import { auditInvite, openInvites } from './invite-cancellation.ts';
import { reject, type InviteAcceptance, type InviteRejection, type OpenedInvite } from './invite-result.ts';
import { locateSecret } from '../access/placed-secret.ts';
import { auditUser } from './user-audit.ts';
import { openPeople } from './user.ts';

export async function findInviteBySecret(context: AppContext, secret: string): Promise<OpenedInvite | undefined> {
  const located = locateSecret(secret);
  const found = await context.stores.preAuth.findInvite(located);
  if (found === undefined) {
    const link = await context.stores.preAuth.findAdministratorLink(located);
    return link && openAdministratorLink(context, link);
  }
  const work = openReadWork(context, serviceAuthor(found));
  const [current, person, workspaceName] = await Promise.all([
    openInvites(work).find(found.id),
    openPeople(work).find(found.personId),
    work.store.workspaces.findName(),
  ]);
  if (current === undefined || person === undefined) return undefined;
  const { state, expiresAt, identityProvider } = current;
  const { email: address } = current;
  return { state, expiresAt, identityProvider, address, clientName: found.clientName, workspaceName };
}

/**
 * An invite that names an address takes an identity with that address, and one that names none takes any with a verified address. An identity
 * that is already linked to the person needs no address, unless the invite was given one.
 */
async function identityMismatch(
  { store }: Work,
  { identityProvider, email, isOwnAddress }: Invite,
  { person, identity }: { readonly person: User; readonly identity: VerifiedIdentity },
): Promise<InviteRejection['reason'] | undefined> {
  if (identityProvider !== null && identityProvider !== identity.provider) return 'provider';
  const owner = await store.identities.findOwner(identity);
  if (owner !== undefined && owner !== person.id) return 'account';
  if (owner !== undefined && (email === null || isOwnAddress)) return undefined;
  if (!identity.emailVerified) return 'unverified';
  if (email !== null) return addressKey(identity.email) === addressKey(email) ? undefined : 'address';
  // Otherwise a user who gets hold of the link would become this person, and could not accept an invite of their own.
  const { id: addressee } = await store.people.findByAddress(identity.email);
  return addressee === null || addressee === person.id ? undefined : 'account';
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
  const mismatch = await identityMismatch(work, before, { person, identity });
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

/** Makes the signed-in person a member of the client or an administrator of the workspace, or changes nothing. */
export async function acceptInvite(
  context: AppContext,
  secret: string,
  identity: VerifiedIdentity,
): Promise<InviteAcceptance | InviteRejection> {
  const located = locateSecret(secret);
  const found = await context.stores.preAuth.findInvite(located);
  if (found === undefined) {
    const link = await context.stores.preAuth.findAdministratorLink(located);
    return link === undefined ? reject('unknown') : acceptAdministratorLink(context, link, identity);
  }
  const author = { ...serviceAuthor(found), subject: found.personId };
  return runInTransaction(context, author, (work) => acceptLocked(work, found, identity));
}
