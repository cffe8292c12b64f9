// Computes the return of one segment over a window, with all its terms. Each figure is computed on first use.

import type { Day } from '../../../kit/day.ts';
import type { Fixed } from '../../../kit/fixed.ts';
import { AmountColumn } from '../../amounts/amount-column.ts';
import type { DailyReturn, DayFlag, ReturnMethod } from '../daily-return.ts';
import type { DatedFlow } from '../money-weighted/net-flows.ts';
import { compensatedSum } from '../return-statistics.ts';
import { windowReturn, type FirstFlow, type WindowReturn } from '../money-weighted/window-return.ts';
import { explainRate, type ExplainedReturn } from '../money-weighted/xirr.ts';
import {
  dayFlags,
  dayReturn,
  computeDailyReturns,
  type DayFigures,
  type WholeDays,
} from './daily-returns-of-columns.ts';
import { firstValueDay, ReturnPath, type NoReturnReason, type ReturnWindow } from '../return-path.ts';
import { findNoReturnReason } from './invested-base.ts';
import { investorFlows, type ScratchColumns } from './investor-flows.ts';
import type { SegmentColumns } from './segment-columns.ts';

/** What all segments of one whole share. */
export interface SegmentContext {
  readonly window: ReturnWindow;
  readonly method: ReturnMethod;
  readonly volatilityDays: number | undefined;
  readonly days: Int32Array;
  readonly wholeDays: WholeDays;
  /** Why the whole has no return. */
  readonly wholeNoReturn: NoReturnReason | null;
  /** Buffers for what no segment keeps. */
  readonly scratch: Pick<DayFigures, 'bases' | 'terms'> & ScratchColumns;
}

interface FlaggedDay {
  readonly day: Day;
  readonly flag: DayFlag;
}

interface SegmentTotals {
  /** The values before the window and at its end. */
  readonly begin: Fixed;
  readonly end: Fixed;
  readonly flow: Fixed;
  /** end − begin − flow, the sum of all gains: the contribution to the whole as an amount. */
  readonly gain: Fixed;
  readonly income: Fixed;
  readonly fees: Fixed;
}

/** They add up to the gain exactly. */
export interface GainParts {
  /** What prices brought, less fees: all that is neither income nor currency. */
  readonly price: Fixed;
  /** What was booked as income, and the change of interest that is accrued or owed. */
  readonly income: Fixed;
  /** What was there every evening, in its own currency, times the change of its rate the next day. */
  readonly currency: Fixed;
}

interface DayResults {
  readonly path: ReturnPath;
  readonly flags: Uint8Array;
  readonly contribution: number;
}

export class SegmentReturn {
  readonly #columns: SegmentColumns;
  readonly #context: SegmentContext;
  #results: DayResults | undefined;
  #gains: AmountColumn | undefined;
  #totals: SegmentTotals | undefined;
  #moneyWeighted: WindowReturn | undefined;

  constructor(columns: SegmentColumns, context: SegmentContext) {
    this.#columns = columns;
    this.#context = context;
  }

  /** Amounts by day, starting with the day before the window. Read only. */
  get values(): AmountColumn {
    return this.#columns.values;
  }

  get flows(): AmountColumn {
    return this.#columns.flows;
  }

  get income(): AmountColumn {
    return this.#columns.income;
  }

  get fees(): AmountColumn {
    return this.#columns.fees;
  }

