// Explains any figure that a report shows: opens the report and asks the part that computed it.

import type { Day } from '../../../kit/day.ts';
import type { Explanation } from '../../../engine/explanation/explanation.ts';
import type { HoldingTerm } from '../../../engine/lots/lot.ts';
import type { FeeTreatment } from '../../../engine/returns/performance/position-days.ts';
import { isFigureInGroup, type FigureName } from '../../../model/report/explainable-figures.ts';
import type { ReportedFigure } from '../../../model/report/explanation.ts';
import type { Limit } from '../../../model/limit/limit.ts';
import type { ReturnMethodName } from '../../../model/report/performance.ts';
import { getLimit } from '../../limits/limit-status.ts';
import type { Work } from '../../core/work.ts';
import { requireFilterTargets } from '../../core/filter-targets.ts';
import { segmentTargets } from '../segments/segment-targets.ts';
import { coversPlaces, type PlaceFilter } from './place-filter.ts';
import { getComparedInstrument, type InstrumentInput, type ComparedInstrument } from '../benchmark.ts';
import { requestedDate, type AsOf } from '../day-report.ts';
import { explainGains } from './explain-gain.ts';
import { explainHolding } from './explain-holding.ts';
import { explainLimit } from './explain-limit.ts';
import { explainLot, isLotFigure } from './explain-lot.ts';
import { explainPrivateMarket } from './explain-private-market.ts';
import { explainReturn, type ReturnFigureName } from './explain-return.ts';
import { loadReportBasisWith, type ReportMoment, type ReportBasis } from '../report-basis.ts';
import { latestFundDay } from '../private-markets.ts';
import { refuseMissingRates } from '../missing-rate-refusal.ts';
import { reportDay } from '../latest-day.ts';
import { endOfDay } from '../report-day.ts';
import { reportWindow, requestedDays, type WindowInput, type ReportWindow } from '../report-window.ts';
import { openRenderContext, renderedFiguresMax, renderFigure } from './render-figure.ts';
import type { ExplanationDraft } from './explanation-draft.ts';
import { withOrigin } from './figure-origin.ts';

export interface ExplainQuery extends ReportMoment {
  readonly reportingEntity: string;
  readonly figure: FigureName;
  readonly places: PlaceFilter;
  /** The latest day with data by default. */
  readonly asOf?: AsOf | undefined;
  readonly window: WindowInput;
  readonly lot?: string | undefined;
  readonly transaction?: string | undefined;
  readonly term?: HoldingTerm | undefined;
  readonly method: ReturnMethodName;
  readonly fees: FeeTreatment;
  /** The reference currency by default. */
  readonly currency?: string | undefined;
  /** A benchmark or an index. */
  readonly compared?: InstrumentInput | undefined;
  readonly limit?: string | undefined;
  readonly depth: number;
  /** The path of the figure whose origin is looked up. */
  readonly originAt?: readonly number[] | undefined;
}

export interface ExplainedFigure {
  readonly basis: ReportBasis;
  readonly asOf: number;
  readonly figure: ReportedFigure;
  readonly isTruncated: boolean;
}

interface ExplainContext {
  readonly work: Work;
  readonly query: ExplainQuery;
  readonly basis: ReportBasis;
  readonly compared: ComparedInstrument | undefined;
  readonly limit: Limit | undefined;
}

interface DraftOnDay {
  readonly draft: ExplanationDraft;
  readonly day: Day;
}

