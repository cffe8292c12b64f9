// The table of private-market funds as of a day, one by one and in total.

import type { PrivateMarketPerformance } from '../../../../src/engine/private-markets/fund-performance.ts';
import { privateMarkets, type FundReport } from '../../../../src/engine/private-markets/private-markets.ts';
import type { ReportText } from '../reports.ts';
import type { Cell, ReportTable, TableRow } from '../table-text.ts';
import { coverageOf, type ReportSource } from './report-context.ts';

const columns = [
  'fund',
  'currency',
  'paid-in',
  'distributed',
  'residual',
  'commitment',
  'called',
  'recallable',
  'transferred',
  'unfunded',
  'dpi',
  'rvpi',
  'tvpi',
  'pic',
  'irr',
  'ks-pme',
  'alpha',
  'places',
];

/** The funds in their own currencies, then the total. */
export function privateMarketsTable(source: ReportSource, report: ReportText): ReportTable {
  const index = report.against === null ? {} : { index: source.index(report.against) };
  const { history } = source;
  const result = privateMarkets(history, { day: report.to, covers: coverageOf(source, report), ...index });
  const funds = result.funds.map((fund) => ({
    fund: fund.instrument,
    currency: fund.currency,
    ...performanceCells(fund.performance),
    ...equivalentCells(fund.equivalent),
    places: fund.isSpread ? 'several' : 'one',
  }));
  const whole: TableRow = {
    fund: 'whole',
    currency: history.facts.settings.referenceCurrency,
    ...performanceCells(result.whole),
    ...equivalentCells(result.equivalent),
  };
  return { columns, rows: [...funds, whole] };
}

function performanceCells({ commitment, multiples, irr, ...totals }: PrivateMarketPerformance): TableRow {
  return {
    'paid-in': totals.paidIn,
    distributed: totals.distributed,
    residual: totals.residualValue,
    recallable: totals.recallable,
    commitment: commitment?.total ?? null,
    called: commitment?.called ?? null,
    transferred: commitment?.transferred ?? null,
    unfunded: commitment?.uncalled ?? null,
    ...multiples,
    irr: irr.rate ?? irr.reason,
  };
}

function equivalentCells(equivalent: FundReport['equivalent']): Readonly<Record<'ks-pme' | 'alpha', Cell>> {
  if (equivalent === null) return { 'ks-pme': null, alpha: null };
  if (equivalent.reason !== null) return { 'ks-pme': equivalent.reason, alpha: equivalent.reason };
  const { result } = equivalent.directAlpha;
  return { 'ks-pme': equivalent.ksPme, alpha: result.rate ?? result.reason };
}
