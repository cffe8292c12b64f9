// Seeds the reports benchmark: a client for each size, with ten accounts, five hundred instruments with ten years of daily
// prices, and that number of transactions. Structure is created over v1, the rest with SQL.

import pg from 'pg';
import pino from 'pino';
import { readConfig } from '../../src/app/config.ts';
import { startService } from '../../src/app/start-service.ts';

export interface ReportDatabase {
  readonly databaseUrl: string;
  readonly encryptionKey: string;
}

export interface ReportFixture {
  readonly token: string;
  /** Reporting entities by their number of transactions. */
  readonly entities: ReadonlyMap<number, string>;
  readonly clients: ReadonlyMap<number, string>;
  readonly days: { readonly first: string; readonly last: string };
}

export const instrumentCount = 500;
const [accountCount, depositoryCount, portfolioCount] = [10, 3, 3];
const days = { first: '2016-01-01', last: '2025-12-31' };

interface BenchFamily {
  readonly size: number;
  readonly client: string;
  readonly entity: string;
  readonly accounts: readonly string[];
  readonly depositories: readonly string[];
}

export async function seedReports(connection: ReportDatabase, sizes: readonly number[]): Promise<ReportFixture> {
  const config = readConfig({
    PORT: '0',
    BASE_URL: 'http://bench.test',
    DATABASE_URL: connection.databaseUrl,
    ENCRYPTION_KEY: connection.encryptionKey,
    BUDGET_PER_MINUTE: '100000000',
    BUDGET_BURST: '100000000',
  });
  const service = await startService(config, { log: pino({ level: 'silent' }) });
  const address = `http://127.0.0.1:${(service.server.app.server.address() as { port: number }).port}`;
  const { workspaceId, clientId: client_id, clientSecret: client_secret } = service.firstApplication!;
  const { access_token: token } = await call(`${address}/oauth/token`, {
    body: { grant_type: 'client_credentials', client_id, client_secret },
  });
  const api: Api = {
    list: async (path) => (await call(`${address}${path}`, { token })).data,
    make: async (plural, body) => (await call(`${address}/v1/${plural}`, { body, token })).id,
  };
  const families: BenchFamily[] = [];
  for (const size of sizes) families.push(await makeFamily(api, size));
  const classes = (await api.list('/v1/instrument-classes?limit=100')).map(({ id }) => id);
  await service.stop();
  await insertRows(connection.databaseUrl, { workspaceId, families, classes });
  return {
    token,
    entities: new Map(families.map(({ size, entity }) => [size, entity])),
    clients: new Map(families.map(({ size, client }) => [size, client])),
    days,
  };
}

interface Api {
  list(path: string): Promise<{ readonly id: string }[]>;
  make(plural: string, body: object): Promise<string>;
}

