// Measures imports: from file to committed ledger over HTTP, compared with bulk booking of the same rows. Both take turns on an emptied ledger.

import type { StatementEntry } from '../../src/model/custody/statement.ts';
import {
  post,
  rateOf,
  withMeasuredService,
  withOwner,
  type MeasuredService,
  type Seeding,
} from '../measured-service.ts';
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
  readonly client: string;
  /** By the numbers in the files. */
  readonly accounts: ReadonlyMap<string, string>;
  readonly instruments: ReadonlyMap<string, string>;
}

export async function benchImports({ rows, rounds }: ImportOptions): Promise<ImportFigures[]> {
  return withMeasuredService({ connections: 10, seed: seedImports }, async (service) => {
    const bench = new ImportBench(service);
    await bench.prepare(Math.min(rows, 1_000));
    const figures = feedFiles.map(({ format }) => ({ format, imported: [] as number[], bulk: [] as number[] }));
    for (let round = 0; round < rounds; round++) {
      for (const [index, file] of feedFiles.entries()) {
        const { imported, bulk } = await bench.measure(file, rows);
        figures[index]!.imported.push(imported);
        figures[index]!.bulk.push(bulk);
      }
    }
    return figures;
  });
}

/** One client with an account for each number in the files, and the instruments of all trades. */
export async function seedImports({ token, make }: Seeding): Promise<ImportFixture> {
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
  return { token, client, accounts, instruments };
}

export class ImportBench {
  readonly #service: MeasuredService<ImportFixture>;
  #tables: readonly string[] = [];

  constructor(service: MeasuredService<ImportFixture>) {
    this.#service = service;
  }

  /** Finds the tables that imports write, and runs everything once. */
  async prepare(rows: number): Promise<void> {
    this.#tables = await withOwner(this.#service.database, async (client) => {
      const { rows: found } = await client.query<{ name: string }>(
        `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> 'import_profile'
           AND (table_name = 'import' OR table_name LIKE 'import\\_%' OR table_name LIKE 'stated\\_%')`,
      );
      return found.map(({ name }) => name);
    });
    await this.measure(feedFiles[0]!, rows);
  }

  async measure(file: FeedFile, rows: number): Promise<{ imported: number; bulk: number }> {
    const bytes = Buffer.from([...file.write(rows)].join(''));
    const lines = this.#bulkLines(bytes);
    const imported = await this.#rate(rows, async () => {
      const { client, token } = this.#service.fixture;
      const path = `/v1/imports?client_id=${client}&book=true`;
      const { counts } = await post(`${this.#service.address}${path}`, bytes, { token, type: file.type });
      if (counts.booked !== rows)
        throw new Error(`${file.format}: expected ${rows} booked rows, got ${JSON.stringify(counts)}.`);
    });
    const bulk = await this.#rate(rows, async () => {
      const { token } = this.#service.fixture;
      const answer = await post(`${this.#service.address}/v1/transactions/bulk`, lines, {
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
      account_id: this.#service.fixture.accounts.get(entry.account!.number),
      source: 'custodian',
      external_reference: reference,
      amount,
      // The bulk endpoint takes units without a sign.
      quantity: quantity?.replace('-', ''),
      price,
      fees,
      instrument_id: instrument && this.#service.fixture.instruments.get(instrument.isin!),
      comment: entry.comment,
    };
  }

  #rate(count: number, task: () => Promise<unknown>): Promise<number> {
    return rateOf({ database: this.#service.database, count, tables: this.#tables }, task);
  }
}
