// A dated event that moves wealth, in the engine's words: one canonical row for every vocabulary, and its place in the order of
// the ledger. Knows no wire and not what follows from it.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { DatedQuantityAndCost, NamedLot, Ratio } from '../lots/lot.ts';
import type { TransactionKind } from '../../model/ledger/transaction-kind.ts';

export { transactionKinds, type TransactionKind } from '../../model/ledger/transaction-kind.ts';

export interface LedgerTransaction {
  /** The number under which it was booked: names it and the lots it opened. No two rows have the same. */
  readonly row: number;
  readonly kind: TransactionKind;
  /** The trade date; of a dividend the ex-date. */
  readonly day: Day;
  /** Milliseconds since the day began, where the time of execution is known. */
  readonly time: number | null;
  readonly settlement: Day | null;
  /** None for a corporate action that was booked once for all holders. */
  readonly account: string | null;
  /** As the transaction names it. */
  readonly depository: string | null;
  /** What is traded, earns, is charged, is called; none where it is money alone. */
  readonly instrument: string | null;
  /** Units into the position, or negative out of it. */
  readonly quantity: Fixed;
  /** Cash into the account, or negative out of it. */
  readonly amount: Fixed;
  /** What the amount is in. */
  readonly currency: IsoCurrency;
  /** As traded, in the instrument's price unit. */
  readonly price: Fixed | null;
  /**
   * In the instrument's currency, what the units cost with fees and taxes, or brought after them, or what was called or paid out:
   * accrued interest left out. Not negative but where fees exceed the proceeds.
   */
  readonly value: Fixed;
  readonly details: TransactionDetails | null;
}

/** What few rows have. */
export interface TransactionDetails {
  /** In the instrument's currency, the interest bought with a buy or sold with a sell. */
  readonly accrued?: Fixed;
  /** The other leg in cash: of an exchange of currencies, of a move between own accounts. */
  readonly counterCash?: CounterCash;
  /** Where units in kind come from (positive quantity) or go to (negative): own places. */
  readonly counterPlace?: HoldingPlace;
  /** Of units in kind from outside: their dates and costs; without it they cost the day's value. */
  readonly lots?: readonly DatedQuantityAndCost[];
  /** Of a sale under SPECIFIC_ID. */
  readonly named?: readonly NamedLot[];
  readonly action?: CorporateAction;
  /** Of a fee. */
  readonly category?: string;
  /** Of a capital call: by how much it lowers the unfunded commitment; its value where nothing is said. */
  readonly effectOnUnfunded?: Fixed;
  /** Of a distribution: the part that may be called again. */
  readonly recallable?: Fixed;
  /** In the currency of the amount: of a dividend or coupon, what was withheld of it before it came. */
  readonly withholding?: Fixed;
}

export interface HoldingPlace {
  readonly account: string | null;
  readonly depository: string | null;
}

export interface CounterCash {
  readonly account: string;
  readonly currency: IsoCurrency;
  readonly amount: Fixed;
}

export type CorporateAction =
  /** A split, a reverse split, a stock dividend: so many units after for so many before. */
  | { readonly action: 'split'; readonly ratio: Ratio }
  /** So many units of the target for each one held; the share of the cost goes with them. */
  | { readonly action: 'spin-off'; readonly ratio: Ratio; readonly target: string; readonly share: Fixed }
  /**
   * So many units of the target for the units held, which end: a merger, an exchange, a change of symbol. Target units paid out
   * instead of delivered are the cash in lieu; the row's amount and value are what was paid for them.
   */
  | { readonly action: 'merger'; readonly ratio: Ratio; readonly target: string; readonly cashInLieu?: Fixed }
  /** The row's amount lowers the cost. */
  | { readonly action: 'return-of-capital' };

/** What the rank of a row follows from. Of quantity and amount the sign counts. */
export interface RankedRow {
  readonly kind: TransactionKind;
  readonly quantity: Fixed | number;
  readonly amount: Fixed | number;
  readonly details: TransactionDetails | null;
}

/** Corporate actions, inflows, buys and calls, moves between own places, income and fees, sells, redemptions, outflows. */
export function intradayRank({ kind, quantity, amount, details }: RankedRow): number {
  switch (kind) {
    case 'corporate-action':
      return 0;
    case 'flow':
      if (details?.counterCash !== undefined || details?.counterPlace !== undefined) return 3;
      return quantity < 0 || amount < 0 ? 7 : 1;
    case 'trade':
      return quantity < 0 ? 5 : 2;
    case 'capital-call':
      return 2;
    case 'fx':
      return 3;
    case 'dividend':
    case 'coupon':
    case 'interest':
    case 'fee':
      return 4;
    default:
      return 6;
  }
}

const dayLengthMs = 86_400_000;

/** Without a time, what brings in comes before all that has one, and what takes out after. */
export function untimedSortTime(rank: number): number {
  return rank <= 3 ? -1 : dayLengthMs;
}

export function intradayTime(transaction: LedgerTransaction): number {
  return transaction.time ?? untimedSortTime(intradayRank(transaction));
}

/** The total order: trade date, time of execution, rank within the day, booking sequence. */
export function compareTransactions(one: LedgerTransaction, other: LedgerTransaction): number {
  return (
    one.day - other.day ||
    intradayTime(one) - intradayTime(other) ||
    intradayRank(one) - intradayRank(other) ||
    one.row - other.row
  );
}
