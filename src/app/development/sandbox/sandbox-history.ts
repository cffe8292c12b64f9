// What happens at a bank of the sandbox, day after day: payments, trades, income and fees, and bookings that come late, are changed or
// are cancelled. Everything follows from the bank, the customer and the day, so the history is the same whenever it is asked for.

import { append, leastOf } from '../../../kit/memory/long-list.ts';
import { defined } from '../../../kit/assert.ts';
import { civilFromDay, isEndOfMonth, type Day } from '../../../kit/day.ts';
import { costOf, lotSize } from '../../../actions/demo/demo-ledger.ts';
import { dateOf, lastDay } from '../../../actions/demo/demo-days.ts';
import { demoInstruments, isShare, type ListedName } from '../../../actions/demo/demo-market.ts';
import type { SeededRandom } from '../../../actions/demo/seeded-random.ts';
import type { SandboxAccount, SandboxBank, SandboxCustomer } from './sandbox-banks.ts';
import { SandboxBook, type SandboxBooking } from './sandbox-book.ts';
import { balanceItem, bookingItem, positionItem, priceItem, rateItem, type SandboxItem } from './sandbox-items.ts';
import { listedNames, randomOf, ratedCurrencies, sandboxPrice, sandboxRate } from './sandbox-market.ts';

/** How many days after its day something is booked late. */
const lateDays = 3;
const cancelledAfterDays = 2;

type NewBooking = Omit<SandboxBooking, 'reference'>;

/** The history of one customer, computed as far as it was asked for. */
export class SandboxHistory {
  readonly #bank: SandboxBank;
  readonly #customer: SandboxCustomer;
  readonly #subject: number;
  readonly #books: ReadonlyMap<SandboxAccount, SandboxBook>;
  /** What was decided on an earlier day, by the day on which it is sent. */
  readonly #corrections = new Map<Day, SandboxBooking[]>();
  readonly #bookings = new Map<string, SandboxBooking>();
  readonly #items: SandboxItem[] = [];
  #day = lastDay;
  #numberOfDay = 0;

  constructor(bank: SandboxBank, customer: SandboxCustomer) {
    this.#bank = bank;
    this.#customer = customer;
    this.#subject =
      1_000 + ([...`${bank.key}/${customer.key}`].reduce((sum, one) => sum * 7 + one.charCodeAt(0), 0) % 9_000);
    this.#books = new Map(customer.accounts.map((account) => [account, new SandboxBook(account)]));
  }

  /** Everything that the bank has sent by the end of the day, in the order in which it was sent. */
  itemsUntil(day: Day): readonly SandboxItem[] {
    while (this.#day < day) this.#liveDay(this.#day + 1);
    return this.#day === day ? this.#items : this.#items.filter(({ sent_on }) => sent_on <= dateOf(day));
  }

  #liveDay(day: Day): void {
    this.#day = day;
    this.#numberOfDay = 0;
    for (const book of this.#books.values()) book.openDay();
    this.#sendPrices(day);
    const sent = [...(this.#corrections.get(day) ?? []), ...this.#newBookings(day)];
    this.#corrections.delete(day);
    for (const booking of sent) this.#send(booking);
    this.#sendStatements(Math.min(day, leastOf(sent.map((booking) => booking.day))), day);
  }

  #newBookings(day: Day): SandboxBooking[] {
    return this.#customer.accounts.flatMap((account, index) => {
      const random = randomOf(this.#subject + index, day);
      const regular = [
        ...(index === 0 ? this.#payments(account, day, random) : []),
        ...this.#income(account, day),
        ...this.#fees(account, day),
      ].map((booking) => this.#withReference(booking));
      return [...regular, ...this.#trades(account, day, random)];
    });
  }

  #withReference(booking: NewBooking): SandboxBooking {
    this.#numberOfDay++;
    const number = `${dateOf(this.#day).replaceAll('-', '')}-${this.#numberOfDay}`;
    return { ...booking, reference: `${this.#customer.depositoryNumber}-${number}` };
  }

  /** Card payments of every day, a standing order every month, and an exchange every week where there is a second currency. */
  *#payments(account: SandboxAccount, day: Day, random: SeededRandom): Iterable<NewBooking> {
    yield { account, type: 'flow', day, cash: -(2_000 + random.integerBelow(38_000)), comment: 'Card payments' };
    if (civilFromDay(day).day === 25) yield { account, type: 'flow', day, cash: 1_200_000, comment: 'Standing order' };
    const [, second] = this.#customer.accounts;
    if (second === undefined || day % 7 !== 3) return;
    const cash = 250_000;
    const received = Math.trunc((cash * sandboxRate(second.currency, day)) / sandboxRate(account.currency, day));
    yield { account, type: 'fx', day, cash: -cash, counter: { account: second, cash: received } };
  }

  /** Shares pay every quarter, bonds once a year, cash at the end of every month. */
  *#income(account: SandboxAccount, day: Day): Iterable<NewBooking> {
    const { month, day: dayOfMonth } = civilFromDay(day);
    for (const [index, name] of listedNames.entries()) {
      const units = this.#book(account).unitsOn(day, name);
      if (units <= 0) continue;
      const { currency, terms } = demoInstruments[name];
      if (isShare(name) && dayOfMonth === 12 && (month + index) % 3 === 0) {
        const gross = wholeCoins(account, costOf(name, sandboxPrice(name, day), units) * 0.006);
        const taxes = wholeCoins(account, gross * (currency === 'CHF' ? 0.35 : 0.15));
        yield { account, type: 'dividend', day, cash: gross - taxes, taxes, instrument: name };
      }
      if ('maturity' in terms && terms.maturity.slice(5) === dateOf(day).slice(5))
        yield {
          account,
          type: 'coupon',
          day,
          cash: wholeCoins(account, units * Number(terms.coupon) * 100),
          instrument: name,
        };
    }
    const interest = wholeCoins(account, this.#book(account).cashOn(day) / 1_200);
    if (isEndOfMonth(day) && interest > 0) yield { account, type: 'interest', day, cash: interest };
  }

  /** Custody fees at the end of a quarter, and postage that is booked some days late. */
  *#fees(account: SandboxAccount, day: Day): Iterable<NewBooking> {
    const isQuarterEnd = isEndOfMonth(day) && civilFromDay(day).month % 3 === 0;
    if (isQuarterEnd) yield { account, type: 'fee', day, cash: -coins(account, 45_000), comment: 'Custody fee' };
    const isLate = (day + this.#subject) % 9 === 0 && day - lateDays > lastDay;
    if (isLate) yield { account, type: 'fee', day: day - lateDays, cash: -coins(account, 1_250), comment: 'Postage' };
  }

  /** One account in three trades on a day; of four trades one is sent with a wrong fee at first, and one is cancelled later. */
  #trades(account: SandboxAccount, day: Day, random: SeededRandom): SandboxBooking[] {
    const names = [...account.openingUnits.keys()];
    if (names.length === 0 || random.integerBelow(3) !== 0) return [];
    const name = defined(names[random.integerBelow(names.length)], 'a number below the length is an index');
    const planned = this.#trade(account, day, name, random.integerBelow(2) === 0 ? 'buy' : 'sell');
    if (planned === undefined) return [];
    const booking = this.#withReference(planned);
    const fate = random.integerBelow(4);
    if (fate === 0) return [this.#withWrongFee(booking)];
    if (fate === 1) this.#cancelLater(booking);
    return [booking];
  }

  #trade(account: SandboxAccount, day: Day, name: ListedName, side: 'buy' | 'sell'): NewBooking | undefined {
    const [book, lot, price] = [this.#book(account), lotSize(demoInstruments[name]), sandboxPrice(name, day)];
    const affordable = Math.trunc(book.cashOn(day) / 100 / costOf(name, price, lot)) * lot;
    const units = side === 'buy' ? affordable : Math.trunc(book.unitsOn(day, name) / 50 / lot) * lot;
    if (units <= 0) return undefined;
    const value = costOf(name, price, units);
    const fees = coins(account, Math.max(1_500, Math.trunc(value / 1_000)));
    const cash = side === 'buy' ? -value - fees : value - fees;
    return { account, type: 'trade', day, cash, instrument: name, units: side === 'buy' ? units : -units, price, fees };
  }

  /** The right fee is sent the day after, under the same reference. */
  #withWrongFee(right: SandboxBooking): SandboxBooking {
    const tooMuch = coins(right.account, 1_000);
    this.#correctOn(right.day + 1, right);
    return { ...right, cash: right.cash - tooMuch, fees: (right.fees ?? 0) + tooMuch };
  }

  #cancelLater(booking: SandboxBooking): void {
    const { reference, cash, units = 0, day } = booking;
    const reversed = { ...booking, cash: -cash, units: -units };
    this.#correctOn(day + cancelledAfterDays, { ...reversed, reference: `${reference}-C`, cancels: reference });
  }

