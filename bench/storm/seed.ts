// Seeds the storm benchmark: a workspace with many clients and one large ledger, and a neighbour with one small client.

import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { setUpWorkspace } from '../../src/actions/access/bootstrap.ts';
import { readConfig } from '../../src/app/config.ts';
import { startService } from '../../src/app/start-service.ts';
import { seedReports } from '../reports/fixture.ts';
import type { StormFixture } from './scenarios.ts';

const ledgerSize = 10_000;
const neighbourStocks = 20;

interface SeedSettings {
  readonly DATABASE_URL: string;
  readonly ENCRYPTION_KEY: string;
}

export async function seedStorm(
  settings: SeedSettings & Record<string, string>,
  clientCount: number,
): Promise<StormFixture> {
  const { token, entities } = await seedReports(
    { databaseUrl: settings.DATABASE_URL, encryptionKey: settings.ENCRYPTION_KEY },
    [ledgerSize],
  );
  const service = await startService(readConfig(settings), { log: pino({ level: 'silent' }) });
  const address = `http://127.0.0.1:${(service.server.app.server.address() as AddressInfo).port}`;
  const api = { address, token };
  for (let index = 0; index < clientCount; index++) await make(api, 'clients', { name: `Client ${index}` });
  const rights = ['read', 'write'];
  const sandbox = await post(api, '/v1/applications', { name: 'Storm', rights, environment: 'sandbox' });
  const workspace = { id: service.context.ids.next(), name: 'Neighbour', environment: 'production' } as const;
  const { clientId, clientSecret } = await setUpWorkspace(service.context, workspace);
  const neighbour = await tokenOf(address, { client_id: clientId, client_secret: clientSecret });
  const fixture: StormFixture = {
    tokens: [token, await tokenOf(address, sandbox)],
    entity: entities.get(ledgerSize)!,
    neighbour,
    ...(await makeNeighbour({ address, token: neighbour })),
  };
  await service.stop();
  return fixture;
}

async function makeNeighbour(api: Api): Promise<Pick<StormFixture, 'neighbourClient' | 'neighbourEntity'>> {
  const client = await make(api, 'clients', { name: 'Quiet client' });
  const entity_id = await make(api, 'legal-entities', { name: 'Holding', client_id: client });
  const account_id = await make(api, 'accounts', { entity_id, currency: 'EUR', name: 'Account' });
  const entity = await make(api, 'reporting-entities', { client_id: client, name: 'All' });
  await make(api, 'portfolios', { reporting_entity_id: entity, account_ids: [account_id] });
  for (let index = 0; index < neighbourStocks; index++) {
    const stock = { type: 'stock-instrument', name: `Share ${index}`, currency: 'EUR' };
    const trade = { type: 'buy', date: '2024-01-15', quantity: '10', price: '100', amount: '-1000' };
    await make(api, 'transactions', { ...trade, account_id, instrument_id: await make(api, 'instruments', stock) });
  }
  return { neighbourClient: client, neighbourEntity: entity };
}

interface Api {
  readonly address: string;
  readonly token?: string;
}

async function post({ address, token }: Api, path: string, body: object): Promise<any> {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function make(api: Api, plural: string, body: object): Promise<string> {
  return (await post(api, `/v1/${plural}`, body)).id;
}

async function tokenOf(
  address: string,
  { client_id, client_secret }: { readonly client_id: string; readonly client_secret: string },
): Promise<string> {
  const grant = { grant_type: 'client_credentials', client_id, client_secret };
  return (await post({ address }, '/oauth/token', grant)).access_token;
}
