// The transactions of the client whose data is still being taken over: as its bank sent them, with what went wrong.

import { defined } from '../../kit/assert.ts';
import { parseCalendarDate, toDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import { parseDecimal } from '../../kit/decimal.ts';
import type { Id } from '../../kit/id.ts';
import type { TransactionInput } from '../ledger/transaction-input.ts';
import { DemoLedger, type DemoAccount } from './demo-ledger.ts';
import { decimalOf, priceOn, type ListedName } from './demo-market.ts';
import type { TakeoverInstrumentIds } from './takeover-instruments.ts';

export interface TakeoverAccounts {
  readonly main: DemoAccount;
  readonly card: DemoAccount;
  readonly former: DemoAccount;
  readonly cabin: DemoAccount;
  readonly savings: DemoAccount;
}

export interface TakeoverRecords {
  readonly accounts: TakeoverAccounts;
  readonly own: TakeoverInstrumentIds;
  readonly listed: ReadonlyMap<ListedName, Id>;
}

type Fields = Parameters<DemoLedger['book']>[2];

/** Amounts as the bank writes them: positive in, negative out. */
interface Booking extends Omit<Fields, 'amount' | 'quantity' | 'price' | 'kind'> {
  readonly kind?: Fields['kind'];
  readonly amount?: string;
  readonly quantity?: string;
  readonly price?: string;
}

function parseDay(text: string): Day {
  return toDayNumber(parseCalendarDate(text));
}

/** A trade unless another kind is stated. */
class TakeoverLedger {
  readonly #ledger: DemoLedger;

  constructor(prefix: string, listed: ReadonlyMap<ListedName, Id>) {
    this.#ledger = new DemoLedger(prefix, listed);
  }

  get rows(): readonly TransactionInput[] {
    return this.#ledger.rows;
  }

  book(account: DemoAccount, date: string, { kind = 'trade', amount, quantity, price, ...others }: Booking): void {
    this.#ledger.book(account, parseDay(date), {
      kind,
      ...(amount === undefined ? {} : { amount: parseDecimal(amount) }),
      ...(quantity === undefined ? {} : { quantity: parseDecimal(quantity) }),
      ...(price === undefined ? {} : { price: parseDecimal(price) }),
      ...others,
    });
  }

  /** At the closing price of the day; in units of 1 of the price. */
  trade(
    account: DemoAccount,
    date: string,
    [name, units]: readonly [ListedName, number],
    lots?: Booking['lots'],
  ): void {
    const price = priceOn(name, parseDay(date));
    this.#ledger.book(account, parseDay(date), {
      kind: 'trade',
      depository: account.depository,
      instrument: this.#ledger.instrumentId(name),
      quantity: decimalOf(units, 0),
      price: decimalOf(price, 2),
      amount: decimalOf(-price * units, 2),
      ...(lots === undefined ? {} : { lots }),
    });
  }
}

/** The reference of the purchase that later sales name: the second booking. */
export const namedPurchase = 'NY-00002';

/** Everything but the sales that name a purchase. */
export function bookTakeover(records: TakeoverRecords): readonly TransactionInput[] {
  const ledger = new TakeoverLedger('NY', records.listed);
  const { main, card, cabin, savings } = records.accounts;
  ledger.book(main, '2024-01-08', { kind: 'flow', amount: '2400000' });
  ledger.trade(main, '2024-03-01', ['insurer', 80]);
  ledger.trade(main, '2024-09-02', ['insurer', 120]);
  bookListed(ledger, records);
  bookDebt(ledger, records);
  bookFunds(ledger, records);
  ledger.book(card, '2026-04-01', { kind: 'flow', amount: '2000' });
  // Purchases were booked as a fee, of more than there was.
  ledger.book(card, '2026-06-30', { kind: 'fee', amount: '-2450.35', category: 'other' });
  ledger.book(card, '2026-08-14', { kind: 'flow', amount: '-6000' });
  ledger.book(cabin, '2026-05-04', { kind: 'flow', amount: '310000' });
  ledger.book(savings, '2026-01-15', { kind: 'flow', amount: '60000' });
  return ledger.rows;
}

function bookListed(ledger: TakeoverLedger, { accounts, own }: TakeoverRecords): void {
  const { main, former } = accounts;
  const { depository } = main;
  // The transfer of 300 from the former bank has not been booked yet.
  ledger.trade(main, '2026-09-21', ['milk', -300]);
  ledger.trade(main, '2024-05-02', ['pharma', 200]);
  ledger.trade(main, '2025-11-03', ['pharma', -60]);
  ledger.book(main, '2026-07-06', { depository, quantity: '40', price: '125', amount: '-5000' });
  ledger.book(main, '2025-12-15', {
    depository,
    instrument: own.paper,
    quantity: '900',
    price: '41',
    amount: '-36900',
  });
  ledger.book(main, '2026-01-19', { instrument: own.unlisted, quantity: '300', price: '55', amount: '-16500' });
  // A brokerage of 45 was not sent.
  ledger.book(main, '2026-02-27', {
    depository,
    instrument: own.power,
    quantity: '500',
    price: '41.5',
    amount: '-20795',
  });
  // The price was sent in tens.
  ledger.book(main, '2026-03-02', {
    depository,
    instrument: own.power,
    quantity: '200',
    price: '4.15',
    amount: '-8300',
  });
  ledger.book(main, '2026-01-12', { instrument: own.forest, quantity: '1', price: '175000', amount: '-175000' });
  ledger.book(former, '2026-01-30', { kind: 'flow', amount: '20000' });
  ledger.book(former, '2026-03-30', {
    depository: former.depository,
    instrument: own.brewery,
    quantity: '50',
    price: '71',
    amount: '-3550',
    settlementDate: parseCalendarDate('2026-04-01'),
  });
}

