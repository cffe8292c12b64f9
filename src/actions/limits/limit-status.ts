// Computes the status of limits, now or as known at an earlier moment, with the time since when rounds have found it so.

import { defined } from '../../kit/assert.ts';
import { greatestOf } from '../../kit/memory/long-list.ts';
import type { Id } from '../../kit/id.ts';
import { limit as limitResource, type Limit } from '../../model/limit/limit.ts';
import { canSeeReportingEntity } from '../../model/access/scope.ts';
import type { ReportedEntityStatus, ReportedLimitStatus } from '../../model/report/limit-status.ts';
import type { RecordedState } from '../../store/resources/limit-states.ts';
import { limitRules } from './limit.ts';
import { findGoneNames } from './limit-names.ts';
import { limitOutcomes, type LimitOutcome } from './limit-outcome.ts';
import { loadReportBasis, listReportBases, type ReportMoment, type ReportBasis } from '../reports/report-basis.ts';
import { findLatestDay, latestDay } from '../reports/latest-day.ts';
import { dayOfMoment, endOfDay } from '../reports/report-day.ts';
import { getRecord, listRecords, notFound, type ResultPage } from '../core/resource.ts';
import type { Work } from '../core/work.ts';

export async function getLimitStatus(work: Work, id: string, moment: ReportMoment): Promise<ReportedLimitStatus> {
  const limit = await getLimit(work, id, moment);
  const bases = await listLimitBases(work, limit, moment);
  const [status] = await limitStatuses(work, { client: limit.client, limits: [limit], bases }, moment);
  return defined(status, 'one limit has one status');
}

/** Of the reporting entities that the limit applies to. */
export async function listLimitBases(
  work: Work,
  { reportingEntity, client }: Limit,
  moment: ReportMoment,
): Promise<readonly ReportBasis[]> {
  if (reportingEntity === null) return listReportBases(work, client, moment);
  return [await loadReportBasis(work, reportingEntity, moment)];
}

/** Loads the limit as it is now, or as it was known at the moment. */
export async function getLimit(work: Work, id: string, { knownAt }: ReportMoment): Promise<Limit> {
  if (knownAt === undefined) return getRecord(work, limitRules, id);
  const [found] = await work.store.recordVersions(limitResource).listKnownAt({ ids: [id as Id] }, knownAt);
  const limit = found as unknown as Limit | undefined;
  const isSeen = limit !== undefined && canSeeReportingEntity(work.store.scope.visibleClients, limit.reportingEntity);
  if (!isSeen) throw notFound(limitResource);
  return limit;
}

/** The statuses of all limits of a client, oldest first. */
export async function listLimitStatuses(
  work: Work,
  { client, limit }: { client: string; limit: number },
): Promise<ResultPage<ReportedLimitStatus>> {
  const [{ records: limits, hasMore }, bases] = await Promise.all([
    listRecords(work, limitRules, { where: { client }, limit }),
    listReportBases(work, client, {}),
  ]);
  return { records: await limitStatuses(work, { client: client as Id, limits, bases }, {}), hasMore };
}

interface LimitStatusQuery {
  readonly client: Id;
  readonly limits: readonly Limit[];
  readonly bases: readonly ReportBasis[];
}

async function limitStatuses(
  work: Work,
  { client, limits, bases }: LimitStatusQuery,
  { knownAt }: ReportMoment,
): Promise<ReportedLimitStatus[]> {
  const [known, gone] = await Promise.all([
    work.store.limitStates.listKnown(client, knownAt),
    findGoneNames(work, limits, knownAt),
  ]);
  const recorded = new Map(known.map((state) => [`${state.limit} ${state.reportingEntity}`, state]));
  const outcomes = bases.flatMap((basis) => limitOutcomes(basis, { limits, gone, day: latestDay(basis) }));
  const byLimit = Map.groupBy(outcomes, ({ limit }) => limit);
  return limits.map((limit) => {
    const ownOutcomes = (byLimit.get(limit) ?? []).map((outcome) => ({
      outcome,
      state: findUnchangedState(recorded, outcome),
    }));
    return {
      limitId: limit.id,
      kind: limit.kind,
      asOf: statusMoment(work, bases, knownAt),
      roundId: latestRound(ownOutcomes.flatMap(({ state }) => state?.round ?? [])),
      reportingEntities: ownOutcomes.map(({ outcome, state }) => entityStatus(outcome, state)),
    };
  });
}

/** The recorded state, if it agrees with the present outcome. */
function findUnchangedState(
  recorded: ReadonlyMap<string, RecordedState>,
  { limit, reportingEntity, state, reason }: LimitOutcome,
): RecordedState | undefined {
  const found = recorded.get(`${limit.id} ${reportingEntity}`);
  return found?.state === state && found.reason === reason ? found : undefined;
}

function latestRound(rounds: readonly Id[]): Id | null {
  return rounds.toSorted().at(-1) ?? null;
}

function entityStatus(outcome: LimitOutcome, state: RecordedState | undefined): ReportedEntityStatus {
  const { reportingEntity: reportingEntityId, limit: _limit, ...figures } = outcome;
  return { reportingEntityId, ...figures, since: state?.since ?? null };
}

/** Each reporting entity is evaluated on its own latest day with data; the latest of these days counts. Today if there are no data. */
function statusMoment({ context: { timeZone }, now }: Work, bases: readonly ReportBasis[], knownAt = now): number {
  const days = bases.flatMap((basis) => findLatestDay(basis) ?? []);
  return endOfDay(days.length === 0 ? dayOfMoment(knownAt, timeZone) : greatestOf(days), timeZone);
}
