// The baselines for reports: reading the same rows from the database and discarding them, and sending the same bytes from memory
// over HTTP.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import type { ReportDatabase } from './fixture.ts';
import { toTarget, type StartedTarget } from './started-target.ts';

const rowsOf = (client: string, instruments: readonly string[]): readonly string[] => {
  const ids = instruments.map((id) => `'${id}'`).join(', ');
  return [
    `SELECT id, sequence, account_id, depository_id, instrument_id, kind, type, date, settlement_date, amount, currency, quantity,
      price, exchange_rate, value, source FROM transaction WHERE client_id = '${client}' ORDER BY sequence`,
    `SELECT instrument_id, kind, date, source, value FROM series_point WHERE instrument_id IN (${ids})`,
    `SELECT base, quote, date, source, rate FROM fx_rate`,
  ];
};

/** The milliseconds to read all rows that a first report needs, with binary COPY: the fastest of three runs. */
export async function bareLoadMs({ databaseUrl }: ReportDatabase, client: string): Promise<number> {
  const connection = new pg.Client({ connectionString: databaseUrl });
  await connection.connect();
  const { rows } = await connection.query<{ instrument_id: string }>(
    `SELECT DISTINCT instrument_id FROM transaction WHERE client_id = '${client}'`,
  );
  const selects = rowsOf(
    client,
    rows.map((row) => row.instrument_id),
  );
  const times: number[] = [];
  for (let time = 0; time < 3; time++) {
    const began = performance.now();
    for (const select of selects) await countCopiedBytes(connection, select);
    times.push(performance.now() - began);
  }
  await connection.end();
  return Math.min(...times);
}

/** Returns the number of bytes received. */
function countCopiedBytes(connection: pg.Client, select: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const query: any = new (pg as any).Query(`COPY (${select}) TO STDOUT (FORMAT binary)`, (error: Error | null) =>
      error ? reject(error) : resolve(bytes),
    );
    query.handleCopyData = ({ chunk }: { chunk: Buffer }) => (bytes += chunk.length);
    connection.query(query);
  });
}

/** Fetches the answer once, then sends it from memory for every request. */
export async function startBareServer(url: string, token: string): Promise<StartedTarget> {
  const child = fork(new URL('bare-server.ts', import.meta.url), [url, token]);
  return toTarget(child, await once(child, 'message'));
}