async function call(url: string, { body, token }: { body?: object; token?: string }): Promise<any> {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(url, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function makeFamily({ make }: Api, size: number): Promise<BenchFamily> {
  const client = await make('clients', { name: `Family of ${size}`, reference_currency: 'CHF' });
  const entity_id = await make('legal-entities', { name: 'Holding', client_id: client });
  const makeSeveral = async (count: number, one: (index: number) => Promise<string>): Promise<string[]> => {
    const made: string[] = [];
    for (let index = 0; index < count; index++) made.push(await one(index));
    return made;
  };
  const depositories = await makeSeveral(depositoryCount, () => make('depositories', { legal_entity_id: entity_id }));
  const accounts = await makeSeveral(accountCount, (index) =>
    make('accounts', { entity_id, currency: 'CHF', name: `Account ${index}` }),
  );
  const entity = await make('reporting-entities', { client_id: client, name: 'All' });
  await makeSeveral(portfolioCount, (index) =>
    make('portfolios', {
      reporting_entity_id: entity,
      account_ids: accounts.filter((_, at) => at % portfolioCount === index),
    }),
  );
  return { size, client, entity, accounts, depositories };
}

interface FixtureRows {
  readonly workspaceId: string;
  readonly families: readonly BenchFamily[];
  readonly classes: readonly string[];
}

const array = (ids: readonly string[]): string => `ARRAY[${ids.map((id) => `'${id}'`).join(', ')}]`;
const idSql = (letter: string, number: string): string => `'${letter}' || lpad(to_hex(${number}), 23, '0')`;

/** Prices oscillate around a level per instrument and rise slightly. */
const priceSql = (n: string, d: string): string =>
  `round((20 + ${n} % 180) * (1 + ${d} / 5000.0) * (1 + 0.2 * sin(${d} / (30.0 + ${n} % 50))::numeric), 2)`;

async function insertRows(databaseUrl: string, { workspaceId, families, classes }: FixtureRows): Promise<void> {
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  const tenantKey = `'${workspaceId}', 'production'`;
  const weekday = `extract(isodow FROM date '${days.first}' + d) < 6`;
  const allDays = `generate_series(0, date '${days.last}' - date '${days.first}') d`;
  await admin.query('BEGIN');
  await admin.query(`SET LOCAL session_replication_role = 'replica'`); // keys are not what is measured
  const indexes = await dropIndexes(admin);
  await admin.query(`INSERT INTO instrument (workspace_id, environment, id, name, type, ccy_code, instrument_class_id, price_unit, tags, created_at)
    SELECT ${tenantKey}, ${idSql('e', 'n')}, 'Share ' || n, 'stock-instrument', CASE WHEN n % 5 = 0 THEN 'USD' ELSE 'CHF' END,
      (${array(classes)})[1 + n % ${classes.length}], '1', '{}', now() FROM generate_series(1, ${instrumentCount}) n`);
  await admin.query(`INSERT INTO record_version (workspace_id, environment, table_name, id, version, known_from, state)
    SELECT t.workspace_id, t.environment, 'instrument', t.id, 1, now(), (SELECT jsonb_object_agg(key, value)
      FROM jsonb_each(to_jsonb(t) - '{workspace_id,environment}'::text[]) WHERE value <> 'null')
    FROM instrument t WHERE t.workspace_id = '${workspaceId}'`);
  await admin.query(`INSERT INTO series_ledger (workspace_id, environment, instrument_id, version)
    SELECT ${tenantKey}, ${idSql('e', 'n')}, 1 FROM generate_series(1, ${instrumentCount}) n`);
  await admin.query(`INSERT INTO series_point (workspace_id, environment, id, instrument_id, kind, date, source, value, known_from)
    SELECT ${tenantKey}, ${idSql('a', 'n * 10000 + d')}, ${idSql('e', 'n')}, 'price', date '${days.first}' + d, 'reference',
      ${priceSql('n', 'd')}, now() FROM generate_series(1, ${instrumentCount}) n, ${allDays} WHERE ${weekday}`);
  await admin.query(`INSERT INTO fx_rate (workspace_id, environment, id, base, quote, date, source, rate, known_from)
    SELECT ${tenantKey}, ${idSql('c', 'd')}, 'USD', 'CHF', date '${days.first}' + d, 'reference', round(0.9 + 0.05 * sin(d / 100.0)::numeric, 4), now()
    FROM ${allDays}`);
  await admin.query(`INSERT INTO rate_ledger VALUES (${tenantKey}, 1) ON CONFLICT DO NOTHING`);
  for (const family of families) await fillLedger(admin, tenantKey, family);
  for (const text of indexes) await admin.query(text);
  await admin.query('COMMIT');
  await admin.query('VACUUM ANALYZE');
  await admin.end();
}

/** Building the indexes after all rows are inserted takes a fraction of the time. */
async function dropIndexes(admin: pg.Client): Promise<string[]> {
  const { rows } = await admin.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, indexdef FROM pg_indexes WHERE tablename IN ('transaction', 'series_point') AND indexname NOT LIKE '%_pkey'`,
  );
  for (const { indexname } of rows) await admin.query(`DROP INDEX ${indexname}`);
  return rows.map(({ indexdef }) => indexdef);
}

/** Three buys of a hundred for each sale of fifty, over ten years; a fifth in dollars, paid in francs. */
async function fillLedger(admin: pg.Client, tenantKey: string, family: BenchFamily): Promise<void> {
  const { size, client, accounts, depositories } = family;
  const heldCount = Math.min(instrumentCount, Math.max(20, size / 20));
  const instrument = `1 + (n / 4) % ${heldCount}`;
  const day = `(n::bigint * 3600 / ${size})::int`;
  const isSale = 'n % 4 = 3';
  const units = `CASE WHEN ${isSale} THEN 50 ELSE 100 END`;
  const price = priceSql(`(${instrument})`, day);
  const rate = `CASE WHEN (${instrument}) % 5 = 0 THEN 0.9 ELSE 1 END`;
  await admin.query(`INSERT INTO transaction (workspace_id, environment, id, sequence, known_from, opened_version, client_id, account_id,
      depository_id, instrument_id, kind, type, date, settlement_date, amount, currency, quantity, price, exchange_rate, value, unexplained,
      source, created_at)
    SELECT ${tenantKey}, ${idSql('f', `${BigInt(size) * 10_000_000n} + n`)}, n + 1, now(), 1, '${client}',
      (${array(accounts)})[1 + (${instrument}) % ${accounts.length}], (${array(depositories)})[1 + (${instrument}) % ${depositories.length}],
      ${idSql('e', instrument)}, 'trade', CASE WHEN ${isSale} THEN 'sell' ELSE 'buy' END,
      date '${days.first}' + ${day}, date '${days.first}' + ${day} + 2,
      round(CASE WHEN ${isSale} THEN 1 ELSE -1 END * ${units} * ${price} * ${rate}, 2), 'CHF',
      CASE WHEN ${isSale} THEN -1 ELSE 1 END * ${units}, ${price}, CASE WHEN (${instrument}) % 5 = 0 THEN 0.9 END,
      ${units} * ${price}, 0, 'custodian', now()
    FROM generate_series(0, ${size - 1}) n`);
  await admin.query(`INSERT INTO account_ledger SELECT ${tenantKey}, '${client}', one, 1 FROM unnest(${array(accounts)}) one
    ON CONFLICT (workspace_id, environment, account_id) DO UPDATE SET version = 1`);
  await admin.query(`INSERT INTO booking_count VALUES (${tenantKey}, '${client}', ${size})`);
}
