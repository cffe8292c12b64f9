// Seeds the structure benchmark: a client with legal entities, depositories and custodians created over v1, and the listed
// accounts inserted with SQL. Deletes what a round has created.

import pg from 'pg';
import pino from 'pino';
import { readConfig } from '../../src/app/config.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { systemIdSource } from '../../src/kit/id.ts';
import { startService } from '../../src/app/start-service.ts';
import type { PlainSqlOptions } from './plain-sql.ts';

export interface StructureFixture {
  readonly token: string;
  readonly workspaceId: string;
  readonly environment: string;
  readonly clientId: string;
  /** The legal entity whose accounts are listed. */
  readonly listedId: string;
  /** The legal entity that gets new accounts. */
  readonly growingId: string;
  /** The number of links from listed accounts to depositories. */
  readonly links: number;
}

interface FixtureOptions {
  readonly databaseUrl: string;
  readonly encryptionKey: string;
  readonly accounts: number;
}

const depositoryCount = 30;
const custodianCount = 5;

export async function seedStructure({
  databaseUrl,
  encryptionKey,
  accounts,
}: FixtureOptions): Promise<StructureFixture> {
  // The same base URL for all processes, so that the token is valid at each of them.
  const config = readConfig({
    PORT: '0',
    BASE_URL: 'http://bench.test',
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: encryptionKey,
  });
  const service = await startService(config, { log: pino({ level: 'silent' }) });
  const baseUrl = `http://127.0.0.1:${(service.server.app.server.address() as { port: number }).port}`;
  const post = async (path: string, body: object, token?: string): Promise<any> => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const { workspaceId, clientId: client_id, clientSecret: client_secret } = service.firstApplication!;
  const credentials = { grant_type: 'client_credentials', client_id, client_secret };
  const token: string = (await post('/oauth/token', credentials)).access_token;
  const make = async (path: string, body: object): Promise<string> => (await post(path, body, token)).id;
  const makeMany = (count: number, makeOne: (index: number) => Promise<string>): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => makeOne(index)));

  const clientId = await make('/v1/clients', { name: 'Family Lindqvist' });
  const [listedId, otherId, growingId] = (await makeMany(3, (index) =>
    make('/v1/legal-entities', { name: `Lindqvist Holding ${index}`, client_id: clientId }),
  )) as [string, string, string];
  const custodians = await makeMany(custodianCount, (index) => make('/v1/custodians', { name: `Bank ${index}` }));
  const fixture = { token, workspaceId, environment: 'production', clientId, listedId, growingId };
  let links = 0;
  for (const legalEntityId of [otherId, listedId]) {
    const depositories = await makeMany(depositoryCount, (index) =>
      make('/v1/depositories', { name: `Custody ${index}`, legal_entity_id: legalEntityId }),
    );
    links = await insertAccounts({ ...fixture, databaseUrl, legalEntityId, custodians, depositories, accounts });
  }
  await service.stop();
  return { ...fixture, links };
}

interface Accounts extends Omit<StructureFixture, 'links'> {
  readonly databaseUrl: string;
  readonly legalEntityId: string;
  readonly custodians: readonly string[];
  readonly depositories: readonly string[];
  readonly accounts: number;
}

/** Inserts accounts, each with a custodian and one to three depositories. Returns the number of links. */
async function insertAccounts(input: Accounts): Promise<number> {
  const source = systemIdSource(systemClock);
  const ids = Array.from({ length: input.accounts }, () => source.next());
  const tenant = [input.workspaceId, input.environment, input.clientId];
  return withConnection(input.databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO account (workspace_id, environment, client_id, id, legal_entity_id, custodian_id, name,
         external_identifier, ccy_code, exclude_from_reporting, created_at)
       SELECT $1, $2, $3, id, $4, ($5::text[])[1 + n % cardinality($5::text[])], 'Current account ' || n,
         'CH93' || lpad(n::text, 17, '0'), 'CHF', false, now()
       FROM unnest($6::text[]) WITH ORDINALITY AS made (id, n)`,
      [...tenant, input.legalEntityId, input.custodians, ids],
    );
    const { rowCount } = await client.query(
      `INSERT INTO account_depository (workspace_id, environment, client_id, account_id, depository_id)
       SELECT $1, $2, $3, id, ($4::text[])[1 + (7 * n + 11 * link) % cardinality($4::text[])]
       FROM unnest($5::text[]) WITH ORDINALITY AS made (id, n), generate_series(0, n % 3) AS link`,
      [...tenant, input.depositories, ids],
    );
    await vacuum(client);
    return rowCount!;
  });
}

/** Deletes the created accounts. Throws unless their number is as expected and each has its entry in the audit log. */
export async function deleteCreated({ databaseUrl, growingId }: PlainSqlOptions, wanted: number): Promise<void> {
  await withConnection(databaseUrl, async (client) => {
    const accounts = await client.query('DELETE FROM account WHERE legal_entity_id = $1', [growingId]);
    const lines = await client.query(`DELETE FROM audit_entry WHERE subject_type = 'account'`);
    if (accounts.rowCount !== wanted || lines.rowCount !== wanted) {
      throw new Error(`Expected ${wanted} accounts, got ${accounts.rowCount} with ${lines.rowCount} audit entries.`);
    }
    await vacuum(client);
  });
}

/** Runs now what the database would do at some later time, so that every measurement begins in the same state. */
async function vacuum(client: pg.Client): Promise<void> {
  await client.query('VACUUM (ANALYZE)');
  await client.query('CHECKPOINT');
}

async function withConnection<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
