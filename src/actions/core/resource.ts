// What may happen to any declared resource: read, list, create, change, delete, under the rules of its own file.

import type { Id } from '../../kit/id.ts';
import { Refusal, type Fault } from '../../kit/refusal.ts';
import {
  clientOf,
  linksAmong,
  variantOf,
  wordsOf,
  type AnyChange,
  type AnyRecord,
  type ChangeOf,
  type RecordOf,
  type Resource,
} from '../../kit/resource.ts';
import type { AuditedAct } from '../../model/access/audit-entry.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import type { ListQuery, Table } from '../../store/resources/table.ts';
import { traceChange, traceCreation, traceDeletion } from './invalidation.ts';
import { withoutPresentValues } from './changed-values.ts';
import { snapshot } from './snapshot.ts';
import { audit, type Work } from './work.ts';

/** What is asked of whatever keeps the things of a resource. */
type ThingTable = Pick<
  Table<any>,
  'find' | 'lock' | 'list' | 'count' | 'insert' | 'update' | 'delete' | 'listRemaining'
>;

/** The part of a resource's life that is its own: what reading it takes. */
export interface Rules<R extends Resource> {
  readonly resource: R;
  /** What keeps its things, where that is more than a table. */
  table?(work: Work): ThingTable;
  /** Where a list goes on after a thing, where that is not its id. */
  positionOf?(thing: RecordOf<R>): string;
  /** What this caller sees of things. */
  show?(work: Work, records: readonly RecordOf<R>[]): Promise<readonly RecordOf<R>[]>;
}

/** What deleting it takes. */
export interface DeleteRules<R extends Resource> extends Rules<R> {
  /** Refuses what this caller may not do to a thing it sees. */
  mayTouch?(work: Work, present: RecordOf<R>): void;
  /** Takes hold of what must be held before the thing itself, so that whoever writes the like waits. */
  holdFirst?(work: Work, id: string): Promise<void>;
  /** Ends what is known of it elsewhere, before it goes. */
  closeBelow?(work: Work, thing: RecordOf<R>): void | Promise<void>;
  /** Leaves its own lines in the audit log. */
  audit?(work: Work, act: AuditedAct, turn: Turn<R>): Promise<void>;
  /** What every change and deletion brings about, in the same transaction. */
  leaveTrace?(work: Work, thing: RecordOf<R>): void;
}

/** What changing it takes as well. */
export interface ChangeRules<R extends Resource> extends DeleteRules<R> {
  /** What creating or changing can be refused with beyond a bad document and a reference to what is not there. */
  readonly refusals: readonly RefusalCode[];
  /**
   * Takes hold of what must be held before the thing itself, so that no two changes wait for each other, and answers what
   * was asked in the terms of what is stored.
   */
  prepare?(work: Work, asked: ChangeOf<R>): Promise<ChangeOf<R>>;
  /** What a change is compared with, where that is not all that is shown: fields that are left out are changed in any case. */
  comparable?(seen: RecordOf<R>): AnyRecord;
  /** Gets what was asked and answers what is to be stored. */
  change(work: Work, present: RecordOf<R>, asked: ChangeOf<R>): Promise<AnyChange>;
}

/** What creating it takes as well. */
export interface WriteRules<R extends Resource> extends ChangeRules<R> {
  /** The id of a new thing, where it is not just the next one. */
  idFor?(work: Work, asked: ChangeOf<R>): Promise<Id>;
  /** Gets what was asked and answers what is to be stored. */
  create(work: Work, asked: ChangeOf<R>, id: Id): Promise<AnyChange>;
}

type AnyRules = Rules<any>;

/** Refuses to go on with a thing that is not as its caller believes. Sees what the caller sees. */
export type Guard<R extends Resource> = (present: RecordOf<R>) => void;

/** `at` is where the thing was referred to, unless it was by the path. */
export function notFound(resource: Resource, at?: Pick<Fault, 'field' | 'item'>): Refusal {
  const code = `${resource.type}-not-found`;
  const detail = `There is no such ${wordsOf(resource)}.`;
  return new Refusal(code, detail, at === undefined ? {} : { faults: [{ code, detail, ...at }] });
}

function tableOf(work: Work, rules: AnyRules): ThingTable {
  return rules.table ? rules.table(work) : work.store.table(rules.resource as Resource);
}

async function shown<R extends Resource>(work: Work, rules: Rules<R>, record: RecordOf<R>): Promise<RecordOf<R>> {
  return rules.show ? (await rules.show(work, [record]))[0]! : record;
}

/** As it is known now; where versions are kept, as it was known then. */
export async function getThing<R extends Resource>(
  work: Work,
  rules: Rules<R>,
  id: string,
  knownAt?: number,
): Promise<RecordOf<R>> {
  const record = (await tableOf(work, rules).find(id, knownAt)) as RecordOf<R> | undefined;
  if (record === undefined) throw notFound(rules.resource);
  return shown(work, rules, record);
}

/** The thing, held for the rest of the transaction: what is decided about it stays true until it is done. */
async function lockThing<R extends Resource>(
  work: Work,
  rules: DeleteRules<R>,
  id: string,
  purpose: 'to-change' | 'to-delete',
): Promise<RecordOf<R>> {
  await rules.holdFirst?.(work, id);
  const record = await tableOf(work, rules).lock(id, purpose);
  if (record === undefined) throw notFound(rules.resource);
  rules.mayTouch?.(work, record as RecordOf<R>);
  return record as RecordOf<R>;
}

