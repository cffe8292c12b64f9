// Says where the ledger of an account begins with a statement that opens with money: no entry says where that came from.

import { fromDayNumber, toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import { ownData } from '../../kit/memory/own-text.ts';
import type { ImportWarning } from '../../model/custody/import.ts';
import type { StatementBalance } from '../../model/custody/statement.ts';
import type { Work } from '../core/work.ts';
import { cleanText } from './entry-input.ts';

interface Opening {
  readonly account: Id;
  readonly date: CalendarDate;
  readonly balance: StatementBalance;
}

export class OpeningBalances {
  /** The earliest of each account. */
  readonly #openings = new Map<Id, Opening>();

  add(account: Id, balance: StatementBalance): void {
    const known = this.#openings.get(account);
    if (known !== undefined && known.date <= balance.date) return;
    this.#openings.set(account, { account, date: balance.date, balance: ownData(balance) });
  }

  /** One warning for each account that has nothing before its first statement and does not begin with nothing. */
  async listWarnings({ store }: Work): Promise<ImportWarning[]> {
    const openings = [...this.#openings.values()].filter(({ balance }) => balance.amount !== '0');
    if (openings.length === 0) return [];
    const begun = await store.importNames.listBegunAccounts(openings);
    return openings.filter(({ account }) => !begun.has(account)).map(toWarning);
  }
}

function toWarning({ account, date, balance }: Opening): ImportWarning {
  const { amount, currency } = balance;
  const before = fromDayNumber(toDayNumber(date) - 1);
  const upload = JSON.stringify({ kind: 'account', account_id: account, date: before, market_value: amount });
  const detail = `The ledger has nothing of the account before ${date}, and its statement opens with ${amount} ${currency}. If earlier statements follow, import them. Otherwise create this historical holding, and the ledger begins with it: ${upload}`;
  return {
    code: 'opening-missing',
    detail,
    account: cleanText(balance.account?.number, 200),
    statement: cleanText(balance.statement, 200),
    stated: amount,
  };
}
