// A connection of its own for one task, outside the pool: for operators' commands and checks.

import pg from 'pg';

export async function withClient<T>(connection: pg.ClientConfig, task: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    return await task(client);
  } finally {
    await client.end();
  }
}
