// What a round finds of a limit, as it is kept. Knows not when rounds are made.

import { fromFixed, type Fixed } from '../../kit/fixed.ts';
import type { FoundState } from '../../store/resources/limit-states.ts';
import type { LimitOutcome } from './limit-outcome.ts';

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
