// The hedge fund: long and short shares in four currencies at a prime broker, and a currency hedge that is renewed every quarter.

import { fromDayNumber } from '../../../kit/calendar-date.ts';
import { dayFromCivil, type Day } from '../../../kit/day.ts';
import { sandboxCurrencies, type SandboxCurrency } from '../../../model/sandbox/persona.ts';
import { decimalOf } from '../../demo/demo-market.ts';
import { convert, listedKeys, listingOf, type ListedKey } from '../market/sandbox-market.ts';
import { unitsWorth } from '../market/listed-cost.ts';
import type { PersonaBook } from './persona-book.ts';
import {
  chance,
  isMonthly,
  isQuarterly,
  nextWeekday,
  percentOf,
  quarterOf,
  scaleOf,
  type Life,
  type Persona,
} from './persona.ts';

const million = 100_000_000;

const keyOf = { EUR: 'euros', USD: 'dollars', CHF: 'francs', GBP: 'pounds' } as const satisfies Record<
  SandboxCurrency,
  string
>;

const shares = listedKeys.filter((key) => listingOf(key).type === 'stock-instrument');
/** In percent of everything. */
const [longWeight, shortWeight, shortCount] = [17, -11, 3] as const;

/** What should be held in a quarter: the shares in another order each time, the last ones short. */
function weightsIn(quarter: number, life: Life): ReadonlyMap<ListedKey, number> {
  const order = shares
    .map((key, index) => ({ key, place: chance(life, 60 + index, quarter, 1_000) * 10 + index }))
    .toSorted((one, other) => one.place - other.place);
  return new Map(order.map(({ key }, index) => [key, index < shares.length - shortCount ? longWeight : shortWeight]));
}

/** Sells first, short sales included, so that the money is there for what is bought. */
function rebalance(book: PersonaBook, day: Day, life: Life): void {
  const whole = book.worthIn(life.home, day);
  const weights = weightsIn(quarterOf(day), life);
  const changes = shares.map((key) => {
    const { currency } = listingOf(key);
    const account = keyOf[currency];
    const target = convert(percentOf(whole, weights.get(key) ?? 0), { from: life.home, to: currency }, day);
    return { key, account, target, units: unitsWorth(key, day, target) - book.unitsOf(account, key) };
  });
  for (const { key, account, units } of changes) if (units < 0) book.trade(account, key, day, units);
  for (const { key, account, units } of changes) {
    if (units <= 0) continue;
    const worth = Math.trunc((units / unitsWorth(key, day, 100 * million)) * 100 * million);
    book.ensure(account, day, percentOf(worth, 102));
    book.trade(account, key, day, units);
  }
}

/** The day in a quarter on which a forward is settled and the next one begins. */
function hedgeDay(quarter: number): Day {
  return nextWeekday(dayFromCivil({ year: Math.trunc(quarter / 4), month: (quarter % 4) * 3 + 1, day: 8 }));
}

function notionalIn(quarter: number, life: Life): number {
  return percentOf(million, 4 * scaleOf(life)) + chance(life, 70, quarter, 10) * 1_000_000;
}

/** Sells euros for dollars in three months, at the rate of the day on which it is agreed. */
function hedge(book: PersonaBook, day: Day, life: Life): void {
  const quarter = quarterOf(day);
  if (day !== hedgeDay(quarter)) return;
  const before = forwardIn(quarter - 1, life);
  if (before.agreed >= life.opening) {
    book.ensure('euros', day, before.euros);
    book.settle('euros', 'dollars', day, { key: before.key, paid: before.euros, received: before.dollars });
  }
  const { key, euros, dollars, settled } = forwardIn(quarter, life);
  const date = fromDayNumber(settled);
  book.add({
    day,
    key,
    path: 'Derivatives/FX forwards',
    fields: {
      type: 'fx-forward-physical-delivery-contract',
      name: `EUR/USD forward ${date}`,
      nearLeg: { ccyCode: 'EUR', amount: decimalOf(-euros, 2), date },
      farLeg: { ccyCode: 'USD', amount: decimalOf(dollars, 2), date },
    },
  });
  book.tradeOwn('euros', key, day, { units: 1, price: 0 });
}

function forwardIn(quarter: number, life: Life) {
  const agreed = hedgeDay(quarter);
  const euros = notionalIn(quarter, life);
  return {
    key: `forward-${quarter}`,
    agreed,
    settled: hedgeDay(quarter + 1),
    euros,
    dollars: convert(euros, { from: 'EUR', to: 'USD' }, agreed),
  };
}

/** Subscriptions, and redemptions that are smaller. */
function subscribe(book: PersonaBook, day: Day, life: Life): void {
  const main = keyOf[life.home];
  const part = chance(life, 80, day, 7) - 2;
  const amount = percentOf(book.worthIn(life.home, day), part);
  if (amount < 0) book.ensure(main, day, -amount);
  if (amount !== 0) book.flow(main, day, amount, amount > 0 ? 'Subscription' : 'Redemption');
}

function charge(book: PersonaBook, day: Day, life: Life): void {
  const main = keyOf[life.home];
  const fees = Math.trunc(book.worthIn(life.home, day) / 800);
  book.ensure(main, day, 2 * fees);
  book.fee(main, day, fees, 'management');
  book.fee(main, day, Math.trunc(fees / 5), 'stock-loan');
}

const accounts = sandboxCurrencies.map((currency) => ({
  key: keyOf[currency],
  name: `Prime brokerage ${currency}`,
  currency,
  legalEntity: 'fund',
  institution: 'Atlantic Prime Brokers',
  depository: 'custody',
}));

export const hedgeFund: Persona = {
  structure: () => ({
    legalEntities: [{ key: 'fund', name: 'Kestrel Global Fund SPC' }],
    depositories: [{ key: 'custody', name: 'Atlantic custody', legalEntity: 'fund' }],
    accounts,
    reportingEntities: [
      {
        key: 'fund-entity',
        name: 'Kestrel Global Fund',
        portfolios: [{ key: 'all', name: 'Prime brokerage', accounts: accounts.map(({ key }) => key) }],
      },
    ],
    limits: [],
  }),
  live(book, day, life) {
    if (day === life.opening) {
      const main = keyOf[life.home];
      const opening = 60 * percentOf(million, scaleOf(life));
      book.flow(main, day, opening, 'First subscription');
      for (const { key } of accounts) if (key !== main) book.move(main, key, day, percentOf(opening, 14));
    }
    for (const { key } of accounts) book.payIncome(key, day);
    if (day === nextWeekday(life.opening + 1) || isMonthly(day, 2)) rebalance(book, day, life);
    hedge(book, day, life);
    if (isMonthly(day, 27)) charge(book, day, life);
    if (isQuarterly(day, 3, 24) && day > life.opening + 30) subscribe(book, day, life);
  },
};
