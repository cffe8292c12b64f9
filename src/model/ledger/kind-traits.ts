// What each kind of transaction is to the ledger: its place within a day, what its amount is made of, what it does to units, whose flow it
// is, what it earns, and what it is to a fund. Code asks these traits and does not compare kinds; a new kind does not compile without them.

import type { TransactionKind } from './transaction-kind.ts';

/** What the amount of a row is made of. */
export type AmountBasis =
  /** Units × price, with the interest, fees and taxes of a trade. */
  | 'units'
  /** What was earned, less the tax withheld from it. */
  | 'income'
  /** A charge, or what was refunded of one. */
  | 'charge'
  /** Money, or units in kind, from outside or between own accounts. */
  | 'transfer'
  /** Money in one currency against money in another. */
  | 'exchange'
  /** What a forward settled at, in cash or by delivery. */
  | 'settlement'
  /** What a fund called or paid, or an issuer paid, converted to the instrument's currency. */
  | 'payment';

/** What a row does to the units that it names. */
export type UnitEffect =
  | 'traded'
  /** They come or go in kind. */
  | 'delivered'
  /** Their cost grows, or units are called. */
  | 'called'
  /** They are paid back, wherever the account holds them. */
  | 'ended'
  /** They are changed for all holders by their issuer. */
  | 'converted'
  | 'none';

/**
 * Whose flow an amount is. `both`: cash came in and the instrument gave it up, or the reverse. `cash`: it came from outside or from another
 * account. `none`: the cash itself earned or bore it, which is return, not flow.
 */
export type AmountSides = 'both' | 'cash' | 'none';

/** What the money of a row is to the fund that it names. */
export type FundEffect =
  | 'call'
  | 'distribution'
  /** A stake that is bought from or sold to another investor. */
  | 'stake'
  | 'action'
  | 'income'
  | 'charge'
  /** Received or paid, by its sign. */
  | 'interest'
  | 'none';

/** What decides the place of a row within its day, beside its kind. */
interface RowSigns {
  readonly quantity: bigint | number;
  readonly amount: bigint | number;
}

export interface KindTraits {
  /**
   * Corporate actions 0, inflows 1, buys and calls 2, moves between own places 3, income and fees 4, sells 5, redemptions 6, outflows 7. A
   * returned call has the place of a distribution, and a repaid distribution that of a call.
   */
  rank(signs: RowSigns): number;
  readonly amount: AmountBasis;
  readonly units: UnitEffect;
  /** Whose flow its amount is where it names an instrument, and where it names none. */
  readonly sides: { readonly ofInstrument: AmountSides; readonly ofCash: AmountSides };
  readonly income: 'dividend' | 'coupon' | 'interest' | null;
  readonly fund: FundEffect;
}

const traded = { ofInstrument: 'both', ofCash: 'cash' } as const;
const earned = { ofInstrument: 'both', ofCash: 'none' } as const;
const moved = { ofInstrument: 'cash', ofCash: 'cash' } as const;

const kindTraits: Readonly<Record<TransactionKind, KindTraits>> = {
  trade: {
    rank: ({ quantity }) => (quantity < 0 ? 5 : 2),
    amount: 'units',
    units: 'traded',
    sides: traded,
    income: null,
    fund: 'stake',
  },
  redemption: { rank: () => 6, amount: 'units', units: 'ended', sides: traded, income: null, fund: 'stake' },
  dividend: { rank: () => 4, amount: 'income', units: 'none', sides: earned, income: 'dividend', fund: 'income' },
  coupon: { rank: () => 4, amount: 'income', units: 'none', sides: earned, income: 'coupon', fund: 'income' },
  interest: { rank: () => 4, amount: 'income', units: 'none', sides: earned, income: 'interest', fund: 'interest' },
  fee: { rank: () => 4, amount: 'charge', units: 'none', sides: earned, income: null, fund: 'charge' },
  flow: {
    rank: ({ quantity, amount }) => (quantity < 0 || amount < 0 ? 7 : 1),
    amount: 'transfer',
    units: 'delivered',
    sides: moved,
    income: null,
    fund: 'none',
  },
  fx: { rank: () => 3, amount: 'exchange', units: 'none', sides: moved, income: null, fund: 'none' },
  'corporate-action': {
    rank: () => 0,
    amount: 'payment',
    units: 'converted',
    sides: traded,
    income: null,
    fund: 'action',
  },
  'capital-call': {
    rank: ({ amount }) => (amount > 0 ? 6 : 2),
    amount: 'payment',
    units: 'called',
    sides: traded,
    income: null,
    fund: 'call',
  },
  distribution: {
    rank: ({ amount }) => (amount < 0 ? 2 : 6),
    amount: 'payment',
    units: 'ended',
    sides: traded,
    income: null,
    fund: 'distribution',
  },
  'forward-settlement': {
    rank: () => 6,
    amount: 'settlement',
    units: 'ended',
    sides: traded,
    income: null,
    fund: 'none',
  },
};

export function traitsOfKind(kind: TransactionKind): KindTraits {
  return kindTraits[kind];
}

/** The place of rows that move money or units between own places, whatever their direction. */
export const rankBetweenOwnPlaces = 3;

/** Whether rows of a kind trade units for cash at a price. */
export function tradesUnits(kind: TransactionKind): boolean {
  return kindTraits[kind].amount === 'units';
}

/** Whether rows of a kind are income, on cash or from an instrument. */
export function isIncome(kind: TransactionKind): boolean {
  return kindTraits[kind].income !== null;
}

/** Whether rows of a kind are what a fund called or paid. */
export function isFundPayment(kind: TransactionKind): boolean {
  const { fund } = kindTraits[kind];
  return fund === 'call' || fund === 'distribution';
}

/** Whether rows of a kind are income that an instrument pays: interest is also paid on cash. */
export function isIncomeOfInstrument(kind: TransactionKind): boolean {
  const { income } = kindTraits[kind];
  return income === 'dividend' || income === 'coupon';
}

/** Whether rows of a kind are charges or interest, which concern the account unless they name an instrument. */
export function isOfAccount(kind: TransactionKind): boolean {
  const { amount, income } = kindTraits[kind];
  return amount === 'charge' || income === 'interest';
}

/** Whether rows of a kind are money or units from outside, or between own accounts. */
export function isTransfer(kind: TransactionKind): boolean {
  return kindTraits[kind].amount === 'transfer';
}

export function isExchange(kind: TransactionKind): boolean {
  return kindTraits[kind].amount === 'exchange';
}

/** Whether another account of one's own may be on the other side. */
export function movesBetweenAccounts(kind: TransactionKind): boolean {
  return isTransfer(kind) || isExchange(kind);
}

/** Whether rows of a kind trade units for cash because they are paid back. */
export function isRedemption(kind: TransactionKind): boolean {
  const { amount, units } = kindTraits[kind];
  return amount === 'units' && units === 'ended';
}
