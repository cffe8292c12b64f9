// Explains the units, amounts and effects of findings.

import { explainedFindingFigures } from '../../../model/report/finding.ts';
import type { Work } from '../../core/work.ts';
import type { DraftedFinding } from '../data-quality/finding-with-rows.ts';
import type { ReportBasis } from '../report-basis.ts';
import { RowExplainer, type RowExplanations } from './explain-rows.ts';

type ExplainedFinding = DraftedFinding & {
  readonly explanations: RowExplanations<(typeof explainedFindingFigures)[number]>;
};

export async function explainFindingRows(
  work: Work,
  basis: ReportBasis,
  rows: readonly DraftedFinding[],
): Promise<readonly ExplainedFinding[]> {
  const explainer = await RowExplainer.open(work, basis, rows.length * explainedFindingFigures.length);
  return explainer.explainAll(rows, ({ drafts, quantity, amount, accruedInterest, effect }) => ({
    quantity: quantity === null ? undefined : drafts.quantity,
    amount: amount === null ? undefined : drafts.amount,
    ...(accruedInterest !== null && { stated: drafts.stated, expected: drafts.expected }),
    effect: effect === null ? undefined : drafts.effect,
  }));
}
