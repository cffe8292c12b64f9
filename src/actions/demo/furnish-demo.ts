// Lays the demo family office out: structure, catalogue, prices, rates, bookings and limits, all in one transaction. The same on
// every deployment, ids included.

import { IdSource, type Id } from '../../kit/id.ts';
import type { AnyChange } from '../../kit/resource.ts';
import type { CurrencyCode } from '../../model/currency.ts';
import { netAssetValue, price } from '../../model/series-point.ts';
import { accountRules } from '../account.ts';
import { clientRules } from '../client.ts';
import { holdRates, putRates, traceRates } from '../fx-rate.ts';
import { instrumentRules } from '../instrument.ts';
import { instrumentClassRules } from '../instrument-class.ts';
import { limitRules } from '../limit.ts';
import { createThing, listThings, type WriteRules } from '../resource.ts';
import { holdSeries, putPoints, tracePoints } from '../series-point.ts';
import { depositoryRules, legalEntityRules, portfolioRules, reportingEntityRules } from '../structure.ts';
import { TransactionBulk } from '../transaction-bulk.ts';
import type { Work } from '../work.ts';
import { Chance } from './chance.ts';
import { dateOf, quarterEnds, yearly } from './demo-days.ts';
import { amountOf, DemoLedger, type DemoAccount } from './demo-ledger.ts';
import { decimalOf, demoListed, demoPrices, demoRates, type DemoPoint, type ListedName } from './demo-market.ts';
import {
  childLedger,
  parentsLedger,
  type CurrencyAccounts,
  type DemoAlternatives,
  type DemoFund,
} from './family-ledger.ts';

type ClassIds = ReadonlyMap<string, Id>;

/** As if everything had been made on one day long ago. */
export function demoIds(): IdSource {
  const chance = new Chance(1);
  return new IdSource({ now: () => Date.UTC(2016, 0, 4, 8) }, (length) => chance.bytes(length));
}

/** Answers the id of the reporting entity of the parents, which covers the most. */
export async function furnishDemo(work: Work): Promise<Id> {
  const classes = await readClasses(work);
  const instruments = await makeCatalogue(work, classes);
  await putAllRates(work);
  const family = await createThing(work, clientRules, {
    name: 'Lindqvist Family',
    referenceCurrency: 'CHF' as CurrencyCode,
  });
  const reportingEntity = await furnishParents(work, family.id, { classes, instruments });
  const children = [
    { name: 'Astrid Lindqvist', currency: 'CHF', method: 'FIFO' },
    { name: 'Erik Lindqvist', currency: 'EUR', method: 'FIFO' },
    { name: 'Lindqvist Foundation', currency: 'USD', method: 'AVERAGE' },
  ] as const;
  for (const [index, { name, currency, method }] of children.entries()) {
    const child = await createThing(work, clientRules, {
      name,
      parent: family.id,
      referenceCurrency: currency as CurrencyCode,
      accountingMethod: method,
    });
    await furnishChild(work, { client: child.id, name, currency, seed: index + 2 }, instruments);
  }
  return reportingEntity;
}

async function make(work: Work, rules: WriteRules<any>, fields: AnyChange): Promise<Id> {
  return (await createThing(work, rules, fields as never)).id;
}

async function readClasses(work: Work): Promise<ClassIds> {
  const { things } = await listThings(work, instrumentClassRules, { where: {}, limit: 1_000 });
  return new Map(things.map(({ id, path }) => [(path as readonly string[]).join('/'), id]));
}

async function makeCatalogue(work: Work, classes: ClassIds): Promise<ReadonlyMap<ListedName, Id>> {
  const made = new Map<ListedName, Id>();
  for (const [name, one] of Object.entries(demoListed) as [ListedName, (typeof demoListed)[ListedName]][]) {
    const id = await make(work, instrumentRules, {
      type: one.type,
      name: one.name,
      ccyCode: one.currency,
      instrumentClass: classes.get(one.path.join('/'))!,
      ...one.terms,
    });
    made.set(name, id);
    const series = one.type === 'mutual-fund-instrument' ? netAssetValue : price;
    await putSeries(work, series, id, demoPrices.get(name)!);
  }
  return made;
}

async function putSeries(
  work: Work,
  series: typeof price | typeof netAssetValue,
  id: Id,
  points: readonly DemoPoint[],
): Promise<void> {
  const instrument = await holdSeries(work, series, id);
  const rows = points.map(({ day, value }) => ({
    date: dateOf(day),
    value: decimalOf(value, 2),
    source: 'reference',
  }));
  const written = await putPoints(work, series, instrument, rows);
  tracePoints(work, series, instrument, { written, accepted: rows.length });
}

