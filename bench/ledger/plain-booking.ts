// The baseline for a single booking: the same writes with straightforward plain SQL in one transaction, through the same driver.
// No row-level security, no rules, no parsing of documents.

import pg from 'pg';
import { systemClock } from '../../src/kit/clock.ts';
import { systemIdSource } from '../../src/kit/id.ts';
import type { MeasuredDatabase } from '../measured-service.ts';
import type { BookingFixture } from './booking-fixture.ts';

const tenant = 'workspace_id = $1 AND environment = $2';

const texts = {
  account: `SELECT client_id FROM account WHERE ${tenant} AND id = $3 FOR KEY SHARE`,
  depository: `SELECT client_id FROM depository WHERE ${tenant} AND id = $3 FOR KEY SHARE`,
  instrument: `SELECT type, ccy_code FROM instrument WHERE ${tenant} AND id = $3 FOR KEY SHARE`,
  client: `SELECT FROM client WHERE ${tenant} AND id = $3 FOR NO KEY UPDATE`,
  known: `SELECT id FROM transaction WHERE ${tenant} AND known_until IS NULL AND account_id = $3 AND source = $4
    AND external_reference = $5`,
  next: `INSERT INTO booking_count AS b (workspace_id, environment, client_id, last_sequence) VALUES ($1, $2, $3, 1)
    ON CONFLICT (workspace_id, environment, client_id) DO UPDATE SET last_sequence = b.last_sequence + 1
    RETURNING last_sequence AS next`,
  raise: `INSERT INTO account_ledger AS l (workspace_id, environment, client_id, account_id, version)
    VALUES ($1, $2, $3, $4, 1) ON CONFLICT (workspace_id, environment, account_id) DO UPDATE SET version = l.version + 1
    RETURNING version`,
  transaction: `INSERT INTO transaction (workspace_id, environment, id, sequence, known_from, opened_version, client_id,
      account_id, depository_id, instrument_id, kind, type, date, amount, currency, quantity, price, fees, value,
      unexplained, source, external_reference, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'trade', $11, $12, $13, 'CHF', $14, $15, $16, $17, 0, $18, $19, $5)
    RETURNING *`,
  audit: `INSERT INTO audit_entry (workspace_id, environment, id, client_id, at, act, subject_type, subject_id,
      request_id, after) VALUES ($1, $2, $3, $4, $5, 'create', 'transaction', $6, $7, $8)`,
  mark: `INSERT INTO round_mark (workspace_id, environment, client_id, since, causes)
    VALUES ($1, $2, $3, $4, '{transaction}') ON CONFLICT (workspace_id, environment, client_id) DO UPDATE
    SET causes = CASE WHEN 'transaction' = ANY (round_mark.causes) THEN round_mark.causes
      ELSE round_mark.causes || 'transaction'::text END`,
};

export class PlainBooking {
  readonly #pool: pg.Pool;
  readonly #tenant: readonly [string, string];
  readonly #ids = systemIdSource(systemClock);

  constructor({ databaseUrl }: MeasuredDatabase, { workspaceId, environment }: BookingFixture, connections: number) {
    this.#pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
    this.#pool.on('error', () => {}); // the database is stopped at the end
    this.#tenant = [workspaceId, environment];
  }

  /** Books a trade in its own transaction. */
  async book(row: Record<string, string>): Promise<void> {
    const client = await this.#pool.connect();
    const query = async (name: keyof typeof texts, ...values: unknown[]): Promise<any> =>
      (await client.query({ name, text: texts[name], values: [...this.#tenant, ...values] })).rows[0];
    try {
      await client.query('BEGIN');
      const { client_id: owner } = await query('account', row['account_id']);
      await query('depository', row['depository_id']);
      await query('instrument', row['instrument_id']);
      await query('client', owner);
      if (await query('known', row['account_id'], row['source'], row['external_reference']))
        throw new Error('It is known.');
      const { next } = await query('next', owner);
      const { version } = await query('raise', owner, row['account_id']);
      const [id, now] = [this.#ids.next(), new Date()];
      const value = Number(row['quantity']) * Number(row['price']);
      const places = [owner, row['account_id'], row['depository_id'], row['instrument_id'], row['type'], row['date']];
      const figures = [
        -value,
        row['quantity'],
        row['price'],
        row['fees'],
        value,
        row['source'],
        row['external_reference'],
      ];
      const made = await query('transaction', id, next, now, version, ...places, ...figures);
      await query('audit', this.#ids.next(), owner, now, id, this.#ids.next(), JSON.stringify(made));
      await query('mark', owner, now);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
