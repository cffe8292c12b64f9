// Reports the private-market funds of a reporting entity as of a day: the total, then each fund, optionally compared with an
// index.

import { leastOf } from '../../kit/memory/long-list.ts';
import type { Day } from '../../kit/day.ts';
import {
  isFund,
  privateMarkets,
  type FundReport,
  type PrivateMarkets,
} from '../../engine/private-markets/private-markets.ts';
import type { PrivateMarketPerformance } from '../../engine/private-markets/fund-performance.ts';
import type { IndexMissing, PublicMarketEquivalent } from '../../engine/private-markets/public-market-equivalent.ts';
import type { CalendarPeriod } from '../../model/report/calendar-period.ts';
import type { FundPeriod, ReportedMarketEquivalent, PrivateMarketFigures } from '../../model/report/private-market.ts';
import { openTurn, type Work } from '../core/work.ts';
import {
  getComparedInstrument,
  splitAdjustedLevels,
  type ComparedInstrument,
  type InstrumentInput,
} from './benchmark.ts';
import { requestedDate, type AsOf } from './day-report.ts';
import {
  groupWarnings,
  ratesOutsideRange,
  rateWarnings,
  valuationWarnings,
  type FoundWarning,
} from './data-quality/warnings.ts';
import { loadReportBasisWith, type ReportMoment, type ReportBasis } from './report-basis.ts';
import { refuseMissingRates } from './missing-rate-refusal.ts';
import { latestDay, reportDay } from './latest-day.ts';
import { endOfDay } from './report-day.ts';
import { checkReportSize } from './report-size.ts';
import { lastDayOf } from './segments/segment-periods.ts';

interface PrivateMarketsQuery extends ReportMoment {
  readonly reportingEntity: string;
  /** The latest day with data of the funds when absent. */
  readonly asOf?: AsOf | undefined;
  readonly index?: InstrumentInput | undefined;
  /** Adds what each fund was at the end of each such period. */
  readonly every?: CalendarPeriod | undefined;
}

export interface FundFigures extends PrivateMarketFigures {
  /** Null for the total. */
  readonly instrumentId: string | null;
  readonly isTotal: boolean;
  readonly publicMarketEquivalent: ReportedMarketEquivalent | null;
  readonly periods?: readonly FundPeriod[] | undefined;
}

export interface PrivateMarketsReport {
  readonly basis: ReportBasis;
  readonly day: Day;
  readonly asOf: number;
  readonly index: ComparedInstrument | undefined;
  /** The total first, then the funds ordered by id. */
  readonly funds: readonly FundFigures[];
}

export function readPrivateMarkets(work: Work, query: PrivateMarketsQuery): Promise<PrivateMarketsReport> {
  const { reportingEntity, knownAt, index } = query;
  return refuseMissingRates(async (rates) => {
    const { basis, extra: comparedInstrument } = await loadReportBasisWith(
      work,
      reportingEntity,
      { knownAt, ...rates },
      async (snapshotWork) => (index === undefined ? undefined : getComparedInstrument(snapshotWork, index, knownAt)),
    );
    const { history, places } = basis;
    const day = query.asOf === undefined ? latestFundDay(basis) : reportDay(requestedDate(query.asOf, basis), basis);
    const found = privateMarkets(history, {
      day,
      covers: places.covers,
      ...(comparedInstrument && { index: splitAdjustedLevels(comparedInstrument, basis) }),
    });
    const funds = fundRows(found, day, basis.currency);
    const rows =
      query.every === undefined ? funds : await withPeriods(work, { basis, found, day, every: query.every }, funds);
    return { basis, day, asOf: endOfDay(day, basis.timeZone), index: comparedInstrument, funds: rows };
  });
}

/** Other holdings and their data do not move it. */
export function latestFundDay(basis: ReportBasis): Day {
  const { history, places } = basis;
  return latestDay(basis, (key) => places.covers(key) && isFund(history.facts.instruments.get(key.instrument)));
}

interface PeriodsRequest {
  readonly basis: ReportBasis;
  readonly found: PrivateMarkets;
  readonly day: Day;
  readonly every: CalendarPeriod;
}

/** From the period of the first call on. */
async function withPeriods(
  work: Work,
  { basis, found, day, every }: PeriodsRequest,
  funds: readonly FundFigures[],
): Promise<readonly FundFigures[]> {
  const { history, places } = basis;
  const days = periodEnds(found.whole.irrFlows, day, every);
  const turn = openTurn(work, checkReportSize({ days: days.length, segments: funds.length }));
  const periods = funds.map((): FundPeriod[] => []);
  for (const on of days) {
    await turn.pause();
    const then = privateMarkets(history, { day: on, covers: places.covers });
    const all = [then.whole, ...then.funds.map(({ performance }) => performance)];
    for (const [index, performance] of all.entries()) periods[index]!.push(fundPeriod(performance, on));
  }
  return funds.map((fund, index) => ({ ...fund, periods: periods[index] }));
}

