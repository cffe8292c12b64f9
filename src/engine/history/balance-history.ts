// Computes balances of cash and of fees owed through time: rows add to them, uploads state them.

import type { Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { DatedLeg, UploadFinding } from './unit-replay.ts';
import { StepFunction } from './step-function.ts';

/** What a row adds to a balance. */
export interface Movement {
  readonly day: Day;
  readonly amount: Fixed;
}

export interface BalanceHistory {
  readonly balance: StepFunction;
  readonly legs: readonly DatedLeg[];
  readonly findings: readonly UploadFinding[];
}

export interface BalanceSource {
  readonly position: number;
  readonly currency: IsoCurrency;
  /** In ledger order. */
  readonly movements: readonly Movement[];
  readonly checkpoints: readonly Checkpoint[];
}

interface BalanceDraft {
  readonly days: Day[];
  readonly amounts: Fixed[];
  readonly legs: DatedLeg[];
  readonly findings: UploadFinding[];
}

function setBalance({ days, amounts }: BalanceDraft, day: Day, amount: Fixed): void {
  if (days.at(-1) === day) amounts[amounts.length - 1] = amount;
  else {
    days.push(day);
    amounts.push(amount);
  }
}

/** What an upload states and no row explains came from outside or went there. */
export function cashBalanceHistory(source: BalanceSource): BalanceHistory {
  const { position, currency } = source;
  const draft: BalanceDraft = { days: [], amounts: [], legs: [], findings: [] };
  let balance = 0n;
  for (const event of mergeByDay(source)) {
    if ('position' in event) {
      const { day, quantity } = event;
      const flow = quantity - balance;
      if (flow !== 0n) {
        draft.legs.push({ measure: 'cash', position, amount: flow, currency, day });
        if (draft.days.length > 0) draft.findings.push({ kind: 'implied-flow', position, day, quantity: flow });
      }
      balance = quantity;
    } else balance += event.amount;
    setBalance(draft, event.day, balance);
  }
  return finishedHistory(draft);
}

export interface FeesOwedSource extends BalanceSource {
  /** The cash that fees are paid from. */
  readonly cash: number;
  /** Whether the account existed before the first upload of what it owes. */
  readonly isKnownBefore: (day: Day) => boolean;
}

/**
 * What is owed counts against the wealth, so the balance is negative. Its growth is a cost, not a flow; a fee that is paid
 * settles it first. Movements are the fees paid, positive.
 */
export function feesOwedHistory(source: FeesOwedSource): BalanceHistory {
  const { position, currency, cash } = source;
  const draft: BalanceDraft = { days: [], amounts: [], legs: [], findings: [] };
  let balance = 0n;
  for (const event of mergeByDay(source)) {
    const { day } = event;
    if ('position' in event) {
      const isFirst = draft.days.length === 0 && !source.isKnownBefore(day);
      if (isFirst) draft.legs.push({ measure: 'cash', position, amount: event.quantity, currency, day });
      balance = event.quantity;
    } else {
      const paidOff = event.amount < -balance ? event.amount : -balance;
      if (paidOff <= 0n) continue;
      const leg = { measure: 'cash', currency, day, settles: 'fees-owed' } as const;
      draft.legs.push({ ...leg, position, amount: paidOff }, { ...leg, position: cash, amount: -paidOff });
      balance += paidOff;
    }
    setBalance(draft, day, balance);
  }
  return finishedHistory(draft);
}

function finishedHistory({ days, amounts, legs, findings }: BalanceDraft): BalanceHistory {
  return { balance: StepFunction.fromAmounts(days, amounts), legs, findings };
}

/** Uploads come after the rows of their day. */
function* mergeByDay({ movements, checkpoints }: BalanceSource): Generator<Movement | Checkpoint> {
  let nextUpload = 0;
  for (const movement of movements) {
    while (nextUpload < checkpoints.length && checkpoints[nextUpload]!.day < movement.day)
      yield checkpoints[nextUpload++]!;
    yield movement;
  }
  while (nextUpload < checkpoints.length) yield checkpoints[nextUpload++]!;
}
