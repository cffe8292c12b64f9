// Explains the figures of rows of private-market funds, and of the calendar periods of each.

import { explainedFundPeriodFigures, type FundPeriod } from '../../../model/report/private-market.ts';
import type { Day } from '../../../kit/day.ts';
import { keysOf } from '../../../kit/keys.ts';
import type { Work } from '../../core/work.ts';
import type { ReportBasis } from '../report-basis.ts';
import type { FundFigures, PrivateMarketsReport } from '../private-markets.ts';
import { privateMarketExplainer, type ExplainedFundFigure } from './explain-private-market.ts';
import { draftsOf, RowExplainer, type RowExplanations } from './explain-rows.ts';

/** By the name of the row's member, the figure. */
const fundFigures = {
  nav: 'nav',
  marketValue: 'fundMarketValue',
  drawdowns: 'drawdowns',
  distributions: 'distributions',
  commitment: 'commitment',
  called: 'called',
  recallable: 'recallable',
  transferred: 'transferred',
  uncalled: 'uncalled',
  tvpi: 'tvpi',
  dpi: 'dpi',
  rvpi: 'rvpi',
  pic: 'pic',
  irr: 'irr',
} as const satisfies Readonly<Record<string, ExplainedFundFigure>>;

const comparedFigures = {
  ksPme: 'ksPme',
  lnPmeIrr: 'lnPmeIrr',
  lnPmeValue: 'lnPmeValue',
  directAlpha: 'directAlpha',
} as const satisfies Readonly<Record<string, ExplainedFundFigure>>;

const allFigures = { ...fundFigures, ...comparedFigures };
export const explainedFundFigures = keysOf(allFigures);
type FundFigureName = keyof typeof allFigures;

type ExplainedFundRow = FundFigures & { readonly explanations: RowExplanations<FundFigureName> };

export async function explainFundRows(work: Work, report: PrivateMarketsReport): Promise<readonly ExplainedFundRow[]> {
  const { basis, day, index, funds } = report;
  const periodCount = funds[0]?.periods?.length ?? 0;
  const names = index === undefined ? keysOf(fundFigures) : explainedFundFigures;
  const figureCount = names.length + periodCount * explainedFundPeriodFigures.length;
  const explainer = await RowExplainer.open(work, basis, funds.length * figureCount);
  const explain = privateMarketExplainer({ basis, day, index });
  const explainPeriods = periodExplainer(explainer, basis);
  const explained: ExplainedFundRow[] = [];
  for (const row of funds) {
    const drafts = draftsOf(names, (name) => explain(allFigures[name], row.instrumentId ?? undefined));
    explained.push({ ...row, explanations: await explainer.explain(drafts), periods: await explainPeriods(row) });
  }
  return explained;
}

/** The funds of a day are computed once for all rows. */
function periodExplainer(explainer: RowExplainer, basis: ReportBasis) {
  const known = new Map<Day, ReturnType<typeof privateMarketExplainer>>();
  const explainOn = (day: Day) => {
    const explain = known.get(day) ?? privateMarketExplainer({ basis, day, index: undefined });
    known.set(day, explain);
    return explain;
  };
  return async ({ instrumentId, periods }: FundFigures): Promise<readonly FundPeriod[] | undefined> => {
    if (periods === undefined) return undefined;
    return explainer.explainAll(periods, ({ date }) => {
      const explain = explainOn(date);
      return draftsOf(explainedFundPeriodFigures, (name) => explain(name, instrumentId ?? undefined));
    });
  };
}
