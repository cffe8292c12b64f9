// Turns the outcome of a limit into the state that a round records.

import { fixedText, type Fixed } from '../../kit/fixed.ts';
import type { EvaluatedState } from '../../store/resources/limit-states.ts';
import type { LimitOutcome } from './limit-outcome.ts';

export function recordedState(outcome: LimitOutcome): Omit<EvaluatedState, 'id'> {
  const { limit, reportingEntity, state, reason, currentValue, headroom, headroomToMin, min, max } = outcome;
  const bound = headroom === null ? null : headroom === headroomToMin ? 'min' : 'max';
  return {
    limit: limit.id,
    reportingEntity,
    kind: limit.kind,
    state,
    reason,
    currentValue: textOrNull(currentValue),
    bound,
    boundValue: bound === null ? null : textOrNull(bound === 'min' ? min : max),
  };
}

function textOrNull(value: Fixed | null): string | null {
  return value === null ? null : fixedText(value);
}
