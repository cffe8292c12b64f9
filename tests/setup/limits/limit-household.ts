// A client whose wealth is 1,000 francs in round parts, for tests of limits: cash 300, two stocks of 300 and 200, a bond of 200.

import type { Caller } from '../http/caller.ts';
import { book, bookedId, makeInstrument, makeStock } from '../ledger/ledger-household.ts';
import { makeRecord, makeHousehold, type Household } from '../structure/structure-document.ts';

export interface LimitHousehold extends Household {
  readonly account: string;
  readonly portfolio: string;
  /** 10 units worth 300, of developed markets, Swiss, tagged `food`. */
  readonly food: string;
  /** 10 units worth 200, of emerging markets, German. */
  readonly cars: string;
  /** 200 of nominal at 100. */
  readonly bond: string;
  /** The asset class of the first stock. */
  readonly listed: string;
}

/** The purchase date of everything; a coupon date of the bond, so that no interest has accrued. */
export const purchaseDate = '2026-11-10';

async function classIdAt(caller: Caller, ...path: readonly string[]): Promise<string> {
  const { data } = (await caller.get('/v1/instrument-classes?limit=100')).body;
  return data.find((one: { path: string[] }) => one.path.join() === path.join()).id;
}

export function bookTrade(caller: Caller, household: { account: string }, fields: object): Promise<string> {
  return book(caller, 'v1', { account_id: household.account, date: purchaseDate, ...fields }).then(bookedId);
}

export async function makeLimitHousehold(caller: Caller, name = 'Amsel'): Promise<LimitHousehold> {
  const household = await makeHousehold(caller, name);
  await caller.patch(`/v1/clients/${household.client}`, { reference_currency: 'CHF' });
  const account = await makeRecord(caller, 'accounts', { entity_id: household.legalEntity, currency: 'CHF' });
  const reporting_entity_id = household.reportingEntity;
  const portfolio = await makeRecord(caller, 'portfolios', { reporting_entity_id, account_ids: [account] });
  const listed = await classIdAt(caller, 'Equities', 'Developed markets');
  const emerging = await classIdAt(caller, 'Equities', 'Emerging markets');
  const bonds = await classIdAt(caller, 'Fixed income', 'Government');
  const food = await makeStock(caller, 'Nestlé', 'CHF', {
    instrument_class_id: listed,
    issuer_country: 'CH',
    tags: ['food'],
  });
  const cars = await makeStock(caller, 'Volkswagen', 'CHF', { instrument_class_id: emerging, issuer_country: 'DE' });
  const bond = await makeInstrument(caller, {
    type: 'bond-instrument',
    name: 'Eidg. 2034',
    currency: 'CHF',
    coupon: '0.01',
    maturity: '2034-11-10',
    instrument_class_id: bonds,
  });
  const created = { ...household, account, portfolio, food, cars, bond, listed };
  await bookTrade(caller, created, { type: 'deposit', amount: '1000' });
  await bookTrade(caller, created, { type: 'buy', instrument_id: food, quantity: '10', price: '30', amount: '-300' });
  await bookTrade(caller, created, { type: 'buy', instrument_id: cars, quantity: '10', price: '20', amount: '-200' });
  await bookTrade(caller, created, { type: 'buy', instrument_id: bond, quantity: '200', price: '100', amount: '-200' });
  return created;
}
