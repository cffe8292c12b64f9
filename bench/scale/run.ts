// Measures what one unit of work costs as a workspace grows, and as the number of workspaces does: booking, reading, listing and reporting,
// for a token that sees everything and for one that sees one branch of the tree, rounds, idling and starting. `npm run bench:scale`;
// SIZES=10,100,1000,10000 and WORKSPACES=1000 are the full run.

import { fork, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import pino from 'pino';
import { readConfig } from '../../src/app/config.ts';
import { startService } from '../../src/app/start-service.ts';
import { startBenchDatabase } from '../bench-database.ts';
import { median } from '../figures.ts';
import { reportScale, type ScaleFigures, type UnitCosts } from './report.ts';
import {
  call,
  growClients,
  insertTransactions,
  insertWorkspaces,
  makeInstruments,
  type ScaleApi,
  type ScaleClient,
} from './seed.ts';
import { awaitRoundsOf, measureIdling, measureRounds, roundCosts } from './watch.ts';

const sizes = (process.env['SIZES'] ?? '10,100,1000').split(',').map(Number);
const workspaces = Number(process.env['WORKSPACES'] ?? 1_000);
const transactions = Number(process.env['TRANSACTIONS'] ?? 300);
const requests = Number(process.env['REQUESTS'] ?? 100);

const database = await startBenchDatabase();
const { settings, dataDir } = database;
const nodeProgram = new URL('../storm/node.ts', import.meta.url);

try {
  const figures = await measureAll();
  const text = reportScale({ figures, workspaces, transactions, requests, load: loadavg()[0]! });
  process.stdout.write(text);
  if (process.env['WRITE'] !== 'off') await writeFile(new URL('results.md', import.meta.url), text);
} finally {
  await database.remove();
}

async function measureAll(): Promise<ScaleFigures[]> {
  const { token, workspaceId } = await firstToken();
  const clients: ScaleClient[] = [];
  const figures: ScaleFigures[] = [];
  let instruments: string[] = [];
  let unpriced: Iterator<string> = instruments.values();
  for (const size of sizes) {
    const before = clients.length;
    await withNode(async (address) => {
      const api = { address, token };
      if (instruments.length === 0) {
        instruments = await makeInstruments(api);
        unpriced = instruments.values();
      }
      await growClients(api, clients, size);
      await awaitRoundsOf(settings.DATABASE_URL); // those of a node that ends at once would wait for the end of their leases
    });
    await insertTransactions(settings.DATABASE_URL, {
      workspaceId,
      clients: clients.slice(before),
      instruments,
      transactions,
    });
    figures.push({ name: `${size} clients`, costs: await measure(token, clients, unpriced) });
  }
  if (workspaces === 0) return figures;
  await insertWorkspaces(settings.DATABASE_URL, workspaces);
  figures.push({ name: `and ${workspaces} workspaces`, costs: await measure(token, clients, unpriced) });
  return figures;
}

async function firstToken(): Promise<{ token: string; workspaceId: string }> {
  const service = await startService(readConfig(settings), { log: pino({ level: 'silent' }) });
  const address = `http://127.0.0.1:${(service.server.app.server.address() as { port: number }).port}`;
  const { workspaceId, clientId: client_id, clientSecret: client_secret } = service.firstApplication!;
  const grant = { grant_type: 'client_credentials', client_id, client_secret };
  const { access_token: token } = await call({ address, token: '' }, '/oauth/token', grant);
  await service.stop();
  return { token, workspaceId };
}

async function startNode(): Promise<{ child: ChildProcess; address: string }> {
  const child = fork(nodeProgram, { env: { ...process.env, ...settings } });
  const address = await new Promise<string>((resolve) =>
    child.once('message', (message) => resolve(message as string)),
  );
  return { child, address };
}

async function withNode<T>(task: (address: string, processId: number) => Promise<T>): Promise<T> {
  const { child, address } = await startNode();
  try {
    return await task(address, child.pid!);
  } finally {
    child.kill('SIGKILL');
  }
}

async function measure(token: string, clients: readonly ScaleClient[], unpriced: Iterator<string>): Promise<UnitCosts> {
  const began = performance.now();
  return withNode(async (address, processId) => {
    const startMs = performance.now() - began;
    const all = { address, token };
    // One of the last clients that have others below them.
    const branch = clients[Math.max(0, Math.floor((clients.length - 2) / 4) - 1)]!;
    const application = await call(all, '/v1/applications', { name: 'Branch', scoped_to: branch.id });
    const { client_id, client_secret } = application;
    const grant = { grant_type: 'client_credentials', client_id, client_secret };
    const { access_token: scopedToken } = await call(all, '/oauth/token', grant);
    const scoped = { address, token: scopedToken };
    const requestCosts = {
      booking: await timeOf((index) => book(all, branch, index)),
      'booking, one branch': await timeOf((index) => book(scoped, branch, requests + index)),
      'reading a client': await timeOf(() => call(all, `/v1/clients/${branch.id}`)),
      'reading a client, one branch': await timeOf(() => call(scoped, `/v1/clients/${branch.id}`)),
      'listing transactions': await timeOf(() => call(all, '/v1/transactions?limit=50')),
      'listing transactions, one branch': await timeOf(() => call(scoped, '/v1/transactions?limit=50')),
      'listing events, one branch': await timeOf(() => call(scoped, '/v1/events?limit=50')),
      'holdings of a reporting entity': await timeOf(() =>
        call(all, `/v1/holdings?reporting_entity_id=${branch.entity}&as_of=2025-12-31`),
      ),
    };
    const node = { api: all, processId, dataDir, databaseUrl: settings.DATABASE_URL };
    const rounds = await measureRounds(node, { clients: clients.length, instruments: unpriced });
    const idle = await measureIdling(node);
    return {
      ...requestCosts,
      ...roundCosts(rounds, idle),
      'starting, ms': startMs,
      'statements a second when idle': idle.statements,
      'processor of the node, a second when idle': idle.processor.node,
      'processor of the database, a second when idle': idle.processor.database,
    };
  });
}

function book(api: ScaleApi, { account }: ScaleClient, index: number): Promise<unknown> {
  const reference = `${process.pid}-${performance.now()}-${index}`;
  const deposit = { type: 'deposit', date: '2025-01-15', amount: '1', external_reference: reference };
  return call(api, '/v1/transactions', { ...deposit, account_id: account });
}

/** The median in milliseconds. */
async function timeOf(task: (index: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let index = -Math.ceil(requests / 5); index < requests; index++) {
    const began = performance.now();
    await task(index);
    if (index >= 0) times.push(performance.now() - began);
  }
  return median(times);
}
