// Accepts the link of an administrator, once: a mailed one as the invited person, a printed one as whoever signs in.

import type { Id } from '../../kit/id.ts';
import { defined } from '../../kit/assert.ts';
import { addressKey } from '../../model/people/email-address.ts';
import type { VerifiedIdentity } from '../../model/people/identity.ts';
import { inviteStateAt } from '../../model/people/invite-state.ts';
import { splitName } from '../../model/people/user.ts';
import type { AdministratorLinkLookup } from '../../store/people/administrators.ts';
import type { AppContext } from '../core/context.ts';
import { openReadWork, runInTransaction, serviceAuthor, type Work } from '../core/work.ts';
import { auditAdministrator, putAdministrator } from './administrator.ts';
import { reject, type InviteAcceptance, type InviteRejection, type OpenedInvite } from './invite-result.ts';
import { personIdFor } from './user.ts';

export async function openAdministratorLink(
  context: AppContext,
  found: AdministratorLinkLookup,
): Promise<OpenedInvite | undefined> {
  const { store, now } = openReadWork(context, serviceAuthor(found));
  const [link, person, workspaceName] = await Promise.all([
    store.administrators.findLink(found.id),
    found.personId === null ? undefined : store.administrators.find(found.personId),
    store.workspaces.findName(),
  ]);
  if (link === undefined) return undefined;
  const { environment } = found;
  const name = environment === 'production' ? workspaceName : `${workspaceName} (${environment})`;
  return {
    state: inviteStateAt(link, now),
    expiresAt: link.expiresAt,
    identityProvider: null,
    address: person?.contactEmail ?? null,
    clientName: null,
    workspaceName: name,
  };
}

/** A mailed link is for its person: with an identity that is theirs already, or one with their verified address. */
async function mailedTo(work: Work, personId: Id, identity: VerifiedIdentity): Promise<InviteRejection | undefined> {
  const owner = await work.store.identities.findOwner(identity);
  if (owner !== undefined) return owner === personId ? undefined : reject('account');
  const invited = await work.store.administrators.find(personId);
  if (invited === undefined) return reject('unknown');
  if (!identity.emailVerified) return reject('unverified');
  return addressKey(identity.email) === addressKey(invited.contactEmail) ? undefined : reject('address');
}

/** The person with this identity or this address, who may be new. */
async function findOrAddPerson(work: Work, identity: VerifiedIdentity): Promise<Id> {
  const owner = await work.store.identities.findOwner(identity);
  const id = owner ?? (await personIdFor(work, identity.email));
  if ((await work.store.administrators.find(id)) !== undefined) return id;
  const name = identity.name?.trim() || identity.email.slice(0, identity.email.lastIndexOf('@'));
  const { firstName, lastName } = splitName(name.slice(0, 200));
  await putAdministrator({ ...work, subject: id }, id, { contactEmail: identity.email, firstName, lastName });
  return id;
}

async function acceptLocked(
  work: Work,
  found: AdministratorLinkLookup,
  identity: VerifiedIdentity,
): Promise<InviteAcceptance | InviteRejection> {
  const { administrators, identities, scope } = work.store;
  await administrators.lockAll();
  const link = await administrators.lockLink(found.id);
  if (link === undefined) return reject('unknown');
  const state = inviteStateAt(link, work.now);
  if (state !== 'pending') return reject(state);
  const { personId: invitedId } = link;
  const rejection = invitedId === null ? undefined : await mailedTo(work, invitedId, identity);
  if (rejection !== undefined) return rejection;
  if (invitedId === null && !identity.emailVerified) return reject('unverified');
  if (!(await administrators.acceptLink(link.id, work.now))) return reject('expired');
  const personId = invitedId ?? (await findOrAddPerson(work, identity));
  const before = defined(await administrators.find(personId), 'whoever accepts was added');
  administrators.join(personId, work.now);
  await identities.link({ ...identity, personId, at: work.now });
  const after = { ...before, joinedAt: before.joinedAt ?? work.now };
  await auditAdministrator({ ...work, subject: personId }, 'change', { before, after });
  const { workspaceId, environment } = scope;
  return { outcome: 'accepted', workspaceId, environment, personId };
}

export async function acceptAdministratorLink(
  context: AppContext,
  found: AdministratorLinkLookup,
  identity: VerifiedIdentity,
): Promise<InviteAcceptance | InviteRejection> {
  return runInTransaction(context, serviceAuthor(found), (work) => acceptLocked(work, found, identity));
}