  #correctOn(day: Day, booking: SandboxBooking): void {
    this.#corrections.set(day, [...(this.#corrections.get(day) ?? []), booking]);
  }

  #book(account: SandboxAccount): SandboxBook {
    return defined(this.#books.get(account), 'every account has a book');
  }

  #send(booking: SandboxBooking): void {
    const before = this.#bookings.get(booking.reference);
    if (before !== undefined) this.#apply(before, -1);
    this.#apply(booking, 1);
    this.#bookings.set(booking.reference, booking);
    this.#items.push(bookingItem(this.#customer, booking, this.#day));
  }

  #apply({ account, day, cash, instrument, units = 0, counter }: SandboxBooking, sign: 1 | -1): void {
    this.#book(account).move(day, sign * cash);
    if (instrument !== undefined) this.#book(account).moveUnits(day, instrument, sign * units);
    if (counter !== undefined) this.#book(counter.account).move(day, sign * counter.cash);
  }

  /** Prices of what the customer can hold, in the currencies of its accounts. */
  #sendPrices(day: Day): void {
    const currencies = new Set(this.#customer.accounts.map(({ currency }) => currency));
    const names = listedNames.filter((name) => currencies.has(demoInstruments[name].currency));
    append(
      this.#items,
      names.map((name) => priceItem(name, sandboxPrice(name, day), day)),
    );
    if (!this.#bank.sendsRates) return;
    append(
      this.#items,
      ratedCurrencies.map((currency) => rateItem(currency, sandboxRate(currency, day), day)),
    );
  }

  /** States balances and positions of the day, and states those of earlier days again where something was booked there. */
  #sendStatements(from: Day, until: Day): void {
    for (let day = from; day <= until; day++) {
      for (const [account, book] of this.#books) {
        this.#items.push(balanceItem(account, { day, sentOn: until, cash: book.cashOn(day) }));
        for (const name of book.instruments) {
          const [units, price] = [book.unitsOn(day, name), sandboxPrice(name, day)];
          if (units !== 0) this.#items.push(positionItem(this.#customer, { name, units, price, day, sentOn: until }));
        }
      }
    }
  }
}

/** Rounds to what the currency has coins for. */
function wholeCoins({ currency }: SandboxAccount, hundredths: number): number {
  const coin = currency === 'JPY' ? 100 : 1;
  return Math.trunc(hundredths / coin) * coin;
}

/** An amount of about the same value in yen, which have no cents and are worth less. */
function coins(account: SandboxAccount, hundredths: number): number {
  return wholeCoins(account, account.currency === 'JPY' ? hundredths * 100 : hundredths);
}
