// The engine's figures for the reference portfolio over a range of days, in the format of the expected figures. Calculates
// nothing itself.

import type { ReturnMethod } from '../../../src/engine/returns/daily-return.ts';
import { findings } from '../../../src/engine/history/findings.ts';
import { performance, type Performance } from '../../../src/engine/returns/performance/performance.ts';
import type { FeeTreatment } from '../../../src/engine/returns/performance/position-days.ts';
import { findSyntheticInstrument, positionKeyText, type PositionKey } from '../../../src/engine/ledger/position-key.ts';
import type { SegmentReturn } from '../../../src/engine/returns/segments/segment-return.ts';
import { fromDayNumber } from '../../../src/kit/calendar-date.ts';
import type { Day } from '../../../src/kit/day.ts';
import { fromFixed, type Fixed } from '../../../src/kit/fixed.ts';
import {
  referenceAxes,
  type ReferenceAxis,
  type Convention,
  type ReferenceTransaction,
  type Tree,
  type ReferenceWindow,
} from './reference-portfolio.ts';
import { dateText, flowTree, type ReferenceWorld } from './reference-world.ts';
import { day } from '../engine/valued-holding.ts';

const methods: Readonly<Record<Convention, ReturnMethod>> = {
  'json-api': 'start-end-of-day',
  plain: 'modified-dietz',
};

export interface ReferencePerformanceRequest extends ReferenceWindow {
  readonly convention: Convention;
  readonly fees: FeeTreatment;
}

/** Each position is also a segment. */
type ReportAxis = ReferenceAxis | 'position';

interface DatedAmount {
  readonly key: PositionKey;
  readonly dayNumber: Day;
  readonly amount: Fixed;
}

export class ReferenceWindowReports {
  readonly #world: ReferenceWorld;
  readonly #performances = new Map<string, Performance<ReportAxis>>();

  constructor(world: ReferenceWorld) {
    this.#world = world;
  }

  performance(request: ReferencePerformanceRequest): Performance<ReportAxis> {
    const { from, to, convention, fees } = request;
    const text = JSON.stringify([from, to, convention, fees]);
    const known = this.#performances.get(text);
    if (known !== undefined) return known;
    const found = performance(this.#world.history, {
      window: { start: day(from), end: day(to) },
      method: methods[convention],
      axes: [...referenceAxes, 'position'],
      covers: this.#world.covers,
      fees,
      volatilityDays: this.#world.facts.settings.volatilityDaysPerYear,
      segmentsOf: (key) => ({ ...this.#world.segments(key), position: [positionKeyText(key)] }),
    });
    this.#performances.set(text, found);
    return found;
  }

  #net(window: ReferenceWindow): Performance<ReportAxis> {
    return this.performance({ ...window, convention: 'json-api', fees: 'net' });
  }

  value(window: ReferenceWindow): Tree {
    const { begin, flow, gain, end } = this.#net(window).whole.totals();
    return { begin: fromFixed(begin), netFlow: fromFixed(flow), gain: fromFixed(gain), end: fromFixed(end) };
  }

