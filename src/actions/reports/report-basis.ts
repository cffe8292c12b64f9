// Loads the basis of a report: the inputs of one reporting entity, or of all of a client's, as of one moment.

import { setImmediate } from 'node:timers/promises';
import type { Day } from '../../kit/day.ts';
import type { Id } from '../../kit/id.ts';
import type { History } from '../../engine/history/history.ts';
import { findBuiltInInstrument, unidentifiedType } from '../../model/instrument/built-in.ts';
import { client as clientResource } from '../../model/structure/client.ts';
import type { HistoricalHolding } from '../../model/ledger/historical-holding.ts';
import { canSeeReportingEntity } from '../../model/access/scope.ts';
import { reportingEntity as entityResource, type ReportingEntity } from '../../model/structure/reporting-entity.ts';
import { clientGroup, type CacheEntry } from '../../store/ledger/ledger-cache.ts';
import type { SnapshotStore } from '../../store/store.ts';
import type { UnexplainedRow } from '../ledger/engine-ledger.ts';
import { notFound } from '../core/resource.ts';
import { openTurn, readInSnapshot, type Work } from '../core/work.ts';
import type { ClassLookup } from './inputs/class-lookup.ts';
import {
  findReportInputs,
  findReportInputsKnownAt,
  findCachedInputs,
  type InputsCheck,
  type InputsToCheck,
  type ReportInputs,
  type ReplaceRates,
} from './inputs/report-inputs.ts';
import { readAhead, type InputsAhead } from './inputs/inputs-ahead.ts';
import { findReportingEntity, endOfTime } from './inputs/read-client.ts';
import { EntityPlaces, type ClientStructure } from './inputs/client-structure.ts';
import type { VersionedInstrument } from './inputs/market-data-cache.ts';
import { dayOfMoment } from './report-day.ts';

export interface ReportBasis {
  readonly reportingEntity: Id;
  readonly client: Id;
  /** The reference currency. */
  readonly currency: string;
  readonly structure: ClientStructure;
  readonly history: History;
  readonly places: EntityPlaces;
  readonly classes: ClassLookup;
  readonly instruments: ReadonlyMap<string, VersionedInstrument>;
  /** The reporting entity that an instrument is private to; absent if it is shared. */
  readonly privateTo: ReadonlyMap<string, Id>;
  /** In the order of the history. */
  readonly uploads: readonly HistoricalHolding[];
  /** The day of `knownAt` when the report is as of an earlier moment. */
  readonly today: Day;
  readonly knownAt: number | undefined;
  readonly timeZone: string;
  /** Identifies the inputs of the figures: changes whenever any input changes. */
  readonly ledgerVersion: string;
  /** Finds the ids of transactions by their booking numbers. */
  findTransactionIds(numbers: Iterable<number>): ReadonlyMap<number, Id>;
  /** Transactions with an amount that their stated fields do not explain. */
  listUnexplained(): readonly UnexplainedRow[];
}

/** The type of what is held; unidentified where the instrument was not known yet at the moment of the report. */
export function heldTypeOf(instrument: string, { instruments }: Pick<ReportBasis, 'instruments'>): string {
  return (instruments.get(instrument)?.instrument ?? findBuiltInInstrument(instrument))?.type ?? unidentifiedType;
}

export type ReportSnapshotWork = Work & { readonly store: SnapshotStore };

export interface ReportMoment {
  /** Reads what was known at this moment; what is known now when absent. */
  readonly knownAt?: number | undefined;
  /** Used to find missing rates. */
  readonly replaceRates?: ReplaceRates | undefined;
}

export function loadReportBasis(work: Work, reportingEntity: string, moment: ReportMoment): Promise<ReportBasis> {
  return computeReport(work, reportingEntity, moment, (basis) => basis);
}

/**
 * Computes something from a report's basis. With cached inputs, computes while the database checks whether they are current; if
 * they are not, discards the result and computes it again. So `compute` should take no longer than that check.
 */
export async function computeReport<T>(
  work: Work,
  reportingEntity: string,
  moment: ReportMoment,
  compute: (basis: ReportBasis) => T,
): Promise<T> {
  const cachedReport = findCachedReport(work, reportingEntity, moment);
  let check: InputsCheck | undefined;
  if (cachedReport !== undefined) {
    const [checked, computed] = await Promise.allSettled([
      cachedReport.check(),
      afterRequestsSent(work, cachedReport.basis, compute),
    ]);
    check = unwrapSettled(checked);
    if (check.areCurrent) return unwrapSettled(computed);
  }
  const { basis } = await loadBasis(work, reportingEntity, { ...moment, ...check }, async () => undefined);
  await openTurn(work, basis.history.rows.count).pause();
  return compute(basis);
}

/** Computes when it is the report's turn, which is after the requests to the database have been sent. */
export async function afterRequestsSent<T>(
  work: Work,
  basis: ReportBasis,
  compute: (basis: ReportBasis) => T,
): Promise<Awaited<T>> {
  await (openTurn(work, basis.history.rows.count).pause() ?? setImmediate());
  return await compute(basis);
}

function unwrapSettled<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

interface CachedReport extends Pick<InputsToCheck, 'check'> {
  readonly basis: ReportBasis;
}

function findCachedReport(
  work: Work,
  reportingEntity: string,
  { knownAt, replaceRates }: ReportMoment,
): CachedReport | undefined {
  if (knownAt !== undefined || replaceRates !== undefined) return undefined;
  const client = findCachedClient(work, reportingEntity);
  const cachedReport = client && findCachedInputs(work, client);
  if (!cachedReport?.reportInputs.structure.reportingEntities.has(reportingEntity)) return undefined;
  return {
    basis: makeReportBasis(work, cachedReport.reportInputs, reportingEntity as Id, knownAt),
    check: cachedReport.check,
  };
}

