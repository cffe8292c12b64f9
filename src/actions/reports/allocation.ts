// Divides the market value of a reporting entity along one or two axes: every cell, and the sums along each axis.

import type { AllocationCell, AllocationMargin } from '../../model/report/allocation.ts';
import type { Holding } from '../../engine/history/holdings.ts';
import type { ReportedFigure } from '../../model/report/explanation.ts';
import type { Work } from '../core/work.ts';
import type { Axis } from './segments/axis.ts';
import type { DayReport } from './day-report.ts';
import { shareOfTotal, totalWorth } from './holdings.ts';
import { readSegmentNames } from './segments/segment-names.ts';
import { groupHoldings } from './segments/segments.ts';

export interface Allocation {
  readonly cells: readonly AllocationCell[];
  readonly margins: readonly AllocationMargin[];
  /** Of the total. */
  readonly explanations?: { readonly marketValue?: ReportedFigure };
}

export async function computeAllocation(work: Work, report: DayReport, axes: readonly Axis[]): Promise<Allocation> {
  const { basis, holdings } = report;
  const names = await readSegmentNames(work, basis, axes);
  const total = totalWorth(holdings).marketValue;
  const valueAndShare = (cellHoldings: readonly Holding[]) => {
    const { marketValue } = totalWorth(cellHoldings);
    return { marketValue, share: shareOfTotal(marketValue, total) };
  };
  const cells = splitIntoCells(axes, report).map(({ segments, cellHoldings }) => ({
    segments: segments.map((segment, index) => names.nameSegment(axes[index]!, segment)),
    ...valueAndShare(cellHoldings),
  }));
  const margins = axes.map((axis) => ({
    axis,
    segments: groupHoldings(axis, basis, holdings).map(([segment, cellHoldings]) => ({
      ...names.nameSegment(axis, segment),
      ...valueAndShare(cellHoldings),
    })),
  }));
  return { cells, margins };
}

interface HoldingsCell {
  readonly segments: readonly string[];
  readonly cellHoldings: readonly Holding[];
}

/** Each axis divides what the ones before it left together. */
export function splitIntoCells(axes: readonly Axis[], { basis, holdings }: DayReport): readonly HoldingsCell[] {
  const whole: readonly HoldingsCell[] = [{ segments: [], cellHoldings: holdings }];
  return axes.reduce(
    (cells, axis) =>
      cells.flatMap(({ segments, cellHoldings }) =>
        groupHoldings(axis, basis, cellHoldings).map(([segment, segmentHoldings]) => ({
          segments: [...segments, segment],
          cellHoldings: segmentHoldings,
        })),
      ),
    whole,
  );
}
