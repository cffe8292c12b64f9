// The connections with which tests reach databases past the service.

import pg from 'pg';

const pools = new Map<string, pg.Pool>();

/** Connections stay open, since opening one costs more than most queries. They end when their database is dropped. */
export function poolOf(url: string): pg.Pool {
  const existing = pools.get(url);
  if (existing !== undefined) return existing;
  const pool = new pg.Pool({ connectionString: url, max: 4, idleTimeoutMillis: 0, allowExitOnIdle: true });
  pool.on('error', () => {});
  pools.set(url, pool);
  return pool;
}
