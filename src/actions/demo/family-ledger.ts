// The transactions of the demo families since 2016: deposits, five currencies, quarterly trades, income and fees, and for the parents a
// loan, a house, private-market funds and a forward.

import { parseCalendarDate, toDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import { parseDecimal } from '../../kit/decimal.ts';
import type { Id } from '../../kit/id.ts';
import { keysOf } from '../../kit/keys.ts';
import { SeededRandom } from './seeded-random.ts';
import { firstDay, quarterEnds, datesEachYear } from './demo-days.ts';
import { DemoLedger, type DemoAccount } from './demo-ledger.ts';
import { demoInstruments, priceOn, type ListedName } from './demo-market.ts';

export type CurrencyAccounts = Readonly<Record<'CHF' | 'EUR' | 'USD' | 'GBP' | 'JPY', DemoAccount>>;

/** The instruments that only the parents hold. */
export interface DemoAlternatives {
  readonly francs: DemoAccount;
  readonly euros: DemoAccount;
  readonly dollars: DemoAccount;
  readonly building: Id;
  readonly loan: Id;
  readonly forward: Id;
  readonly funds: readonly DemoFund[];
}

export interface DemoFund {
  readonly id: Id;
  readonly account: 'francs' | 'euros' | 'dollars';
  readonly commitment: number;
  readonly from: number;
}

const start = firstDay + 3;
const million = 100_000_000;

function parseDay(text: string): Day {
  return toDayNumber(parseCalendarDate(text));
}

const listedNames = keysOf(demoInstruments);

function accountFor(name: ListedName, accounts: Partial<CurrencyAccounts>): DemoAccount | undefined {
  return accounts[demoInstruments[name].currency as keyof CurrencyAccounts];
}

/** Every quarter, buys one instrument in three and reduces one in nine, after any split. */
function tradeEachQuarter(ledger: DemoLedger, accounts: Partial<CurrencyAccounts>, random: SeededRandom): void {
  const { splitOn } = demoInstruments.software;
  for (const [quarter, end] of quarterEnds.entries()) {
    const day = end - 40;
    if (accounts.USD && day >= splitOn && day - 100 < splitOn) ledger.split('software', accounts.USD, splitOn);
    for (const name of listedNames) {
      const account = accountFor(name, accounts);
      if (account === undefined || day < start) continue;
      const roll = random.integerBelow(9);
      if (quarter < 4 || roll < 3) ledger.buy(name, account, day, 12 + random.integerBelow(10));
      else if (roll === 8) ledger.sell(name, account, day, 20 + random.integerBelow(40));
    }
    payIncome(ledger, accounts, end);
  }
}

/** Books dividends in the second quarter and coupons once a year. */
function payIncome(ledger: DemoLedger, accounts: Partial<CurrencyAccounts>, end: Day): void {
  const isSecond = datesEachYear([[6, 30]]).includes(end);
  const isThird = datesEachYear([[9, 30]]).includes(end);
  for (const name of listedNames) {
    const account = accountFor(name, accounts);
    if (account === undefined) continue;
    const price = priceOn(name, end);
    const { type, currency } = demoInstruments[name];
    const withheldPercent = currency === 'CHF' ? 35 : 15;
    if (type === 'stock-instrument' && isSecond) {
      const unit = 'priceUnit' in demoInstruments[name].terms ? 100 : 1;
      ledger.income('dividend', name, account, { day: end - 45, perUnit: (price * 0.025) / unit, withheldPercent });
    }
    if (name === 'confederation' && isSecond)
      ledger.income('coupon', name, account, { day: end - 19, perUnit: 1.25, withheldPercent });
    if (name === 'corporate' && isThird)
      ledger.income('coupon', name, account, { day: end - 15, perUnit: 2.5, withheldPercent: 0 });
  }
}

/** Paid from the deposit of every January. */
function chargeFees(ledger: DemoLedger, account: DemoAccount, advisory: number): void {
  for (const day of datesEachYear([[1, 14]]).slice(1)) ledger.flow(account, day, 5 * advisory);
  for (const end of quarterEnds) {
    ledger.fee(account, end, advisory, 'advisory');
    ledger.fee(account, end, Math.trunc(advisory / 6), 'custody');
  }
}

/** The ledger of the parents: five currencies, and instruments without a market. */
export function bookParents(ledger: DemoLedger, accounts: CurrencyAccounts, alternatives: DemoAlternatives): void {
  const { CHF: francs } = accounts;
  ledger.flow(francs, start, 42 * million);
  ledger.move(francs, alternatives.francs, start, 9 * million);
  ledger.exchange(francs, accounts.EUR, start + 1, 7 * million);
  ledger.exchange(francs, accounts.USD, start + 1, 8 * million);
  ledger.exchange(francs, accounts.GBP, start + 1, 2 * million);
  ledger.exchange(francs, accounts.JPY, start + 1, 2 * million);
  ledger.exchange(alternatives.francs, alternatives.euros, start + 2, Math.trunc(2.6 * million));
  ledger.exchange(alternatives.francs, alternatives.dollars, start + 2, Math.trunc(1.4 * million));
  tradeEachQuarter(ledger, accounts, new SeededRandom(7));
  chargeFees(ledger, francs, 2_100_000);
  for (const day of datesEachYear([[1, 20]])) ledger.flow(francs, day, Math.trunc(0.4 * million));
  for (const day of datesEachYear([[12, 20]])) ledger.flow(francs, day, -Math.trunc(0.35 * million));
  bookAlternatives(ledger, alternatives);
}

function bookAlternatives(ledger: DemoLedger, alternatives: DemoAlternatives): void {
  const one = parseDecimal('1');
  ledger.bookPrivate(alternatives.francs, parseDay('2017-05-02'), -Math.trunc(2.9 * million), {
    kind: 'trade',
    instrument: alternatives.building,
    quantity: one,
    price: parseDecimal('2900000'),
  });
  for (const day of datesEachYear([[12, 31]]).slice(2))
    ledger.bookPrivate(alternatives.francs, day, 7_200_000, { kind: 'dividend', instrument: alternatives.building });
  ledger.bookPrivate(alternatives.francs, parseDay('2019-01-03'), -50_000_000, {
    kind: 'trade',
    instrument: alternatives.loan,
    quantity: parseDecimal('500000'),
    price: one,
  });
  for (const day of datesEachYear([[12, 31]]).slice(3))
    ledger.bookPrivate(alternatives.francs, day, 1_750_000, { kind: 'coupon', instrument: alternatives.loan });
  ledger.bookPrivate(alternatives.dollars, parseDay('2026-09-15'), 0, {
    kind: 'trade',
    instrument: alternatives.forward,
    quantity: one,
    price: parseDecimal('0'),
  });
  for (const fund of alternatives.funds) bookFund(ledger, alternatives[fund.account], fund);
}

/** The commitment is called over five years; distributions grow from the fourth year on. */
function bookFund(ledger: DemoLedger, account: DemoAccount, { id, commitment, from }: DemoFund): void {
  const callDays = datesEachYear([[2, 15]]);
  for (const [year, percent] of [25, 25, 20, 15, 10].entries()) {
    const day = callDays[from + year];
    if (day === undefined) break;
    const amount = Math.trunc((commitment * percent) / 100);
    ledger.bookPrivate(account, day, -amount, { kind: 'capital-call', instrument: id });
  }
  for (const [year, day] of datesEachYear([[11, 10]])
    .slice(from + 3)
    .entries()) {
    const amount = Math.trunc((commitment * (6 + 5 * year)) / 100);
    ledger.bookPrivate(account, day, amount, { kind: 'distribution', instrument: id });
  }
}

/** The ledger of a child: one currency, instruments quoted in it, and no alternatives. */
export function bookChild(ledger: DemoLedger, account: DemoAccount, seed: number): void {
  ledger.flow(account, start + seed, (2 + seed) * million);
  tradeEachQuarter(ledger, { [account.currency]: account }, new SeededRandom(seed));
  chargeFees(ledger, account, 120_000 * seed);
}
