// The lot books of all positions and what each transaction does to them. Knows no cash, no values but those it is told, and no
// order: it is given one row after the other.

import { oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import { conversionRate, convertedAmount, type Currency } from '../currencies/exchange-rates.ts';
import type { UnitLeg } from '../ledger/leg.ts';
import { LotBook, type LotRules } from './lot-book.ts';
import type { LotFinding, LotOutcome, Ratio, Realisation, Stake } from './lot.ts';
import type { PositionTable } from '../ledger/position-table.ts';
import { referenceMoney, type MoneyContext } from '../currencies/reference-money.ts';
import type { CorporateAction, Place, Transaction } from '../ledger/transaction.ts';

/** Units of a position on a day. */
export interface UnitsOn {
  readonly position: number;
  readonly quantity: Fixed;
  readonly day: Day;
}

export interface BookContext {
  readonly table: PositionTable;
  readonly rules: LotRules;
  moneyOf(position: number): MoneyContext;
  /** What the units are worth, accrued interest left out, in both currencies. */
  worthOf(units: UnitsOn): Omit<Stake, 'quantity'>;
}

export interface PositionRealisation extends Realisation {
  readonly position: number;
}

export type PositionFinding = LotFinding & { readonly position: number; readonly row: number; readonly day: Day };

export interface Booked {
  readonly realised: readonly PositionRealisation[];
  readonly findings: readonly PositionFinding[];
  /** Units that came from or went to another position or the outside. */
  readonly legs: readonly UnitLeg[];
  /** Positions whose units or cost may be others now. */
  readonly touched: readonly number[];
}

interface Booking {
  readonly transaction: Transaction;
  readonly realised: PositionRealisation[];
  readonly findings: PositionFinding[];
  readonly legs: UnitLeg[];
  readonly touched: Set<number>;
}

/** A stake in a fund that has no units is one unit. */
const wholeStake = oneFixed;

export class Books {
  readonly #context: BookContext;
  readonly #books: Map<number, LotBook>;

  constructor(context: BookContext, books: ReadonlyMap<number, LotBook> = new Map()) {
    this.#context = context;
    this.#books = new Map(books);
  }

  copy(): Books {
    return new Books(this.#context, new Map([...this.#books].map(([position, book]) => [position, book.copy()])));
  }

  /** Makes it known as a position that holds nothing yet. */
  open(position: number): void {
    this.#at(position);
  }

  find(position: number): LotBook | undefined {
    return this.#books.get(position);
  }

  apply(transaction: Transaction): Booked {
    const booking: Booking = { transaction, realised: [], findings: [], legs: [], touched: new Set() };
    if (transaction.kind === 'corporate-action') this.#act(booking);
    else if (transaction.instrument !== null)
      this.#book(booking, this.#positionAt(transaction, transaction.instrument));
    const { realised, findings, legs, touched } = booking;
    return { realised, findings, legs, touched: [...touched] };
  }

  /** What was stated to be held: the event is the upload's, numbered by its day as no row is. */
  checkpoint(position: number, held: Stake & { readonly row: number; readonly day: Day }): void {
    this.#at(position).checkpoint(held);
  }

  #at(position: number): LotBook {
    const known = this.#books.get(position);
    if (known !== undefined) return known;
    const book = new LotBook(this.#context.rules);
    this.#books.set(position, book);
    return book;
  }

  #positionAt({ account, depository }: Place, instrument: string): number {
    return this.#context.table.number({ account, depository, instrument });
  }

  #note(booking: Booking, position: number, { realised, findings }: LotOutcome): void {
    const { row, day } = booking.transaction;
    booking.touched.add(position);
    for (const realisation of realised) booking.realised.push({ ...realisation, position });
    for (const finding of findings) booking.findings.push({ ...finding, position, row, day });
  }

  #book(booking: Booking, position: number): void {
    switch (booking.transaction.kind) {
      case 'trade':
      case 'redemption':
        return this.#trade(booking, position, booking.transaction.quantity);
      case 'flow':
        return this.#moveUnits(booking, position);
      case 'capital-call':
        return this.#call(booking, position);
      case 'distribution':
        return this.#distribute(booking, position);
      case 'forward-settlement':
        return this.#settle(booking, position);
      default:
        return undefined;
    }
  }

  #trade(booking: Booking, position: number, quantity: Fixed): void {
    const { transaction } = booking;
    const { row, day, value, details } = transaction;
    const money = referenceMoney(transaction, this.#context.moneyOf(position));
    const book = this.#at(position);
    if (quantity >= 0n) {
      return this.#note(
        booking,
        position,
        book.acquire({ row, day, quantity, cost: value, referenceCost: money.amount }),
      );
    }
    const proceeds = { quantity: -quantity, proceeds: value, referenceProceeds: money.amount, rate: money.rate };
    const named = details?.named === undefined ? {} : { named: details.named };
    return this.#note(booking, position, book.dispose({ row, day, ...proceeds, ...named }));
  }

  #moveUnits(booking: Booking, position: number): void {
    const { row, day, quantity, details } = booking.transaction;
    if (quantity === 0n) return;
    if (details?.counterPlace !== undefined) return this.#moveBetween(booking, position, details.counterPlace);
    booking.legs.push({ measure: 'units', position, quantity, of: position });
    const worth = this.#context.worthOf({ position, quantity: quantity < 0n ? -quantity : quantity, day });
    const named = details?.named === undefined ? {} : { named: details.named };
    const book = this.#at(position);
    if (quantity < 0n) {
      return this.#note(booking, position, book.withdraw({ row, day, quantity: -quantity, ...worth, ...named }));
    }
    const lots = details?.lots ?? [{ quantity, ...worth, acquired: day, isEstimated: true }];
    return this.#note(booking, position, book.deposit({ row, day, lots }));
  }

  #moveBetween(booking: Booking, position: number, counterPlace: Place): void {
    const { row, day, quantity, instrument, details } = booking.transaction;
    const counter = this.#positionAt(counterPlace, instrument!);
    if (counter === position) return;
    const [from, to, moved] = quantity < 0n ? [position, counter, -quantity] : [counter, position, quantity];
    booking.legs.push({ measure: 'units', position: to, quantity: moved, of: to });
    booking.legs.push({ measure: 'units', position: from, quantity: -moved, of: to });
    const worth = this.#context.worthOf({ position: from, quantity: moved, day });
    const named = details?.named === undefined ? {} : { named: details.named };
    const departure = { row, day, quantity: moved, ...worth, ...named };
    this.#note(booking, from, this.#at(from).transferTo(this.#at(to), departure));
    booking.touched.add(to);
  }

  #call(booking: Booking, position: number): void {
    const { transaction } = booking;
    const book = this.#at(position);
    if (transaction.quantity !== 0n) return this.#trade(booking, position, transaction.quantity);
    if (book.total.quantity === 0n) return this.#trade(booking, position, wholeStake);
    return this.#lowerCost(booking, position, { ...transaction, value: -transaction.value });
  }

  #distribute(booking: Booking, position: number): void {
    const { transaction } = booking;
    if (transaction.quantity !== 0n) return this.#trade(booking, position, transaction.quantity);
    return this.#lowerCost(booking, position, transaction);
  }

  /** Both kinds of settlement end the contract, whole unless units are named. */
  #settle(booking: Booking, position: number): void {
    const transaction = this.#delivered(booking.transaction, position);
    const { quantity } = transaction;
    const units = quantity === 0n ? -this.#at(position).total.quantity : quantity;
    return this.#trade({ ...booking, transaction }, position, units);
  }

  /** What a delivery brought where nobody says: both legs at the day's rates. */
  #delivered(transaction: Transaction, position: number): Transaction {
    const { amount, currency: paidIn, value, day, details } = transaction;
    const counter = details?.counterCash;
    if (counter === undefined || value !== 0n) return transaction;
    const { currency, rates } = this.#context.moneyOf(position);
    const worthOf = (money: Fixed, from: Currency): Fixed =>
      convertedAmount(money, rates.get({ from, to: currency, day }));
    return { ...transaction, amount: 0n, value: worthOf(amount, paidIn) + worthOf(counter.amount, counter.currency) };
  }

  #lowerCost(booking: Booking, position: number, transaction: Transaction): void {
    const { row, day, value } = transaction;
    const { amount, rate } = referenceMoney(transaction, this.#context.moneyOf(position));
    const outcome = this.#at(position).reduceCost({ row, day, amount: value, referenceAmount: amount, rate });
    this.#note(booking, position, outcome);
  }

  /** For every position of the instrument within the place that is named; money belongs to one place. */
  #act(booking: Booking): void {
    const { details, amount } = booking.transaction;
    const action = details?.action;
    if (action === undefined) return;
    const holders = amount === 0n ? this.#holders(booking.transaction) : this.#namedHolder(booking.transaction);
    for (const position of holders) {
      if (this.#at(position).total.quantity !== 0n) this.#actOn(booking, position, action);
    }
  }

  #holders({ account, depository, instrument }: Transaction): number[] {
    return this.#context.table.positions.flatMap((key, position) => {
      const isThere = (account ?? key.account) === key.account && (depository ?? key.depository) === key.depository;
      return key.instrument === instrument && isThere ? [position] : [];
    });
  }

  #namedHolder(transaction: Transaction): number[] {
    return transaction.instrument === null ? [] : [this.#positionAt(transaction, transaction.instrument)];
  }

  #actOn(booking: Booking, position: number, action: CorporateAction): void {
    const { row, day } = booking.transaction;
    switch (action.action) {
      case 'split':
        return this.#note(booking, position, this.#at(position).split({ row, day, ratio: action.ratio }));
      case 'return-of-capital':
        return this.#lowerCost(booking, position, booking.transaction);
      case 'spin-off': {
        const target = this.#target(booking, position, action);
        const { ratio, share } = action;
        return this.#turnInto(booking, { position, ...target }, (book, into) =>
          book.moveShareOfCost(into, { row, day, ratio, share, ...target.costRate }),
        );
      }
      case 'merger': {
        const target = this.#target(booking, position, action);
        const cashInLieu = this.#cashInLieu(booking, target.target, action.cashInLieu);
        return this.#turnInto(booking, { position, ...target }, (book, into) =>
          book.exchange(into, { row, day, ratio: action.ratio, ...target.costRate, ...cashInLieu }),
        );
      }
    }
  }

  /** Notes what arrived at the target as a leg of both. */
  #turnInto(booking: Booking, { position, target }: Turning, turn: (from: LotBook, to: LotBook) => LotOutcome): void {
    const [from, to] = [this.#at(position), this.#at(target)];
    const before = to.total.quantity;
    const outcome = turn(from, to);
    const quantity = to.total.quantity - before;
    booking.legs.push({ measure: 'units', position: target, quantity, of: target });
    booking.legs.push({ measure: 'units', position, quantity: -quantity, of: target });
    booking.touched.add(position);
    this.#note(booking, target, outcome);
  }

  #target(booking: Booking, position: number, { target }: { readonly target: string; readonly ratio: Ratio }) {
    const number = this.#positionAt(this.#context.table.key(position), target);
    const { currency: from, rates } = this.#context.moneyOf(position);
    const { currency: to } = this.#context.moneyOf(number);
    const { day } = booking.transaction;
    const costRate = from === to ? {} : { costRate: conversionRate(rates.get({ from, to, day })) };
    return { target: number, costRate };
  }

  #cashInLieu({ transaction }: Booking, target: number, quantity: Fixed | undefined) {
    if (quantity === undefined || quantity === 0n) return {};
    const { amount, rate } = referenceMoney(transaction, this.#context.moneyOf(target));
    return { cashInLieu: { quantity, proceeds: transaction.value, referenceProceeds: amount, rate } };
  }
}

interface Turning {
  readonly position: number;
  readonly target: number;
}
