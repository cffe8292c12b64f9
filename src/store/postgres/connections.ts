// The connections of a node to PostgreSQL: lends them, sends batches over them, and ends those whose server has gone silent, such as after a
// network failure that no end of the connection reports.

import pg from 'pg';
import { Refusal } from '../../kit/refusal.ts';
import { activeSpan } from '../../kit/tracing/span.ts';
import { KeyedLimit } from '../../kit/concurrency/keyed-limit.ts';
import type { NodeFigures } from '../../model/operations/node-figures.ts';
import { databaseErrorKind } from './database-errors.ts';
import { PipelinedBatch, driverConnection } from './pipelined-batch.ts';
import { traceBatch } from './statement-span.ts';
import { sql, type Call, type Outcome } from './statement.ts';

export interface ConnectionsOptions {
  readonly connection: pg.PoolConfig;
  readonly poolSize: number;
  /** Use `unnamed` behind older PgBouncers in transaction mode, which break named statements. */
  readonly statements: 'named' | 'unnamed';
  /** A connection that is silent for this long while a batch is answered is ended. Above the server's own timeouts. */
  readonly answerMs?: number;
  /** How many connections one owner, such as a workspace, may hold at the same time, and how long it waits for one of these. */
  readonly ownerShare?: { readonly connections: number; readonly waitMs: number };
  readonly onIdleError?: (error: Error) => void;
  /** Called with how long an owner has held a connection. */
  readonly onUse?: (owner: string, ms: number) => void;
  /** Where connections and errors are counted. */
  readonly figures?: NodeFigures;
}

/** Nothing that the server does for these can take longer. */
const shortAnswerMs = 5_000;
/** A connection that accepts no changes is kept for this long: opening one for each refused change would cost more than the change. */
const readOnlyKeptMs = 2_000;
/** Time to read what has arrived while the event loop was blocked. */
const lateReadMs = 1_000;

/**
 * Lets the server notice within half a minute that a node has vanished, instead of hours, and never compile a statement: that takes longer
 * than running it. Poolers that run in front of the database have connections of their own, so with `unnamed` statements the first is not
 * set, and the second in each transaction.
 */
const prepareSession = sql(
  'prepare-session',
  `SELECT set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
     set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '25000', false), set_config('jit', 'off', false)`,
);

