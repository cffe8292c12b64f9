// Measures booking: very many rows over HTTP compared with COPY of the same rows, into a table of the same columns without keys and
// indexes and into the table itself; and single bookings compared with plain SQL that makes the same writes. The contenders take turns on
// an emptied ledger.

import { post, rateOf, withMeasuredService, withOwner, type MeasuredService } from '../measured-service.ts';
import { runConcurrently } from '../structure/work.ts';
import { seedBookings, rowNumbered, type BookingFixture } from './booking-fixture.ts';
import { bulkBodies, type BulkFormatName, type Row } from './bulk-bodies.ts';
import { CopiedTable } from './copied-table.ts';
import { PlainBooking } from './plain-booking.ts';

export interface BookingOptions {
  readonly rows?: number;
  readonly singles?: number;
  readonly rounds?: number;
}

/** Rows or bookings per second, one figure per round. */
export interface BookingFigures {
  readonly rows: number;
  readonly singles: number;
  readonly callers: number;
  readonly bulk: Readonly<Record<BulkFormatName, readonly number[]>>;
  /** COPY into the bare columns, and into the table itself. */
  readonly bareCopy: readonly number[];
  readonly copy: readonly number[];
  /** Of a booked row: its own bytes, and those of its indexes. */
  readonly rowBytes: number;
  readonly indexBytes: number;
  readonly single: readonly number[];
  readonly plain: readonly number[];
}

const callers = 8;

type RowSizes = Pick<BookingFigures, 'rowBytes' | 'indexBytes'>;

export async function benchBooking(options: BookingOptions = {}): Promise<BookingFigures> {
  const { rows = 100_000, singles = 4_000, rounds = 3 } = options;
  return withMeasuredService({ connections: callers + 2, seed: seedBookings }, async (service) => {
    const bench = new BookingBench(service);
    const copied = new CopiedTable(service, { table: 'transaction', order: 'client_id, sequence' });
    try {
      const bulk: Record<BulkFormatName, number[]> = { 'JSON lines': [], CSV: [] };
      const [bareCopy, copy] = [[] as number[], [] as number[]];
      let sizes: RowSizes = { rowBytes: 0, indexBytes: 0 };
      const [single, plain] = [[] as number[], [] as number[]];
      await bench.bulk('CSV', Math.min(rows, 10_000));
      for (let round = 0; round < rounds; round++) {
        for (const format of Object.keys(bulk) as BulkFormatName[]) bulk[format].push(await bench.bulk(format, rows));
        sizes = await bench.rowSizes(rows);
        await copied.export();
        bareCopy.push(await copied.copy(rows, 'bare'));
        copy.push(await copied.copy(rows, 'itself'));
        if (singles === 0) continue;
        single.push(await bench.singles(singles));
        plain.push(await bench.plain(singles));
      }
      return { rows, singles, callers, bulk, bareCopy, copy, ...sizes, single, plain };
    } finally {
      await bench.end();
    }
  });
}

class BookingBench {
  readonly #service: MeasuredService<BookingFixture>;
  readonly #plain: PlainBooking;

  constructor(service: MeasuredService<BookingFixture>) {
    this.#service = service;
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
    const { type, write } = bulkBodies[format];
    const body = write(Array.from({ length: rows }, (_, index) => rowNumbered(this.#service.fixture, index)));
    return this.#rate(rows, async () => {
      const { booked } = await this.#post('/v1/transactions/bulk', type, body);
      if (booked !== rows) throw new Error(`Expected ${rows} booked rows, got ${booked}.`);
    });
  }

  rowSizes(rows: number): Promise<RowSizes> {
    return withOwner(this.#service.database, async (client) => {
      const { rows: found } = await client.query<RowSizes>(
        `SELECT (pg_relation_size('transaction') / $1)::int AS "rowBytes", (pg_indexes_size('transaction') / $1)::int AS "indexBytes"`,
        [rows],
      );
      return found[0]!;
    });
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
