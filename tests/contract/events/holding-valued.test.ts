// What rounds announce about values: each changed holding while a webhook asks for it, and every reporting entity always.

import { beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { deliverDueAt } from '../../setup/events/deliveries.ts';
import { runSql } from '../../setup/database/sql.ts';
import { book, makeStock } from '../../setup/ledger/ledger-household.ts';
import { makeRoundHousehold, pay, listRounds, type RoundHousehold } from '../../setup/limits/round-household.ts';
import { runRounds } from '../../setup/limits/rounds.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;
let family: RoundHousehold;
let stock: string;
let seen: Set<string>;

/** Ten shares at 5 francs and 950 francs of cash. */
beforeEach(async () => {
  admin = await service.openWorkspace();
  family = await makeRoundHousehold(admin);
  stock = await makeStock(admin, 'Novartis AG');
  await trade('buy', '10', '5');
  seen = new Set();
});

async function trade(type: 'buy' | 'sell', quantity: string, price: string): Promise<void> {
  const fields = { type, account_id: family.account, date: '2026-11-10', instrument_id: stock, quantity, price };
  expect((await book(admin, 'v1', fields)).status).toBe(201);
}

async function setPrice(value: string): Promise<void> {
  const { status } = await admin.post(`/v1/instruments/${stock}/prices`, { date: '2026-11-11', value });
  expect([200, 201]).toContain(status);
}

async function register(events: readonly string[] = ['holding.valued'], more: object = {}): Promise<string> {
  const reply = await admin.post('/v1/webhooks', { url: 'https://hooks.example.com/x', events, ...more });
  expect(reply.status).toBe(201);
  return reply.body.id;
}

/** Runs the rounds that are due, and lists the events about values that they have written. */
async function announced(type: 'holding.valued' | 'reporting_entity.valued' = 'holding.valued'): Promise<any[]> {
  await runRounds(admin.address);
  const { data } = (await admin.get(`/v1/events?type=${type}&limit=100`)).body;
  const unseen = data.toReversed().filter(({ id }: any) => !seen.has(id));
  for (const { id } of unseen) seen.add(id);
  return unseen;
}

const announcedIds = async (): Promise<string[]> => (await announced()).map(({ data }) => data.object.segment_id);

/** The rows of the holdings report as events carry them. */
async function reportedHoldings(): Promise<any[]> {
  const entity = family.reportingEntity;
  const { data, currency, as_of } = (await admin.get(`/v1/holdings?reporting_entity_id=${entity}`)).body;
  return data.map((row: object) => ({ reporting_entity_id: entity, ...row, currency, as_of }));
}

async function countStored(): Promise<number> {
  const text = 'SELECT count(*)::int AS count FROM announced_holding WHERE client_id = $1';
  return (await runSql<{ count: number }>(service.database, text, [family.client]))[0]!.count;
}

describe('a webhook for holding.valued', () => {
  test('is told every holding by the first round, as the holdings report shows it', async () => {
    await register();
    const events = await announced();
    expect(events.map(({ data }) => data.object)).toEqual(await reportedHoldings());
    expect(events.map(({ data, client_id: client }) => [data.previous, client])).toEqual([
      [{}, family.client],
      [{}, family.client],
    ]);
    expect(events.find(({ data }) => data.object.segment_id === stock).data.object).toEqual({
      reporting_entity_id: family.reportingEntity,
      segment_id: stock,
      segment_name: 'Novartis AG',
      quantity: '10',
      market_value: '50',
      cost_basis: '50',
      unrealised_pnl: '0',
      accrued_interest: '0',
      unrealised_price_part: '0',
      unrealised_currency_part: '0',
      share: expect.anything(),
      valuation: expect.objectContaining({ stale: expect.any(Boolean) }),
      settled_quantity: null,
      currency: 'CHF',
      as_of: expect.any(String),
    });
  });

  test('is told of a new price only what it has changed, with the former values', async () => {
    await register();
    await announced();
    const former = (await reportedHoldings()).find((row) => row.segment_id === stock);
    await setPrice('6');
    const [{ data }, ...others] = await announced();
    expect(others).toEqual([]);
    expect(data.object).toEqual((await reportedHoldings()).find((row) => row.segment_id === stock));
    const { market_value, unrealised_pnl, unrealised_price_part, share, valuation, as_of } = former;
    expect(data.previous).toEqual({ market_value, unrealised_pnl, unrealised_price_part, share, valuation, as_of });
    expect([data.object.market_value, market_value]).toEqual(['60', '50']);
  });

  test('is told nothing by a round in which no quantity and no value changes', async () => {
    await register();
    await announced();
    const rounds = (await listRounds(admin, family)).length;
    await setPrice('5');
    await admin.patch(`/v1/limits/${family.limit}`, { max_amount: '2000' });
    expect(await announced()).toEqual([]);
    expect((await listRounds(admin, family)).length).toBeGreaterThan(rounds);
  });

  test('is told once of a holding that was sold, with nothing left, and of one bought again as of a new one', async () => {
    await register();
    await announced();
    await trade('sell', '10', '5');
    const sold = (await announced()).find(({ data }) => data.object.segment_id === stock);
    expect(sold.data.object).toMatchObject({
      segment_name: 'Novartis AG',
      quantity: '0',
      market_value: '0',
      cost_basis: '0',
      unrealised_pnl: '0',
      valuation: { source: 'nothing', date: null, stale: false, estimated: false },
    });
    expect(sold.data.previous).toMatchObject({ quantity: '10', market_value: '50', cost_basis: '50' });
    await pay(admin, family, '1');
    expect(await announcedIds()).not.toContain(stock);
    await trade('buy', '1', '5');
    const bought = (await announced()).find(({ data }) => data.object.segment_id === stock);
    expect([bought.data.object.quantity, bought.data.previous]).toEqual(['1', {}]);
  });

  test('is told of each of very many holdings that are gone, and nothing is kept of them', async () => {
    await register();
    await announced();
    const stored = await countStored();
    // One more than is read at a time.
    await runSql(
      service.database,
      `INSERT INTO announced_holding (workspace_id, environment, client_id, reporting_entity_id, instrument, quantity, market_value, object)
       SELECT workspace_id, environment, client_id, reporting_entity_id, 'gone-' || n, 1, 1, object
       FROM announced_holding, generate_series(1, 5001 - $2::int) n WHERE client_id = $1 AND instrument = $3`,
      [family.client, stored, stock],
    );
    expect(await countStored()).toBe(5_001);
    await pay(admin, family, '1');
    await runRounds(admin.address);
    expect(await countStored()).toBe(stored);
  });

  test('is told of each reporting entity that holds it', async () => {
    const other = await makeRecord(admin, 'reporting-entities', { client_id: family.client, name: 'Also' });
    await makeRecord(admin, 'portfolios', { reporting_entity_id: other, account_ids: [family.account] });
    await register();
    await announced();
    await setPrice('6');
    const entities = (await announced()).map(({ data }) => data.object.reporting_entity_id);
    expect(entities.toSorted()).toEqual([family.reportingEntity, other].toSorted());
  });

  test('is told nothing where an exchange rate is missing, and then what has changed since', async () => {
    await register();
    await announced();
    const foreign = await makeStock(admin, 'Toyota', 'JPY');
    const acquired = [{ date: '2026-11-10', quantity: '1', cost: '100' }];
    const inKind = { type: 'deposit', account_id: family.account, date: '2026-11-10', instrument_id: foreign };
    expect((await book(admin, 'v1', { ...inKind, quantity: '1', acquired })).status).toBe(201);
    expect(await announced()).toEqual([]);
    const rates = { data: [{ base: 'JPY', quote: 'CHF', date: '2026-11-01', rate: '0.005' }] };
    expect((await admin.post('/v1/fx-rates/bulk', rates)).status).toBeLessThan(300);
    expect(await announcedIds()).toEqual([foreign]);
  });

  test('receives the events in order, before the ones of the whole', async () => {
    await register(['holding.valued', 'reporting_entity.valued', 'calculated_data.created']);
    await register(['reporting_entity.valued']);
    await runRounds(admin.address);
    const bodies = (await deliverDueAt(admin.address)).map(({ body }) => JSON.parse(String(body)));
    const types = bodies.filter((body) => body.client_id === family.client).map(({ type }) => type);
    const whole = 'reporting_entity.valued';
    expect(types.filter((type) => type !== whole)).toEqual([
      'holding.valued',
      'holding.valued',
      'calculated_data.created',
    ]);
    expect(types.filter((type) => type === whole)).toHaveLength(2);
  });
});

describe('without a webhook for it', () => {
  test('no holding is announced and nothing is kept, while every reporting entity is', async () => {
    await register(['reporting_entity.valued', 'calculated_data.created']);
    expect(await announced()).toEqual([]);
    expect(await countStored()).toBe(0);
    const [{ data }, ...others] = await announced('reporting_entity.valued');
    expect(others).toEqual([]);
    expect(data).toEqual({
      object: {
        reporting_entity_id: family.reportingEntity,
        client_id: family.client,
        calculation_round_id: (await listRounds(admin, family))[0].id,
        date: '2026-11-10',
        currency: 'CHF',
        market_value: '1000',
        holding_count: 2,
      },
      previous: {},
    });
  });

  test.each([
    ['deleted', (id: string) => admin.send(`/v1/webhooks/${id}`, { method: 'DELETE' })],
    ['disabled', (id: string) => admin.patch(`/v1/webhooks/${id}`, { state: 'disabled' })],
    ['changed to other events', (id: string) => admin.patch(`/v1/webhooks/${id}`, { events: ['limit.breached'] })],
  ])('once it is %s, the next round forgets what was announced, and a later one begins anew', async (_how, end) => {
    const id = await register();
    expect(await announced()).toHaveLength(2);
    expect(await countStored()).toBe(2);
    await end(id);
    await setPrice('6');
    expect(await announced()).toEqual([]);
    expect(await countStored()).toBe(0);
    await register();
    await setPrice('7');
    expect((await announced()).map(({ data }) => data.previous)).toEqual([{}, {}]);
  });

  test('one of another client does not count, and one of a client above does', async () => {
    const parent = await admin.makeClient('Parent');
    const stranger = await admin.makeClient('Stranger');
    await register(['holding.valued'], { client_id: stranger });
    expect(await announced()).toEqual([]);
    expect((await admin.patch(`/v1/clients/${family.client}`, { parent_id: parent })).status).toBe(200);
    await register(['holding.valued'], { client_id: parent });
    await setPrice('6');
    expect(await announced()).toHaveLength(2);
  });
});

describe('a second webhook for it', () => {
  test('is told the changes from then on, without a repetition for the first', async () => {
    await register();
    await announced();
    await register();
    await setPrice('6');
    expect(await announcedIds()).toEqual([stock]);
  });

  test('is told every holding if nobody else has heard what was announced', async () => {
    const first = await register();
    await announced();
    await admin.send(`/v1/webhooks/${first}`, { method: 'DELETE' });
    await register();
    await setPrice('6');
    expect((await announced()).map(({ data }) => data.previous)).toEqual([{}, {}]);
    expect(await countStored()).toBe(2);
  });
});

test('what was announced of a reporting entity is deleted with it', async () => {
  const other = await makeRecord(admin, 'reporting-entities', { client_id: family.client, name: 'Brief' });
  const portfolio = await makeRecord(admin, 'portfolios', {
    reporting_entity_id: other,
    account_ids: [family.account],
  });
  await register();
  expect(await announced()).toHaveLength(4);
  await admin.send(`/v1/portfolios/${portfolio}`, { method: 'DELETE' });
  const { status } = await admin.send(`/v1/reporting-entities/${other}`, { method: 'DELETE' });
  expect([status, await countStored()]).toEqual([204, 2]);
  expect(await announced()).toEqual([]);
});
