// Builds ten years of consistent transactions: nothing is sold that is not held, and nothing is bought that cannot be paid for.

import { defined } from '../../kit/assert.ts';
import type { Day } from '../../kit/day.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { Id } from '../../kit/id.ts';
import type { TransactionInput } from '../ledger/transaction-input.ts';
import { dateOf } from './demo-days.ts';
import {
  decimalOf,
  demoInstruments,
  demoRates,
  priceOn,
  valueOn,
  type DemoInstrument,
  type ListedName,
} from './demo-market.ts';

export interface DemoAccount {
  readonly id: Id;
  readonly currency: string;
  readonly depository: Id | null;
}

type Fields = Omit<TransactionInput, 'date' | 'account' | 'source' | 'externalReference'>;

/** Amounts are in hundredths. */
export class DemoLedger {
  readonly rows: TransactionInput[] = [];
  readonly #instruments: ReadonlyMap<ListedName, Id>;
  readonly #prefix: string;
  readonly #cash = new Map<Id, number>();
  readonly #held = new Map<string, number>();

  constructor(prefix: string, instruments: ReadonlyMap<ListedName, Id>) {
    this.#prefix = prefix;
    this.#instruments = instruments;
  }

  cashOf({ id }: DemoAccount): number {
    return this.#cash.get(id) ?? 0;
  }

  unitsIn({ id }: DemoAccount, name: ListedName): number {
    return this.#held.get(`${id} ${name}`) ?? 0;
  }

  /** Adds a row as a custodian sends it, with a unique reference. */
  book(account: DemoAccount, day: Day, fields: Fields, cash = 0): void {
    this.rows.push({
      date: dateOf(day),
      account: account.id,
      source: 'custodian',
      externalReference: `${this.#prefix}-${String(this.rows.length + 1).padStart(5, '0')}`,
      ...fields,
    });
    this.#move(account, cash);
  }

