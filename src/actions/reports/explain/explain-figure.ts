// Explains any figure that a report shows: opens the report that it is a figure of and asks whoever knows its working. Knows no wire.

import { toDayNumber } from '../../../kit/calendar-date.ts';
import type { Day } from '../../../kit/day.ts';
import { civilOf, dayOf } from '../../../kit/day.ts';
import type { Term } from '../../../engine/lots/lot.ts';
import type { FeeTreatment } from '../../../engine/returns/performance/position-days.ts';
import { isOfGroup, type FigureWord } from '../../../model/report/explainable-figures.ts';
import type { ReportedFigure } from '../../../model/report/explanation.ts';
import type { Limit } from '../../../model/limit/limit.ts';
import type { ReturnMethodName } from '../../../model/report/performance.ts';
import { getLimit } from '../../limits/limit-status.ts';
import type { Work } from '../../core/work.ts';
import type { AskedPlaces } from './place-filter.ts';
import { getCompared, type AskedInstrument, type ComparedInstrument } from '../benchmark.ts';
import { dateAsked, type AsOf } from '../day-report.ts';
import { explainGains } from './explain-gain.ts';
import { explainHolding } from './explain-holding.ts';
import { explainLimit } from './explain-limit.ts';
import { explainLot } from './explain-lot.ts';
import { explainPrivateMarket } from './explain-private-market.ts';
import { explainReturn, type ReturnWord } from './explain-return.ts';
import { openReportBeside, type ReportMoment, type ReportScope } from '../report-basis.ts';
import { withRates } from '../missing-rate-refusal.ts';
import { endOfDay, reportDay } from '../report-day.ts';
import { reportWindow, type AskedWindow, type ReportWindow } from '../report-window.ts';
import { tellFigure } from './render-figure.ts';
import type { Working } from './explanation-draft.ts';

export interface ExplainQuestion extends ReportMoment {
  readonly reportingEntity: string;
  readonly figure: FigureWord;
  readonly places: AskedPlaces;
  /** Today where nothing is asked for. */
  readonly asOf?: AsOf | undefined;
  readonly window: AskedWindow;
  readonly lot?: string | undefined;
  readonly transaction?: string | undefined;
  readonly term?: Term | undefined;
  readonly method: ReturnMethodName;
  readonly fees: FeeTreatment;
  /** The reference currency where none is asked for. */
  readonly currency?: string | undefined;
  /** A benchmark, or an index. */
  readonly compared?: AskedInstrument | undefined;
  readonly limit?: string | undefined;
  readonly depth: number;
}

export interface ExplainedFigure {
  readonly scope: ReportScope;
  readonly asOf: number;
  readonly figure: ReportedFigure;
  readonly isTruncated: boolean;
}

interface Opened {
  readonly question: ExplainQuestion;
  readonly scope: ReportScope;
  readonly compared: ComparedInstrument | undefined;
  readonly limit: Limit | undefined;
}

interface Explained {
  readonly working: Working;
  readonly day: Day;
}

export function explain(work: Work, question: ExplainQuestion): Promise<ExplainedFigure> {
  const { reportingEntity, knownAt, compared, limit } = question;
  return withRates(async () => {
    const { scope, beside } = await openReportBeside(work, reportingEntity, { knownAt }, async (together) => ({
      compared: compared && (await getCompared(together, compared, knownAt)),
      limit: limit === undefined ? undefined : await getLimit(together, limit, { knownAt }),
    }));
    const { working, day } = workOut({ question, scope, ...beside });
    const { figure, isTruncated } = tellFigure(working, scope, question.depth);
    const name = nameOf(question.figure);
    return { scope, asOf: endOfDay(day, scope.timeZone), figure: { ...figure, name }, isTruncated };
  });
}

/** As the report calls it, in the form of all names of figures. */
function nameOf(figure: FigureWord): string {
  return figure.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function workOut(opened: Opened): Explained {
  const { question, scope, compared, limit } = opened;
  const { figure, places, lot } = question;
  const day = reportDay(dateAsked(question.asOf, scope), scope);
  if (isOfGroup(figure, 'return')) return returnOf(figure, opened, day);
  if (isOfGroup(figure, 'gain')) return gainOf(opened);
  if (isOfGroup(figure, 'private-market')) {
    const working = explainPrivateMarket(figure, { scope, day, fund: places.instrument, index: compared });
    return { working, day };
  }
  if (isOfGroup(figure, 'limit')) return { working: explainLimit(figure, { scope, day, limit: limit! }), day };
  if (figure === 'marketValue' && (question.currency ?? scope.currency) !== scope.currency) {
    return returnOf(figure, opened, day);
  }
  if (lot !== undefined && figure !== 'share' && figure !== 'accruedInterest' && figure !== 'valuation') {
    return { working: explainLot(figure, { scope, day, places, lot }), day };
  }
  if (figure === 'unitCost') throw new RangeError('A unit cost is of a lot.');
  return { working: explainHolding(figure, { scope, day, places }), day };
}

function returnOf(figure: ReturnWord, { question, scope, compared }: Opened, day: Day): Explained {
  const { places, method, fees, currency = scope.currency } = question;
  const window = isOfDay(figure, question) ? dayWindow(day) : reportWindow(question.window, scope);
  const working = explainReturn(figure, { scope, places, window, method, fees, currency, benchmark: compared });
  return { working, day: window.end };
}

function isOfDay(figure: ReturnWord, { asOf }: ExplainQuestion): boolean {
  return figure === 'marketValue' || figure === 'dailyTwr' || figure === 'dailyReturn' || asOf !== undefined;
}

function dayWindow(day: Day): ReportWindow {
  return { start: day, end: day, endsEarly: null };
}

/** A transaction is looked for in all days where none are asked for. */
function gainOf({ question, scope }: Opened): Explained {
  const { figure, places, transaction, lot, term, window } = question;
  if (!isOfGroup(figure, 'gain')) throw new RangeError('It is no gain.');
  const { today, latestDay } = scope;
  const last = Math.min(today, latestDay);
  const to = window.to === undefined ? last : toDayNumber(window.to);
  const first = transaction === undefined ? dayOf({ year: civilOf(to).year, month: 1, day: 1 }) : -Infinity;
  const from = window.from === undefined ? first : toDayNumber(window.from);
  return { working: explainGains(figure, { scope, places, from, to, transaction, lot, term }), day: to };
}
