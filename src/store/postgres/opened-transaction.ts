// Opens a transaction with its first batch, so that entering its scope takes no round trip.

import { Refusal } from '../../kit/refusal.ts';
import type { LentConnection } from './connections.ts';
import { requireCredentialAlive } from './enter-scope.ts';
import type { Call, Outcome } from './statement.ts';

export class OpenedTransaction {
  readonly #connection: LentConnection;
  /** Begins the transaction, and then says whether the caller's credential is alive. */
  readonly #opening: readonly Call[];
  /** The answers of the first batch; rejected if the credential is not alive. */
  #first: Promise<Outcome[]> | undefined;

  constructor(connection: LentConnection, opening: readonly Call[]) {
    this.#connection = connection;
    this.#opening = opening;
  }

  send(calls: readonly Call[]): Promise<Outcome[]> {
    if (this.#first !== undefined) return this.#connection.send(calls);
    this.#first = this.#open(calls);
    return this.#first;
  }

  async #open(calls: readonly Call[]): Promise<Outcome[]> {
    const outcomes = await this.#connection.send([...this.#opening, ...calls]);
    requireCredentialAlive(outcomes[1]);
    return outcomes.slice(this.#opening.length);
  }

  /** To be awaited before the commit: nothing is committed before the credential is known to be alive. */
  async ensureOpened(): Promise<void> {
    try {
      await (this.#first ?? this.send([]));
    } catch (error) {
      if (error instanceof Refusal) throw error;
      await this.#checkAgain(error);
    }
  }

  /** After a first batch that failed: the transaction goes on only if its work has rolled back to a savepoint. */
  async #checkAgain(failure: unknown): Promise<void> {
    const [, ...enter] = this.#opening;
    const outcomes = await this.#connection.send(enter).catch(() => {
      throw failure;
    });
    requireCredentialAlive(outcomes[0]);
  }
}
