// The numbers that bookings and ledgers have come to. Whoever takes one holds what it counts until the end of its transaction, so
// that numbers are without gaps in time: a reader who has seen one has seen all before it. Knows no transaction.

import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

/** In the order of their ids, so that no two who lock several wait for each other. */
const lockClients = sql(
  'ledger-numbers/lock-clients',
  `SELECT FROM client WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::text[])
   ORDER BY id FOR NO KEY UPDATE`,
);

const lockEnvironment = sql(
  'ledger-numbers/lock-environment',
  'SELECT FROM environment WHERE workspace_id = $1 AND environment = $2 FOR NO KEY UPDATE',
);

const nextSequencesOfClients = sql<{ client: Id; next: number }>(
  'ledger-numbers/next-of-clients',
  `SELECT client, (SELECT coalesce(max(t.sequence), 0) + 1 FROM transaction t
     WHERE t.workspace_id = $1 AND t.environment = $2 AND t.client_id = client) AS next
   FROM unnest($3::text[]) client`,
);

/** Below zero, so that no client's numbers are among them. */
const nextClientlessSequence = sql<{ next: number }>(
  'ledger-numbers/next-of-none',
  `SELECT coalesce(min(sequence), 0) - 1 AS next FROM transaction
   WHERE workspace_id = $1 AND environment = $2 AND client_id IS NULL`,
);

const versionsOfAccounts = sql<{ account: Id; version: number }>(
  'ledger-numbers/versions',
  `SELECT account_id AS account, version FROM account_ledger
   WHERE workspace_id = $1 AND environment = $2 AND account_id = ANY ($3::text[])`,
);

const getAccountlessVersion = sql<{ version: number }>(
  'ledger-numbers/accountless',
  `SELECT greatest(coalesce(max(opened_version), 0), coalesce(max(closed_version), 0)) AS version FROM transaction
   WHERE workspace_id = $1 AND environment = $2 AND account_id IS NULL`,
);

/** In the order of their ids. */
const putAccountVersions = sql(
  'ledger-numbers/raise',
  `INSERT INTO account_ledger AS l (workspace_id, environment, client_id, account_id, version)
   SELECT $1, $2, s.client, s.account, s.version FROM unnest($3::text[], $4::text[], $5::bigint[]) s (client, account, version)
   ORDER BY s.account
   ON CONFLICT (workspace_id, environment, account_id) DO UPDATE SET version = excluded.version`,
);

/** How far the ledger of an account has come. */
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

  /** One at a time books for a client. Goes with what is sent next. */
  lockClients(clients: readonly Id[]): void {
    if (clients.length > 0) this.#run.enqueue(lockClients, [...this.#tenant, clients]);
  }

  /**
   * What is booked for no account is booked one at a time for all. The hierarchy of clients is locked in the same order: the
   * environment before a client. Goes with what is sent next.
   */
  lockAccountless(): void {
    this.#run.enqueue(lockEnvironment, this.#tenant);
  }

  /** The number of the next booking of each of these clients, which are locked. */
  async nextSequences(clients: readonly Id[]): Promise<ReadonlyMap<Id, number>> {
    if (clients.length === 0) return new Map();
    const { rows } = await this.#run(nextSequencesOfClients, [...this.#tenant, clients]);
    return new Map(rows.map(({ client, next }) => [client, next]));
  }

  /** The number of the next booking of no client. They count down. */
  async nextClientlessSequence(): Promise<number> {
    return (await this.#run(nextClientlessSequence, this.#tenant)).rows[0]!.next;
  }

  /** How far these accounts' ledgers have come; one that nothing was booked in is not there. */
  async listVersions(accounts: readonly Id[]): Promise<ReadonlyMap<Id, number>> {
    if (accounts.length === 0) return new Map();
    const { rows } = await this.#run(versionsOfAccounts, [...this.#tenant, accounts]);
    return new Map(rows.map(({ account, version }) => [account, version]));
  }

  async getAccountlessVersion(): Promise<number> {
    return (await this.#run(getAccountlessVersion, this.#tenant)).rows[0]!.version;
  }

  /** Raises the ledgers of accounts whose clients are locked. Goes with what is sent next, or with the commit. */
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
