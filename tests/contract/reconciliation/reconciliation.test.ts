// The reconciliation report: what custodians state beside what the ledger holds, line by line, for a client, an account or a depository.

import { beforeAll, expect, test } from 'vitest';
import { errorCodeOf } from '../../setup/http/answer.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { cashId } from '../../setup/instruments/built-in-ids.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeStatedHousehold, state, trade, type StatedText } from '../../setup/reconciliation/stated-household.ts';

const service = serviceForThisFile();
let admin: Caller;
beforeAll(() => {
  ({ admin } = service);
});

test('lists units and cash of the latest statements, both sides and what is behind each difference', async () => {
  const household = await makeStatedHousehold(admin);
  const { client, account, depository, stock } = household;
  await admin.post(`/v1/instruments/${stock}/prices`, { date: '2026-03-30', value: '10' });
  await state(admin, household, { date: '2026-03-31', instrument: stock, quantity: '100.5', price: '10.05' });
  await state(admin, household, { date: '2026-03-30', quantity: '9000' });
  const { status, body, headers } = await admin.get(`/v1/reconciliations?client_id=${client}`);
  expect(status).toBe(200);
  expect(headers.get('known-at')).toBe('2026-11-15T12:00:00.000Z');
  expect(body).toEqual({
    data: [
      {
        account_id: null,
        depository_id: depository,
        date: '2026-03-31',
        kind: 'units',
        instrument_id: stock,
        named: expect.objectContaining({ name: 'As the custodian says' }),
        currency: 'CHF',
        is_stated: true,
        stated: '100.5',
        ledger: '100',
        difference: '0.5',
        stated_price: '10.05',
        ledger_price: '10',
        classes: ['quantity'],
        first_date: '2026-03-31',
        transaction_ids: [],
      },
      {
        account_id: account,
        depository_id: null,
        date: '2026-03-30',
        kind: 'cash',
        instrument_id: cashId('CHF'),
        named: null,
        currency: 'CHF',
        is_stated: true,
        stated: '9000',
        ledger: '9000',
        difference: '0',
        stated_price: null,
        ledger_price: null,
        classes: [],
        first_date: '2026-03-30',
        transaction_ids: [],
      },
    ],
    has_more: false,
    counts: { lines: 2, differences: 1 },
  });
  const ofAccount = await admin.get(`/v1/reconciliations?account_id=${account}`);
  expect(ofAccount.body.data).toEqual([body.data[1]]);
  const different = await admin.get(`/v1/reconciliations?client_id=${client}&differences_only=true`);
  expect(different.body).toMatchObject({ data: [body.data[0]], counts: { lines: 2, differences: 1 } });
  const first = await admin.get(`/v1/reconciliations?client_id=${client}&limit=1`);
  expect(first.body).toMatchObject({ data: [body.data[0]], has_more: true });
  const second = await admin.get(`/v1/reconciliations?client_id=${client}&limit=1&cursor=${first.body.next_cursor}`);
  expect(second.body.data).toEqual([body.data[1]]);
});

test('answers for a day with the statement of that day or the last before it, and as it was known at a moment', async () => {
  const household = await makeStatedHousehold(admin);
  const { depository, stock } = household;
  const stated = async (query: string): Promise<string[]> => {
    const { body } = await admin.get(`/v1/reconciliations?depository_id=${depository}${query}`);
    return body.data.map((line: any) => `${line.date} ${line.stated} ${line.ledger}`);
  };
  const say = (line: Omit<StatedText, 'instrument'>) => state(admin, household, { ...line, instrument: stock });
  await say({ date: '2026-02-28', quantity: '3' });
  await say({ date: '2026-03-31', quantity: '100' });
  await trade(admin, household, { type: 'sell', date: '2026-04-15', quantity: '30', price: '10' });
  expect(await stated('')).toEqual(['2026-03-31 100 100']);
  expect(await stated('&date=2026-03-30')).toEqual(['2026-02-28 3 0']);
  expect(await stated('&date=2026-01-31')).toEqual([]);
  const before = new Date(service.clock.now()).toISOString();
  service.clock.advance(1_000);
  await say({ date: '2026-03-31', quantity: '101', statedAt: '2026-11-16T00:00:00Z' });
  await say({ date: '2026-03-31', quantity: '99', statedAt: '2026-04-01' });
  expect(await stated('')).toEqual(['2026-03-31 101 100']);
  expect(await stated(`&known_at=${before}`)).toEqual(['2026-03-31 100 100']);
});

test('needs exactly one place, which must exist', async () => {
  const { client, account } = await makeStatedHousehold(admin);
  for (const query of ['', `client_id=${client}&account_id=${account}`]) {
    const reply = await admin.get(`/v1/reconciliations?${query}`);
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'invalid-parameter']);
  }
  for (const [parameter, code] of [
    ['client_id', 'client-not-found'],
    ['account_id', 'account-not-found'],
    ['depository_id', 'depository-not-found'],
  ]) {
    const reply = await admin.get(`/v1/reconciliations?${parameter}=0123456789abcdef01234567`);
    expect([reply.status, errorCodeOf(reply)]).toEqual([404, code]);
  }
});
