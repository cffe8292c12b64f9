// Answers the requests of a data subject: exports everything that is stored about a person, and erases it. No report depends on it.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AuditEntry } from '../../model/access/audit-entry.ts';
import type { Invite } from '../../model/people/invite.ts';
import { user, type User } from '../../model/people/user.ts';
import type { IdentityRecord, MailRecord, SessionRecord } from '../../store/people/stored-personal-data.ts';
import { showAuditEntries } from '../access/audit-log.ts';
import { listInvites } from './invite.ts';
import { deleteAnswersMentioning } from '../core/idempotent-answer.ts';
import { notFound } from '../core/resource.ts';
import { deleteUser, getUser, openPeople } from './user.ts';
import { audit, runInTransaction, type Work } from '../core/work.ts';

interface PersonDataExport {
  readonly user: User;
  readonly identities: readonly IdentityRecord[];
  readonly invites: readonly Invite[];
  readonly sessions: readonly SessionRecord[];
  readonly mail: readonly MailRecord[];
  readonly auditEntries: readonly AuditEntry[];
}

/** More invites than any person has. */
const listLimitMax = 1_000_000;

/** Exports what the caller may see, and leaves a line in the audit log. */
export async function exportPersonData(work: Work, id: string): Promise<PersonDataExport> {
  const visibleUser = await getUser(work, id);
  await auditExport(work, visibleUser);
  const stored = work.store.personalData(id);
  const { records: invites } = await listInvites(work, { where: { personId: id }, limit: listLimitMax });
  const [identities, sessions, mail, auditEntries] = await Promise.all([
    stored.listIdentities(),
    stored.listSessions(),
    stored.listMail(),
    stored.listAuditEntries(invites.map((one) => one.id)),
  ]);
  return {
    user: visibleUser,
    identities,
    invites,
    sessions,
    mail,
    auditEntries: await showAuditEntries(work, auditEntries),
  };
}

/** Committed before anything is handed out: a line for each client whose data is exported, so that only those who see it can read it. */
async function auditExport(
  { context, store, subject, rights, requestId }: Work,
  { id, visibleMemberships }: User,
): Promise<void> {
  await runInTransaction(context, { scope: store.scope, subject, rights, requestId }, async (work) => {
    for (const { clientId } of visibleMemberships)
      audit(work, { act: 'export', type: user.type, id, clientId, before: null, after: null });
  });
}

/**
 * Deletes the person with all their data. The audit log keeps its lines, but their personal data is sealed with the person's key, and
 * the key is deleted. This also works for a person whose user was deleted earlier.
 */
export async function erasePerson(work: Work, id: string): Promise<void> {
  if (work.store.scope.visibleClients.kind !== 'all') {
    throw new Refusal('outside-reach', 'Only applications and keys of the whole workspace can erase a user.');
  }
  const { personKeys } = work.store;
  const present = await openPeople(work).lock(id, 'to-delete');
  const [key] = await personKeys.list([id]);
  if (present === undefined && key === undefined) throw notFound(user);
  await work.store.personalData(id).dropMail();
  if (present !== undefined) await deleteUser(work, id);
  await deleteAnswersMentioning(work, [id, ...(present === undefined ? [] : [present.contactEmail])]);
  await personKeys.forget(id);
  audit(work, { act: 'create', type: 'erasure', id: id as Id, clientId: null, before: null, after: { user_id: id } });
}
