// How wealth is divided along one axis or two, as reports answer it. Knows no axis by name.

import { amount, listOf, member, objectOf, word, type Shaped } from '../../kit/shape.ts';
import { segmentMembers, shareMember } from './holding.ts';

const marketValue = member(amount, 'What it is worth, in the reference currency.');

const segment = objectOf(segmentMembers);

export const allocationCell = objectOf({
  segments: member(listOf(segment), 'One segment of each axis, in the order in which the axes were asked for.'),
  marketValue,
  share: shareMember,
});
export type AllocationCell = Shaped<typeof allocationCell>;

export const allocationMargin = objectOf({
  axis: member(word, 'The axis.'),
  segments: member(
    listOf(objectOf({ ...segmentMembers, marketValue, share: shareMember })),
    'Its segments, each with all that lies in it.',
  ),
});
export type AllocationMargin = Shaped<typeof allocationMargin>;
