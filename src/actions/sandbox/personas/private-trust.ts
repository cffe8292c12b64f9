// The trust with private markets: three legal entities, private-market funds, a listed portfolio and a building.

import type { Day } from '../../../kit/day.ts';
import { listedKeys, listingOf, type ListedKey } from '../market/sandbox-market.ts';
import type { PersonaBook } from './persona-book.ts';
import {
  chance,
  inClass,
  isQuarterEnd,
  isQuarterly,
  isYearly,
  nextWeekday,
  percentOf,
  scaleOf,
  type Life,
  type Persona,
  type PlannedAccount,
} from './persona.ts';
import { liveFund, type FundPlan } from './private-fund.ts';

const bank = 'Harbour Trust Company';
const million = 100_000_000;

const fundPlans: readonly FundPlan[] = [
  {
    key: 'buyout-fund',
    name: 'Fairwater Buyout Fund V',
    currency: 'EUR',
    account: 'private-euros',
    path: 'Private markets/Private equity',
    strategy: 'European buyout',
    commitment: 4 * million,
    after: 0,
    skill: 0,
  },
  {
    key: 'venture-fund',
    name: 'Longview Ventures III',
    currency: 'USD',
    account: 'private-dollars',
    path: 'Private markets/Venture capital',
    strategy: 'Early-stage technology',
    commitment: 2.5 * million,
    after: 1,
    skill: 14,
  },
  {
    key: 'debt-fund',
    name: 'Granite Private Debt II',
    currency: 'USD',
    account: 'private-dollars',
    path: 'Private markets/Private debt',
    strategy: 'Senior loans',
    commitment: 3 * million,
    after: 3,
    skill: -9,
  },
  {
    key: 'infrastructure-fund',
    name: 'Bridgepath Infrastructure I',
    currency: 'EUR',
    account: 'private-euros',
    path: 'Private markets/Infrastructure',
    strategy: 'Energy networks',
    commitment: 2 * million,
    after: 6,
    skill: -4,
  },
];

const listedAccounts = ['dollars', 'euros'] as const;

function open(book: PersonaBook, day: Day, life: Life): void {
  const unit = percentOf(million, scaleOf(life));
  book.flow('cash', day, 46 * unit, 'Settlement of the trust');
  book.move('cash', 'dollars', day, 14 * unit);
  book.move('cash', 'euros', day, 6 * unit);
  book.move('cash', 'private-dollars', day, 3 * unit);
  book.move('cash', 'private-euros', day, 3 * unit);
}

const listedNames = listedKeys.filter((key) => listingOf(key).coupon === undefined);

/** Buys in the first quarters, and then moves a part from one holding to another. */
function tradeListed(book: PersonaBook, day: Day, life: Life): void {
  for (const account of listedAccounts) {
    const names = listedNames.filter((key) => listingOf(key).currency === book.currencyOf(account));
    const pick = (subject: number): ListedKey | undefined => names[chance(life, subject, day, names.length)];
    const [sold, bought] = [pick(5), pick(6)];
    if (day - life.opening < 400)
      for (const key of names) book.buyFor(account, key, day, percentOf(book.cashOf(account), 16));
    else if (sold !== undefined && bought !== undefined && sold !== bought) {
      book.trade(account, sold, day, -percentOf(book.unitsOf(account, sold), 12));
      book.buyFor(account, bought, day, percentOf(book.cashOf(account), 60));
    }
  }
}

function liveBuilding(book: PersonaBook, day: Day, life: Life): void {
  const price = percentOf(3 * million, scaleOf(life));
  const bought = nextWeekday(life.opening + 60);
  const quarters = Math.trunc((day - bought) / 91);
  const value = price + Math.trunc((price * quarters * 6) / 1_000);
  if (day === bought) {
    book.add({
      day,
      key: 'building',
      path: 'Real assets/Real estate',
      fields: { type: 'other-instrument', name: 'Office building Mill Street', ccyCode: life.home },
    });
    book.tradeOwn('cash', 'building', day, { units: 1, price });
    book.value('building', day, 'price', price);
  }
  if (day <= bought || !isQuarterEnd(day)) return;
  book.value('building', day, 'price', value);
  book.earn('dividend', 'cash', day, { key: 'building', amount: Math.trunc(value / 90) });
}

const trustAccounts: readonly Omit<PlannedAccount, 'institution'>[] = [
  { key: 'dollars', name: 'Custody USD', currency: 'USD', legalEntity: 'holdings', depository: 'custody' },
  { key: 'euros', name: 'Custody EUR', currency: 'EUR', legalEntity: 'holdings', depository: 'custody' },
  { key: 'private-dollars', name: 'Private markets USD', currency: 'USD', legalEntity: 'capital' },
  { key: 'private-euros', name: 'Private markets EUR', currency: 'EUR', legalEntity: 'capital' },
];

export const privateTrust: Persona = {
  structure: (home) => ({
    legalEntities: [
      { key: 'trust', name: 'The Alder Trust' },
      { key: 'holdings', name: 'Alder Holdings Ltd' },
      { key: 'capital', name: 'Alder Private Capital LP' },
    ],
    depositories: [{ key: 'custody', name: 'Harbour custody', legalEntity: 'holdings' }],
    accounts: [
      { key: 'cash', name: `Trust account ${home}`, currency: home, legalEntity: 'trust', institution: bank },
      ...trustAccounts.map((one) => ({ ...one, institution: bank })),
    ],
    reportingEntities: [
      {
        key: 'consolidated',
        name: 'Alder consolidated',
        portfolios: [
          { key: 'trust-portfolio', name: 'Trust', accounts: ['cash'] },
          { key: 'listed-portfolio', name: 'Listed assets', accounts: listedAccounts },
          { key: 'private-portfolio', name: 'Private markets', accounts: ['private-dollars', 'private-euros'] },
        ],
      },
      {
        key: 'listed',
        name: 'Alder Holdings, listed assets',
        portfolios: [{ key: 'listed-alone', name: 'Listed assets', accounts: listedAccounts }],
      },
    ],
    limits: [
      {
        key: 'private-markets',
        fields: { kind: 'proportional', name: 'Private markets', maxPct: '0.5', filter: inClass('Private markets') },
      },
      {
        key: 'liquidity',
        fields: { kind: 'proportional', name: 'Liquidity', minPct: '0.03', filter: inClass('Cash') },
      },
    ],
  }),
  live(book, day, life) {
    if (day === life.opening) open(book, day, life);
    for (const account of listedAccounts) book.payIncome(account, day);
    if (day === life.opening || isQuarterly(day, 2, 20)) tradeListed(book, day, life);
    liveBuilding(book, day, life);
    for (const plan of fundPlans) liveFund(book, day, { plan, life });
    if (isQuarterly(day, 3, 28)) book.fee('cash', day, 14_000 * scaleOf(life), 'advisory');
    if (!isYearly(day, 12, 15)) return;
    const paid = percentOf(million, Math.trunc((55 * scaleOf(life)) / 100));
    book.ensure('cash', day, paid);
    book.flow('cash', day, -paid, 'Distribution to the beneficiaries');
  },
};
