// Names and addresses of people in the audit log, whose lines stay for good: sealed with a key of the person, and opened for as long
// as that key has not been forgotten.

import { auditEntry, type AuditEntry } from '../../model/access/audit-entry.ts';
import { invite } from '../../model/people/invite.ts';
import type { Reach } from '../../model/access/scope.ts';
import { user } from '../../model/people/user.ts';
import { Keyring } from '../../signing/keyring.ts';
import type { PersonKeys, StoredPersonKey } from '../../store/people/person-keys.ts';
import type { House } from '../core/context.ts';
import type { Work } from '../core/work.ts';

const keyPurpose = 'person-key';
const purpose = auditEntry.type;

/** What tells who somebody is, in the words of the log. */
const personalFields = ['email', 'first_name', 'last_name', 'name'] as const;

type Snapshot = Readonly<Record<string, unknown>>;

/** A sealed key opens only where it was sealed. */
function contextOf({ workspaceId, environment }: Pick<Reach, 'workspaceId' | 'environment'>, personId: string): string {
  return `${workspaceId}/${environment}/${personId}`;
}

/** A key for who has none yet; it goes with whatever is sent to the database next. */
export function givePersonKey({ house, store, now }: Work, personId: string): void {
  const key = Keyring.generate();
  const keySealed = house.keyring.seal(keyPurpose, key, contextOf(store.reach, personId));
  store.personKeys.append({ personId, keySealed }, now);
}

function openKey({ keyring }: House, reach: Reach, { personId, keySealed }: StoredPersonKey): Keyring {
  return Keyring.fromText(keyring.open(keyPurpose, keySealed, contextOf(reach, personId)).toString());
}

async function openKeys(
  { house, store }: { house: House; store: { reach: Reach; personKeys: PersonKeys } },
  personIds: readonly string[],
): Promise<ReadonlyMap<string, Keyring>> {
  if (personIds.length === 0) return new Map();
  const stored = await store.personKeys.list([...new Set(personIds)]);
  return new Map(stored.map((one) => [one.personId, openKey(house, store.reach, one)]));
}

/** Snapshots of one person with what tells who it is sealed; once their key has been forgotten, without it. */
export async function sealSnapshots(
  work: Work,
  personId: string,
  snapshots: readonly (Snapshot | null)[],
): Promise<(Snapshot | null)[]> {
  const key = (await openKeys(work, [personId])).get(personId);
  const context = contextOf(work.store.reach, personId);
  return snapshots.map((snapshot) => {
    if (snapshot === null) return null;
    const told = personalFields.filter((name) => snapshot[name] != null);
    const blank = Object.fromEntries(told.map((name) => [name, null]));
    if (key === undefined || told.length === 0) return { ...snapshot, ...blank };
    const text = JSON.stringify(Object.fromEntries(told.map((name) => [name, snapshot[name]])));
    return { ...snapshot, ...blank, sealed: key.seal(purpose, text, context).toString('base64') };
  });
}

/** Whom a line is about, where that is a person. */
function personIn({ subjectType, subjectId, before, after }: AuditEntry): string | undefined {
  if (subjectType === user.type) return subjectId;
  if (subjectType !== invite.type) return undefined;
  return ((after ?? before) as { user_id?: string } | null)?.user_id;
}

/** The lines as whoever reads the log is shown them. */
export async function openPersonalData(work: Work, entries: readonly AuditEntry[]): Promise<readonly AuditEntry[]> {
  const people = entries.map(personIn);
  const keys = await openKeys(
    work,
    people.filter((one) => one !== undefined),
  );
  return entries.map((entry, index) => {
    const personId = people[index];
    if (personId === undefined) return entry;
    const key = keys.get(personId);
    const opened = (snapshot: unknown): unknown => {
      if (snapshot === null) return null;
      const { sealed, ...rest } = snapshot as { sealed?: string };
      if (sealed === undefined || key === undefined) return rest;
      const text = key.open(purpose, Buffer.from(sealed, 'base64'), contextOf(work.store.reach, personId));
      return { ...rest, ...JSON.parse(text.toString()) };
    };
    return { ...entry, before: opened(entry.before), after: opened(entry.after) };
  });
}
