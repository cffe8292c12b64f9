// What may happen to any declared resource: read, list, create, change, delete, under the rules of its own file.

import { isDeepStrictEqual } from 'node:util';
import type { Id } from '../kit/id.ts';
import { Refusal, refuseFaults, type Fault } from '../kit/refusal.ts';
import {
  isToMany,
  wordsOf,
  type AnyChange,
  type AnyRecord,
  type ChangeOf,
  type RecordOf,
  type Resource,
} from '../kit/resource.ts';
import type { ListQuery, Table } from '../store/table.ts';
import { snapshot } from './snapshot.ts';
import { audit, type Work } from './work.ts';

/** The part of a resource's life that is its own: what reading it takes. */
export interface Rules<R extends Resource> {
  readonly resource: R;
  /** The client a thing belongs to, for the audit log. */
  clientOf(record: RecordOf<R>): Id | null;
  /** What this caller sees of a thing. */
  show?(work: Work, record: RecordOf<R>): RecordOf<R>;
}

/** What changing and deleting it takes. */
export interface ChangeRules<R extends Resource> extends Rules<R> {
  /** Gets what was asked and answers what is to be stored. */
  change(work: Work, present: RecordOf<R>, asked: ChangeOf<R>): Promise<AnyChange>;
  /** Takes hold of what must be held before the thing itself, so that no two changes wait for each other. */
  prepare?(work: Work, asked: ChangeOf<R>): Promise<void>;
}

/** What creating it takes as well. */
export interface WriteRules<R extends Resource> extends ChangeRules<R> {
  /** Gets what was asked and answers what is to be stored. */
  create(work: Work, asked: ChangeOf<R>, id: Id): Promise<AnyChange>;
}

type AnyRules = Rules<any>;

/** Refuses to go on with a thing that is not as its caller believes. Sees what the caller sees. */
export type Guard<R extends Resource> = (present: RecordOf<R>) => void;

export function notFound(resource: Resource, field?: string): Refusal {
  const code = `${resource.type}-not-found`;
  const detail = `There is no such ${wordsOf(resource)}.`;
  return new Refusal(code, detail, field === undefined ? {} : { faults: [{ code, detail, field }] });
}

function tableOf(work: Work, rules: AnyRules): Table {
  return work.store.table(rules.resource as Resource);
}

function shown<R extends Resource>(work: Work, rules: Rules<R>, record: RecordOf<R>): RecordOf<R> {
  return rules.show ? rules.show(work, record) : record;
}

export async function getThing<R extends Resource>(work: Work, rules: Rules<R>, id: string): Promise<RecordOf<R>> {
  const record = isStorable(id) ? ((await tableOf(work, rules).find(id)) as RecordOf<R> | undefined) : undefined;
  if (record === undefined) throw notFound(rules.resource);
  return shown(work, rules, record);
}

/** PostgreSQL's text cannot hold U+0000, so nothing has it in its id. */
function isStorable(id: string): boolean {
  return !id.includes('\0');
}

/** The thing, held for the rest of the transaction: what is decided about it stays true until it is done. */
async function lockThing<R extends Resource>(work: Work, rules: Rules<R>, id: string): Promise<RecordOf<R>> {
  const record = isStorable(id) ? ((await tableOf(work, rules).lock(id)) as RecordOf<R> | undefined) : undefined;
  if (record === undefined) throw notFound(rules.resource);
  return record;
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
  const things = rows.slice(0, query.limit).map((record) => shown(work, rules, record));
  const found = things.filter((thing) => isFoundBy(query.where ?? {}, thing));
  return { things: found, hasMore: rows.length > query.limit };
}

/** By what a caller does not see of a thing, the caller does not find it either. */
function isFoundBy(where: AnyChange, thing: AnyRecord): boolean {
  return Object.keys(where).every((field) => sameValue(thing[field], where[field]));
}

export async function countThings(work: Work, rules: AnyRules, where: AnyChange): Promise<number> {
  return tableOf(work, rules).count(where);
}

export async function createThing<R extends Resource>(
  work: Work,
  rules: WriteRules<R>,
  asked: ChangeOf<R>,
): Promise<RecordOf<R>> {
  const id = work.ids.next();
  await tableOf(work, rules).insert(id, await rules.create(work, asked, id));
  const record = await lockThing(work, rules, id);
  const after = snapshot(rules.resource, record);
  await audit(work, {
    act: 'create',
    type: rules.resource.type,
    id,
    clientId: rules.clientOf(record),
    before: null,
    after,
  });
  return shown(work, rules, record);
}

export async function changeThing<R extends Resource>(
  work: Work,
  rules: ChangeRules<R>,
  id: string,
  asked: ChangeOf<R>,
  guard: Guard<R> = () => {},
): Promise<RecordOf<R>> {
  await rules.prepare?.(work, asked);
  const present = await lockThing(work, rules, id);
  guard(shown(work, rules, present));
  const wanted = withoutPresentValues(rules.resource, shown(work, rules, present), asked);
  if (Object.keys(wanted).length === 0) return shown(work, rules, present);
  await tableOf(work, rules).update(id, await rules.change(work, present, wanted as ChangeOf<R>));
  const record = await lockThing(work, rules, id);
  await audit(work, {
    act: 'change',
    type: rules.resource.type,
    id: record.id,
    clientId: rules.clientOf(record),
    before: snapshot(rules.resource, present),
    after: snapshot(rules.resource, record),
  });
  return shown(work, rules, record);
}

export async function deleteThing<R extends Resource>(
  work: Work,
  rules: ChangeRules<R>,
  id: string,
  guard: Guard<R> = () => {},
): Promise<void> {
  const present = await lockThing(work, rules, id);
  guard(shown(work, rules, present));
  await refuseWhileKept(work, rules, present.id);
  const before = snapshot(rules.resource, present);
  const clientId = rules.clientOf(present);
  await audit(work, { act: 'delete', type: rules.resource.type, id: present.id, clientId, before, after: null });
  await tableOf(work, rules).delete(id);
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

/** Fields sent with the value they have are left out; ones that cannot change and were sent with another are refused. */
function withoutPresentValues(resource: Resource, present: AnyRecord, asked: AnyChange): AnyChange {
  const faults: Fault[] = [];
  const wanted: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(asked)) {
    if (sameValue(present[field], value)) continue;
    if (isChangeable(resource, field)) wanted[field] = value;
    else faults.push({ code: 'immutable-attribute', detail: 'This cannot be changed.', field });
  }
  if (faults.length > 0) throw refuseFaults('invalid-document', faults);
  return wanted;
}

function isChangeable(resource: Resource, field: string): boolean {
  const attribute = resource.attributes[field];
  if (attribute) return attribute.writable === 'always';
  const relation = resource.relations[field];
  return relation !== undefined && !isToMany(relation) && relation.writable === 'always';
}

/** Sets of ids are compared without regard to order. */
function sameValue(present: unknown, asked: unknown): boolean {
  if (Array.isArray(present) && Array.isArray(asked)) {
    return present.length === asked.length && new Set(present).isSubsetOf(new Set(asked));
  }
  return isDeepStrictEqual(present, asked);
}
