// Explains the figures of rows of holdings and of cells of an allocation.

import { explainedCellFigures, type AllocationCell, type AllocationMargin } from '../../../model/report/allocation.ts';
import type { Work } from '../../core/work.ts';
import type { Allocation } from '../allocation.ts';
import type { DayReport } from '../day-report.ts';
import type { SegmentHoldings } from '../holdings.ts';
import { residualSegment, type Axis } from '../segments/axis.ts';
import { explainHolding } from './explain-holding.ts';
import { RowExplainer, type RowExplanations } from './explain-rows.ts';
import type { PlaceFilter } from './place-filter.ts';

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

interface HoldingRows {
  readonly axis: Axis;
  readonly rows: readonly SegmentHoldings[];
}

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

interface ExplainedHoldingRow {
  readonly row: ReturnType<SegmentHoldings['sum']>;
  readonly explanations: RowExplanations<HoldingFigureName>;
}

export async function explainHoldingRows(
  work: Work,
  { basis, day }: DayReport,
  { axis, rows }: HoldingRows,
): Promise<ExplainedHoldings> {
  const count = rows.length * explainedHoldingFigures.length + explainedTotalFigures.length;
  const explainer = await RowExplainer.open(work, basis, count);
  const explained: ExplainedHoldingRow[] = [];
  for (const segment of rows) {
    const row = segment.sum();
    const places: PlaceFilter = { [axis]: segment.segment };
    const explanationOf = (figure: HoldingFigureName) => () => explainHolding(figure, { basis, day, places });
    const explanations = await explainer.explain({
      marketValue: explanationOf('marketValue'),
      costBasis: explanationOf('costBasis'),
      unrealisedPnl: explanationOf('unrealisedPnl'),
      quantity: row.quantity === null ? undefined : explanationOf('quantity'),
      share: row.share === null ? undefined : explanationOf('share'),
      accruedInterest: explanationOf('accruedInterest'),
      unrealisedPricePart: explanationOf('unrealisedPricePart'),
      unrealisedCurrencyPart: explanationOf('unrealisedCurrencyPart'),
    });
    explained.push({ row, explanations });
  }
  const totalOf = (figure: HoldingFigureName) => () => explainHolding(figure, { basis, day, places: {} });
  const totals = await explainer.explain({
    marketValue: totalOf('marketValue'),
    costBasis: totalOf('costBasis'),
    unrealisedPnl: totalOf('unrealisedPnl'),
    accruedInterest: totalOf('accruedInterest'),
    unrealisedPricePart: totalOf('unrealisedPricePart'),
    unrealisedCurrencyPart: totalOf('unrealisedCurrencyPart'),
  });
  return { rows: explained, totals };
}

/** Explains every cell and every margin; they must be those of the report. */
export async function explainAllocation(
  work: Work,
  { basis, day }: DayReport,
  { cells, margins }: Allocation,
): Promise<Allocation> {
  const segmentCount = margins.reduce((count, { segments }) => count + segments.length, cells.length);
  const explainer = await RowExplainer.open(work, basis, segmentCount * explainedCellFigures.length + 1);
  const axes = margins.map(({ axis }) => axis as Axis);
  const explain = (segments: readonly (readonly [Axis, string | null])[], share: number | null) => {
    const places: PlaceFilter = Object.fromEntries(segments.map(([axis, id]) => [axis, id ?? residualSegment]));
    const explanationOf = (figure: 'marketValue' | 'share') => () => explainHolding(figure, { basis, day, places });
    return explainer.explain({
      marketValue: explanationOf('marketValue'),
      share: share === null ? undefined : explanationOf('share'),
    });
  };
  const explainedCells: AllocationCell[] = [];
  for (const cell of cells) {
    const segments = cell.segments.map(({ segmentId }, index) => [axes[index]!, segmentId] as const);
    explainedCells.push({ ...cell, explanations: await explain(segments, cell.share) });
  }
  const explainedMargins: AllocationMargin[] = [];
  for (const { axis, segments } of margins) {
    const explained: AllocationMargin['segments'][number][] = [];
    for (const one of segments) {
      explained.push({ ...one, explanations: await explain([[axis as Axis, one.segmentId]], one.share) });
    }
    explainedMargins.push({ axis, segments: explained });
  }
  const explanations = await explainer.explain({
    marketValue: () => explainHolding('marketValue', { basis, day, places: {} }),
  });
  return { cells: explainedCells, margins: explainedMargins, explanations };
}
