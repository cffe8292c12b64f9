// Checks what is recorded of statements: once however often it is stated, parts added up, and withdrawn with its import.

import { expect, test } from 'vitest';
import { tenantOf } from '../../../tests/setup/events/event-source.ts';
import { makeRoundHousehold } from '../../../tests/setup/limits/round-household.ts';
import { runSql } from '../../../tests/setup/database/sql.ts';
import { workspaceForThisFile } from '../../../tests/setup/node/test-service.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { Id } from '../../kit/id.ts';
import { statedPageSize } from '../../store/custody/stated-holdings.ts';
import { runInTransaction, serviceAuthor, type Work } from '../core/work.ts';
import {
  checkStatedHoldings,
  recordStatedHoldings,
  toStatedHolding,
  withdrawStatedHoldings,
  type ResolvedPlace,
} from './stated-holding.ts';

const service = workspaceForThisFile();
const [date, line] = ['2026-03-31' as CalendarDate, { line: 1 }];

async function setUp() {
  const admin = await service.openWorkspace();
  const { client, account } = await makeRoundHousehold(admin);
  const author = serviceAuthor(await tenantOf(admin));
  const place: ResolvedPlace = { client: client as Id, account: account as Id, depository: null, instrument: null };
  const units = (quantity: string, isin = 'CH0012032048') =>
    toStatedHolding(
      { item: 'position', place: line, date, instrument: { isin }, quantity: quantity as Decimal },
      place,
    );
  const cash = (amount: string, statedAt?: string) =>
    toStatedHolding(
      {
        item: 'balance',
        moment: 'closing',
        place: line,
        date,
        amount: amount as Decimal,
        currency: 'CHF',
        statement: '1',
        ...(statedAt === undefined ? {} : { statedAt }),
      },
      place,
    );
  const within = <T>(task: (work: Work) => Promise<T>): Promise<T> => runInTransaction(service.context, author, task);
  const listStated = () =>
    runSql(
      service.database,
      'SELECT subject, trim_scale(quantity)::text AS quantity FROM stated_holding WHERE client_id = $1 AND known_until IS NULL ORDER BY id',
      [client],
    );
  return { admin, account, client, units, cash, within, listStated };
}

test('lines about one instrument add up, of two balances the last counts, and the same statement again is unchanged', async () => {
  const { units, cash, within, listStated } = await setUp();
  const [first, second] = [service.context.ids.next(), service.context.ids.next()];
  const lines = [units('10'), cash('1'), units('2.5'), cash('2'), units('7', 'CH0038863350')];
  const all = (outcome: string) => lines.map(() => outcome);
  expect(await within((work) => checkStatedHoldings(work, { importId: first }, lines))).toEqual(all('recorded'));
  expect(await listStated()).toEqual([]);
  expect(await within((work) => recordStatedHoldings(work, { importId: first }, lines))).toEqual(all('recorded'));
  const stated = [
    { subject: 'ISIN:CH0012032048', quantity: '12.5' },
    { subject: 'cash:CHF', quantity: '2' },
    { subject: 'ISIN:CH0038863350', quantity: '7' },
  ];
  expect(await listStated()).toEqual(stated);
  expect(await within((work) => recordStatedHoldings(work, { importId: second }, lines))).toEqual(all('unchanged'));
  expect(await listStated()).toEqual(stated);
  const corrected = [cash('3', '2026-04-01T10:00:00'), units('12.5')];
  const outcomes = await within((work) => recordStatedHoldings(work, { importId: second }, corrected));
  expect(outcomes).toEqual(['recorded', 'unchanged']);
});

test('values and costs of lines about one instrument add up if every line states them, and the last price counts', async () => {
  const { account, client, within } = await setUp();
  const line = (isin: string, parts: object) =>
    toStatedHolding(
      { item: 'position', place: { line: 1 }, date, instrument: { isin }, quantity: '1' as Decimal, ...parts },
      { client: client as Id, account: account as Id, depository: null, instrument: null },
    );
  const lines = [
    line('CH0012032048', { value: '10.5', cost: '7', price: '5' }),
    line('CH0012032048', { value: '2', cost: '-1', price: '6' }),
    line('CH0038863350', { value: '10', price: '5' }),
    line('CH0038863350', { cost: '3' }),
    line('CH0012005267', { cost: '3' }),
    line('CH0012005267', { value: '4' }),
  ];
  await within((work) => recordStatedHoldings(work, { importId: service.context.ids.next() }, lines));
  const columns = ['quantity', 'value', 'cost', 'price'].map((name) => `trim_scale(${name})::text AS ${name}`);
  const found = await runSql(
    service.database,
    `SELECT ${columns.join(', ')} FROM stated_holding WHERE client_id = $1 ORDER BY id`,
    [client],
  );
  expect(found).toEqual([
    { quantity: '2', value: '12.5', cost: '6', price: '6' },
    { quantity: '2', value: null, cost: null, price: '5' },
    { quantity: '2', value: null, cost: null, price: null },
  ]);
});

test('undoing an import withdraws what it stated and nothing else', async () => {
  const { units, cash, within, listStated } = await setUp();
  const [first, second] = [service.context.ids.next(), service.context.ids.next()];
  await within((work) => recordStatedHoldings(work, { importId: first }, [units('10')]));
  await within((work) => recordStatedHoldings(work, { importId: second }, [cash('5'), units('11')]));
  expect(await within((work) => withdrawStatedHoldings(work, second))).toBe(2);
  expect(await listStated()).toEqual([{ subject: 'ISIN:CH0012032048', quantity: '10' }]);
});

test('what is stated of an account does not keep it from being deleted', async () => {
  const { admin, account, client, cash, within, listStated } = await setUp();
  await within((work) => recordStatedHoldings(work, { importId: service.context.ids.next() }, [cash('5')]));
  for (const { id } of (await admin.get(`/v1/transactions?account_id=${account}`)).body.data) {
    await admin.delete(`/v1/transactions/${id}`);
  }
  const [portfolio] = (await admin.get(`/v1/portfolios?account_id=${account}`)).body.data;
  await admin.patch(`/v1/portfolios/${portfolio.id}`, { account_ids: [] });
  expect((await admin.delete(`/v1/accounts/${account}`)).status).toBe(204);
  expect(await listStated()).toEqual([]);
  expect((await admin.get(`/v1/accounts?client_id=${client}`)).body.data).toEqual([]);
});

test('a statement of more lines than are read at a time is read whole, each line once', async () => {
  const { client, units, within } = await setUp();
  await within((work) => recordStatedHoldings(work, { importId: service.context.ids.next() }, [units('10')]));
  const copied = statedPageSize + 4;
  await runSql(
    service.database,
    `INSERT INTO stated_holding (workspace_id, environment, id, known_from, client_id, import_id, kind, account_id, named, subject, date, quantity)
     SELECT workspace_id, environment, lpad(n::text, 24, '0'), known_from, client_id, import_id, kind, account_id, named, subject || (n / 2), date, n
     FROM stated_holding, generate_series(1, $2::int) n WHERE client_id = $1`,
    [client, copied],
  );
  const query = { client: client as Id, until: date };
  const lines = await within(({ store }) => store.custody.statedHoldings.listLatest(query));
  expect(lines).toHaveLength(copied + 1);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(copied + 1);
});
