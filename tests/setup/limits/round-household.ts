// A client with 1,000 francs in one account and a limit of 1,500 on cash, for tests of rounds, and its rounds and breaches.

import { expect } from 'vitest';
import type { Caller } from '../http/caller.ts';
import { book } from '../ledger/ledger-household.ts';
import { makeRecord, makeHousehold, type Household } from '../structure/structure-document.ts';

export interface RoundHousehold extends Household {
  readonly account: string;
  readonly limit: string;
}

export async function makeRoundHousehold(caller: Caller, name = 'Amsel'): Promise<RoundHousehold> {
  const household = await makeHousehold(caller, name);
  await caller.patch(`/v1/clients/${household.client}`, { reference_currency: 'CHF' });
  const account = await makeRecord(caller, 'accounts', { entity_id: household.legalEntity, currency: 'CHF' });
  await makeRecord(caller, 'portfolios', { reporting_entity_id: household.reportingEntity, account_ids: [account] });
  const limit = await makeRecord(caller, 'limits', {
    client_id: household.client,
    kind: 'absolute',
    max_amount: '1500',
    filter: { kind: 'condition', field: 'instrument.type', operator: 'equals', value: 'cash' },
  });
  const created = { ...household, account, limit };
  await pay(caller, created, '1000');
  return created;
}

/** Pays an amount in, or out where it is negative. */
export async function pay(caller: Caller, { account }: { account: string }, amount: string): Promise<void> {
  const type = amount.startsWith('-') ? 'withdrawal' : 'deposit';
  const { status } = await book(caller, 'v1', { type, account_id: account, date: '2026-11-10', amount });
  expect(status).toBe(201);
}

/** Lists the rounds of a client, the last first. */
export async function listRounds(caller: Caller, { client }: { client: string }): Promise<any[]> {
  return (await caller.get(`/v1/calculation-rounds?client_id=${client}`)).body.data;
}

/** Lists the periods in which the limit was breached, the last first. */
export async function listBreaches(caller: Caller, { limit }: { limit: string }): Promise<any[]> {
  return (await caller.get(`/v1/limit-breaches?limit_id=${limit}`)).body.data;
}
