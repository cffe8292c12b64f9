// Creates the demo family office in one transaction: structure, catalogue, prices, rates, transactions, limits and people. It is the
// same on every deployment, with the same ids except those of people.

import { defined } from '../../kit/assert.ts';
import { IdSource, type Id } from '../../kit/id.ts';
import type { CurrencyCode } from '../../model/currency.ts';
import { accountRules } from '../structure/account.ts';
import { clientRules } from '../structure/client.ts';
import { limitRules } from '../limits/limit.ts';
import { createRecord } from '../core/resource.ts';
import { depositoryRules, legalEntityRules, portfolioRules, reportingEntityRules } from '../structure/entities.ts';
import { TransactionBulk } from '../ledger/transaction-bulk.ts';
import type { Work } from '../core/work.ts';
import { SeededRandom } from './seeded-random.ts';
import { createAlternatives } from './demo-alternatives.ts';
import { createAndGetId, createCatalogue, putDemoRates, listClassIds, type ClassIds } from './demo-catalogue.ts';
import { DemoLedger, type DemoAccount } from './demo-ledger.ts';
import type { ListedName } from './demo-market.ts';
import { createPeople, type DemoClient } from './demo-people.ts';
import { bookChild, bookParents, type CurrencyAccounts } from './family-ledger.ts';

/** Ids from a fixed seed and a fixed time, so that they are the same everywhere. */
export function demoIds(): IdSource {
  const random = new SeededRandom(1);
  return new IdSource({ now: () => Date.UTC(2016, 0, 4, 8) }, (length) => random.bytes(length));
}

/** Returns the id of the parents' reporting entity, which has the most data. */
export async function seedDemoData(work: Work): Promise<Id> {
  const classes = await listClassIds(work);
  const instruments = await createCatalogue(work, classes);
  await putDemoRates(work);
  const family = await createRecord(work, clientRules, {
    name: 'Lindqvist Family',
    referenceCurrency: 'CHF' as CurrencyCode,
  });
  const reportingEntity = await seedParents(work, family.id, { classes, instruments });
  const children = [
    { name: 'Astrid Lindqvist', currency: 'CHF', method: 'FIFO' },
    { name: 'Erik Lindqvist', currency: 'EUR', method: 'FIFO' },
    { name: 'Lindqvist Foundation', currency: 'USD', method: 'AVERAGE' },
  ] as const;
  const childClients: DemoClient[] = [];
  for (const [index, { name, currency, method }] of children.entries()) {
    const child = await createRecord(work, clientRules, {
      name,
      parent: family.id,
      referenceCurrency: currency as CurrencyCode,
      accountingMethod: method,
    });
    const childEntity = await seedChild(work, { client: child.id, name, currency, seed: index + 2 }, instruments);
    childClients.push({ client: child.id, reportingEntity: childEntity });
  }
  await createPeople(work, {
    family: { client: family.id, reportingEntity },
    son: defined(childClients[1], 'the demo has three children'),
  });
  return reportingEntity;
}

interface Catalogue {
  readonly classes: ClassIds;
  readonly instruments: ReadonlyMap<ListedName, Id>;
}

interface BankRelation {
  readonly legalEntity: Id;
  readonly institution: string;
  readonly depository: Id | null;
}

async function createAccount(work: Work, bank: BankRelation, currency: string, name: string): Promise<DemoAccount> {
  const { legalEntity, institution, depository } = bank;
  const id = await createAndGetId(work, accountRules, {
    legalEntity,
    institution,
    name,
    ccyCode: currency,
    depositories: depository === null ? [] : [depository],
  });
  return { id, currency, depository };
}

async function seedParents(work: Work, client: Id, { classes, instruments }: Catalogue): Promise<Id> {
  const legalEntity = await createAndGetId(work, legalEntityRules, { client, name: 'Lindqvist Holding AG' });
  const custody = (name: string): Promise<Id> => createAndGetId(work, depositoryRules, { legalEntity, name });
  const home = { legalEntity, institution: 'Bank Sonnenberg', depository: await custody('Sonnenberg custody') };
  const abroad = { legalEntity, institution: 'Harbor Trust', depository: await custody('Harbor custody') };
  const accounts: CurrencyAccounts = {
    CHF: await createAccount(work, home, 'CHF', 'Current account CHF'),
    EUR: await createAccount(work, home, 'EUR', 'Current account EUR'),
    USD: await createAccount(work, abroad, 'USD', 'Brokerage USD'),
    GBP: await createAccount(work, abroad, 'GBP', 'Brokerage GBP'),
    JPY: await createAccount(work, abroad, 'JPY', 'Brokerage JPY'),
  };
  const withoutDepository = { ...home, depository: null };
  const francs = await createAccount(work, withoutDepository, 'CHF', 'Alternatives CHF');
  const euros = await createAccount(work, withoutDepository, 'EUR', 'Alternatives EUR');
  const dollars = await createAccount(work, withoutDepository, 'USD', 'Alternatives USD');
  const reportingEntity = await createAndGetId(work, reportingEntityRules, { client, name: 'Lindqvist consolidated' });
  const portfolio = (name: string, members: readonly DemoAccount[]): Promise<Id> =>
    createAndGetId(work, portfolioRules, { reportingEntity, name, accounts: members.map(({ id }) => id) });
  await portfolio('Bank Sonnenberg', [accounts.CHF, accounts.EUR]);
  await portfolio('Harbor Trust', [accounts.USD, accounts.GBP, accounts.JPY]);
  await portfolio('Alternatives', [francs, euros, dollars]);
  const alternatives = await createAlternatives(work, { classes, reportingEntity, francs, euros, dollars });
  const ledger = new DemoLedger('LF', instruments);
  bookParents(ledger, accounts, alternatives);
  await bookAll(work, ledger);
  await createLimits(work, client, instruments);
  return reportingEntity;
}

/** All limits are met except the last. */
async function createLimits(work: Work, client: Id, instruments: Catalogue['instruments']): Promise<void> {
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
      filter: {
        kind: 'condition',
        field: 'instrument.id',
        operator: 'equals',
        value: [defined(instruments.get('software'), 'the demo has this instrument')],
      },
    },
  ];
  for (const limit of limits) await createAndGetId(work, limitRules, { client, kind: 'proportional', ...limit });
}

interface Child {
  readonly client: Id;
  readonly name: string;
  readonly currency: string;
  readonly seed: number;
}

async function seedChild(work: Work, child: Child, instruments: Catalogue['instruments']): Promise<Id> {
  const { client, name, currency, seed } = child;
  const legalEntity = await createAndGetId(work, legalEntityRules, { client, name });
  const depository = await createAndGetId(work, depositoryRules, { legalEntity, name: 'Sonnenberg custody' });
  const bank = { legalEntity, institution: 'Bank Sonnenberg', depository };
  const account = await createAccount(work, bank, currency, `Current account ${currency}`);
  const reportingEntity = await createAndGetId(work, reportingEntityRules, { client, name: `${name}, all` });
  await createAndGetId(work, portfolioRules, { reportingEntity, name: 'All', accounts: [account.id] });
  const ledger = new DemoLedger(`C${seed}`, instruments);
  bookChild(ledger, account, seed);
  await bookAll(work, ledger);
  return reportingEntity;
}

async function bookAll(work: Work, { rows }: DemoLedger): Promise<void> {
  const bulk = new TransactionBulk(work);
  const { refused } = await bulk.book(rows);
  const [first] = refused;
  if (first) throw first.refusal;
  bulk.finish();
}