async function putAllRates(work: Work): Promise<void> {
  await holdRates(work);
  const rows = [...demoRates].flatMap(([quote, points]) =>
    points.map(({ day, value }) => ({
      base: 'EUR' as CurrencyCode,
      quote: quote as CurrencyCode,
      date: dateOf(day),
      rate: decimalOf(value, 4),
      source: 'reference' as const,
    })),
  );
  const written = await putRates(work, rows);
  traceRates(work, { written, accepted: rows.length });
}

interface Catalogue {
  readonly classes: ClassIds;
  readonly instruments: ReadonlyMap<ListedName, Id>;
}

interface Banking {
  readonly legalEntity: Id;
  readonly institution: string;
  readonly depository: Id | null;
}

async function makeAccount(work: Work, bank: Banking, currency: string, name: string): Promise<DemoAccount> {
  const { legalEntity, institution, depository } = bank;
  const id = await make(work, accountRules, {
    legalEntity,
    institution,
    name,
    ccyCode: currency,
    depositories: depository === null ? [] : [depository],
  });
  return { id, currency, depository };
}

async function furnishParents(work: Work, client: Id, { classes, instruments }: Catalogue): Promise<Id> {
  const legalEntity = await make(work, legalEntityRules, { client, name: 'Lindqvist Holding AG' });
  const custody = (name: string): Promise<Id> => make(work, depositoryRules, { legalEntity, name });
  const home = { legalEntity, institution: 'Bank Sonnenberg', depository: await custody('Sonnenberg custody') };
  const abroad = { legalEntity, institution: 'Harbor Trust', depository: await custody('Harbor custody') };
  const accounts: CurrencyAccounts = {
    CHF: await makeAccount(work, home, 'CHF', 'Current account CHF'),
    EUR: await makeAccount(work, home, 'EUR', 'Current account EUR'),
    USD: await makeAccount(work, abroad, 'USD', 'Brokerage USD'),
    GBP: await makeAccount(work, abroad, 'GBP', 'Brokerage GBP'),
    JPY: await makeAccount(work, abroad, 'JPY', 'Brokerage JPY'),
  };
  const apart = { ...home, depository: null };
  const francs = await makeAccount(work, apart, 'CHF', 'Alternatives CHF');
  const euros = await makeAccount(work, apart, 'EUR', 'Alternatives EUR');
  const dollars = await makeAccount(work, apart, 'USD', 'Alternatives USD');
  const reportingEntity = await make(work, reportingEntityRules, { client, name: 'Lindqvist consolidated' });
  const portfolio = (name: string, members: readonly DemoAccount[]): Promise<Id> =>
    make(work, portfolioRules, { reportingEntity, name, accounts: members.map(({ id }) => id) });
  await portfolio('Bank Sonnenberg', [accounts.CHF, accounts.EUR]);
  await portfolio('Harbor Trust', [accounts.USD, accounts.GBP, accounts.JPY]);
  await portfolio('Alternatives', [francs, euros, dollars]);
  const alternatives = await makeAlternatives(work, { classes, reportingEntity, francs, euros, dollars });
  const ledger = new DemoLedger('LF', instruments);
  parentsLedger(ledger, accounts, alternatives);
  await bookAll(work, ledger);
  await makeLimits(work, client, instruments);
  return reportingEntity;
}

/** All are kept but the last. */
async function makeLimits(work: Work, client: Id, instruments: Catalogue['instruments']): Promise<void> {
  const inClass = (name: string): object => ({
    kind: 'condition',
    field: 'instrument_class.path',
    operator: 'starts_with',
    value: [name],
  });
  const limits = [
    { name: 'Equities', maxPct: '0.6', filter: inClass('Equities') },
    { name: 'Private markets', maxPct: '0.1', filter: inClass('Private markets') },
    { name: 'Liquidity', minPct: '0.05', filter: inClass('Cash') },
    {
      name: 'Companies of the family',
      maxPct: '0.1',
      filter: { kind: 'condition', field: 'tags', operator: 'contains', value: ['family-connection'] },
    },
    {
      name: 'Cascade Software',
      maxPct: '0.15',
      filter: { kind: 'condition', field: 'instrument.id', operator: 'equals', value: [instruments.get('software')!] },
    },
  ];
  for (const limit of limits) await make(work, limitRules, { client, kind: 'proportional', ...limit });
}