  /** V1 − V0 − F. */
  get gains(): AmountColumn {
    return (this.#gains ??= segmentGains(this.#columns));
  }

  /** Whether anything was held or moved in the window. */
  get isCovered(): boolean {
    return this.#columns.isCovered;
  }

  get path(): ReturnPath {
    return this.#getResults().path;
  }

  /** Contribution to the cumulative return of the whole; null if the whole has none. */
  get contribution(): number | null {
    return this.#context.wholeNoReturn === null ? this.#getResults().contribution : null;
  }

  /** The contribution of each day. */
  contributionTerms(): Float64Array {
    this.#computeFigures();
    return this.#context.scratch.terms.slice();
  }

  flagOn(day: Day): DayFlag | null {
    return dayFlags[this.#getResults().flags[this.#indexOf(day)]!]!;
  }

  flaggedDays(): FlaggedDay[] {
    const { days } = this.#context;
    const { flags } = this.#getResults();
    const flagged: FlaggedDay[] = [];
    for (let index = 0, { length } = flags; index < length; index++) {
      if (flags[index] !== 0) flagged.push({ day: days[index]!, flag: dayFlags[flags[index]!]! });
    }
    return flagged;
  }

  explainDay(day: Day): DailyReturn {
    return dayReturn(this.#columns, this.#context.method, this.#indexOf(day));
  }

  totals(): SegmentTotals {
    return (this.#totals ??= segmentTotals(this.#columns));
  }

  /** Only if the gain was to be split. */
  gainParts(): GainParts {
    const { gain, income: booked } = this.totals();
    const { currency, interest } = this.#columns.shares;
    const income = booked + interest;
    return { price: gain - income - currency, income, currency };
  }

  moneyWeightedReturn(): WindowReturn {
    return (this.#moneyWeighted ??= this.#computeMoneyWeighted());
  }

  #computeMoneyWeighted(): WindowReturn {
    const { noReturn } = this.path;
    return windowReturn(investorFlows(this.#columns, this.#context.scratch), { firstFlow: this.#firstFlow, noReturn });
  }

  get #firstFlow(): FirstFlow {
    return this.values.isZero(0) ? 'within-window' : 'value-before';
  }

  /**
   * From the investor's side: the value before the window is paid in, then each day's flow, and at the end everything comes back.
   */
  explainMoneyWeightedReturn(): ExplainedReturn<WindowReturn> {
    const { window, days } = this.#context;
    const { begin, end } = this.totals();
    const paidIn: DatedFlow[] = [];
    for (const [index, day] of days.entries()) {
      if (!this.flows.isZero(index + 1)) paidIn.push({ day, amount: -this.flows.at(index + 1) });
    }
    const flows = [{ day: window.start - 1, amount: -begin }, ...paidIn, { day: window.end, amount: end }];
    const { noReturn } = this.path;
    return explainRate(flows, (net) => windowReturn(net, { firstFlow: this.#firstFlow, noReturn }));
  }

  #getResults(): DayResults {
    return (this.#results ??= this.#computeResults());
  }

  #computeResults(): DayResults {
    const { days, window, scratch, volatilityDays } = this.#context;
    const { ratios, flags, bases, flows } = this.#computeFigures();
    const firstValue = firstValueDay(this.values, window);
    const noReturn = findNoReturnReason(this.#columns, bases, flows);
    const path = new ReturnPath({ days, ratios, firstValue, volatilityDays, noReturn });
    return { path, flags, contribution: compensatedSum(scratch.terms) };
  }

  /** Read the flows at once: they may be in the scratch column. */
  #computeFigures(): DayFigures & { readonly flows: AmountColumn } {
    const { days, method, wholeDays, scratch } = this.#context;
    const { bases, terms, amounts } = scratch;
    const figures = { ratios: new Float64Array(days.length), flags: new Uint8Array(days.length), bases, terms };
    const { values, uninvested } = this.#columns;
    const columns = { values, flows: this.#columns.read('flows', amounts), uninvested };
    computeDailyReturns({ columns, method, wholeDays }, figures);
    return { ...figures, flows: columns.flows };
  }

  #indexOf(day: Day): number {
    const { start, end } = this.#context.window;
    if (day < start || day > end) throw new RangeError('A day lies outside the window.');
    return day - start;
  }
}

function segmentTotals(columns: SegmentColumns): SegmentTotals {
  const { values } = columns;
  const [begin, end, flow] = [values.at(0), values.at(values.length - 1), columns.windowSum('flows')];
  const [income, fees] = [columns.windowSum('income'), columns.windowSum('fees')];
  return { begin, end, flow, gain: end - begin - flow, income, fees };
}

function segmentGains({ values, flows }: SegmentColumns): AmountColumn {
  const gains = new AmountColumn(values.length);
  const [value, flow] = [values.findParts(), flows.findParts()];
  for (let index = 1; index < values.length; index++) {
    if (value && flow) {
      const high = value.high[index]! - value.high[index - 1]! - flow.high[index]!;
      gains.setParts(index, high, value.low[index]! - value.low[index - 1]! - flow.low[index]!);
    } else gains.set(index, values.at(index) - values.at(index - 1) - flows.at(index));
  }
  return gains;
}
