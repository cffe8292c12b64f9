// The cash balances of an account at the end of a day: as booked, and as settled.

import { toDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import { RateGapRecorder } from '../../engine/currencies/rate-gap-recorder.ts';
import { unsettledCash } from '../../engine/history/movements.ts';
import { findSyntheticInstrument } from '../../engine/ledger/position-key.ts';
import type { AccountBalance } from '../../model/report/account-balance.ts';
import { account as accountResource } from '../../model/structure/account.ts';
import { getRecord, notFound } from '../core/resource.ts';
import { readInSnapshot, type Work } from '../core/work.ts';
import { accountRules } from '../structure/account.ts';
import { requestedDate, type AsOf } from './day-report.ts';
import { findReportInputs, findReportInputsKnownAt } from './inputs/report-inputs.ts';
import { dayOfMoment, endOfDay } from './report-day.ts';

export interface AccountBalances {
  readonly asOf: number;
  readonly ledgerVersion: string;
  /** Ordered by currency. */
  readonly balances: readonly AccountBalance[];
}

interface BalancesQuery {
  /** Today by default. */
  readonly asOf?: AsOf | undefined;
  readonly knownAt?: number | undefined;
}

export async function listAccountBalances(
  work: Work,
  id: string,
  { asOf, knownAt }: BalancesQuery,
): Promise<AccountBalances> {
  const { client } = await getRecord(work, accountRules, id, knownAt);
  const { timeZone } = work.context;
  // Rates decide costs and values, and never a balance.
  const replaceRates = (known: ConstructorParameters<typeof RateGapRecorder>[0]): RateGapRecorder =>
    new RateGapRecorder(known);
  const inputs = await readInSnapshot(work, (snapshot) =>
    knownAt === undefined
      ? findReportInputs(snapshot, client, { replaceRates })
      : findReportInputsKnownAt(snapshot, client, { knownAt, replaceRates }),
  );
  if (inputs === undefined) throw notFound(accountResource);
  const requested = requestedDate(asOf, { timeZone });
  const day: Day = requested === undefined ? dayOfMoment(knownAt ?? work.now, timeZone) : toDayNumber(requested);
  const { history, ledgerVersion } = inputs;
  const balances = history.table.sortedPositions().flatMap((position): AccountBalance[] => {
    const key = history.key(position);
    const money = findSyntheticInstrument(key.instrument);
    if (key.account !== id || money?.kind !== 'cash') return [];
    const balance = history.units(position).valueOn(day);
    const settledBalance = balance - unsettledCash(history, position, day);
    return balance === 0n && settledBalance === 0n ? [] : [{ currency: money.currency, balance, settledBalance }];
  });
  return {
    asOf: endOfDay(day, timeZone),
    ledgerVersion,
    balances: balances.toSorted((one, other) => (one.currency < other.currency ? -1 : 1)),
  };
}