/** Nobody else writes links of the thing's client until this is done. */
async function lockLinks<R extends Resource>(work: Work, rules: ChangeRules<R>, id: string): Promise<void> {
  const record = await tableOf(work, rules).find(id);
  const clientId = record && clientOf(rules.resource, record);
  if (clientId) work.store.clientTree.lockLinks(clientId, 'to-replace');
}

export interface Page<T> {
  readonly things: readonly T[];
  readonly hasMore: boolean;
}

export async function listThings<R extends Resource>(
  work: Work,
  rules: Rules<R>,
  query: ListQuery,
): Promise<Page<RecordOf<R>>> {
  const rows = (await tableOf(work, rules).list({ ...query, limit: query.limit + 1 })) as RecordOf<R>[];
  const records = rows.slice(0, query.limit);
  const hasMore = rows.length > query.limit;
  if (rules.show === undefined) return { things: records, hasMore };
  const things = await rules.show(work, records);
  const asked = Object.keys(query.where ?? {});
  // By what a caller does not see of a thing, the caller does not find it either.
  const isFound = (thing: AnyRecord, record: AnyRecord): boolean => asked.every((name) => thing[name] === record[name]);
  return { things: things.filter((thing, index) => isFound(thing, records[index]!)), hasMore };
}

export async function countThings(work: Work, rules: AnyRules, where: AnyChange): Promise<number> {
  return tableOf(work, rules).count(where);
}

export async function createThing<R extends Resource>(
  work: Work,
  rules: WriteRules<R>,
  asked: ChangeOf<R>,
): Promise<RecordOf<R>> {
  // Before what is made beside it: in the order of ids a thing comes before what it brings along.
  const next = work.ids.next();
  const prepared = rules.prepare ? await rules.prepare(work, asked) : asked;
  const id = rules.idFor ? await rules.idFor(work, prepared) : next;
  const made = (await tableOf(work, rules).insert(id, await rules.create(work, prepared, id))) as RecordOf<R>;
  await leaveLine(work, rules, 'create', { after: made });
  traceCreation(work, rules.resource, made);
  return shown(work, rules, made);
}

export async function changeThing<R extends Resource>(
  work: Work,
  rules: ChangeRules<R>,
  id: string,
  asked: ChangeOf<R>,
  guard: Guard<R> = () => {},
): Promise<RecordOf<R>> {
  const prepared = rules.prepare ? await rules.prepare(work, asked) : asked;
  if (linksAmong(rules.resource, prepared as AnyChange).length > 0) await lockLinks(work, rules, id);
  const present = await lockThing(work, rules, id, 'to-change');
  const seen = await shown(work, rules, present);
  guard(seen);
  const wanted = withoutPresentValues(rules.resource, rules.comparable?.(seen) ?? seen, prepared);
  if (Object.keys(wanted).length === 0) return seen;
  const fields = await rules.change(work, present, wanted as ChangeOf<R>);
  const changed = await storeChange(work, rules, present, fields);
  await leaveLine(work, rules, 'change', { before: present, after: changed });
  traceChange(work, rules.resource, changed, wanted);
  rules.leaveTrace?.(work, changed);
  return shown(work, rules, changed);
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
  await work.store.versions(variantOf(resource, present)).replace({ ...present, ...fields }, work.now);
  return (await tableOf(work, rules).find(present.id)) as RecordOf<R>;
}

export async function deleteThing<R extends Resource>(
  work: Work,
  rules: DeleteRules<R>,
  id: string,
  guard: Guard<R> = () => {},
): Promise<void> {
  const present = await lockThing(work, rules, id, 'to-delete');
  guard(await shown(work, rules, present));
  await refuseWhileKept(work, rules, present.id);
  await leaveLine(work, rules, 'delete', { before: present });
  await rules.closeBelow?.(work, present);
  traceDeletion(work, rules.resource, present);
  if (rules.resource.versions) await work.store.versions(rules.resource).close(id, work.now);
  else await tableOf(work, rules).delete(id);
  rules.leaveTrace?.(work, present);
}

/** A turn in a thing's life. */
export interface Turn<R extends Resource> {
  readonly before?: RecordOf<R>;
  readonly after?: RecordOf<R>;
}

async function leaveLine<R extends Resource>(
  work: Work,
  rules: DeleteRules<R>,
  act: AuditedAct,
  turn: Turn<R>,
): Promise<void> {
  if (rules.audit) await rules.audit(work, act, turn);
  else auditThing(work, rules, act, turn);
}

/** The line of the audit log that a turn in a thing's life leaves. */
export function auditThing<R extends Resource>(
  work: Work,
  { resource }: Rules<R>,
  act: AuditedAct,
  { before, after }: Turn<R>,
): void {
  const thing = (after ?? before) as AnyRecord;
  audit(work, {
    act,
    type: resource.type,
    id: thing.id,
    clientId: clientOf(resource, thing),
    before: before ? snapshot(resource, before) : null,
    after: after ? snapshot(resource, after) : null,
  });
}

async function refuseWhileKept(work: Work, rules: AnyRules, id: Id): Promise<void> {
  const resource: Resource = rules.resource;
  if (resource.kept === undefined) return;
  const remaining = await tableOf(work, rules).listRemaining(id, resource.kept.by);
  if (remaining.length === 0) return;
  const words = remaining.map(({ one, several, count }) => `${count} ${count === 1 ? one : several}`).join(', ');
  const detail = `The ${wordsOf(resource)} cannot be deleted while these remain: ${words}.`;
  throw new Refusal(resource.kept.code, detail);
}
