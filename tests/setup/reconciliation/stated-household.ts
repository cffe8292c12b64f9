// A client with cash and shares whose custodian states what it holds, for tests of reconciliation: statements are recorded as imports
// record them.

import { expect } from 'vitest';
import {
  recordStatedHoldings,
  toStatedHolding,
  withdrawStatedHoldings,
} from '../../../src/actions/reconciliation/stated-holding.ts';
import { runInTransaction, serviceAuthor } from '../../../src/actions/core/work.ts';
import { parseCalendarDate } from '../../../src/kit/calendar-date.ts';
import { parseDecimal } from '../../../src/kit/decimal.ts';
import type { Id } from '../../../src/kit/id.ts';
import type { NamedInstrument, StatementBalance, StatementPosition } from '../../../src/model/custody/statement.ts';
import { tenantOf } from '../events/event-source.ts';
import type { Caller } from '../http/caller.ts';
import { book, bookedId, makeStock } from '../ledger/ledger-household.ts';
import { contextAt, runRounds } from '../limits/rounds.ts';
import { makeHousehold, makeRecord } from '../structure/structure-document.ts';

/** Where a custodian states holdings. */
export interface StatedPlaces {
  readonly client: string;
  readonly account: string;
  readonly depository: string;
}

export interface StatedHousehold extends StatedPlaces {
  readonly legalEntity: string;
  readonly entity: string;
  readonly stock: string;
}

/** 10,000 francs paid in on 2 March 2026, of which 100 shares were bought for 10 francs each. */
export async function makeStatedHousehold(caller: Caller): Promise<StatedHousehold> {
  const { client, legalEntity } = await makeHousehold(caller);
  await caller.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  const account = await makeRecord(caller, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
  const depository = await makeRecord(caller, 'depositories', { legal_entity_id: legalEntity, account_ids: [account] });
  const entity = await makeRecord(caller, 'reporting-entities', { client_id: client, name: 'All' });
  const places = { account_ids: [account], depository_ids: [depository] };
  await makeRecord(caller, 'portfolios', { reporting_entity_id: entity, ...places });
  const household = { client, legalEntity, account, depository, entity, stock: await makeStock(caller, 'Novartis AG') };
  await bookFor(caller, household, { type: 'deposit', date: '2026-03-02', amount: '10000' });
  await trade(caller, household, { type: 'buy', date: '2026-03-02', quantity: '100', price: '10' });
  return household;
}

export async function bookFor(caller: Caller, { account }: StatedHousehold, fields: object): Promise<string> {
  return bookedId(await book(caller, 'v1', { account_id: account, ...fields }));
}

export function trade(caller: Caller, household: StatedHousehold, fields: object): Promise<string> {
  return bookFor(caller, household, { instrument_id: household.stock, ...fields });
}

/** What a statement says: units of an instrument, or the balance. */
export interface StatedText {
  readonly date: string;
  readonly quantity: string;
  /** The id of an instrument, or the words for one that nobody knows; absent for the balance. */
  readonly instrument?: string | NamedInstrument;
  readonly price?: string;
  readonly statedAt?: string;
  readonly currency?: string;
  /** The statement names the account beside the depository. */
  readonly isOfBoth?: boolean;
}

const place = { line: 1 };

function toHolding({ client, account, depository }: StatedPlaces, text: StatedText) {
  const { instrument, date, quantity, price, statedAt, currency = 'CHF' } = text;
  const common = { place, date: parseCalendarDate(date), currency, ...(statedAt === undefined ? {} : { statedAt }) };
  if (instrument === undefined) {
    const balance: StatementBalance = {
      ...common,
      item: 'balance',
      moment: 'closing',
      amount: parseDecimal(quantity),
      statement: '1',
    };
    const at = { client: client as Id, account: account as Id, depository: null, instrument: null };
    return toStatedHolding(balance, at);
  }
  const isKnown = typeof instrument === 'string';
  const position: StatementPosition = {
    ...common,
    item: 'position',
    instrument: isKnown ? { name: 'As the custodian says' } : instrument,
    quantity: parseDecimal(quantity),
    ...(price === undefined ? {} : { price: parseDecimal(price) }),
  };
  return toStatedHolding(position, {
    client: client as Id,
    account: text.isOfBoth ? (account as Id) : null,
    depository: depository as Id,
    instrument: isKnown ? (instrument as Id) : null,
  });
}

/** Records a statement and returns the id of its import. */
export async function state(caller: Caller, places: StatedPlaces, ...lines: StatedText[]): Promise<Id> {
  const context = contextAt(caller.address);
  const importId = context.ids.next();
  const holdings = lines.map((line) => toHolding(places, line));
  await runInTransaction(context, serviceAuthor(await tenantOf(caller)), (work) =>
    recordStatedHoldings(work, { importId }, holdings),
  );
  return importId;
}

/** Undoes what an import stated. */
export async function unstate(caller: Caller, importId: Id): Promise<void> {
  await runInTransaction(contextAt(caller.address), serviceAuthor(await tenantOf(caller)), (work) =>
    withdrawStatedHoldings(work, importId),
  );
}

/** Runs the rounds that are due and lists the breaks, the last first. */
export async function listBreaks(caller: Caller, { client }: StatedHousehold, query = ''): Promise<any[]> {
  await runRounds(caller.address);
  const { status, body, text } = await caller.get(`/v1/reconciliation-breaks?client_id=${client}${query}`);
  expect({ status, text }).toMatchObject({ status: 200 });
  return body.data;
}
