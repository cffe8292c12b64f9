// A workspace with one client and many bookings, made over v1, so that any release can make it.

import { post } from '../measured-service.ts';

export interface Fixture {
  readonly token: string;
  readonly accountId: string;
  readonly entityId: string;
}

const rowsPerRequest = 50_000;
const instruments = 50;

/** Purchases of fifty instruments over five years, with a deposit before each tenth. */
function bodyOf(from: number, count: number, ids: { account: string; instruments: readonly string[] }): string {
  const lines: string[] = [];
  for (let row = from; row < from + count; row++) {
    const date = new Date(Date.UTC(2020, 0, 1 + (row % 1_800))).toISOString().slice(0, 10);
    const flow = { type: 'deposit', date, account_id: ids.account, amount: '1000' };
    const instrument_id = ids.instruments[row % ids.instruments.length];
    const trade = {
      type: 'buy',
      date,
      account_id: ids.account,
      instrument_id,
      quantity: '1',
      price: '90',
      amount: '-90',
    };
    lines.push(JSON.stringify(row % 10 === 0 ? flow : trade));
  }
  return lines.join('\n');
}

async function bookRows(
  address: string,
  token: string,
  rows: number,
  ids: Parameters<typeof bodyOf>[2],
): Promise<void> {
  for (let from = 0; from < rows; from += rowsPerRequest) {
    const body = bodyOf(from, Math.min(rowsPerRequest, rows - from), ids);
    await post(`${address}/v1/transactions/bulk`, body, { token, type: 'application/x-ndjson' });
  }
}

export async function fillRelease(address: string, grant: object, rows: number): Promise<Fixture> {
  const { access_token: token } = await post(`${address}/oauth/token`, JSON.stringify(grant));
  const make = async (plural: string, fields: object): Promise<string> =>
    (await post(`${address}/v1/${plural}`, JSON.stringify(fields), { token })).id;
  const client_id = await make('clients', { name: 'Amsel', reference_currency: 'CHF' });
  const entity_id = await make('legal-entities', { name: 'Amsel Holding', client_id });
  const accountId = await make('accounts', { entity_id, currency: 'CHF', name: 'Cash' });
  const entityId = await make('reporting-entities', { client_id, name: 'All' });
  await make('portfolios', { reporting_entity_id: entityId, name: 'All', account_ids: [accountId] });
  const ids: string[] = [];
  for (let one = 0; one < instruments; one++) {
    const id = await make('instruments', { type: 'stock-instrument', name: `Stock ${one}`, currency: 'CHF' });
    await post(`${address}/v1/instruments/${id}/prices`, JSON.stringify({ date: '2025-01-01', value: '91' }), {
      token,
    });
    ids.push(id);
  }
  await bookRows(address, token, rows, { account: accountId, instruments: ids });
  return { token, accountId, entityId };
}
