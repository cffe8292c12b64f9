// Explains the units, amounts and effects of findings.

import { defined } from '../../../kit/assert.ts';
import type { explainedFindingFigures } from '../../../model/report/finding.ts';
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
  const drafted = new Map(rows.map((row) => [row, draftsOf(row)]));
  const count = [...drafted.values()].reduce((sum, drafts) => sum + Object.keys(drafts).length, 0);
  const explainer = await RowExplainer.open(work, basis, count);
  return explainer.explainAll(rows, (row) => defined(drafted.get(row), 'every row was drafted'));
}

/** Of a figure that the finding does not have, nothing is explained. */
function draftsOf({ drafts, quantity, amount, accruedInterest, effect }: DraftedFinding) {
  return {
    quantity: quantity === null ? undefined : drafts.quantity,
    amount: amount === null ? undefined : drafts.amount,
    ...(accruedInterest !== null && { stated: drafts.stated, expected: drafts.expected }),
    effect: effect === null ? undefined : drafts.effect,
  };
}
