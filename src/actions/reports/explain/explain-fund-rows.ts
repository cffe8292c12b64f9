// Explains the figures of rows of private-market funds.

import type { Work } from '../../core/work.ts';
import type { FundFigures, PrivateMarketsReport } from '../private-markets.ts';
import { privateMarketExplainer, type PrivateMarketFigureName } from './explain-private-market.ts';
import { RowExplainer, type RowExplanations } from './explain-rows.ts';

const fundFigures = [
  'nav',
  'drawdowns',
  'distributions',
  'commitment',
  'called',
  'recallable',
  'uncalled',
  'tvpi',
  'dpi',
  'rvpi',
  'irr',
] as const satisfies readonly PrivateMarketFigureName[];

const comparedFigures = [
  'ksPme',
  'lnPmeIrr',
  'lnPmeValue',
  'directAlpha',
] as const satisfies readonly PrivateMarketFigureName[];

export const explainedFundFigures = [...fundFigures, ...comparedFigures] as const;
type FundFigureName = (typeof explainedFundFigures)[number];

type ExplainedFundRow = FundFigures & { readonly explanations: RowExplanations<FundFigureName> };

export async function explainFundRows(work: Work, report: PrivateMarketsReport): Promise<readonly ExplainedFundRow[]> {
  const { basis, index, funds } = report;
  const explain = privateMarketExplainer(report);
  const explainer = await RowExplainer.open(work, basis, funds.length * explainedFundFigures.length);
  const explained: ExplainedFundRow[] = [];
  for (const row of funds) {
    const draftOf = (figure: FundFigureName) => () => explain(figure, row.instrumentId ?? undefined);
    const names = index === undefined ? fundFigures : explainedFundFigures;
    const drafts = Object.fromEntries(names.map((name) => [name, draftOf(name)]));
    explained.push({
      ...row,
      explanations: await explainer.explain(drafts as Record<FundFigureName, ReturnType<typeof draftOf>>),
    });
  }
  return explained;
}
