// Explains the figures of rows of open lots.

import type { LotWithPosition } from '../../../model/report/lot.ts';
import type { Work } from '../../core/work.ts';
import type { DayReport } from '../day-report.ts';
import { explainLot } from './explain-lot.ts';
import { RowExplainer, type RowExplanations } from './explain-rows.ts';
import { residualSegment } from '../segments/axis.ts';

export const explainedLotFigures = [
  'quantity',
  'unitCost',
  'costBasis',
  'marketValue',
  'unrealisedPnl',
  'unrealisedPricePart',
  'unrealisedCurrencyPart',
] as const;
type LotFigureName = (typeof explainedLotFigures)[number];

type ExplainedLot = LotWithPosition & { readonly explanations: RowExplanations<LotFigureName> };

export async function explainLotRows(
  work: Work,
  { basis, day }: DayReport,
  rows: readonly LotWithPosition[],
): Promise<readonly ExplainedLot[]> {
  const explainer = await RowExplainer.open(work, basis, rows.length * explainedLotFigures.length);
  const explained: ExplainedLot[] = [];
  for (const row of rows) {
    const { accountId: account, depositoryId: depository, instrumentId: instrument, id: lot } = row;
    const places = { instrument, account: account ?? residualSegment, depository: depository ?? residualSegment };
    const explanationOf = (figure: LotFigureName) => () => explainLot(figure, { basis, day, places, lot });
    const explanations = await explainer.explain({
      quantity: explanationOf('quantity'),
      unitCost: explanationOf('unitCost'),
      costBasis: explanationOf('costBasis'),
      marketValue: explanationOf('marketValue'),
      unrealisedPnl: explanationOf('unrealisedPnl'),
      unrealisedPricePart: explanationOf('unrealisedPricePart'),
      unrealisedCurrencyPart: explanationOf('unrealisedCurrencyPart'),
    });
    explained.push({ ...row, explanations });
  }
  return explained;
}
