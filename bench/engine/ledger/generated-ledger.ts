// Generates a ledger like a wealthy family's, identical for the same seed: ten years of buys, sells and deposits in three
// currencies over 500 instruments, with daily prices and rates. No position is ever short.

import { dayFromCivil, weekdayOf, type Day } from '../../../src/kit/day.ts';
import { randomNumbers, type RandomNumbers } from './random-numbers.ts';

/** The first is the reference currency. */
export const currencies = ['EUR', 'USD', 'CHF'] as const;

export const counts = {
  instruments: 500,
  accounts: 20,
  portfolios: 8,
  depositories: 10,
  detailedClasses: 30,
  topClasses: 6,
} as const;

/** Decimal places: a column holds integers × 10^-places. */
export const places = { quantity: 3, price: 4, rate: 4, amount: 2 } as const;

export interface GeneratedPosition {
  readonly account: number;
  readonly depository: number;
  readonly instrument: number;
}

export interface Market {
  readonly firstDay: Day;
  /** Calendar days, including weekends. */
  readonly dayCount: number;
  /** The weekdays, which have prices and rates. */
  readonly pointDays: Int32Array;
  /** One price per weekday for each instrument, in its currency. */
  readonly prices: readonly Float64Array[];
  /** One rate per weekday for each currency: the amount of it that 1 of the reference currency buys. */
  readonly rates: readonly Float64Array[];
  readonly positions: readonly GeneratedPosition[];
}

/** Rows in ledger order: by day, then inflows before outflows. */
export interface GeneratedLedger extends Market {
  readonly days: Int32Array;
  /** The position whose units a row moves; −1 for a deposit or a withdrawal. */
  readonly rowPositions: Int32Array;
  readonly accounts: Int32Array;
  readonly currencies: Int32Array;
  /** Negative where units leave. */
  readonly quantities: Float64Array;
  /** Buys: cost including fees; sells: proceeds after fees; both positive. Deposits are positive, withdrawals negative. */
  readonly amounts: Float64Array;
  /** The same in the reference currency, as booked. */
  readonly referenceAmounts: Float64Array;
}

export function currencyOfInstrument(instrument: number): number {
  return Math.max(0, (instrument % 5) - 2);
}

export function detailedClassOf(instrument: number): number {
  return instrument % counts.detailedClasses;
}

export function topClassOf(detailedClass: number): number {
  return detailedClass % counts.topClasses;
}

export function portfolioOf(account: number): number {
  return account % counts.portfolios;
}

export function generateLedger(rowCount: number): GeneratedLedger {
  const random = randomNumbers(4_711);
  const market = generateMarket(random);
  return { ...market, ...new TradeGenerator(market, random).generate(rowCount) };
}

function generateMarket(random: RandomNumbers): Market {
  const firstDay = dayFromCivil({ year: 2015, month: 1, day: 1 });
  const dayCount = dayFromCivil({ year: 2025, month: 1, day: 1 }) - firstDay;
  const pointDays = Int32Array.from({ length: dayCount }, (_, index) => firstDay + index).filter(
    (day) => weekdayOf(day) <= 5,
  );
  const prices = Array.from({ length: counts.instruments }, (_, instrument) =>
    walk(random, {
      count: pointDays.length,
      start: random.between(5_0000, 500_0000),
      step: instrument % 10 === 0 ? 1 : instrument % 10 === 1 ? 10 : 100,
      swing: 0.03,
      drift: 0.0002,
    }),
  );
  const rates = currencies.map((_, currency) =>
    currency === 0
      ? new Float64Array(pointDays.length).fill(10 ** places.rate)
      : walk(random, { count: pointDays.length, start: 1_0900, step: 1, swing: 0.008, drift: 0 }),
  );
  return { firstDay, dayCount, pointDays, prices, rates, positions: generatePositions() };
}

/** Each instrument is held in two accounts. */
function generatePositions(): GeneratedPosition[] {
  return Array.from({ length: 2 * counts.instruments }, (_, index) => {
    const instrument = index >> 1;
    const account = (instrument * 7 + (index % 2) * (3 + (instrument % 11))) % counts.accounts;
    const depository = (account + (instrument % 2) * 3) % counts.depositories;
    return { account, depository, instrument };
  });
}

interface Walk {
  readonly count: number;
  readonly start: number;
  /** All values are multiples of this. */
  readonly step: number;
  /** The width of the range of daily moves, up and down together, as a fraction of the value. */
  readonly swing: number;
  readonly drift: number;
}

