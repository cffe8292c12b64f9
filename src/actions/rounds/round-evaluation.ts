// What a round finds: every limit of a client at every reporting entity, what is held, and what somebody should look at. Writes
// nothing. Knows not whose round it is.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { fromDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import { fromFixed, type Fixed } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { RateMissing } from '../../engine/currencies/exchange-rates.ts';
import { findings } from '../../engine/history/findings.ts';
import { coveredPositions, holdings } from '../../engine/history/holdings.ts';
import type { RoundProgress } from '../../model/limit/calculation-round.ts';
import { client as clientResource } from '../../model/structure/client.ts';
import { limit as limitResource, type Limit } from '../../model/limit/limit.ts';
import { reportingEntity as entityResource } from '../../model/structure/reporting-entity.ts';
import type { House } from '../core/context.ts';
import { isFor, limitOutcomes } from '../limits/limit-outcome.ts';
import { stateOf } from '../limits/recorded-state.ts';
import { openReportsOfClient, type ReportScope } from '../reports/report-basis.ts';
import { reportDay } from '../reports/report-day.ts';
import type { RoundOutcome, RoundState, ValuedEntity } from './round.ts';
import type { Tenant } from '../core/tenant-wake-ups.ts';
import { ownDoing, readingWork, type Work } from '../core/work.ts';

/** Can be handed over to another thread, as can what comes of it. */
export interface RoundQuestion {
  readonly tenant: Tenant;
  readonly client: Id;
}

/** As many as a client can be expected never to have. */
const listMax = 100_000;

/** Undefined where the client is gone. */
export async function evaluateRound(
  house: House,
  { tenant, client }: RoundQuestion,
  tell: (progress: RoundProgress) => void,
): Promise<RoundOutcome | undefined> {
  const work = readingWork(house, ownDoing(tenant));
  // Before the rest: whoever changes one later marks the client again.
  const limits: readonly Limit[] = await work.store.table(limitResource).list({ where: { client }, limit: listMax });
  try {
    const scopes = await openReportsOfClient(work, client, {});
    return await foundIn(scopes, limits, tell);
  } catch (error) {
    if (error instanceof RateMissing) return withoutRate(work, client, limits);
    if (error instanceof Refusal && error.code === `${clientResource.type}-not-found`) return undefined;
    throw error;
  }
}

async function foundIn(
  scopes: readonly ReportScope[],
  limits: readonly Limit[],
  tell: (progress: RoundProgress) => void,
): Promise<RoundOutcome> {
  const states: RoundState[] = [];
  const valued: ValuedEntity[] = [];
  let [heldCount, findingCount] = [0, 0];
  for (const [done, scope] of scopes.entries()) {
    tell({ done, total: scopes.length });
    const day = reportDay(undefined, scope);
    states.push(...limitOutcomes(scope, limits, day).map(stateOf));
    const counted = countIn(scope, day);
    if (counted.marketValue !== undefined) valued.push(valuedEntity(scope, day, counted));
    heldCount += counted.holdings;
    findingCount += counted.findings;
    await nextTurn();
  }
  const ledgerVersion = scopes[0]?.ledgerVersion ?? null;
  const counts = { holdings: heldCount, findings: findingCount };
  return { ...outcomeOf(scopes.length, states), ...counts, valued, ledgerVersion };
}

interface Counted {
  readonly holdings: number;
  readonly findings: number;
  /** Of all holdings, where a rate for each is known. */
  readonly marketValue?: Fixed;
}

function valuedEntity(scope: ReportScope, day: Day, { holdings: held, marketValue }: Counted): ValuedEntity {
  const { reportingEntity, currency } = scope;
  return { reportingEntity, currency, date: fromDayNumber(day), marketValue: fromFixed(marketValue!), holdings: held };
}

/** A rate that is missing is something to look at, and all else waits for it. */
function countIn({ history, places }: ReportScope, day: Day): Counted {
  const asked = { day, covers: places.covers };
  try {
    const held = holdings(history, asked);
    const marketValue = held.reduce((sum, one) => sum + one.marketValue, 0n);
    return { holdings: held.length, findings: findings(history, asked).length, marketValue };
  } catch (error) {
    if (!(error instanceof RateMissing)) throw error;
    return { holdings: coveredPositions(history, places.covers).length, findings: 1 };
  }
}

/** Without it not even the costs in the ledger are known. */
async function withoutRate({ store }: Work, client: Id, limits: readonly Limit[]): Promise<RoundOutcome> {
  const entities = await store.table(entityResource).list({ where: { client }, limit: listMax });
  const states = entities.flatMap(({ id }) => limits.filter((one) => isFor(one, id)).map((one) => unknown(one, id)));
  return { ...outcomeOf(entities.length, states), findings: 1 };
}

function unknown({ id, kind }: Limit, reportingEntity: Id): RoundState {
  const nothing = { currentValue: null, bound: null, boundValue: null };
  return { limit: id, reportingEntity, kind, state: 'not_evaluable', reason: 'fx-rate-missing', ...nothing };
}

function outcomeOf(reportingEntities: number, states: readonly RoundState[]): RoundOutcome {
  const breaches = states.filter(({ state }) => state === 'breached').length;
  const nothing = { holdings: 0, findings: 0, valued: [], ledgerVersion: null };
  return { reportingEntities, limits: states.length, breaches, states, ...nothing };
}
