// Answers the requests of a data subject: exports everything that is stored about a person, and erases it. No report depends on it.

import { idFromRow } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AuditEntry } from '../../model/access/audit-entry.ts';
import { administrator, type Administrator } from '../../model/people/administrator.ts';
import type { Invite } from '../../model/people/invite.ts';
import { user, type User } from '../../model/people/user.ts';
import type { IdentityRecord, MailRecord, SessionRecord } from '../../store/people/stored-personal-data.ts';
import { showAuditEntries } from '../access/audit-log.ts';
import { findAdministrator, removeAdministrator } from './administrator.ts';
import { listInvites } from './invite.ts';
import { deleteAnswersMentioning } from '../core/idempotent-answer.ts';
import { notFound } from '../core/resource.ts';
import { deleteUser, openPeople } from './user.ts';
import { audit, lacksAllClients, runInTransaction, type Work } from '../core/work.ts';

interface PersonDataExport {
  /** Null for an administrator who is a member of no client. */
  readonly user: User | null;
  readonly administrator: Administrator | null;
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
  const found = await openPeople(work).find(id);
  const role = await findAdministrator(work, id);
  if (found === undefined && role === undefined) throw notFound(user);
  await auditExport(work, { id, visibleUser: found, role });
  const stored = work.store.personalData(id);
  const { records: invites } = await listInvites(work, { where: { personId: id }, limit: listLimitMax });
  const [identities, sessions, mail, auditEntries] = await Promise.all([
    stored.listIdentities(),
    stored.listSessions(),
    stored.listMail(),
    stored.listAuditEntries(invites.map((one) => one.id)),
  ]);
  return {
    user: found ?? null,
    administrator: role ?? null,
    identities,
    invites,
    sessions,
    mail,
    auditEntries: await showAuditEntries(work, auditEntries),
  };
}

interface ExportedPerson {
  readonly id: string;
  readonly visibleUser: User | undefined;
  readonly role: Administrator | undefined;
}

/** Committed before anything is handed out: a line for each client whose data is exported, so that only those who see it can read it. */
async function auditExport(
  { context, store, subject, rights, requestId }: Work,
  { id, visibleUser, role }: ExportedPerson,
): Promise<void> {
  const personId = idFromRow(id);
  await runInTransaction(context, { scope: store.scope, subject, rights, requestId }, async (work) => {
    const line = { act: 'export', id: personId, before: null, after: null } as const;
    for (const { clientId } of visibleUser?.visibleMemberships ?? [])
      audit(work, { ...line, type: user.type, clientId });
    if (role !== undefined) audit(work, { ...line, type: administrator.type, clientId: null });
  });
}

/**
 * Deletes the person with all their data. The audit log keeps its lines, but their personal data is sealed with the person's key, and
 * the key is deleted. This also works for a person whose user was deleted earlier.
 */
export async function erasePerson(work: Work, id: string): Promise<void> {
  if (lacksAllClients(work)) {
    throw new Refusal('outside-reach', 'Only callers of the whole workspace can erase a user.');
  }
  const { personKeys } = work.store;
  const present = await openPeople(work).lock(id, 'to-delete');
  const [key] = await personKeys.list([id]);
  const role = await findAdministrator(work, id);
  if (present === undefined && role === undefined && key === undefined) throw notFound(user);
  await work.store.personalData(id).dropMail();
  if (role !== undefined) await removeAdministrator(work, id);
  if (present !== undefined) await deleteUser(work, id);
  await deleteAnswersMentioning(work, [
    id,
    ...[present, role].flatMap((one) => (one === undefined ? [] : [one.contactEmail])),
  ]);
  await personKeys.forget(id);
  audit(work, {
    act: 'create',
    type: 'erasure',
    id: idFromRow(id),
    clientId: null,
    before: null,
    after: { user_id: id },
  });
}
