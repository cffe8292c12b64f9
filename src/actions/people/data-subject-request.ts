// What is held about a person, all of it, for whoever has to tell them; and that it is forgotten. No figure is made of any of it.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AuditEntry } from '../../model/access/audit-entry.ts';
import type { Invite } from '../../model/people/invite.ts';
import { user, type User } from '../../model/people/user.ts';
import type { IdentityRecord, MailRecord, SessionRecord } from '../../store/people/stored-personal-data.ts';
import { auditRules } from '../access/audit-log.ts';
import { listInvites } from './invite.ts';
import { deleteAnswersMentioning } from '../core/idempotent-answer.ts';
import { notFound } from '../core/resource.ts';
import { deleteUser, getUser, openPeople } from './user.ts';
import { audit, type Work } from '../core/work.ts';

export interface PersonDataExport {
  readonly user: User;
  readonly identities: readonly IdentityRecord[];
  readonly invites: readonly Invite[];
  readonly sessions: readonly SessionRecord[];
  readonly mail: readonly MailRecord[];
  readonly auditEntries: readonly AuditEntry[];
}

/** More than anybody was ever sent. */
const listLimitMax = 1_000_000;

/** As far as the caller sees. */
export async function exportPersonData(work: Work, id: string): Promise<PersonDataExport> {
  const visibleUser = await getUser(work, id);
  const file = work.store.personalData(id);
  const { records: invites } = await listInvites(work, { where: { personId: id }, limit: listLimitMax });
  const [identities, sessions, mail, auditEntries] = await Promise.all([
    file.listIdentities(),
    file.listSessions(),
    file.listMail(),
    file.listAuditEntries(invites.map((one) => one.id)),
  ]);
  return {
    user: visibleUser,
    identities,
    invites,
    sessions,
    mail,
    auditEntries: await auditRules.show!(work, auditEntries),
  };
}

/**
 * The person goes with everything that hangs on them. What the log tells of them for good was sealed with their key, and that is
 * forgotten, also of who was deleted before; what they did themselves stays under an id that leads nowhere.
 */
export async function erasePerson(work: Work, id: string): Promise<void> {
  if (work.store.scope.visibleClients.kind !== 'all') {
    throw new Refusal('outside-reach', 'A user is erased by applications and keys of the whole workspace alone.');
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
