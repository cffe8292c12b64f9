// Evaluates a client for a round: every limit at every reporting entity, the value of the holdings and which of them have changed, and the
// number of findings. Reads only.

import { append } from '../../kit/memory/long-list.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { defined } from '../../kit/assert.ts';
import { fromDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import { fixedText } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { MissingRateError } from '../../engine/currencies/exchange-rates.ts';
import { findings } from '../../engine/history/findings.ts';
import { coveredPositions, holdings, type Holding } from '../../engine/history/holdings.ts';
import type { RoundProgress } from '../../model/limit/calculation-round.ts';
import { client as clientResource } from '../../model/structure/client.ts';
import { limit as limitResource, type Limit } from '../../model/limit/limit.ts';
import { reportingEntity as entityResource } from '../../model/structure/reporting-entity.ts';
import type { AppContext } from '../core/context.ts';
import { findGoneNames } from '../limits/limit-names.ts';
import { appliesTo, limitOutcomes } from '../limits/limit-outcome.ts';
import { recordedState } from '../limits/recorded-state.ts';
import { digest } from '../reports/inputs/digest.ts';
import { listReportBasesIn, type ReportBasis, type ReportSnapshotWork } from '../reports/report-basis.ts';
import { latestDay } from '../reports/latest-day.ts';
import { endOfDay } from '../reports/report-day.ts';
import type { DayReport } from '../reports/day-report.ts';
import { totalWorth } from '../reports/holdings.ts';
import { countNotAccepted } from '../reconciliation/reconciliation-break.ts';
import { listBreaks, reconcileClientIn } from '../reconciliation/reconcile-client.ts';
import { findHoldingAudience, listHoldingChanges, type HoldingAudience } from './holding-changes.ts';
import type {
  ClientProgress,
  EntityValuation,
  HoldingChange,
  RoundEvaluation,
  RoundInput,
  RoundOutcome,
  RoundsInput,
  RoundState,
} from './round-outcome.ts';
import { serviceAuthor, openReadWork, openTurn, readInSnapshot } from '../core/work.ts';

/** More than any client is expected to have. */
const listMax = 100_000;

/** Undefined where the client is gone. */
export async function evaluateRound(
  context: AppContext,
  { tenant, client }: RoundInput,
  reportProgress: (progress: RoundProgress) => void,
): Promise<RoundOutcome | undefined> {
  const work = openReadWork(context, serviceAuthor(tenant));
  return readInSnapshot(work, (snapshot) => evaluateClient(snapshot, client, reportProgress));
}

/**
 * Evaluates several clients of a tenant from one snapshot, so that their statements share trips to the database. One that fails is tried
 * once more alone, since a failed statement ends the snapshot for all.
 */
export async function evaluateRounds(
  context: AppContext,
  { tenant, clients }: RoundsInput,
  reportProgress: (progress: ClientProgress) => void,
): Promise<readonly RoundEvaluation[]> {
  const work = openReadWork(context, serviceAuthor(tenant));
  const progressOf = (client: Id) => (progress: RoundProgress) => reportProgress({ client, ...progress });
  const settled = await readInSnapshot(work, (snapshot) =>
    Promise.allSettled(clients.map((client) => evaluateClient(snapshot, client, progressOf(client)))),
  ).catch((error: unknown) => clients.map(() => ({ status: 'rejected', reason: error }) as const));
  const evaluations: RoundEvaluation[] = [];
  for (const [index, client] of clients.entries()) {
    const one = defined(settled[index], 'each client is evaluated');
    if (one.status === 'fulfilled') evaluations.push({ outcome: one.value });
    else
      evaluations.push(
        await evaluateRound(context, { tenant, client }, progressOf(client)).then(
          (outcome) => ({ outcome }),
          (error: unknown) => ({ error }),
        ),
      );
  }
  return evaluations;
}

async function evaluateClient(
  work: ReportSnapshotWork,
  client: Id,
  reportProgress: (progress: RoundProgress) => void,
): Promise<RoundOutcome | undefined> {
  const [limits, audience] = await Promise.all([
    work.store.table(limitResource).list({ where: { client }, limit: listMax }),
    findHoldingAudience(work, client),
  ]);
  const gone = await findGoneNames(work, limits);
  const evaluation = { work, client, limits, gone, audience, reportProgress };
  try {
    const figures = await evaluateFigures(evaluation);
    const figuresDigest = digestOf(figures);
    const outcome = { ...figures, figuresDigest, areFiguresNew: figuresDigest !== audience.formerDigest };
    const breaks = listBreaks(await reconcileClientIn(work, { client }));
    const openBreaks = await countNotAccepted(work, client, breaks);
    return { ...outcome, breaks, findings: outcome.findings + openBreaks };
  } catch (error) {
    if (error instanceof Refusal && error.code === `${clientResource.type}-not-found`) return undefined;
    throw error;
  }
}

/** Leaves out the day: that another one has begun changes no figure by itself. */
function digestOf({ ledgerVersion, valuations }: FiguresOutcome): string {
  return digest(JSON.stringify([ledgerVersion, valuations.map(({ date: _date, ...valuation }) => valuation)]));
}

type FiguresOutcome = Omit<RoundOutcome, 'figuresDigest' | 'areFiguresNew'>;

async function evaluateFigures(evaluation: Evaluation): Promise<FiguresOutcome> {
  try {
    return await evaluateScopes(evaluation, await listReportBasesIn(evaluation.work, evaluation.client, {}));
  } catch (error) {
    if (error instanceof MissingRateError) return outcomeWithoutRate(evaluation);
    throw error;
  }
}

interface Evaluation {
  readonly work: ReportSnapshotWork;
  readonly client: Id;
  readonly limits: readonly Limit[];
  readonly gone: ReadonlySet<string>;
  readonly audience: HoldingAudience;
  reportProgress(progress: RoundProgress): void;
}

async function evaluateScopes(evaluation: Evaluation, bases: readonly ReportBasis[]): Promise<FiguresOutcome> {
  const { work, limits, gone, audience, reportProgress } = evaluation;
  const states: RoundState[] = [];
  const valuations: EntityValuation[] = [];
  const holdingChanges: HoldingChange[] = [];
  let [heldCount, findingCount] = [0, 0];
  for (const [done, basis] of bases.entries()) {
    reportProgress({ done, total: bases.length });
    const day = latestDay(basis);
    append(states, limitOutcomes(basis, { limits, gone, day }).map(recordedState));
    const { held, holdingCount, findingCount: entityFindings } = valueHoldings(basis, day);
    const turn = openTurn(work, basis.history.rows.count);
    if (held !== undefined) {
      const report = { basis, day, asOf: endOfDay(day, basis.timeZone), holdings: held, turn };
      valuations.push(entityValuation(report));
      append(holdingChanges, await listHoldingChanges(work, report, audience));
    }
    heldCount += holdingCount;
    findingCount += entityFindings;
    await (turn.pause() ?? nextTurn());
  }
  const ledgerVersion = bases[0]?.ledgerVersion ?? null;
  const counts = { holdings: heldCount, findings: findingCount };
  return { ...roundOutcome(evaluation, bases.length, states), ...counts, valuations, holdingChanges, ledgerVersion };
}

function entityValuation({ basis, day, holdings: held }: DayReport): EntityValuation {
  const { reportingEntity, currency } = basis;
  const { marketValue } = totalWorth(held);
  return {
    reportingEntity,
    currency,
    date: fromDayNumber(day),
    marketValue: fixedText(marketValue),
    holdings: held.length,
  };
}

interface ValuedHoldings {
  /** Undefined where an exchange rate is missing. */
  readonly held?: readonly Holding[];
  readonly holdingCount: number;
  readonly findingCount: number;
}

/** Findings are those of today. Counts a missing exchange rate as the one finding: the others cannot be found without it. */
function valueHoldings({ history, places, today }: ReportBasis, day: Day): ValuedHoldings {
  const query = { day, covers: places.covers };
  try {
    const held = holdings(history, query);
    return { held, holdingCount: held.length, findingCount: findings(history, { ...query, day: today }).length };
  } catch (error) {
    if (!(error instanceof MissingRateError)) throw error;
    return { holdingCount: coveredPositions(history, places.covers).length, findingCount: 1 };
  }
}

/** The outcome where the ledger cannot be read without the rate, since it does not know the costs. */
async function outcomeWithoutRate(evaluation: Evaluation): Promise<FiguresOutcome> {
  const { work, client, limits } = evaluation;
  const entities = await work.store.table(entityResource).list({ where: { client }, limit: listMax });
  const states = entities.flatMap(({ id }) =>
    limits.filter((one) => appliesTo(one, id)).map((one) => notEvaluable(one, id)),
  );
  return { ...roundOutcome(evaluation, entities.length, states), findings: 1 };
}

function notEvaluable({ id, kind }: Limit, reportingEntity: Id): RoundState {
  const nothing = { currentValue: null, bound: null, boundValue: null };
  return { limit: id, reportingEntity, kind, state: 'not_evaluable', reason: 'fx-rate-missing', ...nothing };
}

function roundOutcome(
  { audience }: Evaluation,
  reportingEntities: number,
  states: readonly RoundState[],
): FiguresOutcome {
  const breaches = states.filter(({ state }) => state === 'breached').length;
  const announced = { holdingSubscribers: audience.subscribers, isAnnouncedOutdated: audience.isOutdated };
  const nothing = { holdings: 0, findings: 0, valuations: [], holdingChanges: [], breaks: [], ledgerVersion: null };
  return { reportingEntities, limits: states.length, breaches, states, ...announced, ...nothing };
}