  #move({ id }: DemoAccount, cash: number): void {
    this.#cash.set(id, (this.#cash.get(id) ?? 0) + cash);
  }

  /** Deposits an amount, or withdraws it if it is negative. */
  flow(account: DemoAccount, day: Day, amount: number): void {
    this.book(account, day, { kind: 'flow', amount: decimalOf(amount, 2) }, amount);
  }

  move(from: DemoAccount, to: DemoAccount, day: Day, amount: number): void {
    this.book(from, day, { kind: 'flow', amount: decimalOf(-amount, 2), counterAccount: to.id }, -amount);
    this.#move(to, amount);
  }

  /** Exchanges at the rate of the day. */
  exchange(from: DemoAccount, to: DemoAccount, day: Day, amount: number): void {
    const received = Math.trunc((amount * rateOn(to.currency, day)) / rateOn(from.currency, day));
    const counter = roundToCoin(to, received);
    this.book(
      from,
      day,
      {
        kind: 'fx',
        amount: decimalOf(-amount, 2),
        counterAccount: to.id,
        counterAmount: decimalOf(counter, 2),
        counterCcyCode: to.currency as never,
      },
      -amount,
    );
    this.#move(to, counter);
  }

  /** Spends a percentage of the available cash on whole units. */
  buy(name: ListedName, account: DemoAccount, day: Day, percent: number): void {
    const lot = lotSize(demoInstruments[name]);
    const price = priceOn(name, day);
    const units = Math.trunc((this.cashOf(account) * percent) / 100 / costOf(name, price, lot)) * lot;
    if (units > 0) this.#trade(name, account, day, units);
  }

  sell(name: ListedName, account: DemoAccount, day: Day, percent: number): void {
    const lot = lotSize(demoInstruments[name]);
    const units = Math.trunc((this.unitsIn(account, name) * percent) / 100 / lot) * lot;
    if (units > 0) this.#trade(name, account, day, -units);
  }

  #trade(name: ListedName, account: DemoAccount, day: Day, units: number): void {
    const price = priceOn(name, day);
    const tradeValue = costOf(name, price, Math.abs(units));
    const fees = roundToCoin(account, Math.max(1_500, Math.trunc(tradeValue / 1_000)));
    const [quantity, feeAmount] = [decimalOf(units, 0), decimalOf(fees, 2)];
    const fields: Fields = {
      kind: 'trade',
      depository: account.depository,
      instrument: this.instrumentId(name),
      quantity,
      price: decimalOf(price, 2),
      fees: feeAmount,
      settlementDate: dateOf(day + 2),
    };
    this.book(account, day, fields, units > 0 ? -tradeValue - fees : tradeValue - fees);
    this.#hold(account, name, units);
  }

  /** Moves a percentage of the units in kind. */
  give(name: ListedName, from: DemoAccount, to: DemoAccount, { day, percent }: { day: Day; percent: number }): void {
    const units = Math.trunc((this.unitsIn(from, name) * percent) / 100);
    this.book(from, day, {
      kind: 'flow',
      depository: from.depository,
      instrument: this.instrumentId(name),
      quantity: decimalOf(-units, 0),
      counterAccount: to.id,
      counterDepository: to.depository,
    });
    this.#hold(from, name, -units);
    this.#hold(to, name, units);
  }

  #hold({ id }: DemoAccount, name: ListedName, units: number): void {
    const key = `${id} ${name}`;
    this.#held.set(key, (this.#held.get(key) ?? 0) + units);
  }

  /** Pays a share of the price per unit, in ten-thousandths, and withholds a percentage of it as tax. */
  income(kind: 'dividend' | 'coupon', name: ListedName, account: DemoAccount, terms: IncomeTerms): void {
    const { day, perUnit, withheldPercent } = terms;
    const units = this.unitsIn(account, name);
    if (units === 0) return;
    const gross = roundToCoin(account, units * perUnit);
    const taxes = roundToCoin(account, (gross * withheldPercent) / 100);
    const fields: Fields = {
      kind,
      depository: account.depository,
      instrument: this.instrumentId(name),
      amount: decimalOf(gross - taxes, 2),
      ...(taxes > 0 ? { taxes: decimalOf(taxes, 2) } : {}),
      settlementDate: dateOf(day + 3),
    };
    this.book(account, day, fields, gross - taxes);
  }

  fee(account: DemoAccount, day: Day, amount: number, category: string): void {
    this.book(account, day, { kind: 'fee', amount: decimalOf(-amount, 2), category }, -amount);
  }

  split(name: ListedName, account: DemoAccount, day: Day): void {
    this.#hold(account, name, this.unitsIn(account, name));
    const instrument = this.instrumentId(name);
    const { depository } = account;
    this.book(account, day, { kind: 'corporate-action', action: 'split', ratio: '2:1', instrument, depository });
  }

  instrumentId(name: ListedName): Id {
    return defined(this.#instruments.get(name), 'every instrument of the demo was created');
  }

  /** Books an instrument without a market price, in the account's currency. */
  bookPrivate(account: DemoAccount, day: Day, cash: number, fields: Fields): void {
    this.book(account, day, { ...fields, amount: decimalOf(cash, 2) }, cash);
  }
}

interface IncomeTerms {
  readonly day: Day;
  /** In hundredths, and fractions of them. */
  readonly perUnit: number;
  readonly withheldPercent: number;
}

/** Rounds down to the smallest unit of the currency. */
function roundToCoin({ currency }: DemoAccount, hundredths: number): number {
  const coin = currency === 'JPY' ? 100 : 1;
  return Math.trunc(hundredths / coin) * coin;
}

/** The value of 1 euro, in ten-thousandths. */
function rateOn(currency: string, day: Day): number {
  const points = demoRates.get(currency as never);
  return points === undefined ? 10_000 : valueOn(points, day);
}

/** Bonds are bought in multiples of 1,000 nominal. */
export function lotSize({ type }: DemoInstrument): number {
  return type === 'bond-instrument' ? 1_000 : 1;
}

/** In hundredths, as the price is. */
export function costOf(name: ListedName, price: number, units: number): number {
  const { type, terms } = demoInstruments[name] as DemoInstrument;
  const isPerHundred = type === 'bond-instrument' || 'priceUnit' in terms;
  return isPerHundred ? Math.trunc((price * units) / 100) : price * units;
}

export function amountOf(whole: number): Decimal {
  return decimalOf(whole * 100, 2);
}
