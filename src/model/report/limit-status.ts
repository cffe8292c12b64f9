// How limits are kept, as reports answer it. Knows no holding and no wire.

import {
  amountShape,
  arrayShape,
  shapeMember,
  instantShape,
  nullableShape,
  objectShape,
  enumShape,
  textShape,
  type ShapeValue,
} from '../../kit/shape.ts';
import { limitKinds } from '../limit/limit.ts';
import { asOfMember, reportingEntityIdMember } from './holding.ts';

export const limitStates = ['compliant', 'breached', 'not_evaluable'] as const;
export type ReportedLimitState = (typeof limitStates)[number];

const stateMember = shapeMember(
  enumShape(limitStates),
  '`not_evaluable` where it cannot be told, for the reason beside it. A value that is exactly at a bound keeps it.',
);

const valueMembers = {
  currentValue: shapeMember(
    nullableShape(amountShape),
    'The market value of the holdings that the limit speaks of, in the reference currency, or as a fraction of the whole. None where it cannot be told.',
  ),
  headroomToMin: shapeMember(nullableShape(amountShape), 'current_value − min: negative by how much it is broken.'),
  headroomToMax: shapeMember(nullableShape(amountShape), 'max − current_value: negative by how much it is broken.'),
  headroom: shapeMember(nullableShape(amountShape), 'The smaller of the two.'),
  state: stateMember,
  reason: shapeMember(
    nullableShape(textShape),
    'Why it cannot be told: `no-value`, where all that is held is worth nothing or less and nothing can be a share of it; `fx-rate-missing`.',
  ),
  detail: shapeMember(nullableShape(textShape), 'The same for people.'),
} as const;

const boundMembers = {
  min: shapeMember(nullableShape(amountShape), 'The lower bound: an amount, or a fraction.'),
  max: shapeMember(nullableShape(amountShape), 'The upper bound.'),
} as const;

const { currentValue, ...rest } = valueMembers;

const entityStatusShape = objectShape({
  reportingEntityId: reportingEntityIdMember,
  currentValue,
  ...boundMembers,
  ...rest,
  since: shapeMember(
    nullableShape(instantShape),
    'Since when rounds of calculation have found this state. None until a round has found it.',
  ),
});

const kindMember = shapeMember(enumShape(limitKinds), 'Whether values and bounds are fractions or amounts.');

/** One limit at all reporting entities that it is for. */
export const limitStatusShape = objectShape({
  limitId: shapeMember(textShape, 'The limit.'),
  kind: kindMember,
  asOf: asOfMember,
  roundId: shapeMember(
    nullableShape(textShape),
    'The last round of calculation that found one of these states. None before the first.',
  ),
  reportingEntities: shapeMember(arrayShape(entityStatusShape), 'One for each reporting entity that it is for, by id.'),
});

export type ReportedLimitStatus = ShapeValue<typeof limitStatusShape>;
export type ReportedEntityStatus = ShapeValue<typeof entityStatusShape>;

const outcomeShape = objectShape(valueMembers);

const checkedEntityShape = objectShape({
  reportingEntityId: reportingEntityIdMember,
  ...boundMembers,
  present: shapeMember(outcomeShape, 'As it is.'),
  resulting: shapeMember(outcomeShape, 'As it would be.'),
});

/** One limit before and after what is proposed. */
export const limitCheckShape = objectShape({
  limitId: shapeMember(textShape, 'The limit.'),
  kind: kindMember,
  reportingEntities: shapeMember(
    arrayShape(checkedEntityShape),
    'One for each reporting entity that it is for, by id.',
  ),
});

export type ReportedLimitCheck = ShapeValue<typeof limitCheckShape>;
export type ReportedLimitOutcome = ShapeValue<typeof outcomeShape>;
