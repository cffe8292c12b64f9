// Reads, lists, creates, changes and deletes records of any declared resource, under the rules that the resource's own file gives.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal, type Fault } from '../../kit/refusal.ts';
import {
  changeOf,
  anyChange,
  clientIdOf,
  writableLinkNames,
  variantOf,
  resourceLabel,
  type AnyChange,
  type AnyRecord,
  type ChangeOf,
  type RecordOf,
  type Resource,
} from '../../kit/resource.ts';
import type { AuditedAction } from '../../model/access/audit-entry.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import type { ListQuery } from '../../store/resources/table.ts';
import { invalidateOnChange, invalidateOnCreate, invalidateOnDelete } from './invalidation.ts';
import { changedValues } from './changed-values.ts';
import { snapshot } from './snapshot.ts';
import { audit, type Work } from './work.ts';

/** What a resource adds to reading its records. */
export interface Rules<R extends Resource> {
  readonly resource: R;
  /** Turns stored records into what this caller is shown: completes them, or hides what the caller must not see. */
  show?(work: Work, storedRecords: readonly RecordOf<R>[]): Promise<readonly RecordOf<R>[]>;
}

/** What a resource adds to deleting a record. */
export interface DeleteRules<R extends Resource> extends Rules<R> {
  /** Refuses what this caller may not do to a record that it sees. */
  checkAccess?(work: Work, present: RecordOf<R>): void;
  /** Takes the locks that must come before the record's own, so that writers of the same data wait for each other. */
  lockFirst?(work: Work, id: string): Promise<void>;
  /** What the audit line of a deletion says besides the record. */
  deletionDetails?(work: Work, record: RecordOf<R>): Promise<Readonly<Record<string, unknown>>>;
  /** The refusals of `beforeDelete`. */
  readonly deletionRefusals?: readonly RefusalCode[];
  /** Refuses the deletion, or ends what other tables hold about the record, before the record is deleted. */
  beforeDelete?(work: Work, record: RecordOf<R>): void | Promise<void>;
  /** Runs after every change and deletion, in the same transaction. */
  afterWrite?(work: Work, record: RecordOf<R>): void;
}

/** What a resource adds to changing a record. */
export interface ChangeRules<R extends Resource> extends DeleteRules<R> {
  /** The refusals of creating and changing, besides those for an invalid document and for a reference that is not found. */
  readonly refusals: readonly RefusalCode[];
  /** Takes locks that must come before the record's own, so that two changes cannot deadlock, and resolves the input to stored terms. */
  prepare?(work: Work, input: ChangeOf<R>, purpose: 'to-create' | 'to-change'): Promise<ChangeOf<R>>;
  /** Checks the input and returns the fields to store. */
  change(work: Work, present: RecordOf<R>, input: ChangeOf<R>): Promise<AnyChange>;
}

/** What a resource adds to creating a record. */
export interface WriteRules<R extends Resource> extends ChangeRules<R> {
  /** Checks the input and returns the fields to store, and what it has read of the records that they refer to. */
  create(work: Work, input: ChangeOf<R>, id: Id): Promise<AnyChange>;
  /** Runs after every creation, in the same transaction. */
  afterCreate?(work: Work, record: RecordOf<R>): Promise<void>;
}

/** Throws a refusal when the record is not in the state that the caller expects. Gets the record as the caller is shown it. */
export type Guard<R extends Resource> = (present: RecordOf<R>) => void;

/** `at` says which field refers to the missing record; leave it out where the path names the record. */
export function notFound(resource: Resource, at?: Pick<Fault, 'field' | 'item'>): Refusal {
  const code = `${resource.type}-not-found`;
  const detail = `There is no such ${resourceLabel(resource)}.`;
  return new Refusal(code, detail, at === undefined ? {} : { faults: [{ code, detail, ...at }] });
}

async function showRecord<R extends Resource>(work: Work, rules: Rules<R>, stored: RecordOf<R>): Promise<RecordOf<R>> {
  if (rules.show === undefined) return stored;
  const [shown] = await rules.show(work, [stored]);
  return defined(shown, 'a rule shows every record that it is given');
}

/** Reads the current version, or, of a resource with versions, the one that was known at a moment. */
export async function getRecord<R extends Resource>(
  work: Work,
  rules: Rules<R>,
  id: string,
  knownAt?: number,
): Promise<RecordOf<R>> {
  const stored = await work.store.table(rules.resource).find(id, knownAt);
  if (stored === undefined) throw notFound(rules.resource);
  return showRecord(work, rules, stored);
}

/** Locks the record until the transaction ends, so that whatever is decided about it stays true. */
async function lockRecord<R extends Resource>(
  work: Work,
  rules: DeleteRules<R>,
  id: string,
  purpose: 'to-change' | 'to-delete',
): Promise<RecordOf<R>> {
  await rules.lockFirst?.(work, id);
  const stored = await work.store.table(rules.resource).lock(id, purpose);
  if (stored === undefined) throw notFound(rules.resource);
  rules.checkAccess?.(work, stored);
  return stored;
}

/** Locks the links of the record's client, so that no other transaction writes them. */
async function lockLinks<R extends Resource>(work: Work, resource: R, id: string): Promise<void> {
  const stored = await work.store.table(resource).find(id);
  const clientId = stored && clientIdOf(resource, stored);
  if (clientId) work.store.clientHierarchy.lockLinks(clientId);
}

export interface ResultPage<T> {
  readonly records: readonly T[];
  readonly hasMore: boolean;
}

