// Lists and writes dated values (prices, rates and the like). A write replaces the value of the same day and source.

import { defined } from '../../kit/assert.ts';
import type { AnyChange, RecordOf, Resource } from '../../kit/resource.ts';
import type { VersionBatch } from '../../store/resources/versioned-table.ts';
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

/** The caller must hold a lock that keeps others from writing the same value. Calls `beforeWrite` only if the value changes. */
export async function putDatedValue<R extends Resource>(
  work: Work,
  resource: R,
  fields: AnyChange,
  beforeWrite: () => void,
): Promise<PutOutcome<R>> {
  const { key } = defined(resource.versions, 'dated values have versions');
  const where = Object.fromEntries(key.map((field) => [field, fields[field]]));
  const find = async () => (await work.store.table(resource).list({ where, limit: 1 }))[0];
  const before = await find();
  if (before !== undefined && Object.keys(fields).every((name) => before[name] === fields[name])) {
    return { record: before, outcome: 'same' };
  }
  beforeWrite();
  const columns = Object.entries(fields).map(([name, value]) => [name, [value as string | null]]);
  await putDatedValues(work, resource, { common: {}, columns: Object.fromEntries(columns) });
  const after = defined(await find(), 'a value that was just written is found');
  auditRecord(work, { resource }, before ? 'change' : 'create', { ...(before ? { before } : {}), after });
  return { record: after, outcome: before ? 'changed' : 'created' };
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
