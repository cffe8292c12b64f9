// A small client for reports: an excluded account, overlapping portfolios, an instrument that is private to another reporting
// entity, units of an unknown instrument, fees owed, and a currency without an exchange rate.

import type { Caller } from '../http/caller.ts';
import { book, bookedId, makeStock } from '../ledger/ledger-household.ts';
import { makeRecord, makeHousehold } from '../structure/structure-document.ts';

export interface ReportHousehold {
  readonly client: string;
  readonly account: string;
  readonly hidden: string;
  readonly depository: string;
  readonly stock: string;
  readonly club: string;
  /**
   * Reporting entities: one with everything, the one that owns the private instrument, one without portfolios, one whose currency
   * has no rate.
   */
  readonly all: string;
  readonly other: string;
  readonly empty: string;
  readonly broken: string;
  /** Portfolios of `all`: the account, and the depository that its trades settle through. */
  readonly cash: string;
  readonly units: string;
  /** The buy of the stock, and the buy of the unknown instrument. */
  readonly bought: string;
  readonly unnamed: string;
}

/** The household's own units cost 700 and are worth 721.23456789012345678 from 2026-02-01 on. */
export async function makeReportHousehold(caller: Caller): Promise<ReportHousehold> {
  const { client, legalEntity } = await makeHousehold(caller, 'Amsel');
  await caller.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  const makeAccount = (name: string, more: object): Promise<string> =>
    makeRecord(caller, 'accounts', { entity_id: legalEntity, name, currency: 'CHF', ...more });
  const account = await makeAccount('Main', {});
  const hidden = await makeAccount('Hidden', { exclude_from_reporting: true });
  const yen = await makeAccount('Yen', { currency: 'JPY' });
  const depository = await makeRecord(caller, 'depositories', {
    legal_entity_id: legalEntity,
    name: 'Vault',
    account_ids: [account],
  });
  const entity = (name: string): Promise<string> =>
    makeRecord(caller, 'reporting-entities', { client_id: client, name });
  const [all, other, empty, broken] = [
    await entity('All'),
    await entity('Other'),
    await entity('None'),
    await entity('Yen'),
  ];
  const portfolio = (reporting_entity_id: string, name: string, places: object): Promise<string> =>
    makeRecord(caller, 'portfolios', { reporting_entity_id, name, ...places });
  const cash = await portfolio(all, 'Accounts', { account_ids: [account, hidden] });
  const units = await portfolio(all, 'Custody', { depository_ids: [depository] });
  await portfolio(other, 'Accounts', { account_ids: [account, hidden] });
  await portfolio(broken, 'Yen', { account_ids: [yen] });
  const stock = await makeStock(caller, 'Novartis AG');
  const club = await makeRecord(caller, 'instruments', {
    type: 'other-instrument',
    name: 'Club deal',
    currency: 'CHF',
    reporting_entity_id: other,
  });
  const bookId = async (fields: object): Promise<string> =>
    bookedId(await book(caller, 'v1', { account_id: account, ...fields }));
  const buy = { type: 'buy', date: '2026-01-06' };
  await bookId({ type: 'deposit', date: '2026-01-05', amount: '1000' });
  await bookId({ type: 'deposit', date: '2026-01-05', amount: '500', account_id: hidden });
  await bookId({ type: 'deposit', date: '2026-01-05', amount: '9000', account_id: yen });
  const bought = await bookId({ ...buy, instrument_id: stock, quantity: '10', price: '70', amount: '-700' });
  const unnamed = await bookId({ ...buy, quantity: '4', price: '25', amount: '-100' });
  await bookId({ type: 'deposit', date: '2026-01-08', instrument_id: club, quantity: '3' });
  await caller.post(`/v1/instruments/${stock}/prices`, { date: '2026-02-01', value: '72.123456789012345678' });
  await caller.post(`/v1/instruments/${club}/prices`, { date: '2026-01-08', value: '100' });
  await caller.post('/v1/historical-holdings', {
    kind: 'fee',
    account_id: account,
    date: '2026-01-31',
    market_value: '12.5',
  });
  return { client, account, hidden, depository, stock, club, all, other, empty, broken, cash, units, bought, unnamed };
}
