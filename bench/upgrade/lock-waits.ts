// Looks many times a second at who waits for a lock in the database, and remembers the longest wait of a request.

import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const lookEveryMs = 20;

/** Migrations wait for requests, too; that holds up nobody and does not count. Nor does the lock with which bookings of a client follow each other. */
const longestWait = `
SELECT coalesce(max(extract(epoch FROM clock_timestamp() - l.waitstart) * 1000), 0)::float AS ms
FROM pg_locks l JOIN pg_stat_activity a USING (pid)
WHERE NOT l.granted AND l.locktype IN ('relation', 'tuple') AND a.datname = current_database()
  AND a.query !~* '^\\s*(--.*\\n\\s*)*(alter|create|drop|do|update transaction set upgrade)'`;

export class LockWaits {
  readonly #client: pg.Client;
  readonly #looking: Promise<void>;
  #isOver = false;
  longestMs = 0;
  looks = 0;

  private constructor(client: pg.Client) {
    this.#client = client;
    this.#looking = this.#look();
  }

  static async watch(databaseUrl: string): Promise<LockWaits> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    return new LockWaits(client);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#looking;
    await this.#client.end();
  }

  async #look(): Promise<void> {
    while (!this.#isOver) {
      const { rows } = await this.#client.query<{ ms: number }>(longestWait);
      this.longestMs = Math.max(this.longestMs, rows[0]?.ms ?? 0);
      this.looks += 1;
      await delay(lookEveryMs);
    }
  }
}
