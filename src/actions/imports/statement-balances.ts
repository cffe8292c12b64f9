// Checks that the entries of each statement lead from its opening to its closing balance.

import { isExchange } from '../../model/ledger/kind-traits.ts';
import { isDecimal, type Decimal } from '../../kit/decimal.ts';
import { fixedText, toFixed, type Fixed } from '../../kit/fixed.ts';
import { ownText } from '../../kit/memory/own-text.ts';
import type { ImportWarning } from '../../model/custody/import.ts';
import type { StatementBalance, StatementEntry } from '../../model/custody/statement.ts';
import { cleanText } from './entry-input.ts';

/** How many statements are checked at once; a file has few at a time. */
const statementsMax = 100_000;

interface StatementSum {
  readonly account: string | null;
  readonly statement: string;
  readonly currency: string;
  opening: Decimal | null;
  closing: Decimal | null;
  entries: Fixed;
}

const placeOf = (account: { readonly number: string } | undefined, currency: string): string =>
  `${account?.number ?? ''} ${currency}`;

export class StatementBalances {
  readonly #sums = new Map<string, StatementSum>();
  /** The statement that entries belong to which name none. */
  readonly #latest = new Map<string, string>();

  addBalance({ account, currency, statement, moment, amount }: StatementBalance): void {
    const place = placeOf(account, currency);
    const sum = this.#open(place, { statement, currency, account: account?.number ?? null });
    if (sum === undefined) return;
    this.#latest.set(place, sum.statement);
    if (moment === 'opening') sum.opening ??= ownText(amount);
    else sum.closing = ownText(amount);
  }

  #open(place: string, named: Pick<StatementSum, 'account' | 'statement' | 'currency'>): StatementSum | undefined {
    const key = `${place} ${named.statement}`;
    const known = this.#sums.get(key);
    if (known !== undefined || this.#sums.size >= statementsMax) return known;
    const { account, statement, currency } = named;
    const names = { account: account && ownText(account), statement: ownText(statement), currency: ownText(currency) };
    const sum: StatementSum = { ...names, opening: null, closing: null, entries: 0n };
    this.#sums.set(key, sum);
    return sum;
  }

  /** Pending entries are not part of a balance. */
  addEntry(entry: StatementEntry): void {
    const { account, status, amount, currency, counterAccount, counterAmount, counterCurrency } = entry;
    if (status === 'pending') return;
    if (amount !== undefined) this.#add(entry, currency ?? account?.currency, amount);
    const isWithinAccount = counterAccount === undefined || counterAccount.number === account?.number;
    if (isExchange(entry.kind) && counterAmount !== undefined && isWithinAccount)
      this.#add(entry, counterCurrency, counterAmount);
  }

  #add({ account, statement: named }: StatementEntry, currency: string | undefined, amount: Decimal): void {
    if (currency === undefined) return;
    const place = placeOf(account, currency);
    const statement = named ?? this.#latest.get(place) ?? '';
    const sum = this.#open(place, { statement, currency, account: account?.number ?? null });
    if (sum !== undefined) sum.entries = sum.entries + toFixed(amount);
  }

  /** One warning for each statement whose figures do not fit. */
  listWarnings(): ImportWarning[] {
    return [...this.#sums.values()].flatMap(({ account, statement, currency, opening, closing, entries }) => {
      if (opening === null || closing === null) return [];
      const expected = toFixed(opening) + entries;
      if (expected === toFixed(closing)) return [];
      const [led, stated] = [fixedText(expected), closing];
      const where = account === null ? '' : ` of account ${account.slice(0, 100)}`;
      const detail = `The entries of statement ${statement.slice(0, 100)}${where} do not lead to its closing balance: opening ${opening} ${currency} and the entries come to ${led}, the closing balance is ${stated}.`;
      const names = { account: cleanText(account ?? undefined, 200), statement: cleanText(statement, 200) };
      return [
        {
          code: 'balances-differ' as const,
          detail: cleanText(detail, 1_000) ?? '',
          ...names,
          stated,
          ...(isDecimal(led) ? { expected: led } : {}),
        },
      ];
    });
  }
}
