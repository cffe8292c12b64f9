// Opens a report: one reporting entity, or all of a client, with everything that its figures are made of, as of one moment. Knows
// no wire and no figure.

import type { Day } from '../../kit/day.ts';
import type { Id } from '../../kit/id.ts';
import type { History } from '../../engine/history.ts';
import { client as clientResource } from '../../model/client.ts';
import type { HistoricalHolding } from '../../model/historical-holding.ts';
import { seesReportingEntity } from '../../model/reach.ts';
import { reportingEntity as entityResource } from '../../model/reporting-entity.ts';
import type { SnapshotStore } from '../../store/store.ts';
import type { UnexplainedRow } from '../ledger-of-accounts.ts';
import { notFound } from '../resource.ts';
import { readingTogether, type Work } from '../work.ts';
import type { ClassLookup } from './class-lookup.ts';
import { findBooks, findBooksKnownAt, type ClientBooks, type RatesInstead } from './client-books.ts';
import { findReportingEntity, now } from './client-inputs.ts';
import { EntityPlaces, type ClientStructure } from './client-structure.ts';
import type { KnownInstrument } from './market-memory.ts';
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

export async function openReport(work: Work, reportingEntity: string, moment: ReportMoment): Promise<ReportScope> {
  return (await openReportBeside(work, reportingEntity, moment, async () => undefined)).scope;
}

/** With whatever else is to be read as of the same moment. */
export function openReportBeside<T>(
  work: Work,
  reportingEntity: string,
  { knownAt, instead }: ReportMoment,
  read: (together: TogetherWork) => Promise<T>,
): Promise<{ readonly scope: ReportScope; readonly beside: T }> {
  return readingTogether(work, async (together) => {
    const entity = await findReportingEntity(together.store, reportingEntity, knownAt ?? now);
    const books = entity && (await booksAt(together, entity.client, { knownAt, instead }));
    if (entity === undefined || books === undefined) throw notFound(entityResource);
    return { scope: scopeOf(work, books, entity.id, knownAt), beside: await read(together) };
  });
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
  const { structure, instruments } = books;
  const privateTo = (id: string): Id | undefined => instruments.get(id)?.instrument.reportingEntity ?? undefined;
  const { timeZone } = house;
  return {
    ...books,
    reportingEntity,
    client: structure.client.id,
    currency: structure.client.referenceCurrency,
    places: new EntityPlaces(structure, reportingEntity, privateTo),
    today: dayOfMoment(knownAt ?? moment, timeZone),
    knownAt,
    timeZone,
  };
}
