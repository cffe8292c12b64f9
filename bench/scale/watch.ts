// Watches a node and its database: what both do while nobody calls, and what the rounds cost that a price causes.

import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { databaseMicroseconds, processMicroseconds } from '../processor-time.ts';
import type { UnitCosts } from './report.ts';
import { call, type ScaleApi } from './seed.ts';

const idleSeconds = 10;
const pollMs = 100;
/** A connection of the database that has nothing to do reports after ten seconds what it has counted. */
const settleSeconds = 12;
/** So many rounds run to warm up and are then measured, as far as it takes no more than so many prices. */
const rounds = { warmUp: 100, measured: 200 };
const pricesMax = 3;

export interface WatchedNode {
  readonly api: ScaleApi;
  readonly processId: number;
  readonly dataDir: string;
  readonly databaseUrl: string;
}

interface ProcessorMs {
  readonly node: number;
  readonly database: number;
}

async function withDatabase<T>(databaseUrl: string, task: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  try {
    return await task(admin);
  } finally {
    await admin.end();
  }
}

async function processorMs({ processId, dataDir }: WatchedNode): Promise<ProcessorMs> {
  const [node, database] = await Promise.all([processMicroseconds(processId), databaseMicroseconds(dataDir)]);
  return { node: node / 1_000, database: database / 1_000 };
}

/** Waits until nothing is flagged and every round has ended. */
export function awaitRoundsOf(databaseUrl: string): Promise<void> {
  return withDatabase(databaseUrl, awaitRounds);
}

async function awaitRounds(admin: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await admin.query<{ busy: boolean }>(`SELECT EXISTS (SELECT FROM shared_round_mark)
      OR EXISTS (SELECT FROM round_mark) OR EXISTS (SELECT FROM calculation_round WHERE finished_at IS NULL) AS busy`);
    if (!rows[0]!.busy) return;
    await setTimeout(pollMs);
  }
}

/** Transactions of the database, of which each statement of an idle node is one. */
async function countStatements(admin: pg.Client): Promise<number> {
  await admin.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await admin.query<{ count: string }>(
    'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(rows[0]!.count);
}

export interface IdleCosts {
  readonly statements: number;
  readonly processor: ProcessorMs;
}

/** For each second. */
export function measureIdling(node: WatchedNode): Promise<IdleCosts> {
  return withDatabase(node.databaseUrl, async (admin) => {
    await awaitRounds(admin);
    await setTimeout(settleSeconds * 1_000);
    const [statements, before] = [await countStatements(admin), await processorMs(node)];
    await setTimeout(idleSeconds * 1_000);
    const [statementsAfter, after] = [await countStatements(admin), await processorMs(node)];
    const perSecond = (first: number, last: number): number => (last - first) / idleSeconds;
    return {
      statements: perSecond(statements, statementsAfter),
      processor: { node: perSecond(before.node, after.node), database: perSecond(before.database, after.database) },
    };
  });
}

/** Of the rounds that one price caused, or several. */
export interface RoundTimes {
  readonly rounds: number;
  /** From the first that began to the last that ended. */
  readonly wallMs: number;
  /** From the arrival of the price, with the time in which changes gather. */
  readonly seconds: number;
  readonly processor: ProcessorMs;
}

async function timeRounds(node: WatchedNode, instrument: string): Promise<RoundTimes> {
  return withDatabase(node.databaseUrl, async (admin) => {
    const [began, before] = [Date.now(), await processorMs(node)];
    const price = { date: '2026-01-05', value: '101.5', source: 'manual' };
    await call(node.api, `/v1/instruments/${instrument}/prices`, price);
    await awaitRounds(admin);
    const [seconds, after] = [(Date.now() - began) / 1_000, await processorMs(node)];
    const { rows } = await admin.query<{ count: string; ms: string }>(
      `SELECT count(*) AS count, 1000 * extract(epoch FROM max(finished_at) - min(started_at)) AS ms
       FROM calculation_round WHERE started_at >= $1`,
      [new Date(began)],
    );
    const processor = { node: after.node - before.node, database: after.database - before.database };
    return { rounds: Number(rows[0]!.count), wallMs: Number(rows[0]!.ms), seconds, processor };
  });
}

/** Prices of shares that every client holds, one after the other. None of them has a price of that day yet. */
export async function measureRounds(
  node: WatchedNode,
  { clients, instruments }: { clients: number; instruments: Iterator<string> },
): Promise<RoundTimes> {
  await withDatabase(node.databaseUrl, awaitRounds);
  const runAtLeast = async (count: number): Promise<RoundTimes[]> => {
    const times: RoundTimes[] = [];
    const prices = Math.min(pricesMax, Math.ceil(count / clients));
    for (let price = 0; price < prices; price++) times.push(await timeRounds(node, instruments.next().value));
    return times;
  };
  await runAtLeast(rounds.warmUp);
  const times = await runAtLeast(rounds.measured);
  if (times.some((one) => one.rounds !== clients)) throw new Error('A price leads to one round of each client.');
  const sum = (figure: (one: RoundTimes) => number): number => times.reduce((all, one) => all + figure(one), 0);
  const processor = { node: sum((one) => one.processor.node), database: sum((one) => one.processor.database) };
  return {
    rounds: sum((one) => one.rounds),
    wallMs: sum((one) => one.wallMs),
    seconds: sum((one) => one.seconds),
    processor,
  };
}

/** For each round, without the processor time that both would have used anyway. */
export function roundCosts({ rounds: count, wallMs, seconds, processor }: RoundTimes, idle: IdleCosts): UnitCosts {
  const without = (of: keyof ProcessorMs): number => (processor[of] - seconds * idle.processor[of]) / count;
  return {
    'round of a client': wallMs / count,
    'round of a client, processor of the node': without('node'),
    'round of a client, processor of the database': without('database'),
  };
}
