// Grows one workspace from size to size: clients in a tree of seven levels, each with an account and a reporting entity, made over v1, and
// their transactions, inserted with SQL. Other workspaces are empty rows.

import pg from 'pg';
import { runConcurrently } from '../structure/work.ts';

export interface ScaleApi {
  readonly address: string;
  readonly token: string;
}

export interface ScaleClient {
  readonly id: string;
  readonly account: string;
  readonly entity: string;
}

export const instrumentCount = 50;
/** Each client has this many below it: 10,000 of them are on seven levels. */
const childrenEach = 4;

export async function call({ address, token }: ScaleApi, path: string, body?: object): Promise<any> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await fetch(
    address + path,
    body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
  );
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

const make = async (api: ScaleApi, plural: string, body: object): Promise<string> =>
  (await call(api, `/v1/${plural}`, body)).id;

export async function makeInstruments(api: ScaleApi): Promise<string[]> {
  const made: string[] = [];
  for (let index = 0; index < instrumentCount; index++)
    made.push(await make(api, 'instruments', { type: 'stock-instrument', name: `Share ${index}`, currency: 'CHF' }));
  return made;
}

/** Makes clients until there are as many as asked for. Parents are there before their children. */
export async function growClients(api: ScaleApi, clients: ScaleClient[], count: number): Promise<void> {
  const first = clients.length;
  for (let index = first; index < Math.min(count, 1); index++) clients.push(await makeClient(api, index, undefined));
  while (clients.length < count) {
    const begin = clients.length;
    const end = Math.min(count, begin * childrenEach + 1);
    const made: ScaleClient[] = [];
    await runConcurrently({ count: end - begin, callers: 4 }, async (offset) => {
      const parent = clients[Math.floor((begin + offset - 1) / childrenEach)];
      made[offset] = await makeClient(api, begin + offset, parent?.id);
    });
    clients.push(...made);
  }
}

async function makeClient(api: ScaleApi, index: number, parent: string | undefined): Promise<ScaleClient> {
  const id = await make(api, 'clients', {
    name: `Client ${index}`,
    reference_currency: 'CHF',
    ...(parent ? { parent_id: parent } : {}),
  });
  const entity_id = await make(api, 'legal-entities', { name: 'Holding', client_id: id });
  const account = await make(api, 'accounts', { entity_id, currency: 'CHF', name: 'Account' });
  const entity = await make(api, 'reporting-entities', { client_id: id, name: 'All' });
  await make(api, 'portfolios', { reporting_entity_id: entity, account_ids: [account] });
  return { id, account, entity };
}

export interface SeededRows {
  readonly workspaceId: string;
  readonly clients: readonly ScaleClient[];
  readonly instruments: readonly string[];
  /** For each client. */
  readonly transactions: number;
}

const array = (ids: readonly string[]): string => `ARRAY[${ids.map((id) => `'${id}'`).join(', ')}]`;

/**
 * Buys and sells over ten years, each with a reference. Clients book on different days, and what was corrected before has taken up to as many
 * numbers again, so that few bookings have both the day and the number of another client's.
 */
export async function insertTransactions(databaseUrl: string, rows: SeededRows): Promise<void> {
  const { workspaceId, clients, instruments, transactions } = rows;
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  const tenant = `'${workspaceId}', 'production'`;
  const parts = 100;
  for (let from = 0; from < clients.length; from += parts) {
    const some = clients.slice(from, from + parts);
    const owners = `(SELECT *, abs(hashtext(client)) AS drawn FROM unnest(${array(some.map(({ id }) => id))}, ${array(some.map(({ account }) => account))}) u (client, account)) o`;
    const corrected = `o.drawn / 1000 % ${transactions}`;
    const share = `(o.drawn % 1000) / 1000.0`;
    await admin.query(`INSERT INTO transaction (workspace_id, environment, id, sequence, known_from, opened_version, client_id, account_id,
        instrument_id, kind, type, date, amount, currency, quantity, price, value, unexplained, source, external_reference, created_at)
      SELECT ${tenant}, left(md5(o.client || n), 24), n + ${corrected}, now(), 1, o.client, o.account, (${array(instruments)})[1 + n % ${instruments.length}], 'trade',
        CASE WHEN n % 4 = 3 THEN 'sell' ELSE 'buy' END, date '2016-01-01' + floor((n - 1 + ${share}) * 3650 / ${transactions})::integer,
        CASE WHEN n % 4 = 3 THEN 500 ELSE -1000 END, 'CHF', CASE WHEN n % 4 = 3 THEN -5 ELSE 10 END, 100,
        CASE WHEN n % 4 = 3 THEN 500 ELSE 1000 END, 0, 'custodian', 'SEED-' || n, now()
      FROM ${owners}, generate_series(1, ${transactions}) n`);
    await admin.query(`INSERT INTO account_ledger SELECT ${tenant}, o.client, o.account, 1 FROM ${owners}
      ON CONFLICT (workspace_id, environment, account_id) DO UPDATE SET version = 1`);
    await admin.query(`INSERT INTO booking_count SELECT ${tenant}, o.client, ${transactions} + ${corrected} FROM ${owners}
      ON CONFLICT (workspace_id, environment, client_id) DO UPDATE SET last_sequence = excluded.last_sequence`);
  }
  await admin.query('VACUUM (ANALYZE)');
  await admin.end();
}

/** Workspaces that nobody uses. */
export async function insertWorkspaces(databaseUrl: string, count: number): Promise<void> {
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  const id = `lpad(to_hex(n), 24, 'b')`;
  await admin.query(`INSERT INTO workspace (workspace_id, name, created_at) SELECT ${id}, 'Workspace ' || n, now()
    FROM generate_series(1, ${count}) n ON CONFLICT DO NOTHING`);
  await admin.query(`INSERT INTO environment (workspace_id, environment, created_at, taxonomy_at, day_marked)
    SELECT ${id}, 'production', now(), now(), (now() AT TIME ZONE 'UTC')::date
    FROM generate_series(1, ${count}) n ON CONFLICT DO NOTHING`);
  await admin.query('ANALYZE');
  await admin.end();
}
