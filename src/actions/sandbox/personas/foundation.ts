// The foundation: bonds, shares and a fund at fixed weights under an investment policy, one limit of which is always breached.

import type { Day } from '../../../kit/day.ts';
import { keysOf } from '../../../kit/keys.ts';
import { convert, listingOf, type ListedKey } from '../market/sandbox-market.ts';
import { unitsWorth } from '../market/listed-cost.ts';
import type { PersonaBook } from './persona-book.ts';
import {
  chance,
  inClass,
  isMonthly,
  isQuarterly,
  isYearly,
  nextWeekday,
  percentOf,
  scaleOf,
  type Life,
  type Persona,
} from './persona.ts';

const bank = 'Stiftungsbank Weimar';
const million = 100_000_000;

/** In percent of everything; the rest is cash. The share of Loire Énergie is far above its limit. */
const weights = {
  'euro-government': 32,
  'euro-corporate': 20,
  'dollar-corporate': 9,
  'world-fund': 14,
  utility: 10,
  carmaker: 4,
} as const satisfies Partial<Record<ListedKey, number>>;

const heldNames = keysOf(weights);

function accountOf(key: ListedKey): 'dollars' | 'euros' {
  return listingOf(key).currency === 'USD' ? 'dollars' : 'euros';
}

/** Sells first, so that the money is there for what is bought. Differences below one percent of everything are left. */
function rebalance(book: PersonaBook, day: Day, { home }: Life): void {
  const whole = book.worthIn(home, day);
  const changes = heldNames.map((key) => {
    const account = accountOf(key);
    const pair = { from: home, to: book.currencyOf(account) };
    const target = unitsWorth(key, day, convert(percentOf(whole, weights[key]), pair, day));
    return { key, account, units: target - book.unitsOf(account, key), least: convert(whole, pair, day) / 100 };
  });
  const isWorthwhile = ({ key, units, least }: (typeof changes)[number]): boolean =>
    Math.abs(units) > unitsWorth(key, day, least);
  const wanted = changes.filter(isWorthwhile);
  for (const { key, account, units } of wanted.filter(({ units }) => units < 0)) book.trade(account, key, day, units);
  for (const { key, account, units } of wanted.filter(({ units }) => units > 0)) {
    const worth = Math.trunc((units / unitsWorth(key, day, 100 * million)) * 100 * million);
    book.ensure(account, day, percentOf(worth, 101));
    book.trade(account, key, day, units);
  }
}

const currencyIs = (currency: string): object => ({
  kind: 'condition',
  field: 'currency',
  operator: 'equals',
  value: [currency],
});

const limits = [
  {
    key: 'shares',
    fields: {
      kind: 'proportional',
      name: 'Shares and equity funds at most 45 %',
      maxPct: '0.45',
      filter: { kind: 'or', filters: [inClass('Equities'), inClass('Funds', 'Equity funds')] },
    },
  },
  {
    key: 'bonds',
    fields: {
      kind: 'proportional',
      name: 'Bonds at least 45 %',
      minPct: '0.45',
      filter: inClass('Fixed income'),
    },
  },
  {
    key: 'liquidity',
    fields: { kind: 'proportional', name: 'Liquidity at least 2 %', minPct: '0.02', filter: inClass('Cash') },
  },
  {
    key: 'dollars-limit',
    fields: { kind: 'proportional', name: 'US dollars at most 45 %', maxPct: '0.45', filter: currencyIs('USD') },
  },
  {
    key: 'tobacco',
    fields: {
      kind: 'proportional',
      name: 'No tobacco',
      maxPct: '0',
      filter: { kind: 'condition', field: 'tags', operator: 'contains', value: ['tobacco'] },
    },
  },
  {
    key: 'single-issuer',
    instrument: 'utility',
    fields: { kind: 'proportional', name: 'Loire Énergie shares at most 5 %', maxPct: '0.05' },
  },
] as const;

export const foundation: Persona = {
  structure: (home) => ({
    legalEntities: [{ key: 'foundation', name: 'Morgenrot Foundation' }],
    depositories: [{ key: 'custody', name: 'Weimar custody', legalEntity: 'foundation' }],
    accounts: [
      { key: 'cash', name: `Grants ${home}`, currency: home, legalEntity: 'foundation', institution: bank },
      ...(['EUR', 'USD'] as const).map((currency) => ({
        key: currency === 'EUR' ? 'euros' : 'dollars',
        name: `Assets ${currency}`,
        currency,
        legalEntity: 'foundation',
        institution: bank,
        depository: 'custody',
      })),
    ],
    reportingEntities: [
      {
        key: 'whole',
        name: 'Foundation, all assets',
        portfolios: [
          { key: 'grants', name: 'Grants', accounts: ['cash'] },
          { key: 'endowment', name: 'Endowment', accounts: ['euros', 'dollars'] },
        ],
      },
    ],
    limits,
  }),
  live(book, day, life) {
    const unit = percentOf(million, scaleOf(life));
    if (day === life.opening) book.flow('cash', day, 30 * unit, 'Endowment');
    for (const account of ['euros', 'dollars']) book.payIncome(account, day);
    if (day === nextWeekday(life.opening + 1) || isQuarterly(day, 1, 6)) rebalance(book, day, life);
    if (isYearly(day, 12, 3)) book.flow('cash', day, percentOf(unit, 70 + chance(life, 3, day, 60)), 'Donations');
    if (isQuarterly(day, 3, 27)) book.fee('cash', day, percentOf(unit, 1), 'custody');
    if (!isMonthly(day, 12) || day < life.opening + 20) return;
    const grant = Math.trunc(percentOf(unit, 40 + chance(life, 4, day, 40)) / 10);
    book.ensure('cash', day, grant);
    book.flow('cash', day, -grant, 'Grant');
  },
};
