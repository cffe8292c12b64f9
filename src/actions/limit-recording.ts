// What rounds find of limits, kept where it is another than before. Knows not when rounds are made.

import { fromFixed, type Fixed } from '../kit/fixed.ts';
import type { Id } from '../kit/id.ts';
import { limit as limitResource, type Limit } from '../model/limit.ts';
import type { FoundState } from '../store/limit-states.ts';
import { limitOutcomes, type LimitOutcome } from './limit-outcome.ts';
import type { ReportScope } from './report/open-report.ts';
import { reportDay } from './report/report-day.ts';
import type { Work } from './work.ts';

export interface RecordedLimits {
  readonly limitCount: number;
  /** How many are broken, at however many reporting entities. */
  readonly breachCount: number;
}

/** As many limits as a client can be expected never to have. */
const limitsMax = 100_000;

/** `scopes` are all reporting entities of the client. */
export async function recordLimits(
  work: Work,
  scopes: readonly ReportScope[],
  { client, round }: { client: Id; round: Id | null },
): Promise<RecordedLimits> {
  const { store, now, ids } = work;
  const limits: readonly Limit[] = await store.table(limitResource).list({ where: { client }, limit: limitsMax });
  const outcomes = scopes.flatMap((scope) => limitOutcomes(scope, limits, reportDay(undefined, scope)));
  const found = outcomes.map((outcome): FoundState => ({ id: ids.next(), ...stateOf(outcome) }));
  await store.limitStates.record(found, { client, round, now });
  return { limitCount: limits.length, breachCount: found.filter(({ state }) => state === 'breached').length };
}

/** As it is kept. */
export function stateOf(outcome: LimitOutcome): Omit<FoundState, 'id'> {
  const { limit, reportingEntity, state, reason, currentValue, headroom, headroomToMin, min, max } = outcome;
  const bound = headroom === null ? null : headroom === headroomToMin ? 'min' : 'max';
  return {
    limit: limit.id,
    reportingEntity,
    kind: limit.kind,
    state,
    reason,
    currentValue: decimalOf(currentValue),
    bound,
    boundValue: bound === null ? null : decimalOf(bound === 'min' ? min : max),
  };
}

function decimalOf(value: Fixed | null): FoundState['currentValue'] {
  return value === null ? null : fromFixed(value);
}
