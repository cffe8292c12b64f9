// Writes bookings straight into the database the way a node does, each in its own transaction: locks the client, raises the
// versions of the affected ledgers to one number, and opens and closes row versions with it. Bypasses the tenant filters and the
// booking rules.

import pg from 'pg';
import type { Id } from '../../../src/kit/id.ts';
import type { TestTenant } from '../database/tenants.ts';

/** The columns that differ from a deposit of 100 francs. */
export type BookedFields = Readonly<Record<string, unknown>>;

const defaultFields: BookedFields = {
  kind: 'flow',
  type: 'deposit',
  date: '2026-01-05',
  amount: '100',
  currency: 'CHF',
  value: '0',
  unexplained: '0',
  source: 'manual',
  created_at: '2026-01-05T12:00:00Z',
};

interface Version {
  readonly id: string;
  readonly sequence: string;
  readonly fields: BookedFields;
}

export class LedgerWriter {
  readonly #client: pg.Client;
  readonly #tenant: TestTenant;
  #clock: number;

  private constructor(client: pg.Client, tenant: TestTenant, clock: number) {
    this.#client = client;
    this.#tenant = tenant;
    this.#clock = clock;
  }

  static async open(url: string, tenant: TestTenant, now: number): Promise<LedgerWriter> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return new LedgerWriter(client, tenant, now);
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  /** Every write is one second after the previous one. */
  get now(): number {
    return this.#clock;
  }

  get #tenantKey(): readonly [string, string] {
    return [this.#tenant.workspaceId, this.#tenant.environment];
  }

  async #query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.#client.query<Row>(text, [...this.#tenantKey, ...values])).rows;
  }

  async #write<T>(client: Id | null, task: () => Promise<T>): Promise<T> {
    this.#clock += 1_000;
    await this.#client.query('BEGIN');
    try {
      const locked = client === null ? 'environment' : 'client';
      const which = client === null ? '' : 'AND id = $3';
      await this.#query(
        `SELECT FROM ${locked} WHERE workspace_id = $1 AND environment = $2 ${which} FOR NO KEY UPDATE`,
        client === null ? [] : [client],
      );
      const result = await task();
      await this.#client.query('COMMIT');
      return result;
    } catch (error) {
      await this.#client.query('ROLLBACK');
      throw error;
    }
  }

  async #raiseVersions(client: Id | null, fields: readonly BookedFields[]): Promise<number> {
    const named = fields.flatMap((one) => [one['account_id'], one['counter_account_id']]).filter((id) => id != null);
    const accounts = [...new Set(named)].toSorted();
    if (accounts.length === 0) {
      const [row] = await this.#query<{ version: string }>(
        `SELECT greatest(coalesce(max(opened_version), 0), coalesce(max(closed_version), 0)) + 1 AS version FROM transaction
         WHERE workspace_id = $1 AND environment = $2 AND account_id IS NULL`,
      );
      return Number(row!.version);
    }
    const [row] = await this.#query<{ version: string }>(
      `WITH raised AS (SELECT coalesce(max(version), 0) + 1 AS version FROM account_ledger
         WHERE workspace_id = $1 AND environment = $2 AND account_id = ANY ($4))
       INSERT INTO account_ledger SELECT $1, $2, $3, one, raised.version FROM unnest($4::text[]) one, raised
       ON CONFLICT (workspace_id, environment, account_id) DO UPDATE SET version = excluded.version RETURNING version`,
      [client, accounts],
    );
    return Number(row!.version);
  }

  async #open({ id, sequence, fields }: Version, version: number): Promise<void> {
    const all = { ...defaultFields, ...fields };
    const values = [id, sequence, version, new Date(this.#clock), ...Object.values(all)];
    await this.#query(
      `INSERT INTO transaction (workspace_id, environment, id, sequence, opened_version, known_from, ${Object.keys(all).join(', ')})
       VALUES ($1, $2, ${values.map((_, index) => `$${index + 3}`).join(', ')})`,
      values,
    );
  }

  async #close(id: string, version: number): Promise<void> {
    await this.#query(
      `UPDATE transaction SET known_until = $4, closed_version = $5
       WHERE workspace_id = $1 AND environment = $2 AND known_until IS NULL AND id = $3`,
      [id, new Date(this.#clock), version],
    );
  }

  async book(id: string, client: Id | null, fields: BookedFields): Promise<void> {
    await this.#write(client, async () => {
      const [row] = await this.#query<{ next: string }>(
        client === null
          ? `SELECT coalesce(min(sequence), 0) - 1 AS next FROM transaction
             WHERE workspace_id = $1 AND environment = $2 AND client_id IS NULL`
          : `SELECT coalesce(max(sequence), 0) + 1 AS next FROM transaction
             WHERE workspace_id = $1 AND environment = $2 AND client_id = $3`,
        client === null ? [] : [client],
      );
      const version = await this.#raiseVersions(client, [fields]);
      await this.#open({ id, sequence: row!.next, fields: { ...fields, client_id: client } }, version);
    });
  }

  /** Returns the current version; undefined if the row was deleted. */
  async #find(id: string): Promise<Version | undefined> {
    const [row] = await this.#query<{ sequence: string } & Record<string, unknown>>(
      `SELECT sequence, ${Object.keys(defaultFields).join(', ')}, date::text, account_id, counter_account_id, depository_id, instrument_id,
         client_id, quantity, counter_amount, counter_ccy_code
       FROM transaction WHERE workspace_id = $1 AND environment = $2 AND known_until IS NULL AND id = $3`,
      [id],
    );
    if (row === undefined) return undefined;
    const { sequence, ...fields } = row;
    return { id, sequence, fields };
  }

  /** Returns false if the row was already deleted. */
  async amend(id: string, client: Id | null, change: BookedFields): Promise<boolean> {
    return this.#write(client, async () => {
      const before = await this.#find(id);
      if (before === undefined) return false;
      const fields = { ...before.fields, ...change };
      const version = await this.#raiseVersions(client, [before.fields, fields]);
      await this.#close(id, version);
      await this.#open({ ...before, fields }, version);
      return true;
    });
  }

  async remove(id: string, client: Id | null): Promise<boolean> {
    return this.#write(client, async () => {
      const before = await this.#find(id);
      if (before === undefined) return false;
      await this.#close(id, await this.#raiseVersions(client, [before.fields]));
      return true;
    });
  }
}
