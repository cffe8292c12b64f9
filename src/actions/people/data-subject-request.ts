// What is held about a person, all of it, for whoever has to tell them; and that it is forgotten. No figure is made of any of it.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AuditEntry } from '../../model/access/audit-entry.ts';
import type { Invite } from '../../model/people/invite.ts';
import { user, type User } from '../../model/people/user.ts';
import {
  PersonFile,
  type HeldIdentity,
  type HeldMail,
  type HeldSession,
} from '../../store/people/stored-personal-data.ts';
import { auditRules } from '../access/audit-log.ts';
import { inviteRules } from './invite.ts';
import { forgetAnswers } from '../core/idempotent-answer.ts';
import { deleteThing, getThing, listThings, notFound } from '../core/resource.ts';
import { peopleOf, userRules } from './user.ts';
import { audit, type Work } from '../core/work.ts';

export interface HeldAboutPerson {
  readonly user: User;
  readonly identities: readonly HeldIdentity[];
  readonly invites: readonly Invite[];
  readonly sessions: readonly HeldSession[];
  readonly mail: readonly HeldMail[];
  readonly lines: readonly AuditEntry[];
}

/** More than anybody was ever sent. */
const all = 1_000_000;

/** As far as the caller sees. */
export async function readHeld(work: Work, id: string): Promise<HeldAboutPerson> {
  const shown = (await getThing(work, userRules, id)) as User;
  const file = new PersonFile(work.store, id);
  const { things: invites } = await listThings(work, inviteRules, { where: { personId: id }, limit: all });
  const [identities, sessions, mail, lines] = await Promise.all([
    file.listIdentities(),
    file.listSessions(),
    file.listMail(),
    file.listLines(invites.map((one) => one.id)),
  ]);
  return { user: shown, identities, invites, sessions, mail, lines: await auditRules.show!(work, lines) };
}

/**
 * The person goes with everything that hangs on them. What the log tells of them for good was sealed with their key, and that is
 * forgotten, also of who was deleted before; what they did themselves stays under an id that leads nowhere.
 */
export async function erasePerson(work: Work, id: string): Promise<void> {
  if (work.store.reach.sight.kind !== 'all') {
    throw new Refusal('outside-reach', 'A user is erased by applications and keys of the whole workspace alone.');
  }
  const { personKeys } = work.store;
  const present = await peopleOf(work).lock(id, 'to-delete');
  const [key] = await personKeys.list([id]);
  if (present === undefined && key === undefined) throw notFound(user);
  await new PersonFile(work.store, id).dropMail();
  if (present !== undefined) await deleteThing(work, userRules, id);
  await forgetAnswers(work, [id, ...(present === undefined ? [] : [present.contactEmail])]);
  await personKeys.forget(id);
  audit(work, { act: 'create', type: 'erasure', id: id as Id, clientId: null, before: null, after: { user_id: id } });
}