function bookDebt(ledger: TakeoverLedger, { accounts, own, listed }: TakeoverRecords): void {
  const { main } = accounts;
  const { depository } = main;
  const lend = (date: string, instrument: Id, nominal: string): void =>
    ledger.book(main, date, {
      instrument,
      quantity: nominal,
      price: '1',
      accruedInterest: parseDecimal('0'),
      amount: `-${nominal}`,
    });
  lend('2025-01-06', own.loanBookedTwice, '250000');
  lend('2025-01-07', own.loanBookedTwice, '250000');
  lend('2025-07-01', own.loanWithoutRate, '80000');
  lend('2025-07-01', own.loanWithLateRate, '60000');
  // The coupon of 11 June 2026 is missing.
  const confederation = defined(listed.get('confederation'), 'the demo has this instrument');
  ledger.book(main, '2025-06-11', {
    depository,
    instrument: confederation,
    quantity: '100000',
    price: decimalOf(priceOn('confederation', parseDay('2025-06-11')), 2),
    amount: decimalOf(-priceOn('confederation', parseDay('2025-06-11')) * 1_000, 2),
  });
  ledger.book(main, '2025-05-15', {
    depository,
    instrument: own.maturedBond,
    quantity: '50000',
    price: '100.4',
    amount: '-50200',
  });
  ledger.book(main, '2026-05-15', { kind: 'coupon', depository, instrument: own.maturedBond, amount: '1000' });
  ledger.book(main, '2025-10-15', {
    depository,
    instrument: own.bondPaidTwice,
    quantity: '40000',
    price: '100',
    amount: '-40000',
  });
  // The second one counts for the coupon of October 2027, before it is due.
  ledger.book(main, '2026-10-15', { kind: 'coupon', depository, instrument: own.bondPaidTwice, amount: '800' });
  ledger.book(main, '2026-10-28', { kind: 'coupon', depository, instrument: own.bondPaidTwice, amount: '800' });
  for (const instrument of [own.linkedWithoutFactor, own.linkedWithLateFactor]) {
    ledger.book(main, '2025-06-16', { depository, instrument, quantity: '40000', price: '99.5', amount: '-39800' });
    ledger.book(main, '2026-06-15', { kind: 'coupon', depository, instrument, amount: '200' });
  }
  ledger.book(main, '2025-09-16', { instrument: own.pastForward, quantity: '1', price: '0', amount: '0' });
}

function bookFunds(ledger: TakeoverLedger, { accounts, own }: TakeoverRecords): void {
  const { main, former } = accounts;
  const call = (date: string, instrument: Id, amount: string): void =>
    ledger.book(main, date, { kind: 'capital-call', instrument, amount: `-${amount}` });
  const payOut = (date: string, instrument: Id, amount: string): void =>
    ledger.book(main, date, { kind: 'distribution', instrument, amount });
  call('2024-02-12', own.buyoutFund, '100000');
  // More than the last net asset value: the one after it has not been sent.
  payOut('2026-09-14', own.buyoutFund, '130000');
  call('2024-01-15', own.bridgeFund, '100000');
  payOut('2025-01-14', own.bridgeFund, '50000');
  payOut('2025-05-12', own.bridgeFund, '80000');
  call('2025-05-22', own.bridgeFund, '500');
  call('2025-10-01', own.scatteredFund, '20000');
  const secondCall = { kind: 'capital-call', instrument: own.scatteredFund, amount: '-10000' } as const;
  ledger.book(former, '2026-02-02', secondCall);
  call('2025-11-03', own.mixedFund, '10000');
  // The former bank states the unit that it bought; the other place counts as one, too.
  const bought = { instrument: own.mixedFund, quantity: '1', price: '5000', amount: '-5000' } as const;
  ledger.book(former, '2026-03-02', { depository: former.depository, ...bought });
}

/** Sales that name a purchase of 80 units: the first sells all of it, so that the second finds nothing left. */
export function bookNamedSales({ accounts, listed }: TakeoverRecords, purchase: Id): readonly TransactionInput[] {
  const ledger = new TakeoverLedger('NZ', listed);
  ledger.trade(accounts.main, '2025-03-03', ['insurer', -80], [{ id: purchase, quantity: parseDecimal('80') }]);
  ledger.trade(accounts.main, '2026-03-02', ['insurer', -30], [{ id: purchase, quantity: parseDecimal('30') }]);
  return ledger.rows;
}
