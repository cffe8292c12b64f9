// A connection to the database that counts the statements sent through it, and how often an answer is waited for.

import { createServer, connect, type AddressInfo } from 'node:net';
import pg from 'pg';
import type { TestDatabase } from './test-database.ts';

export interface CountedConnection {
  /** The address of the database through this connection. */
  readonly url: string;
  /** How many statements were run, those that enter a scope or end a transaction included. */
  readonly statementCount: number;
  /**
   * How many round trips were made: batches of statements that end with a `Sync`, and queries of the simple protocol. What tells other nodes
   * of a write is not counted: it is sent a moment after the answer.
   */
  readonly tripCount: number;
  close(): Promise<void>;
}

const announcement = 'node-messages/';

/** The name of the statement that a `Bind` message is for, which follows the name of the portal. */
function boundStatement(message: Buffer): string {
  const start = message.indexOf(0, 5) + 1;
  return message.toString('latin1', start, message.indexOf(0, start));
}

/** Finds the messages that run a statement: `Execute`, and `Query` of the simple protocol. */
class StatementCounter {
  count = 0;
  tripCount = 0;
  #received = Buffer.alloc(0);
  #isStarted = false;
  /** Whether the statement that was bound last tells other nodes of a write. */
  #isAnnouncing = false;

  receive(data: Buffer): void {
    this.#received = Buffer.concat([this.#received, data]);
    for (;;) {
      // The first message has no type.
      const start = this.#isStarted ? 1 : 0;
      if (this.#received.length < start + 4) return;
      const end = start + this.#received.readUInt32BE(start);
      if (this.#received.length < end) return;
      const type = String.fromCodePoint(this.#received[0] ?? 0);
      if (this.#isStarted && (type === 'E' || type === 'Q')) this.count++;
      if (this.#isStarted && type === 'B') this.#isAnnouncing = boundStatement(this.#received).startsWith(announcement);
      if (this.#isStarted && (type === 'S' || type === 'Q') && !this.#isAnnouncing) this.tripCount++;
      this.#isStarted = true;
      this.#received = this.#received.subarray(end);
    }
  }
}

export async function openCountedConnection({ url }: Pick<TestDatabase, 'url'>): Promise<CountedConnection> {
  const { host, port } = new pg.Client({ connectionString: url });
  const counters: StatementCounter[] = [];
  const server = createServer((clientSocket) => {
    const serverSocket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    const counter = new StatementCounter();
    counters.push(counter);
    clientSocket.on('data', (data: Buffer) => counter.receive(data));
    clientSocket.pipe(serverSocket).pipe(clientSocket);
    for (const socket of [clientSocket, serverSocket]) socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: url.replace(/@[^/]*\//, `@127.0.0.1:${(server.address() as AddressInfo).port}/`),
    get statementCount() {
      return counters.reduce((sum, { count }) => sum + count, 0);
    },
    get tripCount() {
      return counters.reduce((sum, { tripCount }) => sum + tripCount, 0);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
