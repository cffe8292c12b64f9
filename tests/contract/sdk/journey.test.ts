// What a program does with the SDK on the real service: a first portfolio, lists, exact decimals, conditional requests, files and errors.

import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import {
  BadRequest,
  decimal,
  Forbidden,
  Holdfast,
  HoldfastError,
  NotFound,
  PreconditionFailed,
  Unauthorized,
  Unprocessable,
  type Schemas,
} from '../../../packages/sdk/src/index.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeSdkHousehold, sdkClient, type SdkHousehold } from '../../setup/sdk/sdk-household.ts';

const service = serviceForThisFile();
let holdfast: Holdfast;
let household: SdkHousehold;

beforeAll(async () => {
  holdfast = sdkClient(service);
  household = await makeSdkHousehold(holdfast);
});

async function failureOf(attempt: PromiseLike<unknown>): Promise<HoldfastError> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof HoldfastError) return error;
    throw error;
  }
  throw new Error('The call did not fail.');
}

describe('a first portfolio', () => {
  test('is valued from a deposit, a purchase and a price', async () => {
    const { accountId, reportingEntityId } = await makeSdkHousehold(holdfast);
    const stock = await holdfast.instruments.create({ type: 'stock-instrument', name: 'Novartis', currency: 'EUR' });
    await holdfast.transactions.create({ type: 'deposit', date: '2026-01-05', account_id: accountId, amount: '10000' });
    await holdfast.transactions.create({
      type: 'buy',
      date: '2026-01-06',
      account_id: accountId,
      instrument_id: stock.id,
      quantity: '60',
      price: '82.10',
      fees: '12.5',
    });
    await holdfast.prices.create(stock.id, { date: '2026-02-27', value: '90.05' });

    const report = holdfast.reports.holdings({ reporting_entity_id: reportingEntityId, as_of: '2026-02-27' });
    const { totals, currency } = await report.page();
    // 10,000 − 60 × 82.10 − 12.50 in cash, and 60 × 90.05 in the stock.
    expect({ currency, value: totals.market_value }).toEqual({ currency: 'EUR', value: '10464.5' });
    const rows = await report.toArray();
    expect(decimal.sum(rows.map((row) => row.market_value ?? '0'))).toBe('10464.5');

    const performance = await holdfast.reports.performance({
      reporting_entity_id: reportingEntityId,
      start: '2026-01-05',
      end: '2026-02-27',
    });
    expect(performance).toMatchObject({ currency: 'EUR', reporting_entity_id: reportingEntityId });
  });
});

describe('lists', () => {
  test('250 rows are read page after page, each once and in order', async () => {
    const { accountId: account_id } = await makeSdkHousehold(holdfast);
    const amounts = Array.from({ length: 250 }, (_, index) => String(1_000 + index));
    const deposit = { type: 'deposit', date: '2026-03-02', account_id } as const;
    await holdfast.transactions.bulk(amounts.map((amount) => ({ ...deposit, amount })));
    const found: (string | null | undefined)[] = [];
    for await (const { amount } of holdfast.transactions.list({ account_id })) found.push(amount);
    expect(found.toSorted()).toEqual(amounts);

    const sizes: number[] = [];
    for await (const page of holdfast.transactions.list({ account_id }).pages()) sizes.push(page.data.length);
    expect(sizes).toEqual([100, 100, 50]);
    const page = await holdfast.transactions.list({ account_id, limit: 10 }).page();
    expect({ count: page.data.length, more: page.has_more }).toEqual({ count: 10, more: true });
    const next = await holdfast.transactions.list({ account_id, limit: 10, cursor: page.next_cursor }).page();
    expect([...page.data, ...next.data].map(({ amount }) => amount)).toEqual(found.slice(0, 20));
    expect(await holdfast.transactions.list({ account_id }).toArray({ max: 120 })).toHaveLength(120);
  });
});

describe('decimals', () => {
  test('of 30 digits come back as they were sent', async () => {
    const amount = '123456789012.345678901234567891';
    const { accountId: account_id } = household;
    const booked = await holdfast.transactions.create({ type: 'deposit', date: '2026-03-02', account_id, amount });
    expect(booked.amount).toBe(amount);
    const read = await holdfast.transactions.get(booked.id);
    expect(read.amount).toBe(amount);
    expect(decimal.subtract(read.amount ?? '0', '123456789012')).toBe('0.345678901234567891');
  });

  test('are texts in every type', () => {
    expectTypeOf<Schemas.Price['value']>().toEqualTypeOf<string>();
    expectTypeOf<Schemas.PriceCreateBody['value']>().toEqualTypeOf<string>();
  });
});

