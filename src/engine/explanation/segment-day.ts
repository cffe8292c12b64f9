// Explains the figures of a segment on a day: its return, and below it the positions with their values, flows, income and fees.

import { computeAtOnce } from '../../kit/turns/pieces.ts';
import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { History } from '../history/history.ts';
import { AmountFlows, type AmountUse, type FeeTreatment } from '../returns/performance/amount-flows.ts';
import { PositionDays } from '../returns/performance/position-days.ts';
import type { SegmentReturn } from '../returns/segments/segment-return.ts';
import { countBelow } from '../amounts/series.ts';
import { convertedFigure } from './conversion.ts';
import { explainDayTerms } from './day-terms.ts';
import {
  amountFigure,
  formula,
  halfEven,
  lazyFigure,
  ratioFigure,
  sumOperands,
  type Explanation,
  type Facets,
  type Figure,
  positionSource,
} from './figure.ts';
import { valueSources } from './position-sources.ts';
import { explainConvertedValue } from './valuation.ts';

/** A report with its question. */
export interface ExplainedReport {
  readonly history: History;
  readonly fees: FeeTreatment;
  readonly currency: IsoCurrency;
}

export interface ExplainedSegment {
  readonly segment: SegmentReturn;
  readonly report: ExplainedReport;
  /** The segment's positions, in the order in which they are shown. */
  readonly positions: readonly number[];
}

/** The day must be within the window. */
export function explainDailyReturn(explained: ExplainedSegment, day: Day): Explanation {
  const { ratio, gain, base, weight, flag } = explained.segment.explainDay(day);
  const unit = explained.report.currency;
  const begin = explainDayAmount(explained, 'value', day - 1);
  const end = explainDayAmount(explained, 'value', day);
  const flow = explainDayAmount(explained, 'flow', day);
  const gainFigure = amountFigure('gain', gain, { unit, day, ...formula`${end} − ${begin} − ${flow}` });
  const weightedFlows =
    weight === 0 ? [] : [weight === 1 ? withoutInputs(flow) : halfFlow(flow, base - valueOn(explained, day - 1))];
  const baseFigure = amountFigure('base', base, {
    unit,
    day,
    ...sumOperands([withoutInputs(begin), ...weightedFlows]),
  });
  if (flag === 'nothing-invested')
    return { name: 'daily-return', value: null, notes: [flag], of: [gainFigure, baseFigure] };
  if (base <= 0n)
    return ratioFigure('daily-return', ratio, {
      day,
      notes: flag === null ? [] : [flag],
      of: [gainFigure, baseFigure],
    });
  const notes = flag === null ? [] : [flag];
  return ratioFigure('daily-return', ratio, {
    day,
    ...formula`${gainFigure} ÷ ${baseFigure}`,
    rounding: 'double',
    notes,
  });
}

/** The return of a day from the values of the segment alone: what they consist of is a figure of its own. */
export function segmentDayFacets({ segment, report }: ExplainedSegment, day: Day): Facets {
  const { base, weight, flag } = segment.explainDay(day);
  const unit = report.currency;
  const [, begin, flow] = gainParts(segment, day, unit);
  const weighted = weight === 0 ? [] : [weight === 1 ? flow! : halfFlow(flow!, base - valueOn({ segment }, day - 1))];
  const baseFigure = amountFigure('base', base, { unit, day, ...sumOperands([begin!, ...weighted]) });
  const notes = flag === null ? [] : [flag];
  if (base <= 0n) return { notes };
  return { ...formula`${explainDayGain({ segment, report }, day)} ÷ ${baseFigure}`, rounding: 'double', notes };
}

/** End, begin and flow. */
function gainParts(segment: SegmentReturn, day: Day, unit: IsoCurrency): readonly Figure[] {
  const valueFigure = (on: Day): Figure =>
    amountFigure('value', valueOn({ segment }, on), {
      unit,
      day: on,
      source: { kind: 'figure', figure: 'market-value', day: on },
    });
  const flow = segment.flows.at(day + 1 - segment.path.days[0]!);
  return [valueFigure(day), valueFigure(day - 1), amountFigure('flow', flow, { unit, day })];
}

export function explainDayGain({ segment, report }: Pick<ExplainedSegment, 'segment' | 'report'>, day: Day): Figure {
  const { currency: unit } = report;
  const gain = segment.gains.at(day + 1 - segment.path.days[0]!);
  return lazyFigure('gain', gain, { unit, day }, () => {
    const [end, begin, flow] = gainParts(segment, day, unit) as [Figure, Figure, Figure];
    return formula`${end} − ${begin} − ${flow}`;
  });
}

/** A figure that is explained elsewhere, without its inputs. */
function withoutInputs({ name, value, unit, day }: Figure): Figure {
  return { name, value, ...(unit !== undefined && { unit }), ...(day !== undefined && { day }) };
}

