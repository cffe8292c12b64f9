// The ledger of a client of the sandbox as it is made up, day by day: what it holds and owes, and what has to be booked. Amounts are in
// hundredths. Accounts and instruments are named by keys, which become ids when it is written.

import { fromDayNumber } from '../../../kit/calendar-date.ts';
import { defined } from '../../../kit/assert.ts';
import type { Day } from '../../../kit/day.ts';
import { codeOf, type SandboxCurrency } from '../../../model/sandbox/persona.ts';
import { decimalOf } from '../../demo/demo-market.ts';
import type { TransactionInput } from '../../ledger/transaction-input.ts';
import { affordableUnits, costOf, feesOf, worthOf, settlementDays } from '../market/listed-cost.ts';
import {
  convert,
  dividendOn,
  listedKeys,
  listingOf,
  paysCouponOn,
  priceOn,
  type ListedKey,
} from '../market/sandbox-market.ts';

type Fields = Omit<TransactionInput, 'date' | 'account' | 'source' | 'externalReference' | 'instrument'>;

export interface PlannedRow {
  readonly day: Day;
  /** Unique for the client. */
  readonly reference: string;
  readonly account: string;
  readonly counterAccount?: string;
  readonly instrument?: string;
  readonly fields: Fields;
}

/** An instrument that is private to the client, from the day on which it is first needed. */
export interface PlannedInstrument {
  readonly day: Day;
  readonly key: string;
  /** The names of its class, from the root of the default classes down. */
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>> & { readonly type: string; readonly name: string };
}

export interface PlannedPoint {
  readonly day: Day;
  readonly instrument: string;
  readonly series: 'price' | 'net-asset-value';
  readonly value: number;
}

type RowLinks = Pick<PlannedRow, 'counterAccount' | 'instrument'>;

export class PersonaBook {
  readonly rows: PlannedRow[] = [];
  readonly instruments: PlannedInstrument[] = [];
  readonly points: PlannedPoint[] = [];
  readonly #currencies: ReadonlyMap<string, SandboxCurrency>;
  readonly #cash = new Map<string, number>();
  readonly #units = new Map<string, number>();

  constructor(accounts: readonly { readonly key: string; readonly currency: SandboxCurrency }[]) {
    this.#currencies = new Map(accounts.map(({ key, currency }) => [key, currency]));
  }

  currencyOf(account: string): SandboxCurrency {
    return defined(this.#currencies.get(account), 'a persona names accounts that it has');
  }

  cashOf(account: string): number {
    return this.#cash.get(account) ?? 0;
  }

  unitsOf(account: string, instrument: string): number {
    return this.#units.get(`${account} ${instrument}`) ?? 0;
  }

  #addCash(account: string, amount: number): void {
    this.#cash.set(account, this.cashOf(account) + amount);
  }

