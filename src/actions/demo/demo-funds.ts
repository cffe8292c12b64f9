// The private-market funds of the demo: what they call, pay out and are worth. Costs come first and gains later, so that their
// returns begin below zero and rise (the J-curve).

import { defined } from '../../kit/assert.ts';
import type { Day } from '../../kit/day.ts';
import { datesEachYear, quarterEnds } from './demo-days.ts';
import type { DemoPoint } from './demo-market.ts';

export interface FundTerms {
  /** In hundredths. */
  readonly commitment: number;
  /** The year of the first call, counted from the first of the demo. */
  readonly from: number;
  /** What it earns in a quarter from its third year on, beyond the others; in thousandths. */
  readonly skill: number;
}

/** In hundredths: negative if it is called, positive if it is paid out. */
export interface FundFlow {
  readonly day: Day;
  readonly amount: number;
  /** The part of a distribution that may be called again. */
  readonly recallable?: number;
  /** The part of a call that the commitment covers; all of it if absent. */
  readonly effectOnUnfunded?: number;
}

export interface FundHistory {
  readonly flows: readonly FundFlow[];
  /** The value at the end of every quarter. */
  readonly values: readonly DemoPoint[];
}

/** For each year of a fund. */
const calledPercents = [25, 25, 20, 15, 10];
const quarterlyGrowths = [-40, -25, 10, 35, 45, 40, 35, 30, 20, 15]; // in thousandths
const paidOutPercents = [0, 0, 0, 8, 15, 22, 28, 33, 38, 45]; // of the value

const callDays = datesEachYear([[2, 15]]);
const payoutDays = datesEachYear([[11, 10]]);

/** Calls every February, and from the fourth year on pays out a growing part of the value every November. */
export function runFund({ commitment, from, skill }: FundTerms): FundHistory {
  const flows: FundFlow[] = [];
  const values: DemoPoint[] = [];
  let value = 0;
  for (const [quarter, day] of quarterEnds.slice(4 * from).entries()) {
    const age = Math.trunc(quarter / 4);
    const called = quarter % 4 === 0 ? percentOf(commitment, calledPercents[age] ?? 0) : 0;
    const callDay = callDays[from + age];
    if (called > 0 && callDay !== undefined) flows.push({ day: callDay, amount: -called, ...costsIn(called, age) });
    const usual = defined(quarterlyGrowths[age], 'no fund of the demo is older than ten years');
    const growth = age < 2 ? usual : usual + skill;
    value += called;
    value += Math.trunc((value * growth) / 1_000);
    const paidOut = quarter % 4 === 3 ? percentOf(value, paidOutPercents[age] ?? 0) : 0;
    const payoutDay = payoutDays[from + age];
    if (paidOut > 0 && payoutDay !== undefined) flows.push({ day: payoutDay, amount: paidOut, ...again(paidOut, age) });
    value -= paidOut;
    values.push({ day, value });
  }
  return { flows, values };
}

/** The last call contains costs that the commitment does not cover. */
function costsIn(called: number, age: number): Pick<FundFlow, 'effectOnUnfunded'> {
  return age === calledPercents.length - 1 ? { effectOnUnfunded: percentOf(called, 90) } : {};
}

/** A quarter of the first distribution may be called again. */
function again(paidOut: number, age: number): Pick<FundFlow, 'recallable'> {
  return age === paidOutPercents.findIndex((percent) => percent > 0) ? { recallable: percentOf(paidOut, 25) } : {};
}

function percentOf(amount: number, percent: number): number {
  return Math.trunc((amount * percent) / 100);
}
