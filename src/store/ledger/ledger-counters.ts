// Counts bookings and ledger versions. Each counter stays locked until its transaction ends, so that numbers become visible in
// order: a reader that sees one number sees all before it.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { arrayOfAnyLength, sql, type Statement } from '../postgres/statement.ts';

/** Locks in the order of ids, so that two transactions that lock several clients cannot deadlock. */
const lockClients = sql(
  'ledger-numbers/lock-clients',
  `SELECT FROM client WHERE workspace_id = $1 AND environment = $2 AND id = ANY (${arrayOfAnyLength('$3')})
   ORDER BY id FOR NO KEY UPDATE`,
);

/** Locks the clients of accounts or depositories before it is known who they are. */
const lockClientsOf = {
  account: lockClientsOfSql('account'),
  depository: lockClientsOfSql('depository'),
} as const;

function lockClientsOfSql(table: 'account' | 'depository'): Statement<unknown> {
  return sql(
    `ledger-numbers/lock-clients-of-${table}`,
    `SELECT FROM client c WHERE c.workspace_id = $1 AND c.environment = $2 AND c.id IN (SELECT a.client_id FROM ${table} a
       WHERE a.workspace_id = $1 AND a.environment = $2 AND a.id = ANY (${arrayOfAnyLength('$3')}))
     ORDER BY c.id FOR NO KEY UPDATE OF c`,
  );
}

const nextSequencesOf = sql<{ client: Id; next: number }>(
  'ledger-numbers/next-of-accounts',
  `SELECT DISTINCT a.client_id AS client, 1 + coalesce(b.last_sequence, 0) AS next FROM account a
   LEFT JOIN booking_count b ON b.workspace_id = $1 AND b.environment = $2 AND b.client_id = a.client_id
   WHERE a.workspace_id = $1 AND a.environment = $2 AND a.id = ANY (${arrayOfAnyLength('$3')})`,
);

const lockEnvironment = sql(
  'ledger-numbers/lock-environment',
  'SELECT FROM environment WHERE workspace_id = $1 AND environment = $2 FOR NO KEY UPDATE',
);

const nextSequencesOfClients = sql<{ client: Id; next: number }>(
  'ledger-numbers/next-of-clients',
  `SELECT client, 1 + coalesce((SELECT b.last_sequence FROM booking_count b
     WHERE b.workspace_id = $1 AND b.environment = $2 AND b.client_id = client), 0) AS next
   FROM unnest($3::text[]) client`,
);

/** Writes in the order of ids. */
const putSequences = sql(
  'ledger-numbers/last-of-clients',
  `INSERT INTO booking_count (workspace_id, environment, client_id, last_sequence)
   SELECT $1, $2, s.client, s.last FROM unnest($3::text[], $4::bigint[]) s (client, last) ORDER BY s.client
   ON CONFLICT (workspace_id, environment, client_id) DO UPDATE SET last_sequence = excluded.last_sequence`,
);

/** Counts down from -1, so that these numbers never collide with those of a client. */
const nextClientlessSequence = sql<{ next: number }>(
  'ledger-numbers/next-of-none',
  `SELECT coalesce(min(sequence), 0) - 1 AS next FROM transaction
   WHERE workspace_id = $1 AND environment = $2 AND client_id IS NULL`,
);

const versionsOfAccounts = sql<{ account: Id; version: number }>(
  'ledger-numbers/versions',
  `SELECT account_id AS account, version FROM account_ledger
   WHERE workspace_id = $1 AND environment = $2 AND account_id = ANY (${arrayOfAnyLength('$3')})`,
);

const getAccountlessVersion = sql<{ version: number }>(
  'ledger-numbers/accountless',
  `SELECT greatest(coalesce(max(opened_version), 0), coalesce(max(closed_version), 0)) AS version FROM transaction
   WHERE workspace_id = $1 AND environment = $2 AND account_id IS NULL`,
);

