// Opens a transaction with its first batch, so that entering its scope takes no round trip.

import type { LentConnection } from './connections.ts';
import { requireCredentialAlive } from './enter-scope.ts';
import type { Call, Outcome } from './statement.ts';

export class OpenedTransaction {
  readonly #connection: LentConnection;
  /** Begins the transaction, and then says whether the caller's credential is alive. */
  readonly #opening: readonly Call[];
  #isOpened = false;

  constructor(connection: LentConnection, opening: readonly Call[]) {
    this.#connection = connection;
    this.#opening = opening;
  }

  /** The answers of the first batch are passed on only if the credential is alive. */
  async send(calls: readonly Call[]): Promise<Outcome[]> {
    if (this.#isOpened) return this.#connection.send(calls);
    this.#isOpened = true;
    const outcomes = await this.#connection.send([...this.#opening, ...calls]);
    requireCredentialAlive(outcomes[1]);
    return outcomes.slice(this.#opening.length);
  }

  /** To be awaited before the commit: nothing is committed before the credential is known to be alive. */
  async ensureOpened(): Promise<void> {
    if (!this.#isOpened) await this.send([]);
  }
}
