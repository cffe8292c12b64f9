// Keeps pending invites in step with their user: with the role and the address that the user was given after they were sent.

import type { Id } from '../../kit/id.ts';
import type { Role } from '../../model/people/role.ts';
import type { Work } from '../core/work.ts';
import { auditInvite, openInvites } from './invite-cancellation.ts';

/**
 * Accepting an invite gives the role that it names: without this, it would undo a change of role. And whoever has the former address could
 * still accept an invite that is for the address of the user. The person must be locked.
 */
export async function changePendingInvites(
  work: Work,
  personId: Id,
  { role, contactEmail }: { readonly role?: Role; readonly contactEmail?: string },
): Promise<void> {
  const invites = openInvites(work);
  for (const before of await invites.lockPending(personId, null)) {
    const changes: { role?: Role; email?: string } = {};
    if (role !== undefined && role !== before.role) changes.role = role;
    if (contactEmail !== undefined && before.isOwnAddress) changes.email = contactEmail;
    if (Object.keys(changes).length === 0) continue;
    const after = await invites.update(before.id, changes);
    await auditInvite(work, 'change', { before, after });
  }
}
