// How limits are kept, as reports answer it. Knows no holding and no wire.

import { amount, anyText, instant, nullable, oneOf, type ValueOf } from '../../kit/field.ts';
import { listOf, member, objectOf } from '../../kit/structured-field.ts';
import { limitKinds } from '../limit/limit.ts';
import { asOfMember, reportingEntityIdMember } from './holding.ts';

export const limitStates = ['compliant', 'breached', 'not_evaluable'] as const;
export type ReportedLimitState = (typeof limitStates)[number];

const stateMember = member(
  oneOf(limitStates),
  '`not_evaluable` where it cannot be told, for the reason beside it. A value that is exactly at a bound keeps it.',
);

const valueMembers = {
  currentValue: member(
    nullable(amount),
    'The market value of the holdings that the limit speaks of, in the reference currency, or as a fraction of the whole. None where it cannot be told.',
  ),
  headroomToMin: member(nullable(amount), 'current_value − min: negative by how much it is broken.'),
  headroomToMax: member(nullable(amount), 'max − current_value: negative by how much it is broken.'),
  headroom: member(nullable(amount), 'The smaller of the two.'),
  state: stateMember,
  reason: member(
    nullable(anyText),
    'Why it cannot be told: `no-value`, where all that is held is worth nothing or less and nothing can be a share of it; `fx-rate-missing`.',
  ),
  detail: member(nullable(anyText), 'The same for people.'),
} as const;

const boundMembers = {
  min: member(nullable(amount), 'The lower bound: an amount, or a fraction.'),
  max: member(nullable(amount), 'The upper bound.'),
} as const;

const { currentValue, ...rest } = valueMembers;

const entityStatusShape = objectOf({
  reportingEntityId: reportingEntityIdMember,
  currentValue,
  ...boundMembers,
  ...rest,
  since: member(
    nullable(instant),
    'Since when rounds of calculation have found this state. None until a round has found it.',
  ),
});

const kindMember = member(oneOf(limitKinds), 'Whether values and bounds are fractions or amounts.');

/** One limit at all reporting entities that it is for. */
export const limitStatusShape = objectOf({
  limitId: member(anyText, 'The limit.'),
  kind: kindMember,
  asOf: asOfMember,
  roundId: member(
    nullable(anyText),
    'The last round of calculation that found one of these states. None before the first.',
  ),
  reportingEntities: member(listOf(entityStatusShape), 'One for each reporting entity that it is for, by id.'),
});

export type ReportedLimitStatus = ValueOf<typeof limitStatusShape>;
export type ReportedEntityStatus = ValueOf<typeof entityStatusShape>;

const outcomeShape = objectOf(valueMembers);

const checkedEntityShape = objectOf({
  reportingEntityId: reportingEntityIdMember,
  ...boundMembers,
  present: member(outcomeShape, 'As it is.'),
  resulting: member(outcomeShape, 'As it would be.'),
});

/** One limit before and after what is proposed. */
export const limitCheckShape = objectOf({
  limitId: member(anyText, 'The limit.'),
  kind: kindMember,
  reportingEntities: member(listOf(checkedEntityShape), 'One for each reporting entity that it is for, by id.'),
});

export type ReportedLimitCheck = ValueOf<typeof limitCheckShape>;
export type ReportedLimitOutcome = ValueOf<typeof outcomeShape>;
