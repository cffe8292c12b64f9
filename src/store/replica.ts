// A replica that follows the primary: reports load from it what the primary then confirms. Whatever is wrong with it, the primary is asked
// instead, and a replica that has failed is left alone for a while.

import { defined } from '../kit/assert.ts';
import { secondMs, type Clock } from '../kit/clock.ts';
import { Refusal } from '../kit/refusal.ts';
import type { NodeFigures, ReplicaOutcome } from '../model/operations/node-figures.ts';
import type { Database } from './postgres/database.ts';
import { sql } from './postgres/statement.ts';
import type { StoreOptions } from './scoped-tables.ts';
import { SnapshotStore } from './store.ts';

/** How long a replica that has failed is not asked; then it is tried without anybody waiting for it. */
const restMs = 10 * secondMs;

interface ServerRow {
  /** Whether it follows another server. */
  readonly standby: boolean;
  /** The same for a server and what follows it. */
  readonly system: string;
}

const describeServer = sql<ServerRow>(
  'replica/server',
  'SELECT pg_is_in_recovery() AS standby, system_identifier::text AS system FROM pg_control_system()',
);

const primaryPosition = sql<{ position: string }>('replica/position', 'SELECT pg_current_wal_lsn()::text AS position');

/** Of a replica that lacks something: how old the last that it has is. A replica that has everything is not behind, however old that is. */
const measureLag = sql<ServerRow & { seconds: number }>(
  'replica/lag',
  `SELECT pg_is_in_recovery() AS standby, system_identifier::text AS system,
     CASE WHEN pg_last_wal_replay_lsn() >= $1::pg_lsn THEN 0 ELSE greatest(0, extract(epoch FROM
       clock_timestamp() - coalesce(pg_last_xact_replay_timestamp(), pg_postmaster_start_time()))) END::float8 AS seconds
   FROM pg_control_system()`,
);

/** Thrown when the server is no replica of the primary, such as one that was promoted. */
class NotStandby extends Error {}

/** What a read that failed says about the replica. */
function outcomeOf(error: unknown): ReplicaOutcome {
  if (error instanceof NotStandby) return 'not-standby';
  if (!(error instanceof Refusal)) return 'failed';
  if (error.code === 'records-busy') return 'conflict';
  if (error.code === 'too-many-in-flight') return 'busy';
  // Whatever else is refused, such as a credential that is too new for it, the primary decides.
  return error.code.startsWith('database-') ? 'away' : 'behind';
}

const outcomesToRestAfter: readonly ReplicaOutcome[] = ['away', 'not-standby', 'failed'];

export type ReplicaState =
  | { readonly state: 'following'; readonly lagSeconds: number }
  | { readonly state: 'not-standby' };

interface ReplicaParts {
  readonly database: Database;
  readonly primary: Database;
  readonly clock: Clock;
  readonly figures: NodeFigures;
}

export class Replica {
  readonly #parts: ReplicaParts;
  /** Of the primary, once it is known. */
  #system: string | undefined;
  /** When it last failed; undefined while it is in use. */
  #restsSince: number | undefined;
  #isTried = false;

  constructor(parts: ReplicaParts) {
    this.#parts = parts;
  }

  /** Reads that all see the same moment of the replica. Undefined if it cannot be asked now. Never throws. */
  async inSnapshot<T>(
    options: StoreOptions,
    work: (store: SnapshotStore) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const { database, figures } = this.#parts;
    if (this.#restsSince !== undefined) {
      this.#tryAgain(this.#restsSince);
      figures.add('replica/resting');
      return undefined;
    }
    try {
      const system = await this.#findSystem();
      const scope = database.openScope(options.scope);
      return await database.readSnapshot(scope, async (run) => {
        this.#requireStandby((await run(describeServer, [])).rows[0], system);
        return work(new SnapshotStore({ ...options, scope, run }));
      });
    } catch (error) {
      const outcome = outcomeOf(error);
      figures.add(`replica/${outcome}`);
      if (outcomesToRestAfter.includes(outcome)) this.#rest();
      return undefined;
    }
  }

  #rest(): void {
    this.#restsSince = this.#parts.clock.now();
  }

  #tryAgain(since: number): void {
    // A clock that was set back does not prolong it.
    if (this.#isTried || Math.abs(this.#parts.clock.now() - since) < restMs) return;
    this.#isTried = true;
    void this.#check().then(
      () => {
        this.#isTried = false;
        this.#restsSince = undefined;
      },
      () => {
        this.#isTried = false;
        this.#rest();
      },
    );
  }

  async #check(): Promise<void> {
    const system = await this.#findSystem();
    const { rows } = await this.#parts.database.readPreAuth(describeServer, []);
    this.#requireStandby(rows[0], system);
  }

  async #findSystem(): Promise<string> {
    return (this.#system ??= (await this.#parts.primary.readPreAuth(describeServer, [])).rows[0]?.system ?? '');
  }

  #requireStandby(server: ServerRow | undefined, system: string): void {
    if (server?.standby === true && server.system === system) return;
    this.#system = undefined; // the primary may be another one by now
    throw new NotStandby('The server of DATABASE_READ_URL is no standby of that of DATABASE_URL.');
  }

  /** Throws if one of the two does not answer. */
  async measure(): Promise<ReplicaState> {
    const { database, primary } = this.#parts;
    const system = await this.#findSystem();
    const { rows } = await primary.readPreAuth(primaryPosition, []);
    const { position } = defined(rows[0], 'the statement returns one row');
    const measured = defined((await database.readPreAuth(measureLag, [position])).rows[0], 'so does this one');
    if (!measured.standby || measured.system !== system) return { state: 'not-standby' };
    return { state: 'following', lagSeconds: measured.seconds };
  }

  abort(): void {
    this.#parts.database.abort();
  }

  close(): Promise<void> {
    return this.#parts.database.close();
  }
}
