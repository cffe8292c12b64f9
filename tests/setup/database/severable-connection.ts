// A line to the database that a test can cut, and let be whole again: what is seen from a node when the database goes away.

import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';
import type { TestDatabase } from '../node/test-service.ts';

export interface DatabaseLine {
  /** The address of the database through this line. */
  readonly url: string;
  /** Ends every connection; new ones are refused. */
  cut(): void;
  mend(): void;
  /** Cuts the line by itself at the next commit: just before it reaches the database, or just after it was made. */
  cutAtCommit(moment: 'before' | 'after'): void;
  close(): Promise<void>;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

export async function layLine({ url }: Pick<TestDatabase, 'url'>): Promise<DatabaseLine> {
  const { host, port } = new pg.Client({ connectionString: url });
  const pairs = new Set<Pair>();
  let state: 'whole' | 'cut' | 'before' | 'after' = 'whole';
  const cut = (): void => {
    state = 'cut';
    for (const { near, far } of pairs) for (const end of [near, far]) end.destroy();
  };
  const server = createServer((near) => {
    if (state === 'cut') return near.destroy();
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    const pair = { near, far };
    let isCommitting = false;
    pairs.add(pair);
    near.on('data', (data) => {
      isCommitting =
        (state === 'before' || state === 'after') && /commit(#[0-9a-f]+)?\0/i.test(data.toString('latin1'));
      if (isCommitting && state === 'before') cut();
      else far.write(data);
    });
    far.on('data', (data) => (isCommitting ? cut() : near.write(data)));
    for (const end of [near, far]) {
      end.on('error', () => {});
      end.on('close', () => (near.destroy(), far.destroy(), pairs.delete(pair)));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: url.replace(/@[^/]*\//, `@127.0.0.1:${(server.address() as AddressInfo).port}/`),
    cut,
    mend: () => void (state = 'whole'),
    cutAtCommit: (moment) => void (state = moment),
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