/** Writes in the order of ids, so that two transactions cannot deadlock. */
const putAccountVersions = sql(
  'ledger-numbers/raise',
  `INSERT INTO account_ledger AS l (workspace_id, environment, client_id, account_id, version)
   SELECT $1, $2, s.client, s.account, s.version FROM unnest($3::text[], $4::text[], $5::bigint[]) s (client, account, version)
   ORDER BY s.account
   ON CONFLICT (workspace_id, environment, account_id) DO UPDATE SET version = excluded.version`,
);

/** The version of one account's ledger. */
export interface AccountVersion {
  readonly account: Id;
  readonly client: Id;
  readonly version: number;
}

export class LedgerCounters {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#run = run;
    this.#tenant = [workspaceId, environment];
  }

  /** Serialises bookings for each of these clients. Sends the statement with the next batch. */
  lockClients(clients: readonly Id[]): void {
    if (clients.length > 0) this.#run.enqueue(lockClients, [...this.#tenant, clients]);
  }

  /** Serialises changes of the client that an account or depository belongs to. Sends the statement with the next batch. */
  lockClientAt(location: 'account' | 'depository', id: Id): void {
    this.#run.enqueue(lockClientsOf[location], [...this.#tenant, [id]]);
  }

  /**
   * Serialises bookings without an account across the environment. Locks the environment before any client, in the same order as
   * moves in the client hierarchy. Sends the statement with the next batch.
   */
  lockAccountless(): void {
    this.#run.enqueue(lockEnvironment, this.#tenant);
  }

  /** Returns the next booking number of each client. The clients must be locked. */
  async nextSequences(clients: readonly Id[]): Promise<ReadonlyMap<Id, number>> {
    if (clients.length === 0) return new Map();
    const { rows } = await this.#run(nextSequencesOfClients, [...this.#tenant, clients]);
    return new Map(rows.map(({ client, next }) => [client, next]));
  }

  /** Locks the clients of accounts, and returns the next booking number of each. */
  async lockClientsOf(accounts: readonly Id[]): Promise<ReadonlyMap<Id, number>> {
    this.#run.enqueue(lockClientsOf.account, [...this.#tenant, accounts]);
    const { rows } = await this.#run(nextSequencesOf, [...this.#tenant, accounts]);
    return new Map(rows.map(({ client, next }) => [client, next]));
  }

  /** Writes the last booking numbers of clients that are locked. Sends the statement with the next batch, or with the commit. */
  putLastSequences(last: ReadonlyMap<Id, number>): void {
    if (last.size === 0) return;
    this.#run.enqueue(putSequences, [...this.#tenant, [...last.keys()], [...last.values()].map(String)]);
  }

  /** Returns the next booking number for no client. These numbers count down. */
  async nextClientlessSequence(): Promise<number> {
    const { rows } = await this.#run(nextClientlessSequence, this.#tenant);
    return defined(rows[0], 'an aggregate returns one row').next;
  }

  /** Returns the ledger version of each account. Leaves out accounts without bookings. */
  async listVersions(accounts: readonly Id[]): Promise<ReadonlyMap<Id, number>> {
    if (accounts.length === 0) return new Map();
    const { rows } = await this.#run(versionsOfAccounts, [...this.#tenant, accounts]);
    return new Map(rows.map(({ account, version }) => [account, version]));
  }

  async getAccountlessVersion(): Promise<number> {
    const { rows } = await this.#run(getAccountlessVersion, this.#tenant);
    return defined(rows[0], 'an aggregate returns one row').version;
  }

  /**
   * Writes new ledger versions of accounts whose clients are locked. Sends the statement with the next batch, or with the commit.
   */
  putVersions(versions: readonly AccountVersion[]): void {
    if (versions.length === 0) return;
    const columns = [
      versions.map(({ client }) => client),
      versions.map(({ account }) => account),
      versions.map(({ version }) => String(version)),
    ];
    this.#run.enqueue(putAccountVersions, [...this.#tenant, ...columns]);
  }
}
