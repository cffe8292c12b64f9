// Explains private-market figures: of one fund in its currency, of the whole in the reference currency, and against an index.

import { inputFigure } from '../../../engine/explanation/figure.ts';
import { defined } from '../../../kit/assert.ts';
import type { Day } from '../../../kit/day.ts';
import {
  explainedFund,
  explainedWhole,
  explainEquivalent,
  explainFundBalance,
  explainFundFigure,
  explainFundValue,
  explainMoneyWeighted,
  type ComparedFund,
  type Explanation,
  type ExplainedFunds,
  type FundFigure,
} from '../../../engine/explanation/explanation.ts';
import {
  privateMarkets,
  type FundReport,
  type PrivateMarkets,
} from '../../../engine/private-markets/private-markets.ts';
import { explainXirr } from '../../../engine/returns/money-weighted/xirr.ts';
import type { FigureInGroup } from '../../../model/report/explainable-figures.ts';
import { splitAdjustedLevels, type ComparedInstrument } from '../benchmark.ts';
import type { ReportBasis } from '../report-basis.ts';
import { AmbiguousFigure, type ExplanationDraft } from './explanation-draft.ts';

interface PrivateMarketInput {
  readonly basis: ReportBasis;
  readonly day: Day;
  readonly index: ComparedInstrument | undefined;
}

interface PrivateMarketFigureInput extends PrivateMarketInput {
  /** The whole by default. */
  readonly fund: string | undefined;
}

export type PrivateMarketFigureName = FigureInGroup<'private-market'>;
type EquivalentFigureName = 'ksPme' | 'lnPmeIrr' | 'lnPmeValue' | 'directAlpha';

type OtherFigureName = 'recallable' | 'fundMarketValue';

const fundFigures: Readonly<
  Record<Exclude<PrivateMarketFigureName, EquivalentFigureName | OtherFigureName>, FundFigure>
> = {
  nav: 'residual-value',
  drawdowns: 'paid-in',
  distributions: 'distributed',
  commitment: 'total',
  called: 'called',
  transferred: 'transferred',
  uncalled: 'uncalled',
  tvpi: 'tvpi',
  dpi: 'dpi',
  rvpi: 'rvpi',
  pic: 'pic',
  irr: 'irr',
};

export function explainPrivateMarket(
  figure: PrivateMarketFigureName,
  { fund, ...input }: PrivateMarketFigureInput,
): ExplanationDraft {
  return privateMarketExplainer(input)(figure, fund);
}

/** What came back by a day less what was paid in: a point of the J-curve. */
export type ExplainedFundFigure = PrivateMarketFigureName | 'netCashFlow';

/** Computes the report once, and explains any of its figures, of a fund or of the whole. */
export function privateMarketExplainer({
  basis,
  day,
  index,
}: PrivateMarketInput): (figure: ExplainedFundFigure, fund: string | undefined) => ExplanationDraft {
  const { history, places } = basis;
  const request = { day, covers: places.covers };
  const markets = privateMarkets(history, { ...request, ...(index && { index: splitAdjustedLevels(index, basis) }) });
  return (figure, fundId) => {
    const fund = findFund(markets, fundId);
    const explained =
      fund === undefined ? explainedWhole(history, markets, request) : explainedFund(history, fund, request);
    const explanation = isIndexFigure(figure)
      ? explainAgainstIndex(figure, toComparedFund(explained, fund ?? markets, day))
      : explainFund(figure, explained, fund);
    const of = fund && history.table.positions.find(({ instrument }) => instrument === fund.instrument);
    return { explanation, compared: index, ...(of && { of }) };
  };
}

function findFund({ funds }: PrivateMarkets, fund: string | undefined): FundReport | undefined {
  if (fund === undefined) return undefined;
  const found = funds.find(({ instrument }) => instrument === fund);
  if (found === undefined)
    throw new AmbiguousFigure('instrument', 'No private-market fund with this id has been held.');
  return found;
}

/** Recallable amounts are converted at the rate of the day, as the commitment is. */
function explainFund(
  figure: Exclude<ExplainedFundFigure, EquivalentFigureName>,
  explained: ExplainedFunds,
  fund: FundReport | undefined,
): Explanation {
  if (figure === 'netCashFlow') return explainFundBalance(explained);
  if (figure === 'fundMarketValue')
    return fund === undefined ? explainFundFigure(explained, 'residual-value') : explainFundValue(explained, fund);
  if (figure !== 'recallable') return explainFundFigure(explained, fundFigures[figure]);
  const uncalled = explainFundFigure(explained, 'uncalled');
  return uncalled.value === null ? uncalled : inputFigure(uncalled, 2);
}

function isIndexFigure(figure: ExplainedFundFigure): figure is EquivalentFigureName {
  return figure === 'ksPme' || figure === 'lnPmeIrr' || figure === 'lnPmeValue' || figure === 'directAlpha';
}

function toComparedFund(
  { performance, unit }: ExplainedFunds,
  { equivalent }: Pick<PrivateMarkets, 'equivalent'>,
  day: Day,
): ComparedFund {
  return {
    equivalent: defined(equivalent, 'figures against an index are asked for with an index'),
    residualValue: performance.residualValue,
    unit,
    day,
  };
}

const equivalentFigures = { ksPme: 'ks-pme', lnPmeValue: 'ln-pme-value', directAlpha: 'direct-alpha' } as const;

function explainAgainstIndex(figure: EquivalentFigureName, compared: ComparedFund): Explanation {
  if (figure !== 'lnPmeIrr') return explainEquivalent(compared, equivalentFigures[figure]);
  const { equivalent, unit, day } = compared;
  const name = 'ln-pme-irr';
  if (equivalent.reason !== null) return { name, value: null, notes: [equivalent.reason] };
  const { lnPme, terms } = equivalent;
  if (lnPme.shortSince !== null)
    return { name, value: null, notes: [defined(lnPme.reason, 'a rate that is missing has a reason')] };
  const flows = terms.map((term) => ({ day: term.day, amount: term.amount }));
  return explainMoneyWeighted(explainXirr([...flows, { day, amount: lnPme.notionalValue }]), { name, unit });
}
