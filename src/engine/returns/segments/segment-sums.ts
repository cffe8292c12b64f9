// Sums the columns of all segments of several axes. Exact sums do not depend on their order: if the segments of one axis lie
// within those of another, the latter are summed from them instead of from positions.

import type { Pieces } from '../../../kit/turns/pieces.ts';
import type { AmountColumn } from '../../amounts/amount-column.ts';
import type { AxisSegments } from './axis-segments.ts';
import { SegmentColumns, type PositionColumns } from './segment-columns.ts';

export interface ColumnSource {
  /** Called once. A blank column may be passed in to be reused for the values. */
  columns(reusable?: AmountColumn): Pieces<PositionColumns>;
}

/** By axis and segment. Asks positions for their columns in order. A piece is a position, or a segment that is added to another. */
export function* segmentSums(
  axes: readonly AxisSegments[],
  positions: readonly ColumnSource[],
  blank: AmountColumn,
): Pieces<readonly (readonly SegmentColumns[])[]> {
  const all = [...axes, ...jointAxes(axes, positions.length)];
  const sums = all.map(({ keys }) => keys.map(() => new SegmentColumns(blank)));
  const sumSteps = sumPlan(all);
  let reusable: AmountColumn | undefined;
  // A function is compiled once; a loop with the same body would be compiled again in every pass.
  const addPosition = (columns: PositionColumns, position: number): void => {
    for (const axis of sumSteps.fromPositions) {
      for (const segment of all[axis]!.segmentsOf(position)) sums[axis]![segment]!.add(columns);
    }
    const [finest] = all[sumSteps.finest]!.segmentsOf(position);
    reusable = sums[sumSteps.finest]![finest!]!.takeOver(columns);
    reusable?.clear();
  };
  for (const [position, source] of positions.entries()) {
    addPosition(yield* source.columns(reusable), position);
    yield;
  }
  for (const { axis, source, parents } of sumSteps.fromSegments) {
    for (const [segment, parent] of parents.entries()) {
      sums[axis]![parent]!.addSegment(sums[source]![segment]!);
      yield;
    }
  }
  return sums;
}

/** The number of positions per segment from which a joint axis is worth its columns. */
const positionsPerJointMin = 8;

/** Joins axes that do not lie within each other: both are summed from the few segments of the joint axis. */
function jointAxes(axes: readonly AxisSegments[], positionCount: number): readonly AxisSegments[] {
  const roots = axes.filter(
    (axis) => axis.isPartition && !axes.some((other) => other !== axis && other.findParents(axis)),
  );
  const [coarsest, ...others] = roots.toSorted((one, other) => one.keys.length - other.keys.length);
  const joints: AxisSegments[] = [];
  for (const other of others) {
    const joint = (joints.at(-1) ?? coarsest!).intersectWith(other);
    if (joint.keys.length * positionsPerJointMin <= positionCount) joints.push(joint);
  }
  return joints;
}

interface SumPlan {
  /** The partition with the most segments. */
  readonly finest: number;
  readonly fromPositions: readonly number[];
  /** A source comes before what is summed from it. */
  readonly fromSegments: readonly SegmentSumSource[];
}

interface SegmentSumSource {
  readonly axis: number;
  readonly source: number;
  readonly parents: Int32Array;
}

function sumPlan(axes: readonly AxisSegments[]): SumPlan {
  const segmentCount = (axis: number) => axes[axis]!.keys.length;
  const byCount = [...axes.keys()]
    .filter((axis) => axes[axis]!.isPartition)
    .toSorted((a, b) => segmentCount(b) - segmentCount(a));
  const fromSegments = byCount.flatMap((axis, rank) => {
    const finer = byCount.slice(0, rank).toReversed();
    for (const source of finer) {
      const parents = axes[source]!.findParents(axes[axis]!);
      if (parents) return [{ axis, source, parents }];
    }
    return [];
  });
  const [finest] = byCount;
  const others = new Set([finest, ...fromSegments.map(({ axis }) => axis)]);
  return { finest: finest!, fromPositions: [...axes.keys()].filter((axis) => !others.has(axis)), fromSegments };
}