  /** The flows of each position, on days with a flow into or out of the whole portfolio. */
  flows(window: ReferenceWindow): Tree {
    const { whole } = this.#net(window);
    const found = this.#datedAmounts(window, 'flows').filter(
      ({ dayNumber }) => whole.flows.at(columnIndex(dayNumber, window)) !== 0n,
    );
    return found.map(({ key, dayNumber, amount }) => {
      const what = this.#isImplied(key, dayNumber) ? 'implied' : amount > 0n ? 'deposit' : 'withdrawal';
      return { day: fromDayNumber(dayNumber), what, ...key, amount: fromFixed(amount) };
    });
  }

  #isImplied(key: PositionKey, dayNumber: Day): boolean {
    const { history, covers } = this.#world;
    return findings(history, { day: dayNumber, covers }).some(
      (one) => one.kind === 'implied-flow' && one.day === dayNumber && history.key(one.position) === key,
    );
  }

  /** Non-zero amounts by day and position. */
  #datedAmounts(window: ReferenceWindow, column: 'flows' | 'income' | 'fees'): readonly DatedAmount[] {
    const { positions, axes: segments } = this.#net(window);
    const found = positions.flatMap((position) => {
      const key = this.#world.history.key(position);
      const amounts = segments.position.get(positionKeyText(key))![column];
      return datesOf(window).flatMap((dayNumber) => {
        const amount = amounts.at(columnIndex(dayNumber, window));
        return amount === 0n ? [] : [{ key, dayNumber, amount }];
      });
    });
    return found.toSorted((one, other) => one.dayNumber - other.dayNumber);
  }

  income(window: ReferenceWindow): Tree {
    const rows = this.#datedAmounts(window, 'income').map(({ key, dayNumber, amount }) => {
      const { kind } = this.#rowOf(key, { dayNumber, kinds: ['trade', 'dividend', 'coupon', 'interest'] });
      const what = kind === 'trade' ? 'accrued interest bought' : kind;
      return { day: fromDayNumber(dayNumber), instrument: key.instrument, what, amount: fromFixed(amount) };
    });
    return { rows, total: fromFixed(this.#net(window).whole.totals().income) };
  }

  /** The difference between the gross and the net gain is the advisory fees. */
  fees(window: ReferenceWindow): Tree {
    const rows = this.#datedAmounts(window, 'fees').map(({ key, dayNumber, amount }) => {
      const { category = null } = this.#rowOf(key, { dayNumber, kinds: ['fee'] });
      return { day: fromDayNumber(dayNumber), category, chargedTo: key.instrument, amount: fromFixed(amount) };
    });
    const net = this.#net(window).whole.totals();
    const gross = this.performance({ ...window, convention: 'json-api', fees: 'gross' }).whole.totals();
    return { rows, total: fromFixed(net.fees), advisory: fromFixed(gross.gain - net.gain) };
  }

  /** Finds the row that earned or cost something on a day; for cash, a row without an instrument. */
  #rowOf(
    { instrument }: PositionKey,
    { dayNumber, kinds }: { dayNumber: Day; kinds: readonly string[] },
  ): ReferenceTransaction {
    const named = findSyntheticInstrument(instrument) === undefined ? instrument : undefined;
    return this.#world.facts.transactions.find(
      (row) => day(row.day) === dayNumber && row.instrument === named && kinds.includes(row.kind),
    )!;
  }

  moneyWeighted(window: ReferenceWindow): Tree {
    const { result, terms } = this.#net(window).whole.explainMoneyWeightedReturn();
    return { rate: result.rate, windowRate: result.windowRate, flows: terms.map(flowTree) };
  }

  returns(request: ReferencePerformanceRequest): Tree {
    const { path } = this.performance(request).whole;
    const annualised = path.annualised();
    const volatility = path.volatility();
    const drawdown = path.maximumDrawdown();
    return {
      cumulative: path.cumulativeReturn,
      annualised: annualised.ratio,
      days: annualised.days,
      weekdays: volatility.count,
      volatility: volatility.ratio,
      maximumDrawdown: {
        value: drawdown.ratio,
        peak: dateText(drawdown.peak),
        trough: dateText(drawdown.trough),
        recovery: dateText(drawdown.recovery),
      },
    };
  }

  segments(request: ReferencePerformanceRequest, axis: ReferenceAxis): Readonly<Record<string, Tree>> {
    const found = this.performance(request).axes[axis];
    return Object.fromEntries([...found].map(([segment, one]) => [segment, segmentTree(one)]));
  }
}

function segmentTree(one: SegmentReturn): Tree {
  const { begin, flow, gain, end } = one.totals();
  return {
    begin: fromFixed(begin),
    flow: fromFixed(flow),
    gain: fromFixed(gain),
    end: fromFixed(end),
    contribution: one.contribution,
    ownReturn: one.path.cumulativeReturn,
  };
}

function datesOf({ from, to }: ReferenceWindow): readonly Day[] {
  return Array.from({ length: day(to) - day(from) + 1 }, (_, offset) => day(from) + offset);
}

/** Column 0 is the day before the window. */
function columnIndex(dayNumber: Day, { from }: ReferenceWindow): number {
  return dayNumber - day(from) + 1;
}
