// Lists and writes dated values (prices, rates and the like). A write replaces the value of the same day and source.

import { defined } from '../../kit/assert.ts';
import type { AnyChange, AnyRecord, RecordOf, Resource } from '../../kit/resource.ts';
import { oneRecord, type VersionBatch } from '../../store/resources/versioned-table.ts';
import type { DatedPageQuery, DatedQuery } from '../../store/series/dated-values.ts';
import { auditRecord, toResultPage, type ResultPage } from './resource.ts';
import { audit, type AuditedChange, type Work } from './work.ts';

/** Lists by day; each page starts where the previous one ended. */
export async function listDatedValues<R extends Resource>(
  work: Work,
  resource: R,
  query: DatedPageQuery,
): Promise<ResultPage<RecordOf<R>>> {
  const rows = await work.store.datedValues(resource).list({ ...query, limit: query.limit + 1 });
  return toResultPage(rows as readonly RecordOf<R>[], query.limit);
}

export function countDatedValues(work: Work, resource: Resource, query: DatedQuery): Promise<number> {
  return work.store.datedValues(resource).count(query);
}

export interface PutOutcome<R extends Resource> {
  readonly record: RecordOf<R>;
  readonly outcome: 'created' | 'changed' | 'same';
}

/**
 * The caller must hold a lock that keeps others from writing the same value, or have sent its statement. Calls `beforeWrite` only if the
 * value changes.
 */
export async function putDatedValue<R extends Resource>(
  work: Work,
  resource: R,
  fields: AnyChange,
  beforeWrite: () => void,
): Promise<PutOutcome<R>> {
  const { key } = defined(resource.versions, 'dated values have versions');
  const where = Object.fromEntries(key.map((field) => [field, fields[field]]));
  const find = async () => (await work.store.table(resource).list({ where, limit: 1 }))[0];
  const [before, related] = await Promise.all([find(), work.store.newRecords(resource).readRelated(fields)]);
  if (isSame(before, fields)) return { record: before, outcome: 'same' };
  beforeWrite();
  const record = await putVersion(work, { resource, shownAs: resource, find }, { before, fields, related });
  auditRecord(work, { resource }, before ? 'change' : 'create', { ...(before ? { before } : {}), after: record });
  return { record, outcome: before ? 'changed' : 'created' };
}

/** Whether a record has all these values already. */
export function isSame<T extends AnyRecord>(record: T | undefined, fields: AnyChange): record is T {
  return record !== undefined && Object.keys(fields).every((name) => record[name] === fields[name]);
}

interface PutVersion<R extends Resource> {
  readonly resource: Resource;
  /** Another resource, if records are read as that. */
  readonly shownAs: R;
  /** Reads the current version. */
  readonly find: () => Promise<RecordOf<R> | undefined>;
}

interface PutFields<R extends Resource> {
  readonly before: RecordOf<R> | undefined;
  readonly fields: AnyChange;
  /** What is shown of the records that it refers to. */
  readonly related: AnyChange;
}

/** Opens the next version of a record, or the first, which the database need not be asked for. */
export async function putVersion<R extends Resource>(
  work: Work,
  { resource, shownAs, find }: PutVersion<R>,
  { before, fields, related }: PutFields<R>,
): Promise<RecordOf<R>> {
  const { only = {} } = resource;
  const written = Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in only)));
  const table = work.store.versionedTable(resource);
  if (before === undefined) {
    const id = work.ids.next();
    table.append(id, written, work.now);
    const record = work.store.newRecords(shownAs).asRead(id, { ...fields, knownFrom: new Date(work.now) });
    return { ...record, ...related };
  }
  const [, after] = await Promise.all([table.put(oneRecord(before.id, written), work.now), find()]);
  return defined(after, 'a value that was just written is found');
}

/** Writes many values at once. Returns how many of them were new or different. */
export function putDatedValues(work: Work, resource: Resource, rows: Omit<VersionBatch, 'ids'>): Promise<number> {
  const [first = []] = Object.values(rows.columns);
  return work.store.versionedTable(resource).put({ ...rows, ids: first.map(() => work.ids.next()) }, work.now);
}

export interface WriteCounts {
  readonly accepted: number;
  readonly written: number;
}

/** Writes one audit line for a whole import; the versions hold the individual changes. */
export function auditBulk(
  work: Work,
  subject: Pick<AuditedChange, 'type' | 'id' | 'clientId'>,
  counts: Record<string, WriteCounts>,
): void {
  audit(work, { ...subject, act: 'change', before: null, after: counts });
}
