// Seeds the booking benchmark: clients with accounts and depositories, a catalogue of stocks, and rows to book, all over v1.
// Empties the ledger between rounds.

import pg from 'pg';
import pino from 'pino';
import { readConfig } from '../../src/app/config.ts';
import { startService } from '../../src/app/start-service.ts';

export interface BookingFixture {
  readonly token: string;
  readonly workspaceId: string;
  readonly environment: string;
  readonly households: readonly BookingHousehold[];
  readonly stocks: readonly string[];
}

export interface BookingHousehold {
  readonly client: string;
  readonly accounts: readonly string[];
  readonly depositories: readonly string[];
}

export interface BookingDatabase {
  readonly databaseUrl: string;
  readonly encryptionKey: string;
}

const sizes = { households: 8, accounts: 3, depositories: 2, stocks: 200 } as const;

export async function seedBookings({ databaseUrl, encryptionKey }: BookingDatabase): Promise<BookingFixture> {
  // The same base URL for all processes, so that the token is valid at each of them.
  const config = readConfig({
    PORT: '0',
    BASE_URL: 'http://bench.test',
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: encryptionKey,
  });
  const service = await startService(config, { log: pino({ level: 'silent' }) });
  const address = `http://127.0.0.1:${(service.server.app.server.address() as { port: number }).port}`;
  const { workspaceId, clientId: client_id, clientSecret: client_secret } = service.firstApplication!;
  const credentials = { grant_type: 'client_credentials', client_id, client_secret };
  const { access_token: token } = await post(`${address}/oauth/token`, credentials);
  const make = async (plural: string, body: object): Promise<string> =>
    (await post(`${address}/v1/${plural}`, body, token)).id;
  const makeMany = (count: number, makeOne: (index: number) => Promise<string>): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => makeOne(index)));
  const households: BookingHousehold[] = [];
  for (let number = 0; number < sizes.households; number++) {
    const client = await make('clients', { name: `Family ${number}` });
    const entity = await make('legal-entities', { name: `Holding ${number}`, client_id: client });
    const accounts = await makeMany(sizes.accounts, (index) =>
      make('accounts', { entity_id: entity, currency: 'CHF', name: `Current ${index}` }),
    );
    const depositories = await makeMany(sizes.depositories, () => make('depositories', { legal_entity_id: entity }));
    households.push({ client, accounts, depositories });
  }
  const stocks = await makeMany(sizes.stocks, (index) =>
    make('instruments', { type: 'stock-instrument', name: `Share ${index}`, currency: 'CHF' }),
  );
  await service.stop();
  return { token, workspaceId, environment: 'production', households, stocks };
}

async function post(url: string, body: object, token?: string): Promise<any> {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

function pick<T>(all: readonly T[], index: number): T {
  return all[index % all.length]!;
}

/** The rows of a feed: buys and sells with fees, and an occasional dividend or fee. */
export function rowNumbered({ households, stocks }: BookingFixture, index: number): Record<string, string> {
  const household = pick(households, index);
  const location = {
    account_id: pick(household.accounts, index >> 3),
    depository_id: pick(household.depositories, index >> 4),
  };
  const date = new Date(Date.UTC(2020, 0, 1) + (index % 2_000) * 86_400_000).toISOString().slice(0, 10);
  const instrument_id = pick(stocks, index * 7);
  const frame = {
    date,
    ...location,
    source: 'custodian',
    external_reference: `FEED-${String(index).padStart(9, '0')}`,
  };
  if (index % 10 === 8) return { type: 'dividend', ...frame, instrument_id, amount: '65', taxes: '35' };
  if (index % 10 === 9) return { type: 'fee', ...frame, amount: '-12.5', category: 'custody' };
  const type = index % 3 === 0 ? 'sell' : 'buy';
  const price = `${50 + (index % 100)}.25`;
  return { type, ...frame, instrument_id, quantity: String(1 + (index % 500)), price, fees: '9.95' };
}

/** Connects to the database as its owner. */
export async function withOwner<T>(
  { databaseUrl }: BookingDatabase,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Empties and vacuums the ledger, so that every measurement begins in the same state. Returns the number of deleted rows. */
export function emptyLedger(location: BookingDatabase): Promise<number> {
  return withOwner(location, async (client) => {
    const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM transaction');
    await client.query('TRUNCATE transaction, account_ledger, round_mark, audit_entry');
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
    return Number(rows[0]!.count);
  });
}
