// The allocation report: how wealth is divided along one or two axes.

import { amount, anyText, type ValueOf } from '../../kit/field.ts';
import { listOf, member, objectOf } from '../../kit/structured-field.ts';
import { explanationsMember } from './explanation.ts';
import { segmentMembers, shareMember } from './holding.ts';

export const explainedCellFigures = ['marketValue', 'share'] as const;
const explanations = explanationsMember(explainedCellFigures);

const marketValue = member(amount, 'Market value in the reference currency.');

const segmentShape = objectOf(segmentMembers);

export const allocationCellShape = objectOf({
  segments: member(listOf(segmentShape), 'One segment of each axis, in the order of `by`.'),
  marketValue,
  share: shareMember,
  explanations,
});
export type AllocationCell = ValueOf<typeof allocationCellShape>;

export const allocationMarginShape = objectOf({
  axis: member(anyText, 'The axis.'),
  segments: member(
    listOf(objectOf({ ...segmentMembers, marketValue, share: shareMember, explanations })),
    'Its segments, each with everything in it.',
  ),
});
export type AllocationMargin = ValueOf<typeof allocationMarginShape>;
