// The numbers that bookings and ledgers have come to. Whoever takes one holds what it counts until the end of its transaction, so
// that numbers are without gaps in time: a reader who has seen one has seen all before it. Knows no transaction.

import type { Id } from '../kit/id.ts';
import type { Reach } from '../model/reach.ts';
import type { Run } from './database.ts';
import { sql } from './statement.ts';

const lockClient = sql(
  'ledger-numbers/lock-client',
  'SELECT FROM client WHERE workspace_id = $1 AND environment = $2 AND id = $3 FOR NO KEY UPDATE',
);

const lockEnvironment = sql(
  'ledger-numbers/lock-environment',
  'SELECT FROM environment WHERE workspace_id = $1 AND environment = $2 FOR NO KEY UPDATE',
);

const nextOfClient = sql<{ next: number }>(
  'ledger-numbers/next-of-client',
  `SELECT coalesce(max(sequence), 0) + 1 AS next FROM transaction
   WHERE workspace_id = $1 AND environment = $2 AND client_id = $3`,
);

/** Below zero, so that no client's numbers are among them. */
const nextOfNone = sql<{ next: number }>(
  'ledger-numbers/next-of-none',
  `SELECT coalesce(min(sequence), 0) - 1 AS next FROM transaction
   WHERE workspace_id = $1 AND environment = $2 AND client_id IS NULL`,
);

/** In the order of their ids, and all to one number beyond that of each. */
const raiseAccounts = sql<{ version: number }>(
  'ledger-numbers/raise',
  `WITH raised AS (SELECT coalesce(max(l.version), 0) + 1 AS version FROM account_ledger l
     WHERE l.workspace_id = $1 AND l.environment = $2 AND l.account_id = ANY ($4::text[]))
   INSERT INTO account_ledger AS l (workspace_id, environment, client_id, account_id, version)
   SELECT $1, $2, $3, one, raised.version FROM unnest($4::text[]) one, raised ORDER BY one
   ON CONFLICT (workspace_id, environment, account_id) DO UPDATE SET version = excluded.version
   RETURNING version`,
);

const nextOfAccountless = sql<{ version: number }>(
  'ledger-numbers/accountless',
  `SELECT greatest(coalesce(max(opened_version), 0), coalesce(max(closed_version), 0)) + 1 AS version FROM transaction
   WHERE workspace_id = $1 AND environment = $2 AND account_id IS NULL`,
);

export class LedgerNumbers {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor({ workspaceId, environment }: Reach, run: Run) {
    this.#run = run;
    this.#tenant = [workspaceId, environment];
  }

  /**
   * One at a time books for a client; what is booked for no account, one at a time for all. The hierarchy of clients is locked in
   * the same order: the environment before a client.
   */
  lock(client: Id | null, accounts: readonly Id[]): void {
    if (accounts.length === 0) this.#run.later(lockEnvironment, this.#tenant);
    if (client !== null) this.#run.later(lockClient, [...this.#tenant, client]);
  }

  /** The number of the next booking of a client that is locked. */
  async nextSequence(client: Id | null): Promise<number> {
    const { rows } =
      client === null
        ? await this.#run(nextOfNone, this.#tenant)
        : await this.#run(nextOfClient, [...this.#tenant, client]);
    return rows[0]!.next;
  }

  /** Raises the ledgers of these accounts, which are locked, and answers the version that they have then. */
  async raise(client: Id | null, accounts: readonly Id[]): Promise<number> {
    if (accounts.length === 0) return (await this.#run(nextOfAccountless, this.#tenant)).rows[0]!.version;
    return (await this.#run(raiseAccounts, [...this.#tenant, client, accounts])).rows[0]!.version;
  }
}
