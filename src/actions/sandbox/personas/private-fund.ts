// A private-market fund of the sandbox: what it calls, pays out and is worth, quarter by quarter. Costs come first and gains later, so that
// its return begins below zero and rises (the J-curve).

import type { Day } from '../../../kit/day.ts';
import { decimalOf } from '../../demo/demo-market.ts';
import type { SandboxCurrency } from '../../../model/sandbox/persona.ts';
import type { PersonaBook } from './persona-book.ts';
import { chance, isQuarterEnd, isQuarterly, percentOf, quarterOf, type Life } from './persona.ts';

export interface FundPlan {
  readonly key: string;
  readonly name: string;
  readonly currency: SandboxCurrency;
  readonly account: string;
  readonly path: string;
  readonly strategy: string;
  /** In hundredths. */
  readonly commitment: number;
  /** Quarters after the client's first. */
  readonly after: number;
  /** Beyond the others, in a quarter, once it earns; in thousandths. */
  readonly skill: number;
}

/** For each quarter of the fund's life; zero after the last. */
const calledPercents = [12, 10, 10, 9, 8, 8, 7, 7, 6, 5, 4, 4, 3];
/** In thousandths; the last goes on. */
const growths = [-45, -38, -28, -15, 5, 18, 28, 34, 38, 40, 38, 36, 34, 30, 28, 25, 20];
/** Of the value, from the sixth quarter on; the last goes on. */
const paidOutPercents = [0, 0, 0, 0, 0, 3, 0, 5, 0, 8, 4, 8, 6, 10, 8, 12, 10];

function at(values: readonly number[], index: number): number {
  return values[index] ?? values.at(-1) ?? 0;
}

interface Quarter {
  /** The value at its end. */
  readonly value: number;
  readonly called: number;
  readonly paidOut: number;
}

/** Runs a fund up to a quarter of its life. */
function runFund(plan: FundPlan, index: number, life: Life): Quarter {
  let quarter: Quarter = { value: 0, called: 0, paidOut: 0 };
  for (let age = 0; age <= index; age++) {
    const called = percentOf(plan.commitment, calledPercents[age] ?? 0);
    const luck = chance(life, 40 + plan.after, age, 21) - 10;
    const growth = at(growths, age) + (age < 5 ? 0 : plan.skill + luck);
    const before = quarter.value + called;
    const grown = before + Math.trunc((before * growth) / 1_000);
    const paidOut = percentOf(grown, at(paidOutPercents, age));
    quarter = { value: grown - paidOut, called, paidOut };
  }
  return quarter;
}

/** Calls come in the middle of a quarter, distributions shortly before its end, and the value on its last day. */
export function liveFund(book: PersonaBook, day: Day, { plan, life }: { plan: FundPlan; life: Life }): void {
  // The quarter of the opening may have begun long before it.
  const index = quarterOf(day) - quarterOf(life.opening) - 1 - plan.after;
  if (index < 0) return;
  const { key, account } = plan;
  const isCalled = isQuarterly(day, 2, 12);
  const isPaid = isQuarterly(day, 3, 18);
  const isValued = isQuarterEnd(day);
  if (!isCalled && !isPaid && !isValued) return;
  const { value, called, paidOut } = runFund(plan, index, life);
  if (isCalled && called > 0) {
    if (index === 0) book.add(fundInstrument(plan, day));
    book.ensure(account, day, called);
    book.call(account, key, day, called);
  }
  const isFirstPayment = index === paidOutPercents.findIndex((percent) => percent > 0);
  if (isPaid && paidOut > 0)
    book.distribute(account, key, day, {
      amount: paidOut,
      recallable: isFirstPayment ? percentOf(paidOut, 25) : 0,
    });
  if (isValued) book.value(key, day, 'net-asset-value', value);
}

function fundInstrument(plan: FundPlan, day: Day) {
  const { key, name, currency, path, strategy, commitment } = plan;
  return {
    day,
    key,
    path,
    fields: {
      type: 'private-market-fund',
      name,
      ccyCode: currency,
      commitment: decimalOf(commitment, 2),
      strategy,
      managerName: `${name.split(' ')[0]} Partners`,
      vintageYear: Math.trunc(quarterOf(day) / 4),
    },
  };
}
