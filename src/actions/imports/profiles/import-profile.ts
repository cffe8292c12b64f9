// The use cases of mapping profiles: those of the workspace, followed in every list by the shipped ones, which nobody can change.

import { assert, defined } from '../../../kit/assert.ts';
import { Refusal, refusalForFaults, type Fault } from '../../../kit/refusal.ts';
import { anyRecord, type AnyChange, type AnyRecord } from '../../../kit/resource.ts';
import { importProfile, profileDefaults, type ImportProfile } from '../../../model/custody/import-profile.ts';
import { findShippedProfile, isShippedId, shippedProfiles } from '../../../model/custody/shipped-profiles/shipped.ts';
import type { ListQuery } from '../../../store/resources/table.ts';
import { requireAllClients } from '../../core/all-clients-access.ts';
import { changedValues } from '../../core/changed-values.ts';
import { writeActions, type WriteActions } from '../../core/record-actions.ts';
import { notFound, type Guard, type ResultPage, type WriteRules } from '../../core/resource.ts';
import type { Work } from '../../core/work.ts';
import { profileFaults } from './profile-faults.ts';

/** More could not be told apart by their headers, and every import reads all of them. */
const profilesMax = 200;

function requireNoFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw refusalForFaults('invalid-document', faults);
}

async function refuseTooMany(work: Work): Promise<void> {
  if ((await work.store.table(importProfile).count({})) < profilesMax) return;
  throw new Refusal(
    'too-many-import-profiles',
    `A workspace may have at most ${profilesMax} mapping profiles. Delete one that is no longer needed.`,
  );
}

const rules: WriteRules<typeof importProfile> = {
  resource: importProfile,
  refusals: ['outside-reach', 'too-many-import-profiles'],
  show: async (_work, records) => records.map((one) => ({ ...one, isShipped: false })),
  checkAccess: requireAllClients,
  async create(work, input) {
    requireAllClients(work);
    const content = defined(input.content, 'a new profile says its content');
    const columns = defined(input.columns, 'a new profile has columns');
    requireNoFaults(profileFaults({ ...profileDefaults, ...input, content, columns }));
    await refuseTooMany(work);
    return { ...profileDefaults, ...input, createdAt: new Date(work.now) };
  },
  async change(_work, present, input) {
    requireNoFaults(profileFaults({ ...present, ...input }));
    return input;
  },
};

const stored = writeActions(rules);

function getShipped(id: string): ImportProfile {
  const found = findShippedProfile(id);
  if (found === undefined) throw notFound(importProfile);
  return found;
}

function hasFields(record: AnyRecord, where: AnyChange): boolean {
  return Object.entries(where).every(([field, value]) => record[field] === value);
}

function listShipped({ where = {}, after = '' }: Pick<ListQuery, 'where' | 'after'>): readonly ImportProfile[] {
  return shippedProfiles.filter((one) => one.id > after && hasFields(anyRecord(one), where));
}

async function listAll(work: Work, query: ListQuery): Promise<ResultPage<ImportProfile>> {
  assert(query.order !== 'newest-first', 'profiles are listed oldest first');
  const page = await stored.list(work, query);
  if (page.hasMore) return page;
  const shipped = listShipped(query);
  const room = query.limit - page.records.length;
  return { records: [...page.records, ...shipped.slice(0, room)], hasMore: shipped.length > room };
}

function lockShipped(work: Work, id: string, guard: Guard<typeof importProfile> = () => {}): ImportProfile {
  const present = getShipped(id);
  requireAllClients(work);
  guard(present);
  return present;
}

function shippedRefusal({ name }: ImportProfile): Refusal {
  return new Refusal(
    'import-profile-read-only',
    `The profile "${name}" is shipped with the service and cannot be changed or deleted. Create one of your own with its fields.`,
  );
}

export const importProfileActions: WriteActions<typeof importProfile> = {
  ...stored,
  refusals: [...stored.refusals, 'import-profile-read-only'],
  get: async (work, id) => (isShippedId(id) ? getShipped(id) : stored.get(work, id)),
  list: listAll,
  count: async (work, where) => listShipped({ where }).length + (await stored.count(work, where)),
  async change(work, id, input, guard) {
    if (!isShippedId(id)) return stored.change(work, id, input, guard);
    const present = lockShipped(work, id, guard);
    if (Object.keys(changedValues(importProfile, present, input)).length > 0) throw shippedRefusal(present);
    return present;
  },
  async delete(work, id, guard) {
    if (isShippedId(id)) throw shippedRefusal(lockShipped(work, id, guard));
    return stored.delete(work, id, guard);
  },
};

/** All profiles of the workspace and all shipped ones, to recognise a file by its header. */
export async function listProfilesForRecognition(
  work: Work,
): Promise<{ readonly own: readonly ImportProfile[]; readonly shipped: readonly ImportProfile[] }> {
  const { records } = await stored.list(work, { limit: profilesMax });
  return { own: records, shipped: shippedProfiles };
}
