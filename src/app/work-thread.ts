// The entry of a worker thread, which does heavy work with its own application context.

import { parentPort, workerData } from 'node:worker_threads';
import type pg from 'pg';
import type { Addresses } from '../actions/core/context.ts';
import { evaluateRounds } from '../actions/rounds/round-evaluation.ts';
import type { Config } from './config.ts';
import { openContext, type DatabaseTimeouts } from './open-context.ts';
import type { ThreadCounts } from './thread-counts.ts';
import { yieldToOtherThreads } from './thread-priority.ts';
import { defined } from '../kit/assert.ts';
import { systemClock } from '../kit/clock.ts';
import { waitAtMost } from '../kit/concurrency/deadline.ts';
import type { ReplacedKey } from '../signing/keyring.ts';
import type { MessageFromThread } from '../surfaces/http/threads/thread-messages.ts';
import { serveTasks } from '../surfaces/http/threads/thread-worker.ts';
import { operations } from '../surfaces/operations.ts';

export interface WorkThreadData {
  readonly config: Config;
  readonly connection: pg.PoolConfig;
  readonly replica: pg.PoolConfig | undefined;
  readonly addresses: Addresses;
  readonly timeouts: DatabaseTimeouts | undefined;
  readonly tenantFilters: 'both' | 'store-only' | undefined;
  /** Where the main thread reads what this thread counts. */
  readonly figuresMemory: SharedArrayBuffer;
  /** Where the main thread says which mode the operator has set. */
  readonly modeMemory: SharedArrayBuffer;
  /** What the main thread has learnt of encryption keys that were replaced. */
  readonly replacedKeys: readonly ReplacedKey[];
  /** Whether it computes reports, which somebody waits for, or rounds. */
  readonly purpose: keyof ThreadCounts;
}

/** A workspace may use half of them: for a report that computes, and for one that loads its data meanwhile. */
const poolSize = 4;
/** How often the main thread is told how long workspaces have held connections. */
const useReportMs = 1_000;
/** Less than a thread has to stop. */
const traceStopMsMax = 500;

const {
  config,
  connection,
  replica,
  addresses,
  timeouts,
  tenantFilters,
  figuresMemory,
  modeMemory,
  replacedKeys,
  purpose,
} = workerData as WorkThreadData;
if (purpose === 'rounds') yieldToOtherThreads();
const context = await openContext({
  config,
  connection,
  poolSize,
  // Rounds decide, and by what the primary says.
  replica: purpose === 'reports' ? replica : undefined,
  timeouts,
  clock: systemClock,
  addresses,
  tenantFilters,
  figuresMemory,
  modeMemory,
  onIdleError: () => {}, // the next statement reports it
});
context.keyring.learn(replacedKeys);
const port = defined(parentPort, 'this file runs in a worker thread');
const reportUse = (): void => {
  const uses = context.databaseUse.take();
  if (uses.length > 0) port.postMessage({ kind: 'database-use', uses } satisfies MessageFromThread, []);
};
setInterval(reportUse, useReportMs).unref();
const stop = async (): Promise<void> => {
  if (context.tracer !== undefined) await waitAtMost(context.tracer.stop(), traceStopMsMax);
  await context.stores.close();
  process.exit();
};
serveTasks({
  port,
  app: context,
  operations,
  jobs: { rounds: evaluateRounds },
  stop,
});
port.postMessage({ kind: 'ready' } satisfies MessageFromThread, []);