function walk(random: RandomNumbers, { count, start, step, swing, drift }: Walk): Float64Array {
  const values = new Float64Array(count);
  let value = start;
  for (let index = 0; index < count; index++) {
    value *= 1 + (random.fraction() - 0.5) * swing + drift;
    values[index] = Math.max(1, Math.round(value / step)) * step;
  }
  return values;
}

interface Row {
  readonly position: number;
  readonly account: number;
  readonly currency: number;
  readonly quantity: number;
  readonly amount: number;
}

/** Below the minimum an account gets a deposit before it buys; above the maximum it pays out. */
const cashMin = 0;
const cashMax = 2_000_000_00;

class TradeGenerator {
  readonly #market: Market;
  readonly #random: RandomNumbers;
  readonly #held: Float64Array;
  readonly #cash = new Float64Array(counts.accounts * currencies.length);

  constructor(market: Market, random: RandomNumbers) {
    this.#market = market;
    this.#random = random;
    this.#held = new Float64Array(market.positions.length);
  }

  generate(rowCount: number): Omit<GeneratedLedger, keyof Market> {
    const { pointDays, rates } = this.#market;
    const columns = {
      days: new Int32Array(rowCount),
      rowPositions: new Int32Array(rowCount),
      accounts: new Int32Array(rowCount),
      currencies: new Int32Array(rowCount),
      quantities: new Float64Array(rowCount),
      amounts: new Float64Array(rowCount),
      referenceAmounts: new Float64Array(rowCount),
    };
    let at = 0;
    for (let point = 0; point < pointDays.length; point++) {
      const count = Math.floor(((point + 1) * rowCount) / pointDays.length) - at;
      const rows = Array.from({ length: count }, () => this.#row(point));
      for (const row of rows.toSorted((one, other) => rank(one) - rank(other))) {
        columns.days[at] = pointDays[point]!;
        columns.rowPositions[at] = row.position;
        columns.accounts[at] = row.account;
        columns.currencies[at] = row.currency;
        columns.quantities[at] = row.quantity;
        columns.amounts[at] = row.amount;
        columns.referenceAmounts[at++] = Math.round((row.amount * 10 ** places.rate) / rates[row.currency]![point]!);
      }
    }
    return columns;
  }

  #row(point: number): Row {
    const position = this.#random.between(0, this.#held.length - 1);
    const { account, instrument } = this.#market.positions[position]!;
    const currency = currencyOfInstrument(instrument);
    const cash = account * currencies.length + currency;
    const isBuy = this.#held[position] === 0 || this.#random.fraction() < 0.52;
    const quantity = isBuy ? this.#units() : -this.#unitsToSell(position);
    const amount = this.#amount(quantity, this.#market.prices[instrument]![point]!);
    const spare = this.#cash[cash]! - (isBuy ? amount : -amount);
    if (spare < cashMin || spare > cashMax) {
      const moved = (spare < cashMin ? 1 : -1) * this.#random.between(1_000, 10_000) * 100_00;
      this.#cash[cash]! += moved;
      return { position: -1, account, currency, quantity: 0, amount: moved };
    }
    this.#cash[cash] = spare;
    this.#held[position]! += quantity;
    return { position, account, currency, quantity, amount };
  }

  /** Three of four quantities are whole numbers. */
  #units(): number {
    const whole = this.#random.between(1, 400) * 10 ** places.quantity;
    return this.#random.fraction() < 0.75 ? whole : whole - this.#random.between(0, 999);
  }

  #unitsToSell(position: number): number {
    const held = this.#held[position]!;
    return this.#random.fraction() < 0.05 ? held : Math.min(held, this.#units());
  }

  /** Within half a percent of the day's price, with a fee of 5 plus 0.1 %. */
  #amount(quantity: number, dayPrice: number): number {
    const price = Math.round(dayPrice * (0.995 + this.#random.fraction() / 100));
    const shift = 10 ** (places.quantity + places.price - places.amount);
    const gross = Math.max(1, Math.round((Math.abs(quantity) * price) / shift));
    const fee = Math.min(gross, 5_00 + Math.round(gross / 1_000));
    return quantity > 0 ? gross + fee : gross - fee;
  }
}

/** Deposits, buys, sells, withdrawals. */
function rank({ position, quantity, amount }: Row): number {
  if (position < 0) return amount > 0 ? 0 : 3;
  return quantity > 0 ? 1 : 2;
}