function halfFlow(flow: Figure, value: Fixed): Figure {
  const { unit, day } = flow;
  return amountFigure('weighted-flow', value, {
    unit,
    day,
    ...formula`${withoutInputs(flow)} ÷ 2`,
    rounding: halfEven,
  });
}

function valueOn({ segment }: Pick<ExplainedSegment, 'segment'>, day: Day): Fixed {
  return segment.values.at(day + 1 - segment.path.days[0]!);
}

/** At the end of a day, or on it; the value also at the end of the day before the window. */
export type DayAmount = 'value' | Exclude<AmountUse, 'returned-fee'>;

const columnNames = { value: 'values', flow: 'flows', income: 'income', fee: 'fees' } as const;

export function explainDayAmount(explained: ExplainedSegment, name: DayAmount, day: Day): Figure {
  const { segment, report, positions } = explained;
  const value = segment[columnNames[name]].at(day + 1 - segment.path.days[0]!);
  return lazyFigure(name, value, { unit: report.currency, day }, () => {
    const source = daySource(report, day);
    const terms = positions.flatMap((position) => {
      if (name !== 'value' && !mayHaveAmount(source, position)) return [];
      const amount = amountOn(source.inReport, position, name);
      return amount === 0n ? [] : [positionFigure(amount, { name, position, source })];
    });
    return sumOperands(terms);
  });
}

/** One day of a report, in its currency and in the reference currency. */
interface DaySource {
  readonly day: Day;
  readonly report: ExplainedReport;
  readonly amounts: AmountFlows;
  readonly inReport: PositionDays;
  readonly inReference: PositionDays;
}

/** All segments of a report ask for its first and last day. */
function daySource(report: ExplainedReport, day: Day): DaySource {
  const known = daysByReport.get(report) ?? new Map<Day, DaySource>();
  daysByReport.set(report, known);
  const source = known.get(day) ?? makeDaySource(report, day);
  if (known.size >= keptDaysMax && !known.has(day)) known.clear();
  known.set(day, source);
  return source;
}

const daysByReport = new WeakMap<ExplainedReport, Map<Day, DaySource>>();
const keptDaysMax = 20;

function makeDaySource(report: ExplainedReport, day: Day): DaySource {
  const { history, fees, currency } = report;
  const { referenceCurrency } = history.facts.settings;
  const amounts = amountsOf(report);
  const daysIn = (unit: IsoCurrency): PositionDays =>
    new PositionDays(history, { window: { first: day - 1, last: day }, fees, currency: unit, amounts });
  const inReport = daysIn(currency);
  const inReference = currency === referenceCurrency ? inReport : daysIn(referenceCurrency);
  return { day, report, amounts, inReport, inReference };
}

const amountsByReport = new WeakMap<ExplainedReport, AmountFlows>();

export function amountsOf(report: ExplainedReport): AmountFlows {
  const known = amountsByReport.get(report) ?? new AmountFlows(report.history, report.fees);
  amountsByReport.set(report, known);
  return known;
}

/** Whether a row or a movement of the day concerns the position: most do not, and are not valued. */
function mayHaveAmount({ day, report, amounts }: DaySource, position: number): boolean {
  const { rows } = report.history;
  const own = amounts.rowsOf(position);
  const isLastOnDay = rows.days[own[countBelow(own, rows.countUntil(day)) - 1] ?? -1] === day;
  return isLastOnDay || report.history.legs(position).some((leg) => leg.day === day);
}

function amountOn(days: PositionDays, position: number, name: DayAmount): Fixed {
  return computeAtOnce(days.columns(position))[columnNames[name]]?.at(1) ?? 0n;
}

interface PositionAmount {
  readonly name: DayAmount;
  readonly position: number;
  readonly source: DaySource;
}

function positionFigure(value: Fixed, amount: PositionAmount): Figure {
  const { day, report } = amount.source;
  const source = positionSource(report.history.key(amount.position));
  const facets = { unit: report.currency, day, source };
  return lazyFigure(`position-${amount.name}`, value, facets, () => explainConverted(value, amount));
}

/** In the report's currency, converted through the reference currency. */
function explainConverted(value: Fixed, { name, position, source }: PositionAmount): Figure {
  const { day, report, amounts, inReference } = source;
  const { history, currency: to } = report;
  const { rates, settings } = history.facts;
  const { referenceCurrency: from } = settings;
  const of =
    name === 'value'
      ? explainConvertedValue(history.value(position, day), valueSources(history, position, day))
      : amountFigure(name, amountOn(inReference, position, name), {
          unit: from,
          ...sumOperands(
            explainDayTerms(history, amounts, { use: name, position, day, legs: inReference.legsOf(position) }),
          ),
        });
  const conversion = rates.get({ from, to, day });
  return convertedFigure(`position-${name}`, value, { original: of, conversion });
}
