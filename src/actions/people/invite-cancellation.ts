// Cancels invites: on request, when their user is removed, and when a newer invite replaces them.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AuditedAction } from '../../model/access/audit-entry.ts';
import { invite, type Invite } from '../../model/people/invite.ts';
import { inviteStateDefinitions, type InviteAction, type InviteTransition } from '../../model/people/invite-state.ts';
import type { Invites } from '../../store/people/invites.ts';
import { sealSnapshots, type openPersonKey } from './personal-data-sealing.ts';
import { notFound, type RecordChange } from '../core/resource.ts';
import { snapshot } from '../core/snapshot.ts';
import { audit, type Work } from '../core/work.ts';

export function openInvites({ store, now }: Work): Invites {
  return store.invites(now);
}

export async function auditInvite(
  work: Work,
  act: AuditedAction,
  { before, after }: RecordChange<Invite>,
  key?: ReturnType<typeof openPersonKey>,
): Promise<void> {
  const { id, personId, client } = defined(after ?? before, 'a change has an invite before or after it');
  const snapshots = [before, after].map((one) => (one === undefined ? null : snapshot(invite, one)));
  const [sealedBefore = null, sealedAfter = null] = await sealSnapshots(work, personId, snapshots, key);
  audit(work, { act, type: invite.type, id, clientId: client, before: sealedBefore, after: sealedAfter });
}

/** Cancels a person's pending invites to these clients. */
export async function cancelPendingInvites(
  work: Work,
  { personId, clientIds }: { readonly personId: Id; readonly clientIds: readonly Id[] },
): Promise<void> {
  await auditCancelled(work, await openInvites(work).cancelPending(personId, clientIds));
}

/** Cancels invites that are locked and pending, with the commit at the latest. */
export async function cancelLocked(
  work: Work,
  pending: readonly Invite[],
  key: ReturnType<typeof openPersonKey>,
): Promise<void> {
  await auditCancelled(work, openInvites(work).cancel(pending), key);
}

async function auditCancelled(
  work: Work,
  cancelled: readonly Invite[],
  key?: ReturnType<typeof openPersonKey>,
): Promise<void> {
  for (const after of cancelled)
    await auditInvite(work, 'change', { before: { ...after, cancelledAt: null }, after }, key);
}

const refusalDetails: Readonly<Record<Extract<InviteTransition, { refused: string }>['refused'], string>> = {
  'invite-accepted': 'The invite has already been accepted. To end the access of the user, disable or delete them.',
  'invite-cancelled': 'The invite was cancelled.',
  'invite-expired': 'The invite has expired and can no longer be accepted.',
};

/** Looks up what an action does in the invite's state; throws where the state does not allow it. */
function inviteTransition({ state }: Invite, action: InviteAction): Exclude<InviteTransition, { refused: string }> {
  const transition = inviteStateDefinitions[state].on[action];
  if ('refused' in transition) throw new Refusal(transition.refused, refusalDetails[transition.refused]);
  return transition;
}

/** Returns an invite that was already cancelled unchanged. */
export async function cancelInvite(work: Work, id: string): Promise<Invite> {
  const invites = openInvites(work);
  const before = await invites.lock(id, 'to-change');
  if (before === undefined) throw notFound(invite);
  if ('stays' in inviteTransition(before, 'cancellation')) return before;
  const after = await invites.update(id, { cancelledAt: new Date(work.now) });
  await auditInvite(work, 'change', { before, after });
  return after;
}
