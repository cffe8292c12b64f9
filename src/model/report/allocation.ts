// How wealth is divided along one axis or two, as reports answer it. Knows no axis by name.

import { amountShape, arrayShape, shapeMember, objectShape, textShape, type ShapeValue } from '../../kit/shape.ts';
import { segmentMembers, shareMember } from './holding.ts';

const marketValue = shapeMember(amountShape, 'What it is worth, in the reference currency.');

const segmentShape = objectShape(segmentMembers);

export const allocationCellShape = objectShape({
  segments: shapeMember(
    arrayShape(segmentShape),
    'One segment of each axis, in the order in which the axes were asked for.',
  ),
  marketValue,
  share: shareMember,
});
export type AllocationCell = ShapeValue<typeof allocationCellShape>;

export const allocationMarginShape = objectShape({
  axis: shapeMember(textShape, 'The axis.'),
  segments: shapeMember(
    arrayShape(objectShape({ ...segmentMembers, marketValue, share: shareMember })),
    'Its segments, each with all that lies in it.',
  ),
});
export type AllocationMargin = ShapeValue<typeof allocationMarginShape>;
