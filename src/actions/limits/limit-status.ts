// How limits are kept at present, or were as known at a moment: worked out when it is asked for, with since when rounds have found it
// so. Knows no wire.

import type { Id } from '../../kit/id.ts';
import { limit as limitResource, type Limit } from '../../model/limit/limit.ts';
import { seesReportingEntity } from '../../model/access/scope.ts';
import type { ReportedEntityStatus, ReportedLimitStatus } from '../../model/report/limit-status.ts';
import type { KnownState } from '../../store/resources/limit-states.ts';
import { limitRules } from './limit.ts';
import { limitOutcomes, type LimitOutcome } from './limit-outcome.ts';
import { openReport, openReportsOfClient, type ReportMoment, type ReportScope } from '../reports/report-basis.ts';
import { endOfDay, reportDay } from '../reports/report-day.ts';
import { getThing, listThings, notFound, type Page } from '../core/resource.ts';
import type { Work } from '../core/work.ts';

export async function getLimitStatus(work: Work, id: string, moment: ReportMoment): Promise<ReportedLimitStatus> {
  const limit = await getLimit(work, id, moment);
  const { reportingEntity, client } = limit;
  const scopes =
    reportingEntity === null
      ? await openReportsOfClient(work, client, moment)
      : [await openReport(work, reportingEntity, moment)];
  return (await statusesOf(work, { client, limits: [limit], scopes }, moment))[0]!;
}

/** As it is known now, or was known then. */
export async function getLimit(work: Work, id: string, { knownAt }: ReportMoment): Promise<Limit> {
  if (knownAt === undefined) return getThing(work, limitRules, id);
  const [found] = await work.store.thingVersions(limitResource).listKnownAt({ ids: [id as Id] }, knownAt);
  const limit = found as unknown as Limit | undefined;
  const isSeen = limit !== undefined && seesReportingEntity(work.store.reach.sight, limit.reportingEntity);
  if (!isSeen) throw notFound(limitResource);
  return limit;
}

/** All limits of a client, in the order of their creation. */
export async function listLimitStatuses(
  work: Work,
  { client, limit }: { client: string; limit: number },
): Promise<Page<ReportedLimitStatus>> {
  const [{ things: limits, hasMore }, scopes] = await Promise.all([
    listThings(work, limitRules, { where: { client }, limit }),
    openReportsOfClient(work, client, {}),
  ]);
  return { things: await statusesOf(work, { client: client as Id, limits, scopes }, {}), hasMore };
}

interface Asked {
  readonly client: Id;
  readonly limits: readonly Limit[];
  readonly scopes: readonly ReportScope[];
}

async function statusesOf(
  work: Work,
  { client, limits, scopes }: Asked,
  { knownAt }: ReportMoment,
): Promise<ReportedLimitStatus[]> {
  const known = await work.store.limitStates.listKnown(client, knownAt);
  const recorded = new Map(known.map((state) => [`${state.limit} ${state.reportingEntity}`, state]));
  const outcomes = scopes.flatMap((scope) => limitOutcomes(scope, limits, reportDay(undefined, scope)));
  const byLimit = Map.groupBy(outcomes, ({ limit }) => limit);
  return limits.map((limit) => {
    const own = (byLimit.get(limit) ?? []).map((outcome) => ({ outcome, state: sameAmong(recorded, outcome) }));
    return {
      limitId: limit.id,
      kind: limit.kind,
      asOf: asOfOf(work, scopes),
      roundId: lastOf(own.flatMap(({ state }) => state?.round ?? [])),
      reportingEntities: own.map(({ outcome, state }) => entityStatusOf(outcome, state)),
    };
  });
}

/** What rounds have found, where it is what is found now. */
function sameAmong(
  recorded: ReadonlyMap<string, KnownState>,
  { limit, reportingEntity, state, reason }: LimitOutcome,
): KnownState | undefined {
  const found = recorded.get(`${limit.id} ${reportingEntity}`);
  return found?.state === state && found.reason === reason ? found : undefined;
}

function lastOf(rounds: readonly Id[]): Id | null {
  return rounds.toSorted().at(-1) ?? null;
}

function entityStatusOf(outcome: LimitOutcome, state: KnownState | undefined): ReportedEntityStatus {
  const { reportingEntity: reportingEntityId, limit: _limit, ...figures } = outcome;
  return { reportingEntityId, ...figures, since: state?.since ?? null };
}

/** The books of a client end on one day, whatever of it is looked at. */
function asOfOf({ house, now }: Work, [scope]: readonly ReportScope[]): number {
  return scope === undefined ? now : endOfDay(reportDay(undefined, scope), house.timeZone);
}
