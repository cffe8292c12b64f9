// Gives pending invites the role that their user was given after they were sent.

import type { Id } from '../../kit/id.ts';
import type { Role } from '../../model/people/role.ts';
import type { Work } from '../core/work.ts';
import { auditInvite, openInvites } from './invite-cancellation.ts';

/** Accepting an invite gives the role that it names: without this, it would undo a change of role. The person must be locked. */
export async function changePendingRoles(work: Work, personId: Id, role: Role): Promise<void> {
  const invites = openInvites(work);
  for (const before of await invites.lockPending(personId, null)) {
    if (before.role === role) continue;
    const after = await invites.update(before.id, { role });
    await auditInvite(work, 'change', { before, after });
  }
}
