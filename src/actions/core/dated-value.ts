// What may happen to any dated value: it is listed by day, written over whatever is known of the same day and source, and
// taken away again. What it is of, and who may write it, its own file says.

import type { AnyChange, AnyRecord, RecordOf, Resource } from '../../kit/resource.ts';
import type { VersionBatch } from '../../store/resources/versioned-table.ts';
import type { DatedPageQuery, DatedQuery } from '../../store/series/dated-values.ts';
import { auditRecord, type ResultPage } from './resource.ts';
import { audit, type AuditedChange, type Work } from './work.ts';

/** By day. Each page begins where the one before ended. */
export async function listDatedValues<R extends Resource>(
  work: Work,
  resource: R,
  query: DatedPageQuery,
): Promise<ResultPage<RecordOf<R>>> {
  const rows = await work.store.datedValues(resource).list({ ...query, limit: query.limit + 1 });
  return { records: rows.slice(0, query.limit) as RecordOf<R>[], hasMore: rows.length > query.limit };
}

export function countDatedValues(work: Work, resource: Resource, query: DatedQuery): Promise<number> {
  return work.store.datedValues(resource).count(query);
}

export interface PutOutcome<R extends Resource> {
  readonly record: RecordOf<R>;
  readonly outcome: 'created' | 'changed' | 'same';
}

/**
 * Whoever calls this keeps others from writing the same thing meanwhile. `leaveTrace` is called before something new is
 * written.
 */
export async function putDatedValue<R extends Resource>(
  work: Work,
  resource: R,
  fields: AnyChange,
  beforeWrite: () => void,
): Promise<PutOutcome<R>> {
  const where = Object.fromEntries(resource.versions!.key.map((field) => [field, fields[field]]));
  const find = async () => (await work.store.table(resource).list({ where, limit: 1 }))[0];
  const before = (await find()) as RecordOf<R> | undefined;
  if (before !== undefined && Object.keys(fields).every((name) => (before as AnyRecord)[name] === fields[name])) {
    return { record: before, outcome: 'same' };
  }
  beforeWrite();
  const columns = Object.entries(fields).map(([name, value]) => [name, [value as string | null]]);
  await putDatedValues(work, resource, { common: {}, columns: Object.fromEntries(columns) });
  const after = (await find()) as RecordOf<R>;
  auditRecord(work, { resource }, before ? 'change' : 'create', { ...(before ? { before } : {}), after });
  return { record: after, outcome: before ? 'changed' : 'created' };
}

/** Very many at once: how many of them said something new. */
export function putDatedValues(work: Work, resource: Resource, rows: Omit<VersionBatch, 'ids'>): Promise<number> {
  const [first = []] = Object.values(rows.columns);
  return work.store.versionedTable(resource).put({ ...rows, ids: first.map(() => work.ids.next()) }, work.now);
}

export interface WriteCounts {
  readonly accepted: number;
  readonly written: number;
}

/** One line for all that came together: what it changed stands in the versions. */
export function auditBulk(
  work: Work,
  subject: Pick<AuditedChange, 'type' | 'id' | 'clientId'>,
  counts: Record<string, WriteCounts>,
): void {
  audit(work, { ...subject, act: 'change', before: null, after: counts });
}