  #addUnits(account: string, instrument: string, units: number): void {
    this.#units.set(`${account} ${instrument}`, this.unitsOf(account, instrument) + units);
  }

  #book(account: string, day: Day, fields: Fields, links: RowLinks = {}): void {
    const reference = `SBX-${String(this.rows.length + 1).padStart(6, '0')}`;
    this.rows.push({ day, reference, account, fields, ...links });
  }

  /** Deposits an amount, or withdraws it if it is negative. */
  flow(account: string, day: Day, amount: number, comment: string): void {
    this.#book(account, day, { kind: 'flow', amount: decimalOf(amount, 2), comment });
    this.#addCash(account, amount);
  }

  /** Moves an amount of the first account's currency to the other, exchanged at the rate of the day where that is another. */
  move(from: string, to: string, day: Day, amount: number): void {
    if (amount <= 0) return;
    const pair = { from: this.currencyOf(from), to: this.currencyOf(to) };
    const received = convert(amount, pair, day);
    const out = decimalOf(-amount, 2);
    const exchanged = { counterAmount: decimalOf(received, 2), counterCcyCode: codeOf(pair.to) };
    const isExchange = pair.from !== pair.to;
    const fields: Fields = isExchange ? { kind: 'fx', amount: out, ...exchanged } : { kind: 'flow', amount: out };
    this.#book(from, day, fields, { counterAccount: to });
    this.#addCash(from, -amount);
    this.#addCash(to, received);
  }

  /** Brings an account up to this amount, from those of the others that have the most. */
  ensure(account: string, day: Day, amount: number): void {
    const currency = this.currencyOf(account);
    const worth = (one: string): number => convert(this.cashOf(one), { from: this.currencyOf(one), to: currency }, day);
    const others = [...this.#currencies.keys()].filter((one) => one !== account);
    for (const other of others.toSorted((one, two) => worth(two) - worth(one))) {
      const missing = amount - this.cashOf(account);
      if (missing <= 0) return;
      // A little more than is missing, since exchanging rounds down.
      const wanted = convert(missing, { from: currency, to: this.currencyOf(other) }, day) + 100;
      this.move(other, account, day, Math.min(wanted, this.cashOf(other)));
    }
  }

  /** Buys listed units, or sells them if they are negative; beyond what is held, short. Bonds in multiples of 1,000 nominal. */
  trade(account: string, key: ListedKey, day: Day, units: number): void {
    if (units === 0) return;
    const price = priceOn(key, day);
    const size = Math.abs(units);
    const { cost, accrued } = costOf(key, day, size);
    const fees = feesOf(cost);
    this.#book(
      account,
      day,
      {
        kind: 'trade',
        quantity: decimalOf(units, 0),
        price: decimalOf(price, 2),
        fees: decimalOf(fees, 2),
        ...(accrued > 0 ? { accruedInterest: decimalOf(accrued, 2) } : {}),
        settlementDate: fromDayNumber(day + settlementDays),
      },
      { instrument: key },
    );
    this.#addCash(account, -Math.sign(units) * (cost + accrued) - fees);
    this.#addUnits(account, key, units);
  }

  /** Spends up to this amount on whole units. */
  buyFor(account: string, key: ListedKey, day: Day, amount: number): void {
    this.trade(account, key, day, affordableUnits(key, day, Math.min(amount, this.cashOf(account))));
  }

  /** Trades units of an instrument of its own at a price per unit, or of a loan per 1 of nominal. */
  tradeOwn(account: string, key: string, day: Day, { units, price }: { units: number; price: number }): void {
    const amount = decimalOf(-units * price, 2);
    const fields: Fields = { kind: 'trade', quantity: decimalOf(units, 0), price: decimalOf(price, 2), amount };
    this.#book(account, day, fields, { instrument: key });
    this.#addCash(account, -units * price);
    this.#addUnits(account, key, units);
  }

  /** What an instrument of its own earns, or costs if it is negative. */
  earn(kind: 'dividend' | 'coupon', account: string, day: Day, { key, amount }: { key: string; amount: number }): void {
    this.#book(account, day, { kind, amount: decimalOf(amount, 2) }, { instrument: key });
    this.#addCash(account, amount);
  }

  /** Pays what listed holdings earn on the day. Whoever is short pays it. */
  payIncome(account: string, day: Day): void {
    for (const key of listedKeys) {
      const units = this.unitsOf(account, key);
      if (units === 0) continue;
      const { coupon, type } = listingOf(key);
      const dividend = Math.trunc(units * dividendOn(key, day));
      if (dividend !== 0)
        this.#income('dividend', account, day, {
          key,
          gross: dividend,
          isTaxed: type === 'stock-instrument' && units > 0,
        });
      if (coupon !== undefined && paysCouponOn(key, day))
        this.#income('coupon', account, day, { key, gross: Math.trunc((units * coupon.rate) / 100), isTaxed: false });
    }
  }

  #income(kind: 'dividend' | 'coupon', account: string, day: Day, paid: PaidIncome): void {
    const { key, gross, isTaxed } = paid;
    const taxes = isTaxed ? Math.trunc((gross * 15) / 100) : 0;
    const withheld = taxes > 0 ? { taxes: decimalOf(taxes, 2) } : {};
    if (gross < 0) this.ensure(account, day, -gross);
    this.#book(account, day, { kind, amount: decimalOf(gross - taxes, 2), ...withheld }, { instrument: key });
    this.#addCash(account, gross - taxes);
  }

  interest(account: string, day: Day, amount: number): void {
    if (amount <= 0) return;
    this.#book(account, day, { kind: 'interest', amount: decimalOf(amount, 2) });
    this.#addCash(account, amount);
  }

  fee(account: string, day: Day, amount: number, category: string): void {
    if (amount <= 0) return;
    this.#book(account, day, { kind: 'fee', amount: decimalOf(-amount, 2), category });
    this.#addCash(account, -amount);
  }

  call(account: string, key: string, day: Day, amount: number): void {
    this.#book(account, day, { kind: 'capital-call', amount: decimalOf(-amount, 2) }, { instrument: key });
    this.#addCash(account, -amount);
  }

  distribute(account: string, key: string, day: Day, { amount, recallable }: DistributedAmount): void {
    const again = recallable > 0 ? { recallableAmount: decimalOf(recallable, 2) } : {};
    this.#book(account, day, { kind: 'distribution', amount: decimalOf(amount, 2), ...again }, { instrument: key });
    this.#addCash(account, amount);
  }

  /** Delivers both legs of a forward. */
  settle(from: string, to: string, day: Day, { key, paid, received }: SettledForward): void {
    const counterCcyCode = codeOf(this.currencyOf(to));
    const fields: Fields = {
      kind: 'forward-settlement',
      amount: decimalOf(-paid, 2),
      counterAmount: decimalOf(received, 2),
      counterCcyCode,
    };
    this.#book(from, day, fields, { instrument: key, counterAccount: to });
    this.#addCash(from, -paid);
    this.#addCash(to, received);
  }

  add(instrument: PlannedInstrument): void {
    this.instruments.push(instrument);
  }

  value(instrument: string, day: Day, series: PlannedPoint['series'], value: number): void {
    this.points.push({ day, instrument, series, value });
  }

  /** What cash and listed holdings are worth in a currency. */
  worthIn(currency: SandboxCurrency, day: Day): number {
    let total = 0;
    for (const [account, from] of this.#currencies) {
      let worth = this.cashOf(account);
      for (const key of listedKeys) worth += worthOf(key, day, this.unitsOf(account, key));
      total += convert(worth, { from, to: currency }, day);
    }
    return total;
  }
}

interface PaidIncome {
  readonly key: ListedKey;
  readonly gross: number;
  readonly isTaxed: boolean;
}

interface DistributedAmount {
  readonly amount: number;
  readonly recallable: number;
}

interface SettledForward {
  readonly key: string;
  readonly paid: number;
  readonly received: number;
}
