// Writes the audit lines of a user: one for each membership that changed, so that only those who see its client can read it.

import { isDeepStrictEqual } from 'node:util';
import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { formatInstant } from '../../kit/instant.ts';
import type { AuditedAction } from '../../model/access/audit-entry.ts';
import { membershipStatus, user, type Membership, type User } from '../../model/people/user.ts';
import type { RecordChange } from '../core/resource.ts';
import { audit, type Work } from '../core/work.ts';
import { sealSnapshots, type openPersonKey } from './personal-data-sealing.ts';

function membershipSnapshot({ id }: User, membership: Membership): Readonly<Record<string, unknown>> {
  const { clientId, contactEmail, firstName, lastName, role, joinedAt, createdAt, reportingEntityIds } = membership;
  return {
    id,
    email: contactEmail,
    first_name: firstName,
    last_name: lastName,
    role,
    status: membershipStatus(membership),
    joined_at: joinedAt === null ? null : formatInstant(joinedAt),
    created_at: formatInstant(createdAt),
    client_id: clientId,
    reporting_entity_ids: reportingEntityIds,
  };
}

function affectedClientIds({ before, after }: RecordChange<User>): readonly Id[] {
  if (after?.addedToClientId) return [after.addedToClientId];
  const memberships = [...(before?.visibleMemberships ?? []), ...(after?.visibleMemberships ?? [])];
  return [...new Set(memberships.map(({ clientId }) => clientId))];
}

/** The key of the person may be on its way already. */
export async function auditUser(
  work: Work,
  act: AuditedAction,
  change: RecordChange<User>,
  key?: ReturnType<typeof openPersonKey>,
): Promise<void> {
  const { id } = defined(change.after ?? change.before, 'a change has a user before or after it');
  for (const clientId of affectedClientIds(change)) {
    const snapshotOf = (one: User | undefined) => {
      const membership = one?.visibleMemberships.find((candidate) => candidate.clientId === clientId);
      return one && membership ? membershipSnapshot(one, membership) : null;
    };
    const [before, after] = [snapshotOf(change.before), snapshotOf(change.after)];
    if (isDeepStrictEqual(before, after)) continue;
    const [sealedBefore = null, sealedAfter = null] = await sealSnapshots(work, id, [before, after], key);
    audit(work, { act, type: user.type, id, clientId, before: sealedBefore, after: sealedAfter });
  }
}