export function explainFigure(work: Work, query: ExplainQuery): Promise<ExplainedFigure> {
  const { reportingEntity, knownAt, compared, limit } = query;
  return refuseMissingRates(async (rates) => {
    const moment = { knownAt, ...rates };
    const { basis, extra } = await loadReportBasisWith(work, reportingEntity, moment, async (snapshotWork) => ({
      compared: compared && (await getComparedInstrument(snapshotWork, compared, knownAt)),
      limit: limit === undefined ? undefined : await getLimit(snapshotWork, limit, { knownAt }),
    }));
    await refuseUnknownSegments(work, basis, query.places);
    const { draft, day } = await draftFigure({ work, query, basis, ...extra });
    const named = { ...draft, explanation: renamedFigure(draft.explanation, figureName(query.figure)) };
    const limits = { depthMax: query.depth, figuresMax: renderedFiguresMax };
    const context = await openRenderContext(work, basis);
    const { figure, isTruncated } = await renderFigure(named, context, limits);
    const shown = query.originAt === undefined ? figure : await withOrigin({ work, basis }, figure, query.originAt);
    return { basis, asOf: endOfDay(day, basis.timeZone), figure: shown, isTruncated };
  });
}

function renamedFigure(explanation: Explanation, name: string): Explanation {
  return { ...explanation, name };
}

/** A segment in which nothing was ever held may be one that does not exist. */
async function refuseUnknownSegments(work: Work, basis: ReportBasis, places: PlaceFilter): Promise<void> {
  const isCovered = coversPlaces(basis, places);
  if (!basis.history.table.positions.some(isCovered)) await requireFilterTargets(work, segmentTargets(places));
}

/** The name that the report uses, in the form of all figure names. */
function figureName(figure: FigureName): string {
  return figure.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

async function draftFigure(explainContext: ExplainContext): Promise<DraftOnDay> {
  const { query, basis, compared, limit } = explainContext;
  const { figure, places, lot } = query;
  const isOfFunds = query.asOf === undefined && isFigureInGroup(figure, 'private-market');
  const day = isOfFunds ? latestFundDay(basis) : reportDay(requestedDate(query.asOf, basis), basis);
  if (isFigureInGroup(figure, 'return')) return draftReturn(figure, explainContext, day);
  if (isFigureInGroup(figure, 'gain')) return draftGain(explainContext);
  if (isFigureInGroup(figure, 'private-market')) {
    const draft = explainPrivateMarket(figure, { basis, day, fund: places.instrument, index: compared });
    return { draft, day };
  }
  if (isFigureInGroup(figure, 'limit')) return { draft: explainLimit(figure, { basis, day, limit: limit! }), day };
  if (figure === 'marketValue' && (query.currency ?? basis.currency) !== basis.currency) {
    return draftReturn(figure, explainContext, day);
  }
  if (lot !== undefined && isLotFigure(figure)) return { draft: explainLot(figure, { basis, day, places, lot }), day };
  if (figure === 'unitCost') throw new RangeError('A unit cost is of a lot.');
  return { draft: explainHolding(figure, { basis, day, places }), day };
}

async function draftReturn(
  figure: ReturnFigureName,
  { work, query, basis, compared }: ExplainContext,
  day: Day,
): Promise<DraftOnDay> {
  const { places, method, fees, currency = basis.currency } = query;
  const window = isSingleDay(figure, query) ? dayWindow(day) : reportWindow(query.window, basis, currency);
  const draft = await explainReturn(figure, {
    work,
    basis,
    places,
    window,
    method,
    fees,
    currency,
    benchmark: compared,
  });
  return { draft, day: window.end };
}

function isSingleDay(figure: ReturnFigureName, { asOf }: ExplainQuery): boolean {
  return figure === 'marketValue' || figure === 'dailyTwr' || figure === 'dailyReturn' || asOf !== undefined;
}

function dayWindow(day: Day): ReportWindow {
  return { requestedStart: day, start: day, end: day, carriedFrom: null, isCovered: true };
}

/** Searches all days for a transaction if no window is given. */
function draftGain({ query, basis }: ExplainContext): DraftOnDay {
  const { figure, places, transaction, lot, term, window } = query;
  if (!isFigureInGroup(figure, 'gain')) throw new RangeError('It is no gain.');
  const requested = requestedDays(window, basis.today);
  const from = transaction !== undefined && window.from === undefined ? -Infinity : requested.from;
  const { to } = requested;
  return { draft: explainGains(figure, { basis, places, from, to, transaction, lot, term }), day: to };
}