/** Makes a page of `limit` records from rows that were read with a limit of one more. */
export function toResultPage<T>(rows: readonly T[], limit: number): ResultPage<T> {
  return { records: rows.slice(0, limit), hasMore: rows.length > limit };
}

export async function listRecords<R extends Resource>(
  work: Work,
  rules: Rules<R>,
  query: ListQuery,
): Promise<ResultPage<RecordOf<R>>> {
  const rows = await work.store.table(rules.resource).list({ ...query, limit: query.limit + 1 });
  const page = toResultPage(rows, query.limit);
  if (rules.show === undefined) return page;
  const shownRecords: readonly AnyRecord[] = await rules.show(work, page.records);
  const filterNames = Object.keys(query.where ?? {});
  // A filter must not reveal a value that is hidden from the caller.
  const isFound = (record: AnyRecord, index: number): boolean =>
    filterNames.every((name) => record[name] === page.records[index]?.[name]);
  return { records: shownRecords.filter(isFound) as readonly RecordOf<R>[], hasMore: page.hasMore };
}

export async function countRecords<R extends Resource>(
  work: Work,
  { resource }: Rules<R>,
  where: AnyChange,
): Promise<number> {
  return work.store.table(resource).count(where);
}

export async function createRecord<R extends Resource>(
  work: Work,
  rules: WriteRules<R>,
  input: ChangeOf<R>,
): Promise<RecordOf<R>> {
  // Taken first, so that a record sorts before the records that are created along with it.
  const id = work.ids.next();
  const prepared = rules.prepare ? await rules.prepare(work, input, 'to-create') : input;
  const records = work.store.newRecords(rules.resource);
  const [fields, related] = await Promise.all([
    rules.create(work, prepared, id),
    records.readRelated(anyChange(prepared)),
  ]);
  const created = records.put(id, fields, related);
  auditRecord(work, rules, 'create', { after: created });
  invalidateOnCreate(work, rules.resource, created);
  await rules.afterCreate?.(work, created);
  return showRecord(work, rules, created);
}

export async function changeRecord<R extends Resource>(
  work: Work,
  rules: ChangeRules<R>,
  id: string,
  input: ChangeOf<R>,
  guard: Guard<R> = () => {},
): Promise<RecordOf<R>> {
  const prepared = rules.prepare ? await rules.prepare(work, input, 'to-change') : input;
  if (writableLinkNames(rules.resource, anyChange(prepared)).length > 0) await lockLinks(work, rules.resource, id);
  const present = await lockRecord(work, rules, id, 'to-change');
  const shown = await showRecord(work, rules, present);
  guard(shown);
  const changes = changedValues(rules.resource, shown, prepared);
  if (Object.keys(changes).length === 0) return shown;
  const fields = await rules.change(work, present, changeOf(rules.resource, changes));
  const changed = await storeChange(work, rules.resource, present, fields);
  auditRecord(work, rules, 'change', { before: present, after: changed });
  invalidateOnChange(work, rules.resource, changed, changes);
  rules.afterWrite?.(work, changed);
  return showRecord(work, rules, changed);
}

/** Updates the row, or, of a resource with versions, writes the next version. */
async function storeChange<R extends Resource>(
  work: Work,
  resource: R,
  present: RecordOf<R>,
  fields: AnyChange,
): Promise<RecordOf<R>> {
  const table = work.store.table(resource);
  if (resource.versions === undefined) return table.update(present.id, fields);
  await work.store.versionedTable(variantOf(resource, present)).replace({ ...present, ...fields }, work.now);
  return defined(await table.find(present.id), 'a record that was just changed is still there');
}

export async function deleteRecord<R extends Resource>(
  work: Work,
  rules: DeleteRules<R>,
  id: string,
  guard: Guard<R> = () => {},
): Promise<void> {
  const present = await lockRecord(work, rules, id, 'to-delete');
  guard(await showRecord(work, rules, present));
  await refuseWhileBlocked(work, rules.resource, present.id);
  auditRecord(work, rules, 'delete', { before: present }, await rules.deletionDetails?.(work, present));
  await rules.beforeDelete?.(work, present);
  invalidateOnDelete(work, rules.resource, present);
  if (rules.resource.versions) await work.store.versionedTable(rules.resource).close(id, work.now);
  else await work.store.table(rules.resource).delete(id);
  rules.afterWrite?.(work, present);
}

/** A record before and after a change; `before` is absent at creation, `after` at deletion. */
export interface RecordChange<T> {
  readonly before?: T;
  readonly after?: T;
}

/** Writes the audit line of a creation, change or deletion. */
export function auditRecord<R extends Resource>(
  work: Work,
  { resource }: Rules<R>,
  act: AuditedAction,
  { before, after }: RecordChange<RecordOf<R>>,
  details: Readonly<Record<string, unknown>> = {},
): void {
  const record: AnyRecord = defined(after ?? before, 'a change has a record before or after it');
  audit(work, {
    act,
    type: resource.type,
    id: record.id,
    clientId: clientIdOf(resource, record),
    before: before ? { ...snapshot(resource, before), ...details } : null,
    after: after ? snapshot(resource, after) : null,
  });
}

async function refuseWhileBlocked(work: Work, resource: Resource, id: Id): Promise<void> {
  if (resource.deletion === undefined) return;
  const remaining = await work.store.table(resource).listDeleteBlockers(id, resource.deletion.blockedBy);
  if (remaining.length === 0) return;
  const blockers = remaining.map(({ one, several, count }) => `${count} ${count === 1 ? one : several}`).join(', ');
  const detail = `The ${resourceLabel(resource)} cannot be deleted while these remain: ${blockers}.`;
  throw new Refusal(resource.deletion.code, detail);
}
