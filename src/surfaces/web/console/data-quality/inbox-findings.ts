// Reads the findings of the reporting entities that a person chose, those that could move the most money first.

import { append } from '../../../../kit/memory/long-list.ts';
import type { Decimal } from '../../../../kit/decimal.ts';
import { toFixed } from '../../../../kit/fixed.ts';
import { findingCodes, findingDefinitions, type FindingCode } from '../../../../model/report/finding.ts';
import type { Page } from '../../signed-in-page.ts';
import type { WholeList } from '../../tables/list-rows.ts';

/** Each is computed for itself. Of more, a client has to be chosen. */
export const entitiesMax = 40;
/** So many are asked for at a time, so that a page leaves room for others. */
const concurrentCalls = 4;
export const pageSize = 25;
/** Of several entities, so many findings are listed; one entity lists all. */
export const mergedMax = 500;

export interface InboxEntity {
  readonly id: string;
  readonly name: string;
  readonly client_id: string;
}

/** A finding as the API gives it, with the reporting entity that has it. */
export interface InboxFinding {
  readonly entity: InboxEntity;
  readonly finding: any;
  /** How many other reporting entities of the client have the same one. */
  readonly others?: number;
}

export interface InboxQuery {
  readonly entities: readonly InboxEntity[];
  readonly codes: readonly FindingCode[];
  /** The currency of the effects. */
  readonly currency: string;
}

/** The findings of a page, or of all pages together. */
type Part = 'page' | 'all';

export interface Inbox {
  readonly findings: readonly InboxFinding[];
  /** By severity, of all codes. */
  readonly counts: Readonly<Record<string, number>>;
  /** What the address of the next page says; null on the last. */
  readonly next: string | null;
  /** There are more findings than a list of several entities shows. */
  readonly isCut: boolean;
}

/** The codes of a severity, or the one that was chosen. */
export function chosenCodes(severity: string, code: string): readonly FindingCode[] {
  return findingCodes.filter(
    (one) => (code === '' || one === code) && (severity === '' || findingDefinitions[one].severity === severity),
  );
}

function questionOf({ codes, currency }: InboxQuery, { id }: InboxEntity) {
  const isNarrowed = codes.length < findingCodes.length;
  return { reporting_entity_id: id, sort: 'effect', currency, ...(isNarrowed ? { code: codes.join(',') } : {}) };
}

const path = '/v1/data-quality';

/** The findings of one entity, which the API pages. */
export function findingsOf(query: InboxQuery, entity: InboxEntity): WholeList {
  return { path, query: questionOf(query, entity) };
}

/** One entity is paged by the API. */
export async function readOne(page: Page, query: InboxQuery, entity: InboxEntity): Promise<Inbox> {
  const question = questionOf(query, entity);
  const answer = await page.api.get(path, { ...question, limit: String(pageSize), cursor: page.query.get('cursor') });
  return {
    findings: answer.data.map((finding: any) => ({ entity, finding })),
    counts: countBySeverity([answer]),
    next: answer.next_cursor,
    isCut: false,
  };
}

/** Several entities are merged; the cursor of the address is the number of findings before the page. */
export async function readSeveral(page: Page, query: InboxQuery, part: Part): Promise<Inbox> {
  const isAll = part === 'all';
  const start = isAll ? 0 : startOf(page.query.get('cursor'));
  const end = isAll ? mergedMax : start + pageSize;
  const answers: ReadFindings[] = [];
  for (let at = 0; at < query.entities.length; at += concurrentCalls) {
    const batch = query.entities.slice(at, at + concurrentCalls);
    answers.push(
      ...(await Promise.all(batch.map((entity) => readUntil(page, questionOf(query, entity), { entity, end })))),
    );
  }
  const found = answers.flatMap(({ entity, data }) => data.map((finding) => ({ entity, finding })));
  const merged = withoutDoubles(found.toSorted(compareEffects));
  const hasMore = merged.length > end || answers.some((answer) => answer.hasMore);
  const isLast = end >= mergedMax;
  return {
    findings: merged.slice(start, end),
    counts: countBySeverity(answers.map(({ first }) => first)),
    next: hasMore && !isLast ? String(end) : null,
    isCut: hasMore && isLast,
  };
}

/** What several reporting entities of a client cover is mended once. */
function withoutDoubles(findings: readonly InboxFinding[]): readonly InboxFinding[] {
  const groups = Map.groupBy(findings, ({ entity, finding }) => {
    const { code, account_id, depository_id, instrument_id, date, quantity, currency, to_currency } = finding;
    const isOfEntity = account_id === null && depository_id === null && instrument_id === null && to_currency === null;
    const place = [account_id, depository_id, instrument_id, date, quantity, currency, to_currency];
    const rows = [finding.transaction_ids, finding.historical_holding_ids];
    return JSON.stringify([entity.client_id, isOfEntity ? entity.id : null, code, ...place, ...rows]);
  });
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, others: others.length }],
  );
}

function startOf(cursor: string | null): number {
  return cursor !== null && /^\d{1,3}$/.test(cursor) ? Math.min(Number(cursor), mergedMax - pageSize) : 0;
}

interface ReadFindings {
  readonly entity: InboxEntity;
  /** The first answer, whose counts are of all findings. */
  readonly first: any;
  readonly data: readonly any[];
  readonly hasMore: boolean;
}

/** The first `end` findings of an entity: no other can be on the page. */
async function readUntil(
  page: Page,
  question: ReturnType<typeof questionOf>,
  { entity, end }: { readonly entity: InboxEntity; readonly end: number },
): Promise<ReadFindings> {
  const limit = String(Math.min(end, 100));
  const first = await page.api.get(path, { ...question, limit });
  const data: any[] = [...first.data];
  let last = first;
  while (last.has_more === true && data.length < end) {
    last = await page.api.get(path, { ...question, limit, cursor: last.next_cursor });
    append(data, last.data);
  }
  return { entity, first, data, hasMore: last.has_more === true };
}

function countBySeverity(answers: readonly any[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { severity, count } of answers.flatMap((answer) => answer.counts))
    counts[severity] = (counts[severity] ?? 0) + count;
  return counts;
}

/** As the API orders them within one entity. */
function compareEffects({ finding: one }: InboxFinding, { finding: other }: InboxFinding): number {
  const [first, second] = [rankOf(one), rankOf(other)];
  if (first !== second) return first - second;
  const [mine, theirs] = [effectOf(one), effectOf(other)];
  if (mine !== theirs) return mine > theirs ? -1 : 1;
  return findingCodes.indexOf(one.code) - findingCodes.indexOf(other.code);
}

function rankOf({ effect, severity }: any): number {
  if (effect !== null) return 1;
  return severity === 'error' ? 0 : 2;
}

function effectOf({ effect }: { readonly effect: Decimal | null }): bigint {
  return effect === null ? 0n : toFixed(effect);
}