/** A reporting entity never moves to another client, so this never becomes outdated. */
interface CachedClient extends CacheEntry {
  readonly client: Id;
}

function clientCacheKey({ store }: Work, reportingEntity: string): string {
  const { workspaceId, environment } = store.scope;
  return `${workspaceId} ${environment} client of ${reportingEntity}`;
}

/** Checks that the scope includes the reporting entity, but not that the caller sees its client. */
function findCachedClient(work: Work, reportingEntity: string): Id | undefined {
  if (!canSeeReportingEntity(work.store.scope.visibleClients, reportingEntity as Id)) return undefined;
  return work.context.ledgerCache.find<CachedClient>(clientCacheKey(work, reportingEntity))?.client;
}

function cacheClient(work: Work, { id, client }: ReportingEntity): void {
  const entry: CachedClient = { version: 0, bytes: 500, client };
  work.context.ledgerCache.put(clientCacheKey(work, id), entry, { group: clientGroup(work.store.scope, client) });
}

/** A basis, and something that was read as of the same moment. */
interface BasisWith<T> {
  readonly basis: ReportBasis;
  readonly extra: T;
}

type ReadExtra<T> = (snapshotWork: ReportSnapshotWork) => Promise<T>;

/** Also reads something else as of the same moment. */
export function loadReportBasisWith<T>(
  work: Work,
  reportingEntity: string,
  moment: ReportMoment,
  readExtra: ReadExtra<T>,
): Promise<BasisWith<T>> {
  return loadBasis(work, reportingEntity, moment, readExtra);
}

/** `currentVersion`: of inputs that are cached and no longer current. */
async function loadBasis<T>(
  work: Work,
  reportingEntity: string,
  { knownAt, replaceRates, currentVersion }: ReportMoment & Partial<InputsCheck>,
  readExtra: ReadExtra<T>,
): Promise<BasisWith<T>> {
  const ahead = await readAhead(work, {
    cachedClient: findCachedClient(work, reportingEntity),
    findClient: (replicaWork) => findClient(replicaWork, reportingEntity, knownAt ?? endOfTime),
    knownAt,
    currentVersion,
  });
  return readInSnapshot(work, async (snapshotWork) => {
    const client = await findClient(snapshotWork, reportingEntity, knownAt ?? endOfTime);
    const reportInputs = client && (await loadInputsAt(snapshotWork, client, { knownAt, replaceRates }, ahead));
    if (!reportInputs?.structure.reportingEntities.has(reportingEntity)) throw notFound(entityResource);
    return {
      basis: makeReportBasis(work, reportInputs, reportingEntity as Id, knownAt),
      extra: await readExtra(snapshotWork),
    };
  });
}

/** Finds the client that owns or owned the reporting entity, which never changes. */
async function findClient(work: ReportSnapshotWork, reportingEntity: string, knownAt: number): Promise<Id | undefined> {
  const known = findCachedClient(work, reportingEntity);
  if (known !== undefined) return known;
  const entity = await findReportingEntity(work.store, reportingEntity, knownAt);
  if (entity !== undefined) cacheClient(work, entity);
  return entity?.client;
}

/** Lists the reporting entities that the caller can see, ordered by id. */
export async function listReportBases(
  work: Work,
  client: string,
  moment: ReportMoment,
): Promise<readonly ReportBasis[]> {
  const ahead = await readAheadOf(work, client, moment);
  return readInSnapshot(work, (snapshotWork) => listReportBasesIn(snapshotWork, client, moment, ahead));
}

/** Reads the inputs of a client on a replica. */
function readAheadOf(work: Work, client: string, { knownAt }: ReportMoment): Promise<InputsAhead | undefined> {
  return readAhead(work, { cachedClient: client as Id, findClient: async () => client as Id, knownAt });
}

/** Like `listReportBases`, within a snapshot that is open. */
export async function listReportBasesIn(
  work: ReportSnapshotWork,
  client: string,
  moment: ReportMoment,
  ahead?: InputsAhead,
): Promise<readonly ReportBasis[]> {
  const { knownAt } = moment;
  const reportInputs = await loadInputsAt(work, client as Id, moment, ahead);
  if (reportInputs === undefined) throw notFound(clientResource);
  const entities = [...reportInputs.structure.reportingEntities] as Id[];
  const visible = entities.filter((entity) => canSeeReportingEntity(work.store.scope.visibleClients, entity));
  return visible.map((entity) => makeReportBasis(work, reportInputs, entity, knownAt));
}

/** `ahead`: what a replica had of them shortly before. */
function loadInputsAt(
  work: ReportSnapshotWork,
  client: Id,
  { knownAt, replaceRates }: ReportMoment,
  ahead?: InputsAhead,
): Promise<ReportInputs | undefined> {
  return knownAt === undefined
    ? findReportInputs(work, client, { replaceRates, ahead: ahead?.now })
    : findReportInputsKnownAt(work, client, { knownAt, replaceRates, ahead: ahead?.past });
}

function makeReportBasis(
  { context, now: moment }: Work,
  reportInputs: ReportInputs,
  reportingEntity: Id,
  knownAt: number | undefined,
): ReportBasis {
  const { structure, privateTo } = reportInputs;
  const { timeZone } = context;
  return {
    ...reportInputs,
    reportingEntity,
    client: structure.client.id,
    currency: structure.client.referenceCurrency,
    places: new EntityPlaces(structure, reportingEntity, (id) => privateTo.get(id)),
    today: dayOfMoment(knownAt ?? moment, timeZone),
    knownAt,
    timeZone,
  };
}
