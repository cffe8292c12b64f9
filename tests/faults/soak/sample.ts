// One sample of a node: its memory, connections and file handles now, and the latency since the sample before.

import { readdir, readFile } from 'node:fs/promises';
import { defined } from '../../../src/kit/assert.ts';
import { runSql } from '../deployment/database-server.ts';
import type { FaultNode } from '../deployment/fault-node.ts';
import { percentile } from '../percentile.ts';

export interface SoakSample {
  /** Since the load began. */
  readonly seconds: number;
  readonly rssMb: number;
  readonly heapMb: number;
  /** To the database. */
  readonly connections: number;
  readonly fileHandles: number;
  readonly requests: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

interface SampleParts {
  readonly node: FaultNode;
  readonly databaseUrl: string;
  readonly seconds: number;
  readonly times: readonly number[];
}

export async function takeSample({ node, databaseUrl, seconds, times }: SampleParts): Promise<SoakSample> {
  const processId = defined(node.processId, 'the node is running');
  const [connected] = await runSql(
    databaseUrl,
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'holdfast'`,
  );
  return {
    seconds,
    rssMb: await readRssMb(processId),
    heapMb: await readHeapMb(node.address),
    connections: Number(connected?.['count'] ?? 0),
    fileHandles: (await readdir(`/proc/${processId}/fd`)).length,
    requests: times.length,
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    p99Ms: percentile(times, 0.99),
  };
}

async function readRssMb(processId: number): Promise<number> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024);
}

async function readHeapMb(address: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return Math.round(Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(text)?.[1]) / 2 ** 20);
}
