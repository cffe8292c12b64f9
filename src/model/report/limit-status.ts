// How limits are kept, as reports answer it. Knows no holding and no wire.

import { amount, listOf, member, moment, nullable, objectOf, oneOfWords, word, type Shaped } from '../../kit/shape.ts';
import { limitKinds } from '../limit/limit.ts';
import { asOfMember, reportingEntityIdMember } from './holding.ts';

export const limitStates = ['compliant', 'breached', 'not_evaluable'] as const;
export type LimitState = (typeof limitStates)[number];

const stateMember = member(
  oneOfWords(limitStates),
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
    nullable(word),
    'Why it cannot be told: `no-value`, where all that is held is worth nothing or less and nothing can be a share of it; `fx-rate-missing`.',
  ),
  detail: member(nullable(word), 'The same for people.'),
} as const;

const boundMembers = {
  min: member(nullable(amount), 'The lower bound: an amount, or a fraction.'),
  max: member(nullable(amount), 'The upper bound.'),
} as const;

const { currentValue, ...rest } = valueMembers;

const entityStatus = objectOf({
  reportingEntityId: reportingEntityIdMember,
  currentValue,
  ...boundMembers,
  ...rest,
  since: member(
    nullable(moment),
    'Since when rounds of calculation have found this state. None until a round has found it.',
  ),
});

const kindMember = member(oneOfWords(limitKinds), 'Whether values and bounds are fractions or amounts.');

/** One limit at all reporting entities that it is for. */
export const limitStatus = objectOf({
  limitId: member(word, 'The limit.'),
  kind: kindMember,
  asOf: asOfMember,
  roundId: member(
    nullable(word),
    'The last round of calculation that found one of these states. None before the first.',
  ),
  reportingEntities: member(listOf(entityStatus), 'One for each reporting entity that it is for, by id.'),
});

export type ReportedLimitStatus = Shaped<typeof limitStatus>;
export type ReportedEntityStatus = Shaped<typeof entityStatus>;

const outcome = objectOf(valueMembers);

const checkedEntity = objectOf({
  reportingEntityId: reportingEntityIdMember,
  ...boundMembers,
  present: member(outcome, 'As it is.'),
  resulting: member(outcome, 'As it would be.'),
});

/** One limit before and after what is proposed. */
export const limitCheck = objectOf({
  limitId: member(word, 'The limit.'),
  kind: kindMember,
  reportingEntities: member(listOf(checkedEntity), 'One for each reporting entity that it is for, by id.'),
});

export type ReportedLimitCheck = Shaped<typeof limitCheck>;
export type ReportedOutcome = Shaped<typeof outcome>;
