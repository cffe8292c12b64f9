// The baseline for Holdfast: the same rows read and written with straightforward plain SQL through the same driver. No row-level
// security, no tenant, no parsing of documents.

import pg from 'pg';
import { systemClock } from '../../src/kit/clock.ts';
import { systemIdSource } from '../../src/kit/id.ts';

export interface PlainSqlOptions {
  readonly databaseUrl: string;
  readonly workspaceId: string;
  readonly environment: string;
  /** The legal entity whose accounts are listed. */
  readonly listedId: string;
  /** The legal entity that gets new accounts. */
  readonly growingId: string;
  readonly connections: number;
}

export interface NewAccount {
  readonly name: string;
  readonly external_identifier: string;
  readonly currency: string;
}

export type SqlRow = Record<string, unknown>;

export const pageSize = 100;

const columns = `a.id, a.client_id, a.legal_entity_id, a.name, a.external_identifier, a.ccy_code,
  a.exclude_from_reporting, a.created_at`;
/** For one account at a time: fastest for a page. */
const depositories = `ARRAY(SELECT d.depository_id FROM account_depository d
  WHERE d.workspace_id = $1 AND d.environment = $2 AND d.account_id = a.id ORDER BY d.depository_id) AS depository_ids`;
/** For all accounts together: fastest for a list of thousands. */
const depositoriesByAccount = `SELECT account_id, array_agg(depository_id ORDER BY depository_id) AS ids FROM account_depository
  WHERE workspace_id = $1 AND environment = $2 GROUP BY account_id`;

const texts = {
  all: `SELECT ${columns}, coalesce(d.ids, '{}') AS depository_ids FROM account a
    LEFT JOIN (${depositoriesByAccount}) d ON d.account_id = a.id
    WHERE a.workspace_id = $1 AND a.environment = $2 AND a.legal_entity_id = $3 ORDER BY a.id LIMIT 10000`,
  page: `SELECT ${columns}, c.name AS institution, ${depositories} FROM account a
    LEFT JOIN custodian c ON c.workspace_id = $1 AND c.environment = $2 AND c.id = a.custodian_id
    WHERE a.workspace_id = $1 AND a.environment = $2 AND a.legal_entity_id = $3 AND a.id > $4
    ORDER BY a.id LIMIT ${pageSize + 1}`,
  owner: `SELECT client_id FROM legal_entity WHERE workspace_id = $1 AND environment = $2 AND id = $3 FOR KEY SHARE`,
  account: `INSERT INTO account (workspace_id, environment, id, client_id, legal_entity_id, name, external_identifier,
      ccy_code, exclude_from_reporting, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, false, $9) RETURNING *`,
  audit: `INSERT INTO audit_entry (workspace_id, environment, id, client_id, at, act, subject_type, subject_id,
      request_id, after)
    VALUES ($1, $2, $3, $4, $5, 'create', 'account', $6, $7, $8)`,
};

export class PlainSql {
  readonly #pool: pg.Pool;
  readonly #tenant: readonly [string, string];
  readonly #options: PlainSqlOptions;
  readonly #ids = systemIdSource(systemClock);

  constructor(options: PlainSqlOptions) {
    this.#options = options;
    this.#pool = new pg.Pool({ connectionString: options.databaseUrl, max: options.connections });
    this.#tenant = [options.workspaceId, options.environment];
  }

  async listAll(): Promise<SqlRow[]> {
    return this.#query(this.#pool, 'all', [this.#options.listedId]);
  }

  /** Reads one row more than a page to see whether another page follows. */
  async listPage(after: string): Promise<SqlRow[]> {
    return this.#query(this.#pool, 'page', [this.#options.listedId, after]);
  }

  /** Creates an account in its own transaction. */
  async create({ name, external_identifier, currency }: NewAccount): Promise<SqlRow> {
    const { growingId } = this.#options;
    const client = await this.#pool.connect();
    try {
      await client.query('BEGIN');
      const [owner] = await this.#query(client, 'owner', [growingId]);
      if (owner === undefined) throw new Error('The legal entity does not exist.');
      const [id, now] = [this.#ids.next(), new Date()];
      const values = [id, owner['client_id'], growingId, name, external_identifier, currency, now];
      const [account] = await this.#query(client, 'account', values);
      const entry = [this.#ids.next(), owner['client_id'], now, id, this.#ids.next(), JSON.stringify(account)];
      await this.#query(client, 'audit', entry);
      await client.query('COMMIT');
      return account!;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }

  async #query(
    connection: pg.Pool | pg.PoolClient,
    name: keyof typeof texts,
    values: readonly unknown[],
  ): Promise<SqlRow[]> {
    return (await connection.query<SqlRow>({ name, text: texts[name], values: [...this.#tenant, ...values] })).rows;
  }
}
