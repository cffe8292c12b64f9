// How invites are taken back: by whoever asks for it, with the user, and by a newer one. Sends nothing.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AuditedAction } from '../../model/access/audit-entry.ts';
import { invite, type Invite } from '../../model/people/invite.ts';
import { inviteStateDefinitions, type InviteAction, type InviteTransition } from '../../model/people/invite-state.ts';
import { Invites } from '../../store/people/invites.ts';
import { sealSnapshots } from './personal-data-sealing.ts';
import { notFound } from '../core/resource.ts';
import { snapshot } from '../core/snapshot.ts';
import { audit, type Work } from '../core/work.ts';

export function openInvites({ store, now }: Work): Invites {
  return new Invites(store, now);
}

interface InviteChange {
  readonly before?: Invite;
  readonly after?: Invite;
}

export async function auditInvite(work: Work, act: AuditedAction, { before, after }: InviteChange): Promise<void> {
  const { id, personId, client } = (after ?? before)!;
  const snapshots = [before, after].map((one) => (one === undefined ? null : snapshot(invite, one)));
  const [sealedBefore = null, sealedAfter = null] = await sealSnapshots(work, personId, snapshots);
  audit(work, { act, type: invite.type, id, clientId: client, before: sealedBefore, after: sealedAfter });
}

/** Takes back what is pending of somebody's invites to these clients. */
export async function cancelPendingInvites(work: Work, personId: Id, clientIds: readonly Id[]): Promise<void> {
  const invites = openInvites(work);
  for (const id of await invites.cancelPending(personId, clientIds)) {
    const after = await invites.find(id);
    if (after) await auditInvite(work, 'change', { before: { ...after, cancelledAt: null }, after });
  }
}

const refusalDetails: Readonly<Record<Extract<InviteTransition, { refused: string }>['refused'], string>> = {
  'invite-accepted': 'The invite has been accepted. To let the user in no more, disable or delete them.',
  'invite-cancelled': 'The invite has been cancelled.',
  'invite-expired': 'The invite has expired: nobody can accept it any more.',
};

/** What comes of an act, or its refusal. */
export function inviteTransition({ state }: Invite, act: InviteAction): Exclude<InviteTransition, { refused: string }> {
  const transition = inviteStateDefinitions[state].on[act];
  if ('refused' in transition) throw new Refusal(transition.refused, refusalDetails[transition.refused]);
  return transition;
}

/** What was cancelled before is answered as it is. */
export async function cancelInvite(work: Work, id: string): Promise<Invite> {
  const invites = openInvites(work);
  const before = await invites.lock(id, 'to-change');
  if (before === undefined) throw notFound(invite);
  if ('stays' in inviteTransition(before, 'cancellation')) return before;
  const after = await invites.update(id, { cancelledAt: new Date(work.now) });
  await auditInvite(work, 'change', { before, after });
  return after;
}
