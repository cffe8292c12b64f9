// A dated event that moves wealth, in the engine's form: one canonical row for every wire, and its place in the order of the
// ledger.

import { dayMs } from '../../kit/clock.ts';
import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { DatedQuantityAndCost, NamedLot, Ratio } from '../lots/lot.ts';
import { rankBetweenOwnPlaces, traitsOfKind } from '../../model/ledger/kind-traits.ts';
import type { TransactionKind } from '../../model/ledger/transaction-kind.ts';

export { transactionKinds, type TransactionKind } from '../../model/ledger/transaction-kind.ts';

export interface LedgerTransaction {
  /** Booking number: identifies the row and the lots it opened, and is unique. */
  readonly row: number;
  readonly kind: TransactionKind;
  /** Trade date; the ex-date of a dividend. */
  readonly day: Day;
  /** Milliseconds since the start of the day before, if the execution time is known. */
  readonly time: number | null;
  readonly settlement: Day | null;
  /** Null for a corporate action that was booked once for all holders. */
  readonly account: string | null;
  /** As the transaction names it. */
  readonly depository: string | null;
  /** What is traded, earns, is charged or called; null for money alone. */
  readonly instrument: string | null;
  /** Units into the position, negative out of it. */
  readonly quantity: Fixed;
  /** Cash into the account, negative out of it. */
  readonly amount: Fixed;
  /** Currency of the amount. */
  readonly currency: IsoCurrency;
  /** As traded, in the instrument's price unit. */
  readonly price: Fixed | null;
  /**
   * In the instrument's currency and without accrued interest: the cost of the units with fees and taxes, the proceeds after
   * them, or what was called or paid out. Negative if fees exceed the proceeds, a call was returned or a distribution repaid.
   */
  readonly value: Fixed;
  readonly details: TransactionDetails | null;
}

/** Fields that only a few rows have. */
export interface TransactionDetails {
  /** Interest bought with a buy or sold with a sell, in the instrument's currency. */
  readonly accrued?: Fixed;
  /** The other cash leg of a currency exchange or a move between own accounts. */
  readonly counterCash?: CounterCash;
  /** The own place that units in kind come from (positive quantity) or go to (negative). */
  readonly counterPlace?: HoldingPlace;
  /** Dates and costs of units in kind from outside; without them, they cost the day's value. */
  readonly lots?: readonly DatedQuantityAndCost[];
  /** Lots that a sale under SPECIFIC_ID names. */
  readonly named?: readonly NamedLot[];
  readonly action?: CorporateAction;
  /** Category of a fee. */
  readonly category?: string;
  /** By how much a capital call lowers the unfunded commitment; its value if not stated. */
  readonly effectOnUnfunded?: Fixed;
  /** The part of a distribution that may be called again. */
  readonly recallable?: Fixed;
  /** Tax withheld from a dividend or coupon, in the currency of the amount. */
  readonly withholding?: Fixed;
  /** The last day that a coupon or interest is paid for. */
  readonly periodEnd?: Day;
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
  /** A split, reverse split or stock dividend: units after for units before. */
  | { readonly action: 'split'; readonly ratio: Ratio }
  /** Units of the target for each unit held; a share of the cost moves to them. */
  | { readonly action: 'spin-off'; readonly ratio: Ratio; readonly target: string; readonly share: Fixed }
  /**
   * Units of the target replace the units held: a merger, an exchange, a change of symbol. Target units paid out instead of
   * delivered are cash in lieu; the row's amount and value are what was paid for them.
   */
  | {
      readonly action: 'merger';
      readonly ratio: Ratio;
      readonly target: string;
      readonly cashInLieu?: Fixed;
      /** The same security under another symbol: its last price goes on. */
      readonly isSymbolChange?: true;
    }
  /** The row's amount lowers the cost. */
  | { readonly action: 'return-of-capital' };

/** What determines a row's rank. Only the signs of quantity and amount count. */
interface RankedRow {
  readonly kind: TransactionKind;
  readonly quantity: Fixed | number;
  readonly amount: Fixed | number;
  readonly details: TransactionDetails | null;
}

/** The place of a row within its day. */
export function intradayRank({ kind, quantity, amount, details }: RankedRow): number {
  const traits = traitsOfKind(kind);
  const isBetweenOwnPlaces = details?.counterCash !== undefined || details?.counterPlace !== undefined;
  if (traits.amount === 'transfer' && isBetweenOwnPlaces) return rankBetweenOwnPlaces;
  return traits.rank({ quantity, amount });
}

/** Times lie below: the day itself, and a day around it for the time zones of the world. */
export const timeMax = 3 * dayMs;

/** Without a time, incoming rows come before all timed rows of the day, and outgoing ones after. */
export function untimedSortTime(rank: number): number {
  return rank <= 3 ? -1 : timeMax;
}

export function intradayTime(transaction: LedgerTransaction): number {
  return transaction.time ?? untimedSortTime(intradayRank(transaction));
}
