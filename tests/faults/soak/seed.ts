// Seeds the soak over HTTP: many clients with an account and a reporting entity each, and ten years of transactions in shared instruments.

import { runConcurrently } from '../../../bench/structure/work.ts';
import { defined } from '../../../src/kit/assert.ts';
import type { ApiClient } from '../load/api-client.ts';

export interface SoakFamily {
  readonly client: string;
  readonly account: string;
  readonly entity: string;
  readonly stocks: readonly string[];
}

const stockCount = 50;
const rowsPerBody = 20_000;
const callers = 4;

export async function seedSoak(
  api: ApiClient,
  { entities, transactions }: { readonly entities: number; readonly transactions: number },
  print: (line: string) => void,
): Promise<SoakFamily[]> {
  const stocks: string[] = [];
  for (let index = 0; index < stockCount; index++) stocks.push(await makeStock(api, index));
  const families: SoakFamily[] = [];
  await runConcurrently({ count: entities, callers }, async (index) => {
    families[index] = await makeFamily(api, index, stocks);
  });
  print(`${entities} reporting entities made`);
  const bodies = Math.ceil(transactions / rowsPerBody);
  await runConcurrently({ count: bodies, callers: 2 }, async (body) => {
    const from = body * rowsPerBody;
    const data = Array.from({ length: Math.min(rowsPerBody, transactions - from) }, (_none, offset) =>
      rowOf(families, from + offset, transactions),
    );
    await api.call({ method: 'POST', path: '/v1/transactions/bulk', body: { data }, key: `soak-${body}` });
  });
  print(`${transactions} transactions booked`);
  return families;
}

async function makeStock(api: ApiClient, index: number): Promise<string> {
  const stock = await api.make('instruments', { type: 'stock-instrument', name: `Share ${index}`, currency: 'CHF' });
  const data = Array.from({ length: 120 }, (_none, month) => ({
    date: new Date(Date.UTC(2016, month, 28)).toISOString().slice(0, 10),
    value: String(100 + ((index * 7 + month) % 50)),
  }));
  const path = `/v1/instruments/${stock}/prices/bulk`;
  await api.call({ method: 'POST', path, body: { data }, key: crypto.randomUUID() });
  return stock;
}

async function makeFamily(api: ApiClient, index: number, stocks: readonly string[]): Promise<SoakFamily> {
  const client = await api.make('clients', { name: `Family ${index}`, reference_currency: 'CHF' });
  const entity_id = await api.make('legal-entities', { name: 'Holding', client_id: client });
  const account = await api.make('accounts', { entity_id, currency: 'CHF', name: 'Account' });
  const entity = await api.make('reporting-entities', { client_id: client, name: 'All' });
  await api.make('portfolios', { reporting_entity_id: entity, account_ids: [account] });
  return { client, account, entity, stocks };
}

/** Families take turns; each buys three times as often as it sells half as much. */
function rowOf(families: readonly SoakFamily[], number: number, transactions: number): object {
  const { account, stocks } = defined(families[number % families.length], 'there is at least one family');
  const turn = Math.floor(number / families.length);
  const date = new Date(Date.UTC(2016, 0, 1 + (number * 3_500) / transactions)).toISOString().slice(0, 10);
  const base = { account_id: account, instrument_id: stocks[Math.floor(turn / 4) % stocks.length], date, price: '100' };
  if (turn % 4 === 3) return { ...base, type: 'sell', quantity: '5', amount: '500' };
  return { ...base, type: 'buy', quantity: '10', amount: '-1000' };
}
