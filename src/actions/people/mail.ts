// Puts mail in line, with what it tells of: written, sealed, and counted against what an address and a workspace may be sent. Whoever
// asks learns of their own mail only: how much others send to an address holds mail back later and refuses nothing here.

import { hourMs, secondMs } from '../../kit/clock.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { mailboxKey } from '../../model/people/email-address.ts';
import { writeInviteMail, type MailText } from '../../model/people/mail/invite-mail.ts';
import type { MailLimit } from '../../store/queues/mails.ts';
import type { House } from '../core/context.ts';
import { limitsOfWorkspace, limitsToAddress } from './mail-limits.ts';
import type { Tenant } from '../core/tenant-wake-ups.ts';
import type { Work } from '../core/work.ts';

export interface InviteLetter {
  readonly invite: { readonly id: Id; readonly client: Id; readonly expiresAt: number };
  readonly personId: string;
  readonly to: string;
  /** What the link holds. */
  readonly secret: string;
  /** Who invites, by name: a person, or the workspace. */
  readonly inviter: string;
  readonly clientName: string;
}

/** What is sealed until it is sent. */
export interface SealedMessage extends MailText {
  readonly to: string;
}

/** Opens only where it was sealed. */
function sealContext({ workspaceId, environment }: Tenant, mail: Id): string {
  return `${workspaceId}/${environment}/${mail}`;
}

export function openMessage(house: House, tenant: Tenant, mail: { id: Id; messageSealed: Buffer }): SealedMessage {
  return JSON.parse(house.keyring.open('mail', mail.messageSealed, sealContext(tenant, mail.id)).toString('utf8'));
}

/** Where an invite is accepted. */
export function inviteLink({ addresses }: Pick<House, 'addresses'>, secret: string): string {
  return `${addresses.baseUrl}/invites/${secret}`;
}

export async function queueInviteMail(work: Work, letter: InviteLetter): Promise<void> {
  const { house, store, ids, now } = work;
  const { invite, personId, to, secret, inviter, clientName } = letter;
  const addressDigest = house.keyring.mac('mail-address', mailboxKey(to));
  await refuseOverLimits(work, { client: invite.client, addressDigest });
  const id = ids.next();
  const text = writeInviteMail({
    inviter,
    clientName,
    link: inviteLink(house, secret),
    expiresAt: invite.expiresAt,
    timeZone: house.timeZone,
  });
  const message: SealedMessage = { to, ...text };
  const messageSealed = house.keyring.seal('mail', JSON.stringify(message), sealContext(store.reach, id));
  store.mails.put({
    id,
    client: invite.client,
    person: personId,
    invite: invite.id,
    addressDigest,
    messageSealed,
    createdAt: now,
  });
  work.outbox.noteMail();
}

async function refuseOverLimits(work: Work, to: { client: Id; addressDigest: Buffer }): Promise<void> {
  const { house, store, now } = work;
  await store.mails.takeTurn();
  for (const limit of limitsToAddress(house.mailLimits)) {
    const roomAt = await store.mails.findRoomTo(to, limit, now);
    if (roomAt !== undefined) throw overLimit(`This client has sent this address ${amount(limit)}`, roomAt - now);
  }
  for (const limit of limitsOfWorkspace(house.mailLimits)) {
    const roomAt = await store.mails.findRoom(house.database, limit, now);
    if (roomAt !== undefined) throw overLimit(`This workspace has sent ${amount(limit)}`, roomAt - now);
  }
}

function amount({ count, withinMs }: MailLimit): string {
  return `${count} ${count === 1 ? 'mail' : 'mails'} within ${withinMs === hourMs ? 'an hour' : 'a day'}`;
}

function overLimit(what: string, waitMs: number): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / secondMs));
  return new Refusal('mail-limit', `${what}, which is as many as there may be. Nothing was changed.`, {
    retryAfterSeconds,
  });
}
