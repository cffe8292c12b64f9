// Creates the demo family: one client with the parents, their children and their foundation as legal entities. So one reporting entity
// covers them all, and each of the others covers one.

import type { Id } from '../../kit/id.ts';
import type { CurrencyCode } from '../../model/currency.ts';
import { createRecord } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import { clientRules } from '../structure/client.ts';
import { depositoryRules, legalEntityRules, reportingEntityRules } from '../structure/entities.ts';
import { createAlternatives } from './demo-alternatives.ts';
import { createAndGetId, type DemoCatalogue } from './demo-catalogue.ts';
import { DemoLedger, type DemoAccount } from './demo-ledger.ts';
import { createFamilyLimits } from './demo-limits.ts';
import { bookAll, createAccount, createPortfolio } from './demo-structure.ts';
import { bookFamily, type CurrencyAccounts } from './family-ledger.ts';

export interface DemoFamily {
  readonly client: Id;
  /** Covers the whole family. */
  readonly consolidated: Id;
  /** Covers the son alone. */
  readonly son: Id;
}

export async function seedFamily(work: Work, { classes, instruments }: DemoCatalogue): Promise<DemoFamily> {
  const { id: client } = await createRecord(work, clientRules, {
    name: 'Lindqvist Family',
    referenceCurrency: 'CHF' as CurrencyCode,
  });
  const { accounts, withoutDepository } = await createParents(work, client);
  const consolidated = await createAndGetId(work, reportingEntityRules, { client, name: 'Lindqvist consolidated' });
  await createPortfolio(work, consolidated, 'Bank Sonnenberg', [accounts.CHF, accounts.EUR]);
  await createPortfolio(work, consolidated, 'Harbor Trust', [accounts.USD, accounts.GBP, accounts.JPY]);
  await createPortfolio(work, consolidated, 'Alternatives', Object.values(withoutDepository));
  const alternatives = await createAlternatives(work, { classes, reportingEntity: consolidated, ...withoutDepository });
  const daughter = await createMember(work, { client, consolidated, name: 'Astrid Lindqvist', currency: 'CHF' });
  const son = await createMember(work, { client, consolidated, name: 'Erik Lindqvist', currency: 'EUR' });
  const foundation = await createMember(work, { client, consolidated, name: 'Lindqvist Foundation', currency: 'USD' });
  const ledger = new DemoLedger('LF', instruments);
  bookFamily(ledger, {
    parents: accounts,
    alternatives,
    daughter: daughter.account,
    son: son.account,
    foundation: foundation.account,
  });
  await bookAll(work, ledger.rows);
  await createFamilyLimits(work, { client, consolidated, son: son.reportingEntity, instruments });
  return { client, consolidated, son: son.reportingEntity };
}

interface ParentAccounts {
  readonly accounts: CurrencyAccounts;
  /** For what no bank keeps. */
  readonly withoutDepository: Readonly<Record<'francs' | 'euros' | 'dollars', DemoAccount>>;
}

async function createParents(work: Work, client: Id): Promise<ParentAccounts> {
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
  const noDepository = { ...home, depository: null };
  const withoutDepository = {
    francs: await createAccount(work, noDepository, 'CHF', 'Alternatives CHF'),
    euros: await createAccount(work, noDepository, 'EUR', 'Alternatives EUR'),
    dollars: await createAccount(work, noDepository, 'USD', 'Alternatives USD'),
  };
  return { accounts, withoutDepository };
}

interface Member {
  readonly client: Id;
  readonly consolidated: Id;
  readonly name: string;
  readonly currency: string;
}

/** With a portfolio of the whole family, and a reporting entity that covers the same alone. */
async function createMember(
  work: Work,
  { client, consolidated, name, currency }: Member,
): Promise<{ readonly account: DemoAccount; readonly reportingEntity: Id }> {
  const legalEntity = await createAndGetId(work, legalEntityRules, { client, name });
  const depository = await createAndGetId(work, depositoryRules, { legalEntity, name: 'Sonnenberg custody' });
  const bank = { legalEntity, institution: 'Bank Sonnenberg', depository };
  const account = await createAccount(work, bank, currency, `Current account ${currency}`);
  await createPortfolio(work, consolidated, name, [account]);
  const reportingEntity = await createAndGetId(work, reportingEntityRules, { client, name: `${name}, all` });
  await createPortfolio(work, reportingEntity, 'All', [account]);
  return { account, reportingEntity };
}
