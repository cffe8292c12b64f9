// Makes the opening and the closing balance of a file whose lines say the balance after each of them, oldest or newest line first.

import { fixedText, toFixed } from '../../kit/fixed.ts';
import type { NamedAccount, StatementBalance, StatementEntry } from '../../model/custody/statement.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { stated } from '../stated-fields.ts';
import { readDecimal } from '../stated-values.ts';

interface BalanceLine {
  readonly entry: StatementEntry;
  readonly amount: Decimal;
  readonly balance: Decimal;
  readonly part: string | undefined;
}

export class CsvBalances {
  #first: BalanceLine | undefined;
  #second: BalanceLine | undefined;
  #last: BalanceLine | undefined;
  /** Not every line belongs to one account and is booked. */
  #isUnclear = false;

  /** `part`: of the account, which has a balance of its own. */
  add(entry: StatementEntry, balance: Decimal | undefined, part?: string): void {
    if (entry.status === 'pending') return;
    if (balance === undefined || entry.amount === undefined) return;
    const line = { entry, amount: entry.amount, balance, part };
    if (this.#first !== undefined && keyOf(line) !== keyOf(this.#first)) this.#isUnclear = true;
    if (this.#first === undefined) this.#first = line;
    else this.#second ??= line;
    this.#last = line;
  }

  /** None if the file has no balances, or those of several accounts. */
  items(statement: string): StatementBalance[] {
    const [first, last] = [this.#first, this.#last];
    if (first === undefined || last === undefined || this.#isUnclear) return [];
    const [oldest, newest] = this.#isNewestFirst(first, last) ? [last, first] : [first, last];
    const before = readDecimal(fixedText(toFixed(oldest.balance) - toFixed(oldest.amount)));
    const { currency } = oldest.entry;
    if (before === undefined || currency === undefined) return [];
    return [
      balanceItem(oldest, { moment: 'opening', amount: before, currency, statement }),
      balanceItem(newest, { moment: 'closing', amount: newest.balance, currency, statement }),
    ];
  }

  /** By the dates; within one day by which of two lines leads to the other. */
  #isNewestFirst(first: BalanceLine, last: BalanceLine): boolean {
    if (first.entry.date !== last.entry.date) return first.entry.date > last.entry.date;
    const second = this.#second;
    if (second === undefined) return false;
    return toFixed(second.balance) + toFixed(first.amount) === toFixed(first.balance);
  }
}

function keyOf({ entry: { account, currency }, part }: BalanceLine): string {
  return `${account?.number ?? ''}/${currency ?? ''}/${part ?? ''}`;
}

interface BalanceFields {
  readonly moment: 'opening' | 'closing';
  readonly amount: Decimal;
  readonly currency: string;
  readonly statement: string;
}

function balanceItem({ entry }: BalanceLine, fields: BalanceFields): StatementBalance {
  const account: NamedAccount | undefined = entry.account;
  return stated<StatementBalance>({ item: 'balance', place: entry.place, account, date: entry.date, ...fields });
}
