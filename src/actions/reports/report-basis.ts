// Opens a report: one reporting entity, or all of a client, with everything that its figures are made of, as of one moment. Knows
// no wire and no figure.

import { setImmediate } from 'node:timers/promises';
import type { Day } from '../../kit/day.ts';
import type { Id } from '../../kit/id.ts';
import type { History } from '../../engine/history/history.ts';
import { client as clientResource } from '../../model/structure/client.ts';
import type { HistoricalHolding } from '../../model/ledger/historical-holding.ts';
import { seesReportingEntity } from '../../model/access/scope.ts';
import { reportingEntity as entityResource, type ReportingEntity } from '../../model/structure/reporting-entity.ts';
import type { Remembered } from '../../store/ledger/ledger-cache.ts';
import type { SnapshotStore } from '../../store/store.ts';
import type { UnexplainedRow } from '../ledger/engine-ledger.ts';
import { notFound } from '../core/resource.ts';
import { readingTogether, type Work } from '../core/work.ts';
import type { ClassLookup } from './inputs/class-lookup.ts';
import {
  findBooks,
  findBooksKnownAt,
  findKeptBooks,
  type BooksToCheck,
  type ClientBooks,
  type RatesInstead,
} from './inputs/report-inputs.ts';
import { findReportingEntity, now } from './inputs/read-client.ts';
import { EntityPlaces, type ClientStructure } from './inputs/client-structure.ts';
import type { KnownInstrument } from './inputs/market-data-cache.ts';
import { dayOfMoment } from './report-day.ts';

export interface ReportScope {
  readonly reportingEntity: Id;
  readonly client: Id;
  /** The reference currency. */
  readonly currency: string;
  readonly structure: ClientStructure;
  readonly history: History;
  readonly places: EntityPlaces;
  readonly classes: ClassLookup;
  readonly instruments: ReadonlyMap<string, KnownInstrument>;
  /** In the order in which the history has them. */
  readonly uploads: readonly HistoricalHolding[];
  /** Where everything is as it was known at a moment, the day of that. */
  readonly today: Day;
  readonly knownAt: number | undefined;
  /** The last day that anything is known of. */
  readonly latestDay: Day;
  readonly timeZone: string;
  /** Names what the figures were computed from: another one whenever anything else is known. */
  readonly ledgerVersion: string;
  /** The ids of transactions by their booking numbers. */
  idsOf(numbers: Iterable<number>): ReadonlyMap<number, Id>;
  /** Transactions with money that nothing stated explains. */
  listUnexplained(): readonly UnexplainedRow[];
}

export type TogetherWork = Work & { readonly store: SnapshotStore };

export interface ReportMoment {
  /** As everything was known then; as it is known now where there is none. */
  readonly knownAt?: number | undefined;
  /** For whoever looks for rates that are missing. */
  readonly instead?: RatesInstead | undefined;
}

export function openReport(work: Work, reportingEntity: string, moment: ReportMoment): Promise<ReportScope> {
  return reportOn(work, reportingEntity, moment, (scope) => scope);
}

/**
 * What `make` makes of a report. Where the client's books are kept it is made of them while the database tells whether they are still
 * what is known; if they are not, it is thrown away and made again. So for what takes no longer than the telling.
 */
export async function reportOn<T>(
  work: Work,
  reportingEntity: string,
  moment: ReportMoment,
  make: (scope: ReportScope) => T,
): Promise<T> {
  const kept = findKeptReport(work, reportingEntity, moment);
  if (kept !== undefined) {
    const [known, made] = await Promise.allSettled([kept.areKnown(), onceSent(() => make(kept.scope))]);
    if (valueOf(known)) return valueOf(made);
  }
  return make((await openReportBeside(work, reportingEntity, moment, async () => undefined)).scope);
}

/** When what was asked of the database is on its way. */
async function onceSent<T>(task: () => T): Promise<T> {
  await setImmediate();
  return task();
}

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

interface ReportToCheck extends Pick<BooksToCheck, 'areKnown'> {
  readonly scope: ReportScope;
}

