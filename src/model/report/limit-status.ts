// The state of limits: compliant or breached, with the distance to their bounds.

import { amount, anyInteger, anyText, instant, nullable, oneOf, type ValueOf } from '../../kit/field.ts';
import { listOf, member, objectOf } from '../../kit/structured-field.ts';
import { limitKinds } from '../limit/limit.ts';
import { explanationsMember } from './explanation.ts';
import { asOfMember, reportingEntityIdMember } from './holding.ts';

export const limitStates = ['compliant', 'breached', 'not_evaluable'] as const;
const stateMember = member(
  oneOf(limitStates),
  '`not_evaluable` if it cannot be determined, for the given reason. A value exactly at a bound is compliant.',
);

const valueMembers = {
  currentValue: member(
    nullable(amount),
    'The market value of the holdings that the limit covers, in the reference currency or as a fraction of the total. Null if it cannot be determined.',
  ),
  headroomToMin: member(nullable(amount), '`current_value` − `min`; negative if the bound is breached.'),
  headroomToMax: member(nullable(amount), '`max` − `current_value`; negative if the bound is breached.'),
  headroom: member(nullable(amount), 'The smaller of the two.'),
  unclassifiedValue: member(
    nullable(amount),
    'For a limit whose filter names classes: the market value of the holdings that have no class, in the same unit as `current_value`. The limit may not count what belongs to it. Null for other limits, or if it cannot be determined.',
  ),
  state: stateMember,
  reason: member(
    nullable(anyText),
    'Why it cannot be determined: `no-value` if the total value is zero or negative, so that there are no shares of it; `fx-rate-missing`; or `names-nothing` if the filter names a class, an instrument, a portfolio or a custodian that does not exist or no longer does.',
  ),
  detail: member(nullable(anyText), 'The reason in a sentence.'),
} as const;

const boundMembers = {
  min: member(nullable(amount), 'The lower bound: an amount, or a fraction.'),
  max: member(nullable(amount), 'The upper bound.'),
} as const;

const { currentValue, ...rest } = valueMembers;

const matchesMember = member(
  nullable(anyInteger),
  'How many holdings the filter matches: a limit that matches none may name the wrong things. Null if the limit cannot be evaluated.',
);

const entityStatusMembers = {
  reportingEntityId: reportingEntityIdMember,
  currentValue,
  ...boundMembers,
  ...rest,
  since: member(
    nullable(instant),
    'Since when calculation rounds have found this state. Null until a round has found it.',
  ),
} as const;
const entityStatusShape = objectOf(entityStatusMembers);

export const explainedLimitFigures = [
  'currentValue',
  'headroomToMin',
  'headroomToMax',
  'headroom',
  'unclassifiedValue',
] as const;
const explainedEntityStatusShape = objectOf({
  ...entityStatusMembers,
  matches: matchesMember,
  explanations: explanationsMember(explainedLimitFigures),
});

const kindMember = member(oneOf(limitKinds), 'Whether values and bounds are fractions or amounts.');

const limitStatusMembers = {
  limitId: member(anyText, 'The limit.'),
  kind: kindMember,
  asOf: asOfMember,
  roundId: member(
    nullable(anyText),
    'The last calculation round that found one of these states. Null before the first round.',
  ),
};

const entitiesText = 'One for each reporting entity of the limit, by id.';

/** One limit at all of its reporting entities. */
export const limitStatusShape = objectOf({
  ...limitStatusMembers,
  reportingEntities: member(listOf(entityStatusShape), entitiesText),
});

/** The same with explanations. */
export const explainedLimitStatusShape = objectOf({
  ...limitStatusMembers,
  reportingEntities: member(listOf(explainedEntityStatusShape), entitiesText),
});

export type ReportedLimitStatus = Omit<ValueOf<typeof limitStatusShape>, 'reportingEntities'> & {
  readonly reportingEntities: readonly ReportedEntityStatus[];
};
export type ReportedEntityStatus = ValueOf<typeof entityStatusShape> & Pick<ReportedLimitOutcome, 'matches'>;

const outcomeShape = objectOf({ ...valueMembers, matches: matchesMember });

const checkedEntityShape = objectOf({
  reportingEntityId: reportingEntityIdMember,
  ...boundMembers,
  resultingMin: member(nullable(amount), 'The lower bound with what was proposed; `min` if that was not changed.'),
  resultingMax: member(nullable(amount), 'The upper bound with what was proposed.'),
  present: member(outcomeShape, 'The present state.'),
  resulting: member(outcomeShape, 'The state after the proposed transactions, within the resulting bounds.'),
});

/** One limit before and after what was proposed. */
export const limitCheckShape = objectOf({
  limitId: member(anyText, 'The limit.'),
  kind: kindMember,
  reportingEntities: member(listOf(checkedEntityShape), 'One for each reporting entity of the limit, by id.'),
});

export type ReportedLimitCheck = ValueOf<typeof limitCheckShape>;
export type ReportedLimitOutcome = ValueOf<typeof outcomeShape>;
