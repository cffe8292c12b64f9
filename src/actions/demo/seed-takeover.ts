// Creates the client whose data is still being taken over. Everything that can be wrong with data is wrong here once, so that every
// finding can be seen; a child client below it is in order.

import { defined } from '../../kit/assert.ts';
import { dayFromCivil } from '../../kit/day.ts';
import type { Id } from '../../kit/id.ts';
import type { CurrencyCode } from '../../model/currency.ts';
import { historicalHoldingsByKind } from '../../model/ledger/historical-holding.ts';
import { changeRecord, createRecord } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import { putHolding } from '../custody/historical-holding.ts';
import { instrumentClassRules } from '../instruments/instrument-class.ts';
import { clientRules } from '../structure/client.ts';
import { depositoryRules, legalEntityRules, reportingEntityRules } from '../structure/entities.ts';
import { createAndGetId, putEuroRates, type DemoCatalogue } from './demo-catalogue.ts';
import { decimalOf } from './demo-market.ts';
import { DemoLedger, type DemoAccount } from './demo-ledger.ts';
import { createTakeoverLimit } from './demo-limits.ts';
import { bookAll, createAccount, createPortfolio } from './demo-structure.ts';
import { bookMember } from './family-ledger.ts';
import { createTakeoverInstruments, type TakeoverInstrumentIds } from './takeover-instruments.ts';
import { bookNamedSales, bookTakeover, namedPurchase, type TakeoverAccounts } from './takeover-ledger.ts';

export interface DemoTakeover {
  readonly client: Id;
  /** Covers what is known so far. */
  readonly known: Id;
  /** At the bank that keeps most of it. */
  readonly main: DemoAccount;
}

export async function seedTakeover(work: Work, { classes, instruments }: DemoCatalogue): Promise<DemoTakeover> {
  const { id: client } = await createRecord(work, clientRules, {
    name: 'Nyström Family, being taken over',
    referenceCurrency: 'CHF' as CurrencyCode,
    accountingMethod: 'SPECIFIC_ID',
  });
  await leaveOthersUnclassified(work, classes);
  const accounts = await createTakeoverAccounts(work, client);
  const known = await createAndGetId(work, reportingEntityRules, { client, name: 'Nyström, known so far' });
  await createPortfolio(work, known, 'Fjord Bank', [accounts.main, accounts.card]);
  await createPortfolio(work, known, 'Former bank', [accounts.former]);
  const abroad = await createAndGetId(work, reportingEntityRules, { client, name: 'Nyström, cabin in Norway' });
  await createPortfolio(work, abroad, 'Cabin', [accounts.cabin]);
  await createAndGetId(work, reportingEntityRules, { client, name: 'Nyström, to be set up' });
  const own = await createTakeoverInstruments(work, { classes, reportingEntity: known });
  const records = { accounts, own, listed: instruments };
  await bookAll(work, bookTakeover(records));
  const reference = { account: accounts.main.id, source: 'custodian', externalReference: namedPurchase } as const;
  const [purchase] = await work.store.ledger.listByReference([reference]);
  await bookAll(work, bookNamedSales(records, defined(purchase, 'the purchase was booked').id));
  await uploadStatements(work, defined(accounts.former.depository, 'the former bank has a depository'), own);
  await createTakeoverLimit(work, client);
  await seedDaughter(work, client, instruments);
  await seedMoneyAbroad(work, client, known);
  return { client, known, main: accounts.main };
}

/** The office wants to state the class of other assets one by one, so that one without a class is found. */
async function leaveOthersUnclassified(work: Work, classes: DemoCatalogue['classes']): Promise<void> {
  const other = defined(classes.get('Other'), 'the classes of the demo exist');
  await changeRecord(work, instrumentClassRules, other, { defaultFor: [] });
}

async function createTakeoverAccounts(work: Work, client: Id): Promise<TakeoverAccounts> {
  const legalEntity = await createAndGetId(work, legalEntityRules, { client, name: 'Nyström Förvaltning AG' });
  const custody = (name: string): Promise<Id> => createAndGetId(work, depositoryRules, { legalEntity, name });
  const bank = { legalEntity, institution: 'Fjord Bank', depository: await custody('Fjord custody') };
  const formerBank = { legalEntity, institution: 'Birka Bank', depository: await custody('Birka custody, statements') };
  const cashOnly = { ...bank, depository: null };
  return {
    main: await createAccount(work, bank, 'CHF', 'Current account CHF'),
    card: await createAccount(work, cashOnly, 'EUR', 'Card account EUR, overdrawn'),
    former: await createAccount(work, formerBank, 'CHF', 'Former bank CHF'),
    cabin: await createAccount(work, cashOnly, 'NOK', 'Cabin account NOK, no exchange rate'),
    savings: await createAccount(work, cashOnly, 'CHF', 'Savings account CHF, in no portfolio'),
  };
}

/**
 * Two statements of the former bank: units have come in that no transaction explains, at a price that no market says. The second has the interest
 * of a bond at 2 %, which pays 1.5 %.
 */
async function uploadStatements(work: Work, depository: Id, own: TakeoverInstrumentIds): Promise<void> {
  const { brewery, bondOfFormerBank: bond } = own;
  const statements = [
    { date: '2025-12-31', instrument: brewery, units: '400', marketValue: '28000' },
    { date: '2025-12-31', instrument: bond, units: '20000', marketValue: '19800', accruedInterest: '37.81' },
    { date: '2026-03-31', instrument: brewery, units: '470', marketValue: '54990' },
    { date: '2026-03-31', instrument: bond, units: '20000', marketValue: '19840', accruedInterest: '149.04' },
  ];
  for (const statement of statements)
    await putHolding(work, historicalHoldingsByKind.instrument, { depository, ...statement });
}

/** In a currency of which nobody has sent a rate since June. */
async function seedMoneyAbroad(work: Work, client: Id, known: Id): Promise<void> {
  const day = dayFromCivil({ year: 2026, month: 6, day: 30 });
  await putEuroRates(work, new Map([['SEK', [{ day, value: 112_000 }]]]));
  const legalEntity = await createAndGetId(work, legalEntityRules, { client, name: 'Nyström Sverige AB' });
  const bank = { legalEntity, institution: 'Fjord Bank', depository: null };
  const account = await createAccount(work, bank, 'SEK', 'Account in Sweden, old exchange rate');
  await createPortfolio(work, known, 'Sweden', [account]);
  const ledger = new DemoLedger('NS', new Map());
  ledger.book(account, day, { kind: 'flow', amount: decimalOf(250_000, 0) });
  await bookAll(work, ledger.rows);
}

async function seedDaughter(work: Work, parent: Id, instruments: DemoCatalogue['instruments']): Promise<void> {
  const { id: client } = await createRecord(work, clientRules, {
    name: 'Saga Nyström',
    parent,
    referenceCurrency: 'EUR' as CurrencyCode,
    accountingMethod: 'AVERAGE',
  });
  const legalEntity = await createAndGetId(work, legalEntityRules, { client, name: 'Saga Nyström' });
  const depository = await createAndGetId(work, depositoryRules, { legalEntity, name: 'Fjord custody' });
  const bank = { legalEntity, institution: 'Fjord Bank', depository };
  const account = await createAccount(work, bank, 'EUR', 'Current account EUR');
  const reportingEntity = await createAndGetId(work, reportingEntityRules, { client, name: 'Saga Nyström, all' });
  await createPortfolio(work, reportingEntity, 'All', [account]);
  const ledger = new DemoLedger('SN', instruments);
  bookMember(ledger, { account, seed: 5 });
  await bookAll(work, ledger.rows);
}
