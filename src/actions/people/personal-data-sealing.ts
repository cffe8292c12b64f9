// Seals names and addresses of people in the audit log with a key of the person. The lines stay for good, but once the key is deleted
// nobody can open them.

import { auditEntry, type AuditEntry } from '../../model/access/audit-entry.ts';
import { administrator } from '../../model/people/administrator.ts';
import { addressKey } from '../../model/people/email-address.ts';
import { invite } from '../../model/people/invite.ts';
import type { Scope } from '../../model/access/scope.ts';
import { user } from '../../model/people/user.ts';
import type { Id } from '../../kit/id.ts';
import { Keyring } from '../../signing/keyring.ts';
import type { NewPersonKey, PersonKeys, StoredPersonKey } from '../../store/people/person-keys.ts';
import type { AppContext } from '../core/context.ts';
import { sealContext } from '../core/seal-context.ts';
import type { Work } from '../core/work.ts';

export const personKeyPurpose = 'person-key';
const purpose = auditEntry.type;

/** The personal fields of an audit snapshot. */
const personalFields = ['email', 'first_name', 'last_name', 'name'] as const;

type Snapshot = Readonly<Record<string, unknown>>;

/** A new key, and how it is stored. */
function makeKey(work: Work, personId: string, address: string): { key: string; stored: NewPersonKey } {
  const { context, store } = work;
  const key = Keyring.generate();
  const keySealed = context.keyring.seal(personKeyPurpose, key, sealContext(store.scope, personId));
  return { key, stored: { personId, keySealed, addressDigest: addressDigest(work, address) } };
}

/** Enqueues a key for the person, which is stored only if they have none yet. */
export function createPersonKey(work: Work, personId: string, address: string): void {
  work.store.personKeys.append(makeKey(work, personId, address).stored, work.now);
}

/** Enqueues a key for a person who had none when it was looked up, and returns it. */
export function createFirstKey(work: Work, personId: string, address: string): Keyring {
  const { key, stored } = makeKey(work, personId, address);
  work.store.personKeys.appendNew(stored, work.now);
  return Keyring.fromText(key);
}

/** What is known of an address that is added to a client. */
interface KnownAddress {
  /** The person who has the address, or one who had it. */
  readonly personId: Id;
  readonly key: Keyring;
  /** Since when they are disabled at the client, where they were before they were removed from it. */
  readonly disabledAt: number | null;
}

/** Finds what is known of an address. Locks it, so that it stays so until the transaction ends. */
export async function lockKnownAddress(work: Work, address: string, client: Id): Promise<readonly KnownAddress[]> {
  const { context, store } = work;
  const found = await store.personKeys.lockOfAddress(
    { address, addressDigests: addressDigests(work, address) },
    client,
  );
  return found.map((key) => ({ ...key, key: openKey(context, store.scope, key) }));
}

/** Stands for an address where the address itself must not be stored; another one in each tenant. */
export function addressDigest({ context, store }: Work, address: string): Buffer {
  return context.keyring.digest('person-address', sealContext(store.scope, addressKey(address)));
}

/** What `addressDigest` has stored for an address: while the encryption key is being replaced, each of the two keys has its own. */
export function addressDigests({ context, store }: Work, address: string): readonly Buffer[] {
  return context.keyring.digests('person-address', sealContext(store.scope, addressKey(address)));
}

function openKey({ keyring }: AppContext, scope: Scope, { personId, keySealed }: StoredPersonKey): Keyring {
  return Keyring.fromText(keyring.open(personKeyPurpose, keySealed, sealContext(scope, personId)).toString());
}

async function openKeys(
  { context, store }: { context: AppContext; store: { scope: Scope; personKeys: PersonKeys } },
  personIds: readonly string[],
): Promise<ReadonlyMap<string, Keyring>> {
  if (personIds.length === 0) return new Map();
  const stored = await store.personKeys.list([...new Set(personIds)]);
  return new Map(stored.map((key) => [key.personId, openKey(context, store.scope, key)]));
}

/** The key of a person; undefined if it was deleted. */
export async function openPersonKey(work: Work, personId: string): Promise<Keyring | undefined> {
  return (await openKeys(work, [personId])).get(personId);
}

/** Seals the personal fields of a person's snapshots. Drops them if the person's key was deleted. */
export async function sealSnapshots(
  work: Work,
  personId: string,
  snapshots: readonly (Snapshot | null)[],
  opened = openPersonKey(work, personId),
): Promise<(Snapshot | null)[]> {
  const key = await opened;
  const associatedData = sealContext(work.store.scope, personId);
  return snapshots.map((snapshot) => {
    if (snapshot === null) return null;
    const presentFields = personalFields.filter((name) => snapshot[name] != null);
    const blank = Object.fromEntries(presentFields.map((name) => [name, null]));
    if (key === undefined || presentFields.length === 0) return { ...snapshot, ...blank };
    const text = JSON.stringify(Object.fromEntries(presentFields.map((name) => [name, snapshot[name]])));
    return { ...snapshot, ...blank, sealed: key.seal(purpose, text, associatedData).toString('base64') };
  });
}

/** The id of the person that an audit line is about, if it is about one. */
function subjectPerson({ subjectType, subjectId, after }: AuditEntry): string | undefined {
  if (subjectType === user.type || subjectType === administrator.type) return subjectId;
  if (subjectType !== invite.type) return undefined;
  // An invite is created or changed, never deleted by itself.
  return (after as { user_id?: string } | null)?.user_id;
}

/** Opens the personal fields of audit lines for a reader. Fields whose key was deleted stay null. */
export async function openPersonalData(work: Work, entries: readonly AuditEntry[]): Promise<readonly AuditEntry[]> {
  const people = entries.map(subjectPerson);
  const keys = await openKeys(
    work,
    people.filter((id) => id !== undefined),
  );
  return entries.map((entry, index) => {
    const personId = people[index];
    if (personId === undefined) return entry;
    const key = keys.get(personId);
    const openSnapshot = (snapshot: unknown): unknown => {
      if (snapshot === null) return null;
      const { sealed, ...rest } = snapshot as { sealed?: string };
      if (sealed === undefined || key === undefined) return rest;
      const text = key.open(purpose, Buffer.from(sealed, 'base64'), sealContext(work.store.scope, personId));
      return { ...rest, ...JSON.parse(text.toString()) };
    };
    return { ...entry, before: openSnapshot(entry.before), after: openSnapshot(entry.after) };
  });
}