function findKeptReport(
  work: Work,
  reportingEntity: string,
  { knownAt, instead }: ReportMoment,
): ReportToCheck | undefined {
  if (knownAt !== undefined || instead !== undefined) return undefined;
  const client = findKnownClient(work, reportingEntity);
  const kept = client && findKeptBooks(work, client);
  if (!kept?.books.structure.reportingEntities.has(reportingEntity)) return undefined;
  return { scope: scopeOf(work, kept.books, reportingEntity as Id, knownAt), areKnown: kept.areKnown };
}

/** Whose a reporting entity is never changes. */
interface KnownClient extends Remembered {
  readonly client: Id;
}

function clientKeyOf({ store }: Work, reportingEntity: string): string {
  const { workspaceId, environment } = store.reach;
  return `${workspaceId} ${environment} client of ${reportingEntity}`;
}

/** Where the caller may read it, as far as they are told what; not whether they see its client. */
function findKnownClient(work: Work, reportingEntity: string): Id | undefined {
  if (!seesReportingEntity(work.store.reach.sight, reportingEntity as Id)) return undefined;
  return work.house.memory.find<KnownClient>(clientKeyOf(work, reportingEntity))?.client;
}

function keepClient(work: Work, { id, client }: ReportingEntity): void {
  work.house.memory.put(clientKeyOf(work, id), { version: 0, bytes: 500, client } as KnownClient);
}

/** With whatever else is to be read as of the same moment. */
export function openReportBeside<T>(
  work: Work,
  reportingEntity: string,
  { knownAt, instead }: ReportMoment,
  read: (together: TogetherWork) => Promise<T>,
): Promise<{ readonly scope: ReportScope; readonly beside: T }> {
  return readingTogether(work, async (together) => {
    const client = await findClient(together, reportingEntity, knownAt ?? now);
    const books = client && (await booksAt(together, client, { knownAt, instead }));
    if (!books?.structure.reportingEntities.has(reportingEntity)) throw notFound(entityResource);
    return { scope: scopeOf(work, books, reportingEntity as Id, knownAt), beside: await read(together) };
  });
}

/** Whose it is, or was: that never changes. */
async function findClient(work: TogetherWork, reportingEntity: string, knownAt: number): Promise<Id | undefined> {
  const known = findKnownClient(work, reportingEntity);
  if (known !== undefined) return known;
  const entity = await findReportingEntity(work.store, reportingEntity, knownAt);
  if (entity !== undefined) keepClient(work, entity);
  return entity?.client;
}

/** Those that the caller may read, in the order of their ids. */
export function openReportsOfClient(
  work: Work,
  client: string,
  { knownAt }: ReportMoment,
): Promise<readonly ReportScope[]> {
  return readingTogether(work, async (together) => {
    const books = await booksAt(together, client as Id, { knownAt });
    if (books === undefined) throw notFound(clientResource);
    const entities = [...books.structure.reportingEntities] as Id[];
    const seen = entities.filter((entity) => seesReportingEntity(work.store.reach.sight, entity));
    return seen.map((entity) => scopeOf(work, books, entity, knownAt));
  });
}

function booksAt(work: TogetherWork, client: Id, { knownAt, instead }: ReportMoment): Promise<ClientBooks | undefined> {
  return knownAt === undefined
    ? findBooks(work, client, instead)
    : findBooksKnownAt(work, client, { knownAt, instead });
}

function scopeOf(
  { house, now: moment }: Work,
  books: ClientBooks,
  reportingEntity: Id,
  knownAt: number | undefined,
): ReportScope {
  const { structure, privateTo } = books;
  const { timeZone } = house;
  return {
    ...books,
    reportingEntity,
    client: structure.client.id,
    currency: structure.client.referenceCurrency,
    places: new EntityPlaces(structure, reportingEntity, (id) => privateTo.get(id)),
    today: dayOfMoment(knownAt ?? moment, timeZone),
    knownAt,
    timeZone,
  };
}
