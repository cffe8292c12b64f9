// The balances of cash and of fees owed through time: rows add to them, uploads say what they were. Knows no units and no rates.

import type { Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Currency } from '../currencies/exchange-rates.ts';
import type { DatedLeg, UploadFinding } from './unit-replay.ts';
import { Steps } from './step-function.ts';

/** What a row adds to a balance. */
export interface Movement {
  readonly day: Day;
  readonly amount: Fixed;
}

export interface Money {
  readonly balance: Steps;
  readonly legs: readonly DatedLeg[];
  readonly findings: readonly UploadFinding[];
}

export interface MoneySource {
  readonly position: number;
  readonly currency: Currency;
  /** In the order of the ledger. */
  readonly movements: readonly Movement[];
  readonly checkpoints: readonly Checkpoint[];
}

interface Balance {
  readonly days: Day[];
  readonly amounts: Fixed[];
  readonly legs: DatedLeg[];
  readonly findings: UploadFinding[];
}

function setBalance({ days, amounts }: Balance, day: Day, amount: Fixed): void {
  if (days.at(-1) === day) amounts[amounts.length - 1] = amount;
  else {
    days.push(day);
    amounts.push(amount);
  }
}

/** What an upload states and no row explains came from outside, or went there. */
export function cashHistory(source: MoneySource): Money {
  const { position, currency } = source;
  const state: Balance = { days: [], amounts: [], legs: [], findings: [] };
  let balance = 0n;
  for (const event of merged(source)) {
    if ('position' in event) {
      const { day, quantity } = event;
      const flow = quantity - balance;
      if (flow !== 0n) {
        state.legs.push({ measure: 'cash', position, amount: flow, currency, day });
        if (state.days.length > 0) state.findings.push({ kind: 'implied-flow', position, day, quantity: flow });
      }
      balance = quantity;
    } else balance += event.amount;
    setBalance(state, event.day, balance);
  }
  return moneyOf(state);
}

export interface FeesSource extends MoneySource {
  /** The cash that fees are paid from. */
  readonly cash: number;
  /** Whether the account was there before the first upload of what it owes. */
  readonly isKnownBefore: (day: Day) => boolean;
}

/**
 * What is owed counts against the wealth, so the balance is negative. That it grows is a cost and no flow; a fee that is paid
 * settles it first. Movements are the fees paid, positive.
 */
export function feesHistory(source: FeesSource): Money {
  const { position, currency, cash } = source;
  const state: Balance = { days: [], amounts: [], legs: [], findings: [] };
  let balance = 0n;
  for (const event of merged(source)) {
    const { day } = event;
    if ('position' in event) {
      const isFirst = state.days.length === 0 && !source.isKnownBefore(day);
      if (isFirst) state.legs.push({ measure: 'cash', position, amount: event.quantity, currency, day });
      balance = event.quantity;
    } else {
      const settled = event.amount < -balance ? event.amount : -balance;
      if (settled <= 0n) continue;
      const leg = { measure: 'cash', currency, day, settles: 'fees-owed' } as const;
      state.legs.push({ ...leg, position, amount: settled }, { ...leg, position: cash, amount: -settled });
      balance += settled;
    }
    setBalance(state, day, balance);
  }
  return moneyOf(state);
}

function moneyOf({ days, amounts, legs, findings }: Balance): Money {
  return { balance: Steps.ofAmounts(days, amounts), legs, findings };
}

/** Uploads come after the rows of their day. */
function* merged({ movements, checkpoints }: MoneySource): Generator<Movement | Checkpoint> {
  let upload = 0;
  for (const movement of movements) {
    while (upload < checkpoints.length && checkpoints[upload]!.day < movement.day) yield checkpoints[upload++]!;
    yield movement;
  }
  while (upload < checkpoints.length) yield checkpoints[upload++]!;
}
