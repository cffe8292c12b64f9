// How wealth is divided along one axis or two, as reports answer it. Knows no axis by name.

import { amount, anyText, type ValueOf } from '../../kit/field.ts';
import { listOf, member, objectOf } from '../../kit/structured-field.ts';
import { segmentMembers, shareMember } from './holding.ts';

const marketValue = member(amount, 'What it is worth, in the reference currency.');

const segmentShape = objectOf(segmentMembers);

export const allocationCellShape = objectOf({
  segments: member(listOf(segmentShape), 'One segment of each axis, in the order in which the axes were asked for.'),
  marketValue,
  share: shareMember,
});
export type AllocationCell = ValueOf<typeof allocationCellShape>;

export const allocationMarginShape = objectOf({
  axis: member(anyText, 'The axis.'),
  segments: member(
    listOf(objectOf({ ...segmentMembers, marketValue, share: shareMember })),
    'Its segments, each with all that lies in it.',
  ),
});
export type AllocationMargin = ValueOf<typeof allocationMarginShape>;