/** The last flow is the residual value, which nobody paid. */
function periodEnds(flows: PrivateMarketPerformance['irrFlows'], day: Day, every: CalendarPeriod): readonly Day[] {
  const ends: Day[] = [];
  const first = flows.slice(0, -1).reduce((least, flow) => Math.min(least, flow.day), Infinity);
  for (let from = first; from <= day; from = ends.at(-1)! + 1) ends.push(Math.min(lastDayOf(from, every), day));
  return ends;
}

function fundPeriod({ paidIn, distributed, residualValue }: PrivateMarketPerformance, day: Day): FundPeriod {
  return {
    date: day,
    drawdowns: paidIn,
    distributions: distributed,
    netCashFlow: distributed - paidIn,
    nav: residualValue,
  };
}

function fundRows({ whole, equivalent, funds }: PrivateMarkets, day: Day, referenceCurrency: string): FundFigures[] {
  const total = {
    instrumentId: null,
    isTotal: true,
    ...sharedFigures(whole, { day, currency: referenceCurrency, referenceCurrency }),
    navDate: null,
    marketValue: whole.residualValue,
    warnings: groupWarnings([...ratesOutsideRange(whole.irr, null), ...funds.flatMap(valueWarnings)]),
    publicMarketEquivalent: equivalentFigures(equivalent),
  };
  return [total, ...funds.map((fund) => fundFigures(fund, day, referenceCurrency))];
}

function fundFigures(fund: FundReport, day: Day, referenceCurrency: string): FundFigures {
  const { instrument, currency, performance, valuations, marketValue, equivalent } = fund;
  const days = valuations.flatMap((one) => (one.day === null ? [] : [one.day]));
  return {
    instrumentId: instrument,
    isTotal: false,
    ...sharedFigures(performance, { day, currency, referenceCurrency }),
    navDate: days.length === 0 ? null : leastOf(days),
    marketValue,
    warnings: groupWarnings([...ratesOutsideRange(performance.irr, instrument), ...valueWarnings(fund)]),
    publicMarketEquivalent: equivalentFigures(equivalent),
  };
}

type SharedFigures = Omit<PrivateMarketFigures, 'navDate' | 'marketValue' | 'warnings'>;

function sharedFigures(
  { residualValue, commitment, paidIn, distributed, multiples, irr }: PrivateMarketPerformance,
  {
    day,
    currency,
    referenceCurrency,
  }: { readonly day: Day; readonly currency: string; readonly referenceCurrency: string },
): SharedFigures {
  return {
    date: day,
    nav: residualValue,
    ccyCode: currency,
    reportingCcyCode: referenceCurrency,
    commitment,
    cashflow: { drawdowns: paidIn, distributions: distributed },
    multiplier: multiples,
    irr: irr.rate,
    irrReason: irr.reason,
    irrRoots: irr.roots.map(({ rate }) => rate),
  };
}

function valueWarnings(fund: FundReport): FoundWarning[] {
  const { instrument, valuations, isSpread, impliedFlows, marketValue, conversion } = fund;
  const found = [
    ...(marketValue === 0n ? [] : rateWarnings(conversion)),
    ...valuations.flatMap((valuation) => [...valuationWarnings(valuation, instrument)]),
    ...impliedFlows.map((day): FoundWarning => ({ code: 'implied-flow', instrument, day })),
  ];
  return isSpread ? [...found, { code: 'fund-in-several-places', instrument, day: null }] : found;
}

function equivalentFigures(found: PublicMarketEquivalent | IndexMissing | null): ReportedMarketEquivalent | null {
  if (found === null) return null;
  if (found.reason !== null) return { ...noEquivalent, reason: found.reason, missingOn: found.day };
  const { ksPme, lnPme, directAlpha } = found;
  return {
    reason: null,
    missingOn: null,
    ksPme,
    lnPmeIrr: lnPme.irr,
    lnPmeReason: lnPme.reason,
    lnPmeRoots: lnPme.roots.map(({ rate }) => rate),
    lnPmeValue: lnPme.notionalValue,
    directAlpha: directAlpha.result.rate,
    directAlphaReason: directAlpha.result.reason,
    directAlphaRoots: directAlpha.result.roots.map(({ rate }) => rate),
  };
}

const noEquivalent = {
  ksPme: null,
  lnPmeIrr: null,
  lnPmeReason: null,
  lnPmeRoots: [],
  lnPmeValue: null,
  directAlpha: null,
  directAlphaReason: null,
  directAlphaRoots: [],
} as const satisfies Partial<ReportedMarketEquivalent>;
