// COPY of the rows that a measurement has just written: into a table of the same columns without keys and indexes, and into the table
// itself. What bulk requests are compared with.

import { join } from 'node:path';
import { rateOf, withOwner, type MeasuredService } from '../measured-service.ts';

export class CopiedTable {
  readonly #service: MeasuredService<unknown>;
  readonly #table: string;
  readonly #order: string;
  readonly #file: string;
  #columns = '';

  constructor(service: MeasuredService<unknown>, { table, order }: { readonly table: string; readonly order: string }) {
    this.#service = service;
    this.#table = table;
    this.#order = order;
    this.#file = join(service.dataDir, `${table}.copy`);
  }

  get #bareTable(): string {
    return `bare_${this.#table}`;
  }

  /** Exports the rows to a file, and makes a table of the same columns, but for generated ones. */
  export(): Promise<void> {
    return withOwner(this.#service.database, async (client) => {
      const { rows } = await client.query<{ names: string }>(
        `SELECT string_agg(column_name, ', ' ORDER BY ordinal_position) AS names FROM information_schema.columns
         WHERE table_name = $1 AND is_generated = 'NEVER'`,
        [this.#table],
      );
      this.#columns = rows[0]!.names;
      const all = `SELECT ${this.#columns} FROM ${this.#table}`;
      await client.query(`COPY (${all} ORDER BY ${this.#order}) TO '${this.#file}'`);
      await client.query(`DROP TABLE IF EXISTS ${this.#bareTable}; CREATE TABLE ${this.#bareTable} AS ${all} LIMIT 0`);
    });
  }

  /** How many rows a second. */
  copy(rows: number, into: 'bare' | 'itself'): Promise<number> {
    const table = into === 'bare' ? this.#bareTable : this.#table;
    return rateOf({ database: this.#service.database, count: rows, tables: [this.#table] }, () =>
      withOwner(this.#service.database, async (client) => {
        const { rowCount } = await client.query(`COPY ${table} (${this.#columns}) FROM '${this.#file}'`);
        if (rowCount !== rows) throw new Error(`Expected ${rows} copied rows, got ${rowCount}.`);
      }),
    );
  }
}
