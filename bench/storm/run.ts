// Measures how one tenant's flood of requests affects another tenant: the time of a small read, alone and next to 64 connections
// that list 2,000 clients without a pause, with the default budgets of work in flight and without them. `npm run bench:storm`.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { setUpWorkspace } from '../../src/actions/access/bootstrap.ts';
import { readConfig } from '../../src/app/config.ts';
import { startService } from '../../src/app/start-service.ts';
import { Keyring } from '../../src/signing/keyring.ts';
import { startEmbeddedPostgres } from '../../src/store/postgres/embedded/embedded-postgres.ts';
import { getOnce, machine, makeAgent } from '../http-load.ts';

const requests = Number(process.env['REQUESTS'] ?? 200);
const stormConnections = 64;
const clientsOfStorm = 2_000;

const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
const { user, host, port, database } = postgres.connection;
const settings = {
  PORT: '0',
  BASE_URL: 'http://bench.test',
  DATABASE_URL: `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`,
  ENCRYPTION_KEY: Keyring.generate(),
  BUDGET_PER_MINUTE: '100000000',
  BUDGET_BURST: '100000000',
};
try {
  const { storm, neighbour, clientId } = await seed();
  const bounded = await measureBoth({}, { storm, neighbour, clientId });
  const unbounded = await measureBoth(
    { BUDGET_IN_FLIGHT: '1000', BUDGET_HEAVY: '1000' },
    { storm, neighbour, clientId },
  );
  await report(bounded, unbounded);
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

interface StormTokens {
  readonly storm: string;
  readonly neighbour: string;
  readonly clientId: string;
}

interface Times {
  readonly alone: readonly number[];
  readonly besideStorm: readonly number[];
}

async function seed(): Promise<StormTokens> {
  const service = await startService(readConfig(settings), { log: pino({ level: 'silent' }) });
  const address = `http://127.0.0.1:${(service.server.app.server.address() as { port: number }).port}`;
  const tokenOf = async ({ clientId, clientSecret }: { clientId: string; clientSecret: string }): Promise<string> => {
    const body = JSON.stringify({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${address}/oauth/token`, { method: 'POST', headers, body });
    return ((await answer.json()) as { access_token: string }).access_token;
  };
  const create = async (token: string, name: string): Promise<string> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${address}/v1/clients`, { method: 'POST', headers, body: JSON.stringify({ name }) });
    return ((await answer.json()) as { id: string }).id;
  };
  const storm = await tokenOf(service.firstApplication!);
  const workspace = { id: service.context.ids.next(), name: 'Neighbour', environment: 'production' } as const;
  const neighbour = await tokenOf(await setUpWorkspace(service.context, workspace));
  for (let index = 0; index < clientsOfStorm; index++) await create(storm, `Client ${index}`);
  const clientId = await create(neighbour, 'Quiet client');
  await service.stop();
  return { storm, neighbour, clientId };
}

/** Measures on a node with these budgets of work in flight. */
async function measureBoth(more: Record<string, string>, { storm, neighbour, clientId }: StormTokens): Promise<Times> {
  const { child, address } = await startNode(more);
  const small = { url: `${address}/v1/clients/${clientId}`, headers: { authorization: `Bearer ${neighbour}` } };
  await timesOf(small, requests);
  const alone = await timesOf(small, requests);
  const stormProcess = fork(new URL('storm.ts', import.meta.url), [
    `${address}/api/v2/clients`,
    storm,
    String(stormConnections),
  ]);
  await once(stormProcess, 'message'); // it is at its height
  const besideStorm = await timesOf(small, requests);
  stormProcess.kill('SIGKILL');
  child.kill('SIGKILL');
  return { alone, besideStorm };
}

async function startNode(more: Record<string, string>): Promise<{ child: ChildProcess; address: string }> {
  const child = fork(new URL('node.ts', import.meta.url), { env: { ...process.env, ...settings, ...more } });
  const address = await new Promise<string>((resolve) =>
    child.once('message', (message) => resolve(message as string)),
  );
  return { child, address };
}

async function timesOf(
  { url, headers }: { url: string; headers: Record<string, string> },
  count: number,
): Promise<number[]> {
  const agent = makeAgent(1);
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const began = performance.now();
    await getOnce({ url, headers, agent });
    times.push(performance.now() - began);
  }
  agent.destroy();
  return times.toSorted((a, b) => a - b);
}

function quantile(times: readonly number[], share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
}

async function report(bounded: Times, unbounded: Times): Promise<void> {
  const row = (name: string, { alone, besideStorm }: Times): string => {
    const cells = [0.5, 0.95].flatMap((share) => [
      quantile(alone, share),
      quantile(besideStorm, share),
      quantile(besideStorm, share) / quantile(alone, share),
    ]);
    return `| ${name} | ${cells.map((cell) => cell.toFixed(1)).join(' | ')} |`;
  };
  const text = `# bench/storm

One tenant reads one client, ${requests} in a row, while another tenant lists ${clientsOfStorm} clients over ${stormConnections} connections without pause.
One node, one process; the load comes from another process on the same machine. Milliseconds.

${machine()}

| limits on concurrent work | median alone | during the storm | × | 95 % alone | during the storm | × |
|---|---|---|---|---|---|---|
${row('default (8 per tenant, 1 heavy)', bounded)}
${row('none', unbounded)}
`;
  process.stdout.write(text);
  if (process.env['WRITE'] !== 'off') await writeFile(new URL('results.md', import.meta.url), text);
}