type AlternativePlaces = Pick<DemoAlternatives, 'francs' | 'euros' | 'dollars'> & {
  readonly classes: ClassIds;
  readonly reportingEntity: Id;
};

const million = 100_000_000;

async function makeAlternatives(work: Work, places: AlternativePlaces): Promise<DemoAlternatives> {
  const { classes, reportingEntity, francs, euros, dollars } = places;
  const of = (path: string, fields: AnyChange): Promise<Id> =>
    make(work, instrumentRules, { reportingEntity, instrumentClass: classes.get(path)!, ...fields });
  const house = await of('Real assets/Real estate', {
    type: 'other-instrument',
    name: 'Apartment building Seefeldstrasse',
    ccyCode: 'CHF',
  });
  const houseValues = yearly([[12, 31]])
    .slice(1)
    .map((day, year) => ({ day, value: (2_900_000 + 85_000 * year) * 100 }));
  await putSeries(work, price, house, houseValues);
  const loan = await of('Fixed income/Loans', {
    type: 'loan-instrument',
    name: 'Loan to Lindqvist Bau AG',
    ccyCode: 'CHF',
    principal: '250000',
    interestRate: '0.035',
    startDate: '2019-01-01',
    maturity: '2029-01-01',
  });
  const forward = await of('Derivatives/FX forwards', {
    type: 'fx-forward-physical-delivery-contract',
    name: 'CHF/USD forward March 2027',
    nearLeg: { ccyCode: 'CHF', amount: '-880000', date: '2027-03-15' },
    farLeg: { ccyCode: 'USD', amount: '1000000', date: '2027-03-15' },
    forwardRate: '0.88',
  });
  const fund = (name: string, currency: string, terms: Omit<DemoFund, 'id'>): Promise<DemoFund> =>
    makeFund(work, of, { name, currency, terms });
  const funds = [
    await fund('Alpine Growth Partners IV', 'EUR', { account: 'euros', commitment: 2 * million, from: 1 }),
    await fund('Harbor Venture Fund II', 'USD', { account: 'dollars', commitment: Math.trunc(1.2 * million), from: 2 }),
    await fund('Gotthard Infrastructure I', 'CHF', { account: 'francs', commitment: million, from: 4 }),
  ];
  return { francs, euros, dollars, house, loan, forward, funds };
}

async function makeFund(
  work: Work,
  of: (path: string, fields: AnyChange) => Promise<Id>,
  { name, currency, terms }: { name: string; currency: string; terms: Omit<DemoFund, 'id'> },
): Promise<DemoFund> {
  const { commitment, from } = terms;
  const id = await of('Private markets/Private equity', {
    type: 'private-market-fund',
    name,
    ccyCode: currency,
    commitment: amountOf(commitment / 100),
    vintageYear: 2016 + from,
  });
  const [begin] = yearly([[2, 15]]).slice(from);
  const points = quarterEnds
    .filter((day) => day > begin!)
    .map((day, quarter) => ({ day, value: Math.trunc((commitment * fundShare(quarter)) / 1_000) }));
  await putSeries(work, netAssetValue, id, points);
  return { id, ...terms };
}

/** Of the commitment, in thousandths: it rises with the calls, then falls as money comes back. */
function fundShare(quarter: number): number {
  return quarter < 20 ? 230 + 52 * quarter : Math.max(250, 1_240 - 45 * (quarter - 20));
}

interface Child {
  readonly client: Id;
  readonly name: string;
  readonly currency: string;
  readonly seed: number;
}

async function furnishChild(work: Work, child: Child, instruments: Catalogue['instruments']): Promise<void> {
  const { client, name, currency, seed } = child;
  const legalEntity = await make(work, legalEntityRules, { client, name });
  const depository = await make(work, depositoryRules, { legalEntity, name: 'Sonnenberg custody' });
  const bank = { legalEntity, institution: 'Bank Sonnenberg', depository };
  const account = await makeAccount(work, bank, currency, `Current account ${currency}`);
  const reportingEntity = await make(work, reportingEntityRules, { client, name: `${name}, all` });
  await make(work, portfolioRules, { reportingEntity, name: 'All', accounts: [account.id] });
  const ledger = new DemoLedger(`C${seed}`, instruments);
  childLedger(ledger, account, seed);
  await bookAll(work, ledger);
}

async function bookAll(work: Work, { rows }: DemoLedger): Promise<void> {
  const bulk = new TransactionBulk(work);
  const { refused } = await bulk.book(rows);
  const [first] = refused;
  if (first) throw first.refusal;
  bulk.conclude();
}