/** Has the code of a system error, since the database cannot be used over this connection. */
function connectionFault(code: 'ETIMEDOUT' | 'ECONNABORTED', message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** The part of a socket that tells whether the server is silent. */
interface AnsweringStream {
  readonly bytesRead?: number;
  destroy(error: Error): unknown;
}

interface SilenceWatch {
  readonly answerMs: number;
  onSilence(): void;
}

/** Destroys the stream when nothing has arrived for `answerMs`. Returns a function that stops watching. */
function endWhenSilent(stream: AnsweringStream, { answerMs, onSilence }: SilenceWatch): () => void {
  let received = stream.bytesRead;
  let isLate = false;
  const check = (): void => {
    if (stream.bytesRead === received && isLate) {
      onSilence();
      stream.destroy(connectionFault('ETIMEDOUT', `The database has been silent for ${answerMs} ms.`));
      return;
    }
    isLate = stream.bytesRead === received;
    received = stream.bytesRead;
    timer = setTimeout(check, isLate ? Math.min(lateReadMs, answerMs) : answerMs);
  };
  let timer = setTimeout(check, answerMs);
  return () => clearTimeout(timer);
}

type Rewrite = (call: Call) => Call;

interface LentConnectionParts {
  readonly client: pg.PoolClient;
  readonly options: ConnectionsOptions;
  readonly owner: string | undefined;
  /** What becomes of each call before it is sent. */
  readonly rewrite: Rewrite | undefined;
  /** Whose connection it is. */
  readonly home: Connections;
  onSilence(): void;
}

/** A connection that is lent until it is given back or ended. */
export class LentConnection {
  readonly #parts: LentConnectionParts;
  /** How many batches have no answer yet. */
  #unanswered = 0;
  readonly lentAt = performance.now();

  constructor(parts: LentConnectionParts) {
    this.#parts = parts;
  }

  get owner(): string | undefined {
    return this.#parts.owner;
  }

  get client(): pg.PoolClient {
    return this.#parts.client;
  }

  get home(): Connections {
    return this.#parts.home;
  }

  /** Gives the connection back; one that cannot be used any more is ended. */
  giveBack(isUsable: boolean): void {
    this.#parts.home.takeBack(this, isUsable);
  }

  /**
   * Gives back a connection that accepts no changes. A server says so when a connection is opened, and the connection keeps it: a new one
   * notices that changes are accepted again.
   */
  giveBackReadOnly(): void {
    this.#parts.home.takeBackReadOnly(this);
  }

  /** Sends at once, also while a batch before is answered. */
  send(calls: readonly Call[], answerMs = this.#parts.options.answerMs): Promise<Outcome[]> {
    const span = activeSpan();
    return span === undefined
      ? this.#send(calls, answerMs)
      : traceBatch(span, calls, () => this.#send(calls, answerMs));
  }

  async #send(calls: readonly Call[], answerMs: number | undefined): Promise<Outcome[]> {
    const { client, options, rewrite, onSilence } = this.#parts;
    const { stream } = driverConnection(client.connection);
    const stopWatching = answerMs === undefined ? undefined : endWhenSilent(stream, { answerMs, onSilence });
    const isBusy = this.#unanswered++ > 0;
    try {
      const batch = client.query(
        new PipelinedBatch(rewrite === undefined ? calls : calls.map(rewrite), options.statements),
      );
      if (isBusy) batch.sendAhead(client.connection);
      return await batch.done;
    } catch (error) {
      if (!(error instanceof Refusal)) options.figures?.add(`database-error/${databaseErrorKind(error)}`);
      throw error;
    } finally {
      this.#unanswered--;
      stopWatching?.();
    }
  }

  /** Sends what the server answers at once, whatever it is busy with. */
  sendShort(calls: readonly Call[]): Promise<Outcome[]> {
    const { answerMs = shortAnswerMs } = this.#parts.options;
    return this.send(calls, Math.min(answerMs, shortAnswerMs));
  }

  /** Breaks the connection, so that whatever waits for it fails. */
  abort(): void {
    const { stream } = driverConnection(this.client.connection);
    stream.destroy(connectionFault('ECONNABORTED', 'The connection was ended because the node stops.'));
  }
}

/** To whom a connection is lent, and what becomes of each call before it is sent over it. */
interface Lending {
  readonly owner?: string | undefined;
  readonly rewrite?: Rewrite | undefined;
}

/** Ends a connection at once: a polite end would wait for a server that may be silent. */
function endAtOnce(client: pg.PoolClient): void {
  driverConnection(client.connection).stream.destroy();
  client.release(true);
}

type CountedFigure = 'connections-max' | 'connections' | 'connections-idle' | 'connections-awaited';

export class Connections {
  readonly #pool: pg.Pool;
  readonly #options: ConnectionsOptions;
  readonly #lent = new Set<LentConnection>();
  readonly #shares: KeyedLimit | undefined;
  readonly #counted = new Map<CountedFigure, number>();
  /** Rejects those that wait for a connection. */
  readonly #waiting = new Set<(error: Error) => void>();
  readonly #openedAt = new WeakMap<pg.ClientBase, number>();
  /** Connections that were opened before may still accept no changes when the server does. */
  #suspectBefore = -Infinity;
  /** When each free connection last answered. */
  readonly #answeredAt = new WeakMap<pg.PoolClient, number>();
  /** Free connections that have not answered since are probably silent as well. */
  #silenceNoticedAt = -Infinity;
  #isAborted = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#shares = options.ownerShare && new KeyedLimit(options.ownerShare.connections);
    const onConnect = (client: pg.ClientBase): Promise<unknown> => this.#prepare(client as pg.PoolClient);
    const hooks = options.statements === 'named' ? { onConnect } : {};
    this.#pool = new pg.Pool({ ...options.connection, max: options.poolSize, ...hooks });
    this.#pool.on('error', (error) => options.onIdleError?.(error));
    // A connection lost during a transaction fails its next statement; without a listener, its error would also end the process.
    this.#pool.on('connect', (client) => {
      client.on('error', () => {});
      this.#openedAt.set(client, performance.now());
    });
    this.#count('connections-max', options.poolSize);
    for (const event of ['connect', 'acquire', 'release', 'remove'] as const)
      this.#pool.on(event, () => this.#reportConnections());
  }

  #reportConnections(): void {
    this.#count('connections', this.#pool.totalCount);
    this.#count('connections-idle', this.#pool.idleCount);
    this.#count('connections-awaited', this.#pool.waitingCount);
  }

  /** A node may have connections to several servers: their figures add up. */
  #count(figure: CountedFigure, count: number): void {
    this.#options.figures?.add(figure, count - (this.#counted.get(figure) ?? 0));
    this.#counted.set(figure, count);
  }

  #prepare(client: pg.PoolClient): Promise<unknown> {
    return this.#lentConnection(client, {}).sendShort([{ statement: prepareSession, values: [] }]);
  }

  #lentConnection(client: pg.PoolClient, { owner, rewrite }: Lending): LentConnection {
    const onSilence = (): void => void (this.#silenceNoticedAt = performance.now());
    return new LentConnection({ client, options: this.#options, owner, rewrite, home: this, onSilence });
  }

  /** Waits for a connection of the owner's share, and for a free one: at most as long as the options allow. */
  async lend({ owner, rewrite }: Lending): Promise<LentConnection> {
    if (owner !== undefined) await this.#enterShare(owner);
    try {
      const lent = this.#lentConnection(await this.#connectTrusted(), { owner, rewrite });
      this.#lent.add(lent);
      return lent;
    } catch (error) {
      this.#leaveShare(owner);
      throw error;
    }
  }

  async #enterShare(owner: string): Promise<void> {
    const { ownerShare, figures } = this.#options;
    const entered = this.#shares?.enter(owner, { waitMsMax: ownerShare?.waitMs });
    if (entered === undefined) return;
    figures?.add('share-awaited');
    await entered.finally(() => figures?.add('share-awaited', -1));
  }

  #leaveShare(owner: string | undefined): void {
    if (owner !== undefined) this.#shares?.leave(owner);
  }

  async #connectTrusted(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#connect();
      const isHeard = (this.#answeredAt.get(client) ?? Infinity) > this.#silenceNoticedAt;
      if (isHeard && !this.#isSuspect(client)) return client;
      endAtOnce(client);
    }
  }

  #connect(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      if (this.#isAborted) return reject(new Error('Cannot use a pool after calling end on the pool'));
      this.#waiting.add(reject);
      this.#pool.connect((error, client) => {
        this.#waiting.delete(reject);
        if (error !== undefined || client === undefined) {
          this.#options.figures?.add(`database-error/${databaseErrorKind(error)}`);
          this.#reportConnections();
          return reject(error);
        }
        if (this.#isAborted) return client.release(true);
        resolve(client);
      });
      this.#reportConnections();
    });
  }

  /** Takes a connection back; one that cannot be used any more is ended. */
  takeBack(connection: LentConnection, isUsable: boolean): void {
    const { client, owner, lentAt } = connection;
    const now = performance.now();
    this.#lent.delete(connection);
    this.#answeredAt.set(client, now);
    if (owner !== undefined) this.#options.onUse?.(owner, now - lentAt);
    if (isUsable) client.release();
    else endAtOnce(client);
    this.#leaveShare(owner);
  }

  /** The other connections that are as old probably accept no changes either. */
  takeBackReadOnly(connection: LentConnection): void {
    this.#suspectBefore = performance.now() - readOnlyKeptMs;
    this.takeBack(connection, !this.#isSuspect(connection.client));
  }

  #isSuspect(client: pg.PoolClient): boolean {
    return (this.#openedAt.get(client) ?? Infinity) < this.#suspectBefore;
  }

  /** Ends all connections that are lent and lends none from now on: whatever waits for the database fails. */
  abort(): void {
    this.#isAborted = true;
    for (const reject of this.#waiting) reject(new Error('Cannot use a pool after calling end on the pool'));
    for (const connection of this.#lent) connection.abort();
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
