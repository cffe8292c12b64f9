// What may happen to any declared resource: read, list, create, change, delete, under the rules of its own file.

import type { Id } from '../../kit/id.ts';
import { Refusal, type Fault } from '../../kit/refusal.ts';
import {
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
import type { ListQuery, Table } from '../../store/resources/table.ts';
import { invalidateOnChange, invalidateOnCreate, invalidateOnDelete } from './invalidation.ts';
import { changedValues } from './changed-values.ts';
import { snapshot } from './snapshot.ts';
import { audit, type Work } from './work.ts';

/** What is asked of whatever keeps the things of a resource. */
type RecordTable = Pick<
  Table<any>,
  'find' | 'lock' | 'list' | 'count' | 'insert' | 'update' | 'delete' | 'listDeleteBlockers'
>;

/** The part of a resource's life that is its own: what reading it takes. */
export interface Rules<R extends Resource> {
  readonly resource: R;
  /** What keeps its things, where that is more than a table. */
  table?(work: Work): RecordTable;
  /** Where a list goes on after a thing, where that is not its id. */
  cursorOf?(record: RecordOf<R>): string;
  /** What this caller sees of things. */
  show?(work: Work, storedRecords: readonly RecordOf<R>[]): Promise<readonly RecordOf<R>[]>;
}

/** What deleting it takes. */
export interface DeleteRules<R extends Resource> extends Rules<R> {
  /** Refuses what this caller may not do to a thing it sees. */
  checkAccess?(work: Work, present: RecordOf<R>): void;
  /** Takes hold of what must be held before the thing itself, so that whoever writes the like waits. */
  lockFirst?(work: Work, id: string): Promise<void>;
  /** Ends what is known of it elsewhere, before it goes. */
  beforeDelete?(work: Work, record: RecordOf<R>): void | Promise<void>;
  /** Leaves its own lines in the audit log. */
  audit?(work: Work, act: AuditedAction, change: RecordChange<R>): Promise<void>;
  /** What every change and deletion brings about, in the same transaction. */
  afterWrite?(work: Work, record: RecordOf<R>): void;
}

/** What changing it takes as well. */
export interface ChangeRules<R extends Resource> extends DeleteRules<R> {
  /** What creating or changing can be refused with beyond a bad document and a reference to what is not there. */
  readonly refusals: readonly RefusalCode[];
  /**
   * Takes hold of what must be held before the thing itself, so that no two changes wait for each other, and answers what
   * was asked in the terms of what is stored.
   */
  prepare?(work: Work, input: ChangeOf<R>): Promise<ChangeOf<R>>;
  /** What a change is compared with, where that is not all that is shown: fields that are left out are changed in any case. */
  comparable?(shown: RecordOf<R>): AnyRecord;
  /** Gets what was asked and answers what is to be stored. */
  change(work: Work, present: RecordOf<R>, input: ChangeOf<R>): Promise<AnyChange>;
}

/** What creating it takes as well. */
export interface WriteRules<R extends Resource> extends ChangeRules<R> {
  /** The id of a new thing, where it is not just the next one. */
  idFor?(work: Work, input: ChangeOf<R>): Promise<Id>;
  /** Gets what was asked and answers what is to be stored. */
  create(work: Work, input: ChangeOf<R>, id: Id): Promise<AnyChange>;
}

type AnyRules = Rules<any>;

/** Refuses to go on with a thing that is not as its caller believes. Sees what the caller sees. */
export type Guard<R extends Resource> = (present: RecordOf<R>) => void;

/** `at` is where the thing was referred to, unless it was by the path. */
export function notFound(resource: Resource, at?: Pick<Fault, 'field' | 'item'>): Refusal {
  const code = `${resource.type}-not-found`;
  const detail = `There is no such ${resourceLabel(resource)}.`;
  return new Refusal(code, detail, at === undefined ? {} : { faults: [{ code, detail, ...at }] });
}

function tableOf(work: Work, rules: AnyRules): RecordTable {
  return rules.table ? rules.table(work) : work.store.table(rules.resource as Resource);
}

async function showRecord<R extends Resource>(work: Work, rules: Rules<R>, stored: RecordOf<R>): Promise<RecordOf<R>> {
  return rules.show ? (await rules.show(work, [stored]))[0]! : stored;
}

/** As it is known now; where versions are kept, as it was known then. */
export async function getRecord<R extends Resource>(
  work: Work,
  rules: Rules<R>,
  id: string,
  knownAt?: number,
): Promise<RecordOf<R>> {
  const stored = (await tableOf(work, rules).find(id, knownAt)) as RecordOf<R> | undefined;
  if (stored === undefined) throw notFound(rules.resource);
  return showRecord(work, rules, stored);
}

/** The thing, held for the rest of the transaction: what is decided about it stays true until it is done. */
async function lockRecord<R extends Resource>(
  work: Work,
  rules: DeleteRules<R>,
  id: string,
  purpose: 'to-change' | 'to-delete',
): Promise<RecordOf<R>> {
  await rules.lockFirst?.(work, id);
  const stored = await tableOf(work, rules).lock(id, purpose);
  if (stored === undefined) throw notFound(rules.resource);
  rules.checkAccess?.(work, stored as RecordOf<R>);
  return stored as RecordOf<R>;
}

/** Nobody else writes links of the thing's client until this is done. */
async function lockLinks<R extends Resource>(work: Work, rules: ChangeRules<R>, id: string): Promise<void> {
  const stored = await tableOf(work, rules).find(id);
  const clientId = stored && clientIdOf(rules.resource, stored);
  if (clientId) work.store.clientHierarchy.lockLinks(clientId, 'to-replace');
}

export interface ResultPage<T> {
  readonly records: readonly T[];
  readonly hasMore: boolean;
}

export async function listRecords<R extends Resource>(
  work: Work,
  rules: Rules<R>,
  query: ListQuery,
): Promise<ResultPage<RecordOf<R>>> {
  const rows = (await tableOf(work, rules).list({ ...query, limit: query.limit + 1 })) as RecordOf<R>[];
  const storedRecords = rows.slice(0, query.limit);
  const hasMore = rows.length > query.limit;
  if (rules.show === undefined) return { records: storedRecords, hasMore };
  const records = await rules.show(work, storedRecords);
  const input = Object.keys(query.where ?? {});
  // By what a caller does not see of a thing, the caller does not find it either.
  const isFound = (record: AnyRecord, stored: AnyRecord): boolean =>
    input.every((name) => record[name] === stored[name]);
  return { records: records.filter((record, index) => isFound(record, storedRecords[index]!)), hasMore };
}

export async function countRecords(work: Work, rules: AnyRules, where: AnyChange): Promise<number> {
  return tableOf(work, rules).count(where);
}

export async function createRecord<R extends Resource>(
  work: Work,
  rules: WriteRules<R>,
  input: ChangeOf<R>,
): Promise<RecordOf<R>> {
  // Before what is made beside it: in the order of ids a thing comes before what it brings along.
  const next = work.ids.next();
  const prepared = rules.prepare ? await rules.prepare(work, input) : input;
  const id = rules.idFor ? await rules.idFor(work, prepared) : next;
  const created = (await tableOf(work, rules).insert(id, await rules.create(work, prepared, id))) as RecordOf<R>;
  await writeAudit(work, rules, 'create', { after: created });
  invalidateOnCreate(work, rules.resource, created);
  return showRecord(work, rules, created);
}

export async function changeRecord<R extends Resource>(
  work: Work,
  rules: ChangeRules<R>,
  id: string,
  input: ChangeOf<R>,
  guard: Guard<R> = () => {},
): Promise<RecordOf<R>> {
  const prepared = rules.prepare ? await rules.prepare(work, input) : input;
  if (writableLinkNames(rules.resource, prepared as AnyChange).length > 0) await lockLinks(work, rules, id);
  const present = await lockRecord(work, rules, id, 'to-change');
  const shown = await showRecord(work, rules, present);
  guard(shown);
  const changes = changedValues(rules.resource, rules.comparable?.(shown) ?? shown, prepared);
  if (Object.keys(changes).length === 0) return shown;
  const fields = await rules.change(work, present, changes as ChangeOf<R>);
  const changed = await storeChange(work, rules, present, fields);
  await writeAudit(work, rules, 'change', { before: present, after: changed });
  invalidateOnChange(work, rules.resource, changed, changes);
  rules.afterWrite?.(work, changed);
  return showRecord(work, rules, changed);
}

/** Where every version is kept, a change opens the next. */
async function storeChange<R extends Resource>(
  work: Work,
  rules: ChangeRules<R>,
  present: RecordOf<R>,
  fields: AnyChange,
): Promise<RecordOf<R>> {
  const { resource } = rules;
  if (resource.versions === undefined) return (await tableOf(work, rules).update(present.id, fields)) as RecordOf<R>;
  await work.store.versionedTable(variantOf(resource, present)).replace({ ...present, ...fields }, work.now);
  return (await tableOf(work, rules).find(present.id)) as RecordOf<R>;
}

export async function deleteRecord<R extends Resource>(
  work: Work,
  rules: DeleteRules<R>,
  id: string,
  guard: Guard<R> = () => {},
): Promise<void> {
  const present = await lockRecord(work, rules, id, 'to-delete');
  guard(await showRecord(work, rules, present));
  await refuseWhileBlocked(work, rules, present.id);
  await writeAudit(work, rules, 'delete', { before: present });
  await rules.beforeDelete?.(work, present);
  invalidateOnDelete(work, rules.resource, present);
  if (rules.resource.versions) await work.store.versionedTable(rules.resource).close(id, work.now);
  else await tableOf(work, rules).delete(id);
  rules.afterWrite?.(work, present);
}

/** A turn in a thing's life. */
export interface RecordChange<R extends Resource> {
  readonly before?: RecordOf<R>;
  readonly after?: RecordOf<R>;
}

async function writeAudit<R extends Resource>(
  work: Work,
  rules: DeleteRules<R>,
  act: AuditedAction,
  change: RecordChange<R>,
): Promise<void> {
  if (rules.audit) await rules.audit(work, act, change);
  else auditRecord(work, rules, act, change);
}

/** The line of the audit log that a turn in a thing's life leaves. */
export function auditRecord<R extends Resource>(
  work: Work,
  { resource }: Rules<R>,
  act: AuditedAction,
  { before, after }: RecordChange<R>,
): void {
  const record = (after ?? before) as AnyRecord;
  audit(work, {
    act,
    type: resource.type,
    id: record.id,
    clientId: clientIdOf(resource, record),
    before: before ? snapshot(resource, before) : null,
    after: after ? snapshot(resource, after) : null,
  });
}

async function refuseWhileBlocked(work: Work, rules: AnyRules, id: Id): Promise<void> {
  const resource: Resource = rules.resource;
  if (resource.deletion === undefined) return;
  const remaining = await tableOf(work, rules).listDeleteBlockers(id, resource.deletion.blockedBy);
  if (remaining.length === 0) return;
  const blockers = remaining.map(({ one, several, count }) => `${count} ${count === 1 ? one : several}`).join(', ');
  const detail = `The ${resourceLabel(resource)} cannot be deleted while these remain: ${blockers}.`;
  throw new Refusal(resource.deletion.code, detail);
}
