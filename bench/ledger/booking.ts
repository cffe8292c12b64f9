// Measures booking: very many rows over HTTP compared with COPY of the same rows into the same table, and single bookings
// compared with plain SQL that makes the same writes. The contenders take turns on an emptied ledger.

import { join } from 'node:path';
import { post, rateOf, withMeasuredService, withOwner, type MeasuredService } from '../measured-service.ts';
import { runConcurrently } from '../structure/work.ts';
import { seedBookings, rowNumbered, type BookingFixture } from './booking-fixture.ts';
import { PlainBooking } from './plain-booking.ts';

export interface BookingOptions {
  readonly rows?: number;
  readonly singles?: number;
  readonly rounds?: number;
}

export type BulkFormatName = 'JSON lines' | 'CSV';

/** Rows or bookings per second, one figure per round. */
export interface BookingFigures {
  readonly rows: number;
  readonly singles: number;
  readonly callers: number;
  readonly bulk: Readonly<Record<BulkFormatName, readonly number[]>>;
  readonly copy: readonly number[];
  readonly single: readonly number[];
  readonly plain: readonly number[];
}

const callers = 8;

type Row = Record<string, string>;

const bodies: Record<BulkFormatName, { type: string; write: (rows: readonly Row[]) => string }> = {
  'JSON lines': {
    type: 'application/x-ndjson',
    write: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  },
  CSV: {
    type: 'text/csv',
    write(rows) {
      const columns = [...new Set(rows.slice(0, 100).flatMap((row) => Object.keys(row)))];
      return [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))]
        .map((line) => `${line.join()}\n`)
        .join('');
    },
  },
};

export async function benchBooking(options: BookingOptions = {}): Promise<BookingFigures> {
  const { rows = 100_000, singles = 4_000, rounds = 3 } = options;
  return withMeasuredService({ connections: callers + 2, seed: seedBookings }, async (service) => {
    const bench = new BookingBench(service);
    try {
      const bulk: Record<BulkFormatName, number[]> = { 'JSON lines': [], CSV: [] };
      const copy: number[] = [];
      const [single, plain] = [[] as number[], [] as number[]];
      await bench.bulk('CSV', Math.min(rows, 10_000));
      for (let round = 0; round < rounds; round++) {
        for (const format of Object.keys(bulk) as BulkFormatName[]) bulk[format].push(await bench.bulk(format, rows));
        copy.push(await bench.copy(rows));
        single.push(await bench.singles(singles));
        plain.push(await bench.plain(singles));
      }
      return { rows, singles, callers, bulk, copy, single, plain };
    } finally {
      await bench.end();
    }
  });
}

class BookingBench {
  readonly #service: MeasuredService<BookingFixture>;
  readonly #file: string;
  readonly #plain: PlainBooking;

  constructor(service: MeasuredService<BookingFixture>) {
    this.#service = service;
    this.#file = join(service.dataDir, 'ledger.copy');
    this.#plain = new PlainBooking(service.database, service.fixture, callers);
  }

  #rate(count: number, task: () => Promise<unknown>): Promise<number> {
    return rateOf({ database: this.#service.database, count }, task);
  }

  #post(path: string, type: string, body: string): Promise<any> {
    const { address, fixture } = this.#service;
    return post(`${address}${path}`, body, { token: fixture.token, type });
  }

  bulk(format: BulkFormatName, rows: number): Promise<number> {
    const { type, write } = bodies[format];
    const body = write(Array.from({ length: rows }, (_, index) => rowNumbered(this.#service.fixture, index)));
    return this.#rate(rows, async () => {
      const { booked } = await this.#post('/v1/transactions/bulk', type, body);
      if (booked !== rows) throw new Error(`Expected ${rows} booked rows, got ${booked}.`);
    });
  }

  /** Exports the rows of the preceding bulk booking to a file and copies them back from it. */
  async copy(rows: number): Promise<number> {
    const columns = await withOwner(this.#service.database, async (client) => {
      const { rows: found } = await client.query<{ name: string }>(
        `SELECT column_name AS name FROM information_schema.columns
         WHERE table_name = 'transaction' AND is_generated = 'NEVER' ORDER BY ordinal_position`,
      );
      const names = found.map(({ name }) => name).join(', ');
      await client.query(`COPY (SELECT ${names} FROM transaction ORDER BY client_id, sequence) TO '${this.#file}'`);
      return names;
    });
    return this.#rate(rows, () =>
      withOwner(this.#service.database, async (client) => {
        const { rowCount } = await client.query(`COPY transaction (${columns}) FROM '${this.#file}'`);
        if (rowCount !== rows) throw new Error(`Expected ${rows} copied rows, got ${rowCount}.`);
      }),
    );
  }

  /** Buys and sells, with one caller at a time for each client. */
  #trades(count: number): Row[] {
    const rows: Row[] = [];
    for (let index = 0; rows.length < count; index++) {
      const row = rowNumbered(this.#service.fixture, index);
      if (row['price'] !== undefined) rows.push(row);
    }
    return rows;
  }

  singles(count: number): Promise<number> {
    const requestBodies = this.#trades(count).map((row) => JSON.stringify(row));
    const book = (index: number): Promise<void> =>
      this.#post('/v1/transactions', 'application/json', requestBodies[index]!);
    return this.#rate(count, () => runConcurrently({ count, callers }, book));
  }

  plain(count: number): Promise<number> {
    const rows = this.#trades(count);
    return this.#rate(count, () => runConcurrently({ count, callers }, (index) => this.#plain.book(rows[index]!)));
  }

  end(): Promise<void> {
    return this.#plain.close();
  }
}
