// The private-market funds of a reporting entity as of a day: the whole, then each fund, and on demand beside an index. Knows no
// wire.

import type { Day } from '../../kit/day.ts';
import { privateMarkets, type FundReport, type PrivateMarkets } from '../../engine/private-markets/private-markets.ts';
import type { PrivateMarketPerformance } from '../../engine/private-markets/fund-performance.ts';
import type { IndexMissing, PublicMarketEquivalent } from '../../engine/private-markets/public-market-equivalent.ts';
import type { MarketEquivalent, PrivateMarketFigures } from '../../model/report/private-market.ts';
import type { Work } from '../core/work.ts';
import { getCompared, levelsOf, type AskedInstrument } from './benchmark.ts';
import { dateAsked, type AsOf } from './day-report.ts';
import { gatherWarnings, valuationWarnings, type FoundWarning } from './data-quality/warnings.ts';
import { openReportBeside, type ReportMoment, type ReportScope } from './report-basis.ts';
import { withRates } from './missing-rate-refusal.ts';
import { endOfDay, reportDay } from './report-day.ts';

export interface PrivateMarketsQuestion extends ReportMoment {
  readonly reportingEntity: string;
  /** Today where nothing is asked for. */
  readonly asOf?: AsOf | undefined;
  readonly index?: AskedInstrument | undefined;
}

export interface FundFigures extends PrivateMarketFigures {
  /** Null for the whole. */
  readonly instrumentId: string | null;
  readonly isTotal: boolean;
  readonly publicMarketEquivalent: MarketEquivalent | null;
}

export interface PrivateMarketsReport {
  readonly scope: ReportScope;
  readonly asOf: number;
  /** The whole first, then the funds in the order of their ids. */
  readonly funds: readonly FundFigures[];
}

export function readPrivateMarkets(work: Work, question: PrivateMarketsQuestion): Promise<PrivateMarketsReport> {
  const { reportingEntity, knownAt, index } = question;
  return withRates(async () => {
    const { scope, beside } = await openReportBeside(work, reportingEntity, { knownAt }, async (together) =>
      index === undefined ? undefined : getCompared(together, index, knownAt),
    );
    const day = reportDay(dateAsked(question.asOf, scope), scope);
    const { history, places } = scope;
    const found = privateMarkets(history, {
      day,
      covers: places.covers,
      ...(beside && { index: levelsOf(beside, scope) }),
    });
    return { scope, asOf: endOfDay(day, scope.timeZone), funds: figuresOf(found, day, scope.currency) };
  });
}

function figuresOf({ whole, equivalent, funds }: PrivateMarkets, day: Day, reference: string): FundFigures[] {
  const total = {
    instrumentId: null,
    isTotal: true,
    ...figures(whole, { day, currency: reference, reference }),
    navDate: null,
    marketValue: whole.residualValue,
    warnings: gatherWarnings(funds.flatMap(foundIn)),
    publicMarketEquivalent: equivalentFigures(equivalent),
  };
  return [total, ...funds.map((fund) => fundFigures(fund, day, reference))];
}

function fundFigures(fund: FundReport, day: Day, reference: string): FundFigures {
  const { instrument, currency, performance, valuations, marketValue, equivalent } = fund;
  const days = valuations.flatMap((one) => (one.day === null ? [] : [one.day]));
  return {
    instrumentId: instrument,
    isTotal: false,
    ...figures(performance, { day, currency, reference }),
    navDate: days.length === 0 ? null : Math.min(...days),
    marketValue,
    warnings: gatherWarnings(foundIn(fund)),
    publicMarketEquivalent: equivalentFigures(equivalent),
  };
}

type SharedFigures = Omit<PrivateMarketFigures, 'navDate' | 'marketValue' | 'warnings'>;

function figures(
  { residualValue, commitment, paidIn, distributed, multiples, irr }: PrivateMarketPerformance,
  { day, currency, reference }: { readonly day: Day; readonly currency: string; readonly reference: string },
): SharedFigures {
  return {
    date: day,
    nav: residualValue,
    ccyCode: currency,
    reportingCcyCode: reference,
    commitment,
    cashflow: { drawdowns: paidIn, distributions: distributed },
    multiplier: multiples,
    irr: irr.rate,
    irrReason: irr.reason,
  };
}

function foundIn({ instrument, valuations }: FundReport): FoundWarning[] {
  return valuations.flatMap((valuation) => [...valuationWarnings(valuation, instrument)]);
}

function equivalentFigures(found: PublicMarketEquivalent | IndexMissing | null): MarketEquivalent | null {
  if (found === null) return null;
  if (found.reason !== null) return { ...noEquivalent, reason: found.reason, missingOn: found.day };
  const { ksPme, lnPme, directAlpha } = found;
  return {
    reason: null,
    missingOn: null,
    ksPme,
    lnPmeIrr: lnPme.irr,
    lnPmeReason: lnPme.reason,
    lnPmeValue: lnPme.notionalValue,
    directAlpha: directAlpha.result.rate,
    directAlphaReason: directAlpha.result.reason,
  };
}

const noEquivalent = {
  ksPme: null,
  lnPmeIrr: null,
  lnPmeReason: null,
  lnPmeValue: null,
  directAlpha: null,
  directAlphaReason: null,
} as const satisfies Partial<MarketEquivalent>;
