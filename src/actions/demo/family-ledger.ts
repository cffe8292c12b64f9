// The transactions of the demo family since 2016: deposits, five currencies, quarterly trades, income and fees, a gift in kind, and for
// the parents a loan, a house, private-market funds and a forward.

import { parseCalendarDate, toDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import { parseDecimal } from '../../kit/decimal.ts';
import type { Id } from '../../kit/id.ts';
import { keysOf } from '../../kit/keys.ts';
import { SeededRandom } from './seeded-random.ts';
import { firstDay, quarterEnds, datesEachYear } from './demo-days.ts';
import { DemoLedger, type DemoAccount } from './demo-ledger.ts';
import type { FundFlow } from './demo-funds.ts';
import { decimalOf, demoInstruments, priceOn, type ListedName } from './demo-market.ts';

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
  readonly flows: readonly FundFlow[];
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

interface Investor {
  readonly accounts: Partial<CurrencyAccounts>;
  readonly random: SeededRandom;
}

/** Shares that the parents give to the son are moved with their lots: no flow of the whole family, but one of each of them. */
const gift = { name: 'luxury', day: parseDay('2021-12-24'), percent: 25 } as const;

interface Gift {
  readonly from: DemoAccount;
  readonly to: DemoAccount;
}

/** In the order of days, since what is given away is no longer sold. */
function tradeEachQuarter(ledger: DemoLedger, investors: readonly Investor[], given?: Gift): void {
  for (const [quarter, end] of quarterEnds.entries()) {
    if (given && isFirstAfter(end - 40, gift.day)) ledger.give(gift.name, given.from, given.to, gift);
    for (const investor of investors) tradeInQuarter(ledger, investor, { quarter, end });
  }
}

/** Whether it is the first day of a quarter's trades on or after the other. */
function isFirstAfter(day: Day, other: Day): boolean {
  return day >= other && day - 90 < other;
}

/** Buys one instrument in three and reduces one in nine, after any split. */
function tradeInQuarter(
  ledger: DemoLedger,
  { accounts, random }: Investor,
  { quarter, end }: { readonly quarter: number; readonly end: Day },
): void {
  const { splitOn } = demoInstruments.software;
  const day = end - 40;
  if (accounts.USD && isFirstAfter(day, splitOn)) ledger.split('software', accounts.USD, splitOn);
  for (const name of listedNames) {
    const account = accountFor(name, accounts);
    if (account === undefined || day < start) continue;
    const roll = random.integerBelow(9);
    if (quarter < 4 || roll < 3) ledger.buy(name, account, day, 12 + random.integerBelow(10));
    else if (roll === 8) ledger.sell(name, account, day, 20 + random.integerBelow(40));
  }
  payIncome(ledger, accounts, end);
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

export interface FamilyAccounts {
  readonly parents: CurrencyAccounts;
  readonly alternatives: DemoAlternatives;
  readonly daughter: DemoAccount;
  readonly son: DemoAccount;
  readonly foundation: DemoAccount;
}

/** The ledger of the family: the parents with five currencies and instruments without a market, the others with one currency each. */
export function bookFamily(ledger: DemoLedger, accounts: FamilyAccounts): void {
  const { parents, alternatives, daughter, son, foundation } = accounts;
  const others = [daughter, son, foundation].map((account, index) => ({ account, seed: index + 2 }));
  openParents(ledger, parents, alternatives);
  for (const one of others) openMember(ledger, one);
  const investors = [{ accounts: parents, random: new SeededRandom(7) }, ...others.map(asInvestor)];
  tradeEachQuarter(ledger, investors, { from: parents.EUR, to: son });
  chargeFees(ledger, parents.CHF, 2_100_000);
  for (const { account, seed } of others) chargeFees(ledger, account, 120_000 * seed);
  for (const day of datesEachYear([[1, 20]])) ledger.flow(parents.CHF, day, Math.trunc(0.4 * million));
  for (const day of datesEachYear([[12, 20]])) ledger.flow(parents.CHF, day, -Math.trunc(0.35 * million));
  bookAlternatives(ledger, alternatives);
}

function openParents(ledger: DemoLedger, accounts: CurrencyAccounts, alternatives: DemoAlternatives): void {
  const { CHF: francs } = accounts;
  ledger.flow(francs, start, 42 * million);
  ledger.move(francs, alternatives.francs, start, 9 * million);
  ledger.exchange(francs, accounts.EUR, start + 1, 7 * million);
  ledger.exchange(francs, accounts.USD, start + 1, 8 * million);
  ledger.exchange(francs, accounts.GBP, start + 1, 2 * million);
  ledger.exchange(francs, accounts.JPY, start + 1, 2 * million);
  ledger.exchange(alternatives.francs, alternatives.euros, start + 2, Math.trunc(3.4 * million));
  ledger.exchange(alternatives.francs, alternatives.dollars, start + 2, Math.trunc(1.4 * million));
}

/** Somebody with one account, who holds instruments quoted in its currency. */
interface Member {
  readonly account: DemoAccount;
  readonly seed: number;
}

function openMember(ledger: DemoLedger, { account, seed }: Member): void {
  ledger.flow(account, start + seed, (2 + seed) * million);
}

function asInvestor({ account, seed }: Member): Investor {
  return { accounts: { [account.currency]: account }, random: new SeededRandom(seed) };
}

export function bookMember(ledger: DemoLedger, member: Member): void {
  openMember(ledger, member);
  tradeEachQuarter(ledger, [asInvestor(member)]);
  chargeFees(ledger, member.account, 120_000 * member.seed);
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
    accruedInterest: parseDecimal('0'),
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

function bookFund(ledger: DemoLedger, account: DemoAccount, { id, flows }: DemoFund): void {
  const amountOrNull = (hundredths: number | undefined) => (hundredths === undefined ? null : decimalOf(hundredths, 2));
  for (const { day, amount, recallable, effectOnUnfunded } of flows) {
    ledger.bookPrivate(account, day, amount, {
      instrument: id,
      ...(amount < 0
        ? { kind: 'capital-call', effectOnUnfunded: amountOrNull(effectOnUnfunded) }
        : { kind: 'distribution', recallableAmount: amountOrNull(recallable) }),
    });
  }
}
