// The tables of daily returns, of returns over a period, and of flows by position.

import { performance } from '../../../../src/engine/returns/performance/performance.ts';
import type { SegmentReturn } from '../../../../src/engine/returns/segments/segment-return.ts';
import type { Day } from '../../../../src/kit/day.ts';
import type { LedgerTextAxis, ReportText } from '../reports.ts';
import { dayText, type ReportTable, type TableRow } from '../table-text.ts';
import { coverageOf, segmentsOnAxis, type ReportSource } from './report-context.ts';

interface NamedReturn {
  readonly segment: string;
  readonly result: SegmentReturn;
}

const wholeName = 'whole';

/** The total first, then the segments of the axis by name. */
function listReturns(source: ReportSource, report: ReportText, axis: LedgerTextAxis | null): readonly NamedReturn[] {
  const { from: start, to: end, method, fees, currency } = report;
  const result = performance(source.history, {
    window: { start, end },
    method,
    fees,
    axes: ['segments'],
    splitsGain: true,
    covers: coverageOf(source, report),
    ...(currency === null ? {} : { currency }),
    segmentsOf: (key) => ({ segments: axis === null ? [] : segmentsOnAxis(axis, key, source) }),
  });
  const segments = [...result.axes.segments]
    .map(([segment, one]) => ({ segment, result: one }))
    .toSorted((one, other) => (one.segment < other.segment ? -1 : 1));
  return [{ segment: wholeName, result: result.whole }, ...segments];
}

const dayColumns = ['date', 'segment', 'begin', 'flow', 'end', 'gain', 'base', 'return', 'income', 'fees', 'flag'];

/** Lists only the days on which something changed. */
export function returnsTable(source: ReportSource, report: ReportText): ReportTable {
  const returns = listReturns(source, report, report.axis);
  const rows = daysOf(report).flatMap((day) => returns.flatMap((one) => dayRow(one, day, report.from)));
  return { columns: dayColumns, rows };
}

function daysOf({ from, to }: ReportText): readonly Day[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function dayRow({ segment, result }: NamedReturn, day: Day, start: Day): TableRow[] {
  const index = day - start + 1;
  const [gain, flow, income, fees] = [result.gains, result.flows, result.income, result.fees].map((column) =>
    column.at(index),
  );
  if ([gain, flow, income, fees].every((amount) => amount === 0n)) return [];
  const explained = result.explainDay(day);
  return [
    {
      date: dayText(day),
      segment,
      begin: result.values.at(index - 1),
      flow: flow!,
      end: result.values.at(index),
      gain: gain!,
      base: explained.base,
      return: result.path.noReturn ?? result.path.ratios[index - 1]!,
      income: income!,
      fees: fees!,
      flag: result.flagOn(day),
    },
  ];
}

const flowColumns = ['date', 'position', 'flow', 'income', 'fees'];

/** Lists flows by position; their sum is the flow of the day. */
export function flowsTable(source: ReportSource, report: ReportText): ReportTable {
  const [, ...positions] = listReturns(source, report, 'position');
  const rows = daysOf(report).flatMap((day) =>
    positions.flatMap((one) =>
      dayRow(one, day, report.from)
        .filter(({ flow, income, fees }) => flow !== 0n || income !== 0n || fees !== 0n)
        .map((row) => ({ ...row, position: one.segment })),
    ),
  );
  return { columns: flowColumns, rows };
}

const summaryColumns = [
  'segment',
  'begin',
  'flow',
  'end',
  'gain',
  'price part',
  'income part',
  'currency part',
  'income',
  'fees',
  'return',
  'annualised',
  'volatility',
  'drawdown',
  'peak',
  'trough',
  'recovery',
  'contribution',
  'mwr',
  'yearly mwr',
];

export function summaryTable(source: ReportSource, report: ReportText): ReportTable {
  return { columns: summaryColumns, rows: listReturns(source, report, report.axis).map(summaryRow) };
}

function summaryRow({ segment, result }: NamedReturn): TableRow {
  const annualised = result.path.annualised();
  const drawdown = result.path.maximumDrawdown();
  const moneyWeighted = result.moneyWeightedReturn();
  const parts = result.gainParts();
  return {
    segment,
    ...result.totals(),
    'price part': parts.price,
    'income part': parts.income,
    'currency part': parts.currency,
    return: result.path.cumulativeReturn ?? result.path.noReturn,
    annualised: annualised.ratio ?? annualised.reason,
    volatility: result.path.volatility().ratio ?? result.path.noReturn,
    drawdown: drawdown.ratio,
    peak: dayText(drawdown.peak),
    trough: dayText(drawdown.trough),
    recovery: dayText(drawdown.recovery),
    contribution: result.contribution,
    mwr: moneyWeighted.windowRate ?? moneyWeighted.reason,
    'yearly mwr': moneyWeighted.yearlyRate ?? moneyWeighted.reason ?? 'under-one-year',
  };
}
