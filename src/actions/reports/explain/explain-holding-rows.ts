// Explains the figures of rows of holdings and of cells of an allocation.

import type { Fixed } from '../../../kit/fixed.ts';
import type { Holding } from '../../../engine/history/holdings.ts';
import { explainedCellFigures, type AllocationMargin } from '../../../model/report/allocation.ts';
import type { Work } from '../../core/work.ts';
import { splitIntoCells, type Allocation } from '../allocation.ts';
import type { DayReport } from '../day-report.ts';
import type { SegmentHoldings } from '../holdings.ts';
import type { Axis } from '../segments/axis.ts';
import { groupHoldings } from '../segments/segments.ts';
import { explainKnownHoldings, wholeValueOf } from './explain-holding.ts';
import { draftsOf, RowExplainer, type RowExplanations } from './explain-rows.ts';

export const explainedHoldingFigures = [
  'marketValue',
  'costBasis',
  'unrealisedPnl',
  'quantity',
  'share',
  'accruedInterest',
  'unrealisedPricePart',
  'unrealisedCurrencyPart',
] as const;
type HoldingFigureName = (typeof explainedHoldingFigures)[number];

/** The figures of totals: a total has no units and no share. */
export const explainedTotalFigures = [
  'marketValue',
  'costBasis',
  'unrealisedPnl',
  'accruedInterest',
  'unrealisedPricePart',
  'unrealisedCurrencyPart',
] as const;

interface ExplainedHoldings {
  readonly rows: readonly ExplainedHoldingRow[];
  /** Of the totals. */
  readonly totals: RowExplanations<(typeof explainedTotalFigures)[number]>;
}

type ExplainedHoldingRow = ReturnType<SegmentHoldings['sum']> & {
  readonly explanations: RowExplanations<HoldingFigureName>;
};

export async function explainHoldingRows(
  work: Work,
  report: DayReport,
  rows: readonly SegmentHoldings[],
): Promise<ExplainedHoldings> {
  const { basis, day, holdings: all } = report;
  const count = rows.length * explainedHoldingFigures.length + explainedTotalFigures.length;
  const explainer = await RowExplainer.open(work, basis, count);
  const input = { basis, day, whole: wholeValueOf(basis, day, all) };
  const explained: ExplainedHoldingRow[] = [];
  for (const { holdings, sum } of rows) {
    const row = sum();
    const drafts = draftsOf(
      explainedHoldingFigures,
      (figure) => explainKnownHoldings(figure, input, holdings),
      (figure) => row[figure] === null,
    );
    explained.push({ ...row, explanations: await explainer.explain(drafts) });
  }
  const totals = draftsOf(explainedTotalFigures, (figure) => explainKnownHoldings(figure, input, all));
  return { rows: explained, totals: await explainer.explain(totals) };
}

/** Explains every cell and every margin; they must be those of the report. */
export async function explainAllocation(
  work: Work,
  report: DayReport,
  { cells, margins }: Allocation,
): Promise<Allocation> {
  const { basis, day, holdings: all } = report;
  const segmentCount = margins.reduce((count, { segments }) => count + segments.length, cells.length);
  const explainer = await RowExplainer.open(work, basis, segmentCount * explainedCellFigures.length + 1);
  const input = { basis, day, whole: wholeValueOf(basis, day, all) };
  const axes = margins.map(({ axis }) => axis as Axis);
  const explainCells = <Cell extends { readonly marketValue: Fixed; readonly share: number | null }>(
    some: readonly Cell[],
    held: readonly (readonly Holding[])[],
  ) =>
    explainer.explainAll(some, (cell, index) =>
      draftsOf(
        explainedCellFigures,
        (figure) => explainKnownHoldings(figure, input, held[index] ?? []),
        (figure) => cell[figure] === null,
      ),
    );
  const explainedCells = await explainCells(
    cells,
    splitIntoCells(axes, report).map(({ cellHoldings }) => cellHoldings),
  );
  const explainedMargins: AllocationMargin[] = [];
  for (const [index, { axis, segments }] of margins.entries()) {
    const held = groupHoldings(axes[index]!, basis, all).map(([, group]) => group);
    explainedMargins.push({ axis, segments: await explainCells(segments, held) });
  }
  const explanations = await explainer.explain({
    marketValue: () => explainKnownHoldings('marketValue', input, all),
  });
  return { cells: explainedCells, margins: explainedMargins, explanations };
}
