// Queues mail, such as that of an invite: composed, sealed, and counted against the limits of the address and the workspace. A refusal depends on the
// caller's own mail only: what others send to the address delays the mail later and is not revealed here.

import { hourMs, secondMs } from '../../kit/clock.ts';
import { isUuid, type Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { fullName } from '../../model/people/user.ts';
import { mailboxKey } from '../../model/people/email-address.ts';
import { composeAdministratorMail, composeInviteMail } from '../../model/people/mail/invite-mail.ts';
import type { MailContent } from '../../model/people/mail/mail-text.ts';
import type { MailLimit } from '../../store/queues/mails.ts';
import type { AppContext } from '../core/context.ts';
import { sealContext } from '../core/seal-context.ts';
import { workspaceLimits, addressLimits } from './mail-limits.ts';
import type { Tenant } from '../../model/access/scope.ts';
import type { Work } from '../core/work.ts';

interface InviteMailInput {
  readonly invite: { readonly id: Id; readonly client: Id; readonly expiresAt: number };
  readonly personId: string;
  readonly to: string;
  /** Part of the link. */
  readonly secret: string;
  /** The name of the person or workspace that invites. */
  readonly inviter: string;
  readonly clientName: string;
}

/** Sealed until it is sent. */
interface SealedMessage extends MailContent {
  readonly to: string;
}

export const mailPurpose = 'mail';

export function openMessage(
  context: AppContext,
  tenant: Tenant,
  mail: { id: Id; messageSealed: Buffer },
): SealedMessage {
  return JSON.parse(
    context.keyring.open(mailPurpose, mail.messageSealed, sealContext(tenant, mail.id)).toString('utf8'),
  );
}

/** The page where an invite is accepted. */
export function inviteLink({ addresses }: Pick<AppContext, 'addresses'>, secret: string): string {
  return `${addresses.baseUrl}/invites/${secret}`;
}

export function queueInviteMail(work: Work, input: InviteMailInput): void {
  const { context } = work;
  const { invite, personId, to, secret, inviter, clientName } = input;
  const content = composeInviteMail({
    inviter,
    clientName,
    link: inviteLink(context, secret),
    expiresAt: invite.expiresAt,
    timeZone: context.timeZone,
  });
  queueMail(work, { client: invite.client, personId, invite: invite.id, to, content });
}

interface AdministratorMailInput extends Omit<InviteMailInput, 'invite' | 'clientName'> {
  readonly link: { readonly id: Id; readonly expiresAt: number };
}

export async function queueAdministratorMail(work: Work, input: AdministratorMailInput): Promise<void> {
  const { context, store } = work;
  const { link, personId, to, secret, inviter } = input;
  const content = composeAdministratorMail({
    inviter,
    workspaceName: await store.workspaces.findName(),
    environment: store.scope.environment,
    link: inviteLink(context, secret),
    expiresAt: link.expiresAt,
    timeZone: context.timeZone,
  });
  queueMail(work, { client: null, personId, invite: link.id, to, content });
}

/** The name of the person who invites, or that of the workspace if an application or key does. */
export async function inviterName({ subject, store }: Work): Promise<string> {
  const id = subject !== null && isUuid(subject) ? subject : undefined;
  if (id === undefined) return store.workspaces.findName();
  const isAllVisible = store.scope.visibleClients.kind === 'all';
  const [person, found, workspaceName] = await Promise.all([
    store.people.find(id),
    isAllVisible ? store.administrators.find(id) : undefined,
    store.workspaces.findName(),
  ]);
  return person?.name ?? (found === undefined ? workspaceName : fullName(found));
}

export interface QueuedMail {
  /** Null for mail of the workspace. */
  readonly client: Id | null;
  readonly personId: string;
  /** The invite, or the link of an administrator, that the mail is about. */
  readonly invite: Id | null;
  readonly to: string;
  readonly content: MailContent;
}

/** Queues a mail with the transaction, which fails with a refusal where the mail is over the limits of the address and the workspace. */
export function queueMail(work: Work, { client, personId, invite, to, content }: QueuedMail): void {
  const { context, store, ids, now } = work;
  const addressDigest = context.keyring.digest('mail-address', mailboxKey(to));
  const addressDigests = context.keyring.digests('mail-address', mailboxKey(to));
  refuseOverLimits(work, { client, addressDigests });
  const id = ids.next();
  const message: SealedMessage = { to, ...content };
  const messageSealed = context.keyring.seal(mailPurpose, JSON.stringify(message), sealContext(store.scope, id));
  store.mails.put({ id, client, person: personId, invite, addressDigest, messageSealed, createdAt: now });
  work.outbox.addMail();
}

function refuseOverLimits(
  { context, store, now }: Work,
  to: { client: Id | null; addressDigests: readonly Buffer[] },
): void {
  const sender = to.client === null ? 'workspace' : 'client';
  const check = (limit: MailLimit, who: string) => ({
    limit,
    now,
    refuse: (allowedAt: number) => limitRefusal(`${who} ${limitText(limit)}`, allowedAt - now),
  });
  store.mails.lockTenant();
  for (const limit of addressLimits(context.mailLimits))
    store.mails.requireRoomTo(to, check(limit, `This ${sender} has sent this address`));
  for (const limit of workspaceLimits(context.mailLimits))
    store.mails.requireRoomInAll(check(limit, 'This workspace has sent'));
}

function limitText({ count, withinMs }: MailLimit): string {
  return `${count} ${count === 1 ? 'mail' : 'mails'} within ${withinMs === hourMs ? 'an hour' : 'a day'}`;
}

function limitRefusal(what: string, waitMs: number): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / secondMs));
  return new Refusal('mail-limit', `${what}, which is the limit. Nothing was changed; try again later.`, {
    retryAfterSeconds,
  });
}
