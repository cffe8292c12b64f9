// Evaluates a client for a round: every limit at every reporting entity, the value of the holdings, and the number of findings. Reads only.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { fromDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import { fromFixed, type Fixed } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { MissingRateError } from '../../engine/currencies/exchange-rates.ts';
import { findings } from '../../engine/history/findings.ts';
import { coveredPositions, holdings } from '../../engine/history/holdings.ts';
import type { RoundProgress } from '../../model/limit/calculation-round.ts';
import { client as clientResource } from '../../model/structure/client.ts';
import { limit as limitResource, type Limit } from '../../model/limit/limit.ts';
import { reportingEntity as entityResource } from '../../model/structure/reporting-entity.ts';
import type { AppContext } from '../core/context.ts';
import { appliesTo, limitOutcomes } from '../limits/limit-outcome.ts';
import { recordedState } from '../limits/recorded-state.ts';
import { listReportBases, type ReportBasis } from '../reports/report-basis.ts';
import { reportDay } from '../reports/report-day.ts';
import type { EntityValuation, RoundInput, RoundOutcome, RoundState } from './round-outcome.ts';
import { serviceAuthor, openReadWork, openTurn, type Work } from '../core/work.ts';

/** More than any client is expected to have. */
const listMax = 100_000;

/** Undefined where the client is gone. */
export async function evaluateRound(
  context: AppContext,
  { tenant, client }: RoundInput,
  reportProgress: (progress: RoundProgress) => void,
): Promise<RoundOutcome | undefined> {
  const work = openReadWork(context, serviceAuthor(tenant));
  // Reads the limits first: a later change of a limit flags the client again.
  const limits: readonly Limit[] = await work.store.table(limitResource).list({ where: { client }, limit: listMax });
  try {
    const bases = await listReportBases(work, client, {});
    return await evaluateScopes(work, bases, limits, reportProgress);
  } catch (error) {
    if (error instanceof MissingRateError) return outcomeWithoutRate(work, client, limits);
    if (error instanceof Refusal && error.code === `${clientResource.type}-not-found`) return undefined;
    throw error;
  }
}

async function evaluateScopes(
  work: Work,
  bases: readonly ReportBasis[],
  limits: readonly Limit[],
  reportProgress: (progress: RoundProgress) => void,
): Promise<RoundOutcome> {
  const states: RoundState[] = [];
  const valuations: EntityValuation[] = [];
  let [heldCount, findingCount] = [0, 0];
  for (const [done, basis] of bases.entries()) {
    reportProgress({ done, total: bases.length });
    const day = reportDay(undefined, basis);
    states.push(...limitOutcomes(basis, limits, day).map(recordedState));
    const entityCounts = countHoldings(basis, day);
    const { holdings: held, marketValue } = entityCounts;
    if (marketValue !== undefined) valuations.push(entityValuation(basis, day, { holdings: held, marketValue }));
    heldCount += held;
    findingCount += entityCounts.findings;
    await (openTurn(work, basis.history.rows.count).pause() ?? nextTurn());
  }
  const ledgerVersion = bases[0]?.ledgerVersion ?? null;
  const counts = { holdings: heldCount, findings: findingCount };
  return { ...roundOutcome(bases.length, states), ...counts, valuations, ledgerVersion };
}

interface EntityCounts {
  readonly holdings: number;
  readonly findings: number;
  /** Of all holdings; undefined where an exchange rate is missing. */
  readonly marketValue?: Fixed;
}

function entityValuation(
  basis: ReportBasis,
  day: Day,
  { holdings: held, marketValue }: { readonly holdings: number; readonly marketValue: Fixed },
): EntityValuation {
  const { reportingEntity, currency } = basis;
  return { reportingEntity, currency, date: fromDayNumber(day), marketValue: fromFixed(marketValue), holdings: held };
}

/** Counts a missing exchange rate as the one finding: the others cannot be found without it. */
function countHoldings({ history, places }: ReportBasis, day: Day): EntityCounts {
  const query = { day, covers: places.covers };
  try {
    const held = holdings(history, query);
    const marketValue = held.reduce((sum, one) => sum + one.marketValue, 0n);
    return { holdings: held.length, findings: findings(history, query).length, marketValue };
  } catch (error) {
    if (!(error instanceof MissingRateError)) throw error;
    return { holdings: coveredPositions(history, places.covers).length, findings: 1 };
  }
}

/** The outcome where the ledger cannot be read without the rate, since it does not know the costs. */
async function outcomeWithoutRate({ store }: Work, client: Id, limits: readonly Limit[]): Promise<RoundOutcome> {
  const entities = await store.table(entityResource).list({ where: { client }, limit: listMax });
  const states = entities.flatMap(({ id }) =>
    limits.filter((one) => appliesTo(one, id)).map((one) => notEvaluable(one, id)),
  );
  return { ...roundOutcome(entities.length, states), findings: 1 };
}

function notEvaluable({ id, kind }: Limit, reportingEntity: Id): RoundState {
  const nothing = { currentValue: null, bound: null, boundValue: null };
  return { limit: id, reportingEntity, kind, state: 'not_evaluable', reason: 'fx-rate-missing', ...nothing };
}

function roundOutcome(reportingEntities: number, states: readonly RoundState[]): RoundOutcome {
  const breaches = states.filter(({ state }) => state === 'breached').length;
  const nothing = { holdings: 0, findings: 0, valuations: [], ledgerVersion: null };
  return { reportingEntities, limits: states.length, breaches, states, ...nothing };
}
