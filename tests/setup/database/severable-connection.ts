// A connection to the database that a test can cut, reset, delay, silence and restore, to show what a node does when the database goes away.

import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { TestDatabase } from './test-database.ts';

export interface SeverableConnection {
  /** The address of the database through this connection. */
  readonly url: string;
  /** Ends every connection; new ones are refused. */
  cut(): void;
  /** Resets every connection of the node, and ends it at the database; new ones are served. */
  reset(): void;
  /** Ends every connection at the database only: the node is not told, and what it sends is swallowed. New ones are served. */
  halfOpen(): void;
  /** Passes on everything so much later, in both directions. */
  delay(milliseconds: number): void;
  /** Swallows all bytes in both directions; neither side is told. Also after `restore`, on the connections that were open. */
  silence(): void;
  /** How often something was swallowed. */
  readonly swallowedCount: number;
  /** New connections are served, and nothing is delayed. */
  restore(): void;
  /** Cuts the connection at the next commit: just before the commit reaches the database, or just after it was made. */
  cutAtCommit(moment: 'before' | 'after'): void;
  /** Swallows the next commit and whatever follows. */
  silenceAtCommit(): void;
  close(): Promise<void>;
}

interface SocketPair {
  readonly clientSocket: Socket;
  readonly serverSocket: Socket;
  isSilent: boolean;
}

/** Returns a function that writes to the socket, so much later as `delayMs` says at that moment, and in order. */
function delayedWriter(socket: Socket, delayMs: () => number): (data: Buffer | string) => void {
  let waiting = 0;
  let last = Promise.resolve();
  return (data) => {
    const milliseconds = delayMs();
    if (milliseconds === 0 && waiting === 0) return void socket.write(data);
    waiting++;
    const due = wait(milliseconds);
    last = Promise.all([last, due]).then(() => {
      waiting--;
      if (!socket.destroyed) socket.write(data);
    });
  };
}

export async function openSeverableConnection({ url }: Pick<TestDatabase, 'url'>): Promise<SeverableConnection> {
  const { host, port } = new pg.Client({ connectionString: url });
  const pairs = new Set<SocketPair>();
  let state: 'whole' | 'cut' | 'silent' | 'before' | 'after' | 'silent-at-commit' = 'whole';
  let [swallowedCount, delayMs] = [0, 0];
  const reset = (): void => {
    for (const { clientSocket, serverSocket } of pairs) {
      clientSocket.resetAndDestroy();
      serverSocket.destroy();
    }
  };
  const halfOpen = (): void => {
    for (const pair of pairs) {
      pair.isSilent = true;
      pair.serverSocket.destroy();
    }
  };
  const cut = (): void => {
    state = 'cut';
    for (const { clientSocket, serverSocket } of pairs)
      for (const socket of [clientSocket, serverSocket]) socket.destroy();
  };
  const silence = (): void => {
    state = 'silent';
    for (const pair of pairs) pair.isSilent = true;
  };
  const server = createServer((clientSocket) => {
    if (state === 'cut') return clientSocket.destroy();
    const serverSocket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    const pair: SocketPair = { clientSocket, serverSocket, isSilent: state === 'silent' };
    const toServer = delayedWriter(serverSocket, () => delayMs);
    const toClient = delayedWriter(clientSocket, () => delayMs);
    let isCommitting = false;
    pairs.add(pair);
    clientSocket.on('data', (data) => {
      isCommitting = state !== 'whole' && /commit(#[0-9a-f]+)?\0/i.test(data.toString('latin1'));
      if (isCommitting && state === 'silent-at-commit') silence();
      if (pair.isSilent) return void swallowedCount++;
      if (isCommitting && state === 'before') cut();
      else toServer(data);
    });
    serverSocket.on('data', (data) => {
      if (pair.isSilent) return;
      if (isCommitting) cut();
      else toClient(data);
    });
    for (const socket of [clientSocket, serverSocket]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        if (pair.isSilent && state !== 'cut') return;
        clientSocket.destroy();
        serverSocket.destroy();
        pairs.delete(pair);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: url.replace(/@[^/]*\//, `@127.0.0.1:${(server.address() as AddressInfo).port}/`),
    cut,
    reset,
    halfOpen,
    delay: (milliseconds) => void (delayMs = milliseconds),
    silence,
    get swallowedCount() {
      return swallowedCount;
    },
    restore: () => {
      state = 'whole';
      delayMs = 0;
    },
    cutAtCommit: (moment) => void (state = moment),
    silenceAtCommit: () => void (state = 'silent-at-commit'),
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
