// Measures imports: from file to committed ledger over HTTP, compared with bulk booking of the same rows. Both take turns on an emptied ledger.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { readConfig } from '../../src/app/config.ts';
import { startService } from '../../src/app/start-service.ts';
import type { StatementEntry } from '../../src/model/custody/statement.ts';
import { Keyring } from '../../src/signing/keyring.ts';
import { startEmbeddedPostgres } from '../../src/store/postgres/embedded/embedded-postgres.ts';
import { withOwner, type BookingDatabase } from '../ledger/booking-fixture.ts';
import { MeasuredTarget } from '../structure/targets.ts';
import { benchIsins, feedFiles, type FeedFile } from './files.ts';
import { readFile } from './reading.ts';

export interface ImportOptions {
  readonly rows: number;
  readonly rounds: number;
}

/** Rows a second, one figure per round. */
export interface ImportFigures {
  readonly format: string;
  readonly imported: readonly number[];
  readonly bulk: readonly number[];
}

interface ImportFixture {
  readonly token: string;
  readonly workspaceId: string;
  readonly client: string;
  /** By the numbers in the files. */
  readonly accounts: ReadonlyMap<string, string>;
  readonly instruments: ReadonlyMap<string, string>;
}

export async function benchImports({ rows, rounds }: ImportOptions): Promise<ImportFigures[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
  const settings = { max_connections: '60', autovacuum: 'off' };
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings });
  const { user, host, port, database } = postgres.connection;
  const databaseUrl = `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`;
  const connection = { databaseUrl, encryptionKey: Keyring.generate() };
  let target: MeasuredTarget | undefined;
  try {
    const fixture = await seedImports(connection);
    const shared = {
      workspaceId: fixture.workspaceId,
      environment: 'production',
      listedId: '',
      growingId: '',
      connections: 10,
    };
    target = await MeasuredTarget.start('holdfast', { ...connection, ...shared });
    const bench = new ImportBench(connection, fixture, target.address);
    await bench.measure(feedFiles[0]!, Math.min(rows, 1_000));
    const figures = feedFiles.map(({ format }) => ({ format, imported: [] as number[], bulk: [] as number[] }));
    for (let round = 0; round < rounds; round++) {
      for (const [index, file] of feedFiles.entries()) {
        const { imported, bulk } = await bench.measure(file, rows);
        figures[index]!.imported.push(imported);
        figures[index]!.bulk.push(bulk);
      }
    }
    return figures;
  } finally {
    target?.stop();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** One client with an account for each number in the files, and the instruments of all trades. */
async function seedImports({ databaseUrl, encryptionKey }: BookingDatabase): Promise<ImportFixture> {
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
  const { access_token: token } = await send(`${address}/oauth/token`, JSON.stringify(credentials));
  const make = async (plural: string, body: object): Promise<string> =>
    (await send(`${address}/v1/${plural}`, JSON.stringify(body), { token })).id;
  const client = await make('clients', { name: 'Family' });
  const entity = await make('legal-entities', { name: 'Holding', client_id: client });
  const accounts = new Map<string, string>();
  for (const { account } of feedFiles) {
    if (accounts.has(account)) continue;
    const body = { entity_id: entity, currency: 'CHF', name: account, external_identifier: account };
    accounts.set(account, await make('accounts', body));
  }
  const instruments = new Map<string, string>();
  for (const isin of benchIsins) {
    const body = { type: 'stock-instrument', name: isin, currency: 'CHF', isin };
    instruments.set(isin, await make('instruments', body));
  }
  await service.stop();
  return { token, workspaceId, client, accounts, instruments };
}

async function send(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  options: { token?: string; type?: string } = {},
): Promise<any> {
  const headers: Record<string, string> = { 'content-type': options.type ?? 'application/json' };
  if (options.token !== undefined) headers['authorization'] = `Bearer ${options.token}`;
  const answer = await fetch(url, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

class ImportBench {
  readonly #connection: BookingDatabase;
  readonly #fixture: ImportFixture;
  readonly #address: string;

  constructor(connection: BookingDatabase, fixture: ImportFixture, address: string) {
    this.#connection = connection;
    this.#fixture = fixture;
    this.#address = address;
  }

  async measure(file: FeedFile, rows: number): Promise<{ imported: number; bulk: number }> {
    const bytes = Buffer.from([...file.write(rows)].join(''));
    const lines = this.#bulkLines(bytes);
    const imported = await this.#rate(rows, async () => {
      const { client, token } = this.#fixture;
      const path = `/v1/imports?client_id=${client}&book=true`;
      const { counts } = await send(`${this.#address}${path}`, bytes, { token, type: file.type });
      if (counts.booked !== rows)
        throw new Error(`${file.format}: expected ${rows} booked rows, got ${JSON.stringify(counts)}.`);
    });
    const bulk = await this.#rate(rows, async () => {
      const { token } = this.#fixture;
      const answer = await send(`${this.#address}/v1/transactions/bulk`, lines, {
        token,
        type: 'application/x-ndjson',
      });
      if (answer.booked !== rows)
        throw new Error(`${file.format}: expected ${rows} booked rows, got ${answer.booked}.`);
    });
    return { imported, bulk };
  }

  /** The same rows as JSON lines, with ids in place of names. */
  #bulkLines(bytes: Uint8Array): string {
    const lines: string[] = [];
    readFile([bytes], (items) => {
      for (const item of items) if (item.item === 'entry') lines.push(`${JSON.stringify(this.#bulkRow(item))}\n`);
    });
    return lines.join('');
  }

  #bulkRow(entry: StatementEntry): Record<string, unknown> {
    const { kind, amount = '', quantity, instrument, price, fees, reference, date, settlementDate } = entry;
    const isOut = (quantity ?? amount).startsWith('-');
    const types: Record<string, string> = { flow: isOut ? 'withdrawal' : 'deposit', trade: isOut ? 'sell' : 'buy' };
    return {
      type: types[kind] ?? kind,
      date,
      settlement_date: settlementDate,
      account_id: this.#fixture.accounts.get(entry.account!.number),
      source: 'custodian',
      external_reference: reference,
      amount,
      // The bulk endpoint takes units without a sign.
      quantity: quantity?.replace('-', ''),
      price,
      fees,
      instrument_id: instrument && this.#fixture.instruments.get(instrument.isin!),
      comment: entry.comment,
    };
  }

  async #rate(count: number, task: () => Promise<unknown>): Promise<number> {
    await emptyImports(this.#connection);
    const began = performance.now();
    await task();
    return (count * 1_000) / (performance.now() - began);
  }
}

/** Empties the ledger and everything that imports remember, so that every measurement begins in the same state. */
async function emptyImports(connection: BookingDatabase): Promise<void> {
  await withOwner(connection, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = 'public' AND (table_name IN ('transaction', 'account_ledger', 'round_mark', 'audit_entry')
         OR table_name IN ('import', 'import_row') OR table_name LIKE 'stated\\_%' OR table_name LIKE 'import\\_%')
         AND table_name <> 'import_profile'`,
    );
    await client.query(`TRUNCATE ${rows.map(({ name }) => `"${name}"`).join(', ')} CASCADE`);
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
  });
}
