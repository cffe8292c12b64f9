// How the market value of a reporting entity is divided along one axis or two: every cell, and the sums along each axis. Knows no
// wire.

import type { AllocationCell, AllocationMargin } from '../../model/report/allocation.ts';
import type { Holding } from '../../engine/history/holdings.ts';
import type { Work } from '../core/work.ts';
import type { Axis } from './segments/axis.ts';
import type { DayReport } from './day-report.ts';
import { shareOf, worthOf } from './holdings.ts';
import { readSegmentNames } from './segments/segment-names.ts';
import { segmentedBy } from './segments/segments.ts';

export interface Allocation {
  readonly cells: readonly AllocationCell[];
  readonly margins: readonly AllocationMargin[];
}

export async function allocationBy(work: Work, report: DayReport, axes: readonly Axis[]): Promise<Allocation> {
  const { scope, holdings } = report;
  const names = await readSegmentNames(work, scope, axes);
  const total = worthOf(holdings).marketValue;
  const worth = (some: readonly Holding[]) => {
    const { marketValue } = worthOf(some);
    return { marketValue, share: shareOf(marketValue, total) };
  };
  const cells = cellsAlong(axes, report).map(({ segments, some }) => ({
    segments: segments.map((segment, index) => names.tell(axes[index]!, segment)),
    ...worth(some),
  }));
  const margins = axes.map((axis) => ({
    axis,
    segments: segmentedBy(axis, scope, holdings).map(([segment, some]) => ({
      ...names.tell(axis, segment),
      ...worth(some),
    })),
  }));
  return { cells, margins };
}

interface Cell {
  readonly segments: readonly string[];
  readonly some: readonly Holding[];
}

/** Each axis divides what those before it have left together. */
function cellsAlong(axes: readonly Axis[], { scope, holdings }: DayReport): readonly Cell[] {
  const whole: readonly Cell[] = [{ segments: [], some: holdings }];
  return axes.reduce(
    (cells, axis) =>
      cells.flatMap(({ segments, some }) =>
        segmentedBy(axis, scope, some).map(([segment, those]) => ({ segments: [...segments, segment], some: those })),
      ),
    whole,
  );
}