describe('conditional requests', () => {
  test('a record that has not changed is not sent again, and one that has is not overwritten', async () => {
    const { data, etag } = await holdfast.clients.get(household.clientId).withResponse();
    expect(etag).toMatch(/^"/);
    expect(await holdfast.clients.get(data.id, { ifNoneMatch: etag! })).toBeUndefined();

    await holdfast.clients.update(data.id, { name: 'Amsel and Sons' }, { ifMatch: etag! });
    expect((await holdfast.clients.get(data.id, { ifNoneMatch: etag! }))?.name).toBe('Amsel and Sons');
    const late = await failureOf(holdfast.clients.update(data.id, { name: 'Amsel' }, { ifMatch: etag! }));
    expect(late).toBeInstanceOf(PreconditionFailed);
  });
});

describe('errors', () => {
  const unknownId = '0123456789abcdef01234567';

  test('are classes with the code, the place and the request id of the answer', async () => {
    const missing = await failureOf(holdfast.clients.get(unknownId));
    expect(missing).toBeInstanceOf(NotFound);
    expect(missing).toMatchObject({ name: 'NotFound', status: 404, code: 'client-not-found' });
    expect(missing.is('client-not-found')).toBe(true);
    expect(missing.requestId).toMatch(/./);
    expect(missing.help).toContain('/docs/errors#client-not-found');

    const wrong = await failureOf(holdfast.clients.create({ name: '', reference_currency: 'XXY' }));
    expect(wrong).toBeInstanceOf(Unprocessable);
    expect(wrong.faults.map(({ pointer }) => pointer)).toEqual(['/name', '/reference_currency']);
    expect(wrong.pointer).toBe('/name');
    expect(await failureOf(holdfast.clients.list({ limit: 1000 }).page())).toBeInstanceOf(BadRequest);
  });

  test('say what is wrong with the credentials', async () => {
    const url = service.admin.address;
    const stranger = new Holdfast({ url, clientId: 'nobody', clientSecret: 'nothing that is known' });
    const refused = await failureOf(stranger.me.get());
    expect(refused).toBeInstanceOf(Unauthorized);
    expect(refused.code).toBe('invalid_client');
    const forged = await failureOf(new Holdfast({ url, token: 'forged' }).me.get());
    expect(forged).toMatchObject({ status: 401, code: 'token-invalid' });

    const { clientId, clientSecret } = service.first;
    const reader = new Holdfast({ url, clientId, clientSecret, scope: 'read' });
    expect(await failureOf(reader.clients.delete(household.clientId))).toBeInstanceOf(Forbidden);
  });

  test('an id that would lead to another path is refused before anything is sent', () => {
    for (const id of ['', '.', '..']) expect(() => holdfast.clients.get(id)).toThrow('clients.get needs {id} as text.');
  });
});

describe('files', () => {
  test('a report is read as CSV', async () => {
    const { reportingEntityId: reporting_entity_id } = household;
    const stream = await holdfast.reports.holdingsAs('csv', { reporting_entity_id });
    const text = await new Response(stream).text();
    expect(text.split('\r\n')[0]).toContain('market_value');
  });

  test('a statement is imported', async () => {
    const { clientId: client_id, accountId: account_id } = household;
    const mt940 = [
      ':20:2016',
      ':25:CH9300762011623852957',
      ':28C:00001/001',
      ':60F:C160101EUR0,00',
      ':61:1601040104C250000,00NTRFNONREF//S16-0001',
      ':86:Sale of the house',
      ':62F:C160104EUR250000,00',
      '-',
    ].join('\n');
    await holdfast.accounts.update(account_id, { external_identifier: 'CH9300762011623852957' });
    const checked = await holdfast.imports.create(new TextEncoder().encode(mt940), { client_id });
    expect(checked).toMatchObject({ state: 'checked', counts: { rows: 1, booked: 1 } });
    expect(await holdfast.imports.book(checked.id)).toMatchObject({ state: 'booked' });
  });
});

test('whoever wants the answer as a whole gets its failure, once', async () => {
  const call = holdfast.clients.get('0123456789abcdef01234567');
  await expect(call.withResponse()).rejects.toBeInstanceOf(NotFound);
});

test('the log has what was sent and answered, and no query, body or secret', async () => {
  const lines: string[] = [];
  const { clientId, clientSecret } = service.first;
  const url = service.admin.address;
  const logging = new Holdfast({ url, clientId, clientSecret, log: (entry) => lines.push(JSON.stringify(entry)) });
  await logging.users.list({ email: 'ada@example.com' }).page();
  expect(lines.map((line) => JSON.parse(line)).map(({ kind, operation, path }) => [kind, operation, path])).toEqual([
    ['request', 'token', '/oauth/token'],
    ['answer', 'token', '/oauth/token'],
    ['request', 'users.list', '/v1/users'],
    ['answer', 'users.list', '/v1/users'],
  ]);
  expect(lines.join('\n')).not.toMatch(new RegExp(`${clientSecret}|ada@|Bearer`));
});
