// A client with two accounts, a share and a reporting entity over everything, made over v1.

import { defined } from '../../../src/kit/assert.ts';
import type { ApiClient } from './api-client.ts';

export interface Household {
  readonly client: string;
  readonly accounts: readonly string[];
  readonly stock: string;
  readonly entity: string;
}

export async function makeHousehold(api: ApiClient, name: string): Promise<Household> {
  const client = await api.make('clients', { name, reference_currency: 'CHF' });
  const entity_id = await api.make('legal-entities', { name: 'Holding', client_id: client });
  const account = (kind: string): Promise<string> =>
    api.make('accounts', { entity_id, currency: 'CHF', name: `${name} ${kind}` });
  const accounts = [await account('current'), await account('savings')];
  const stock = await api.make('instruments', { type: 'stock-instrument', name: `${name} AG`, currency: 'CHF' });
  const entity = await api.make('reporting-entities', { client_id: client, name: 'All' });
  await api.make('portfolios', { reporting_entity_id: entity, account_ids: accounts });
  return { client, accounts, stock, entity };
}

/** All bookings are on or before this day. */
export const reportDay = '2025-12-31';

export interface HeldFigures {
  /** As the report writes them. */
  readonly cash: string;
  readonly units: string;
}

/** The cash and the shares of a household, as its holdings say. */
export async function readHoldings(api: ApiClient, { entity, stock }: Household): Promise<HeldFigures> {
  const { data } = await api.call({
    path: `/v1/holdings?reporting_entity_id=${entity}&as_of=${reportDay}&by=instrument`,
  });
  const rows = data as readonly { readonly segment_id: string; readonly quantity: string }[];
  const units = rows.find(({ segment_id }) => segment_id === stock)?.quantity ?? '0';
  const others = rows.filter(({ segment_id }) => segment_id !== stock);
  if (others.length > 1) throw new Error('A household holds cash and one share only.');
  return { units, cash: others.length === 0 ? '0' : defined(others[0], 'there is one').quantity };
}
