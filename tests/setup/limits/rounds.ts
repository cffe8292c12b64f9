// Runs rounds in a test, on the context of a service.

import { evaluateRound } from '../../../src/actions/rounds/round-evaluation.ts';
import type { AppContext } from '../../../src/actions/core/context.ts';
import type { QueueWorker } from '../../../src/jobs/leased-worker.ts';
import { createRoundWorker, type RoundWorkerOptions } from '../../../src/jobs/round-worker.ts';

/** The round worker of a node, with a list of its failures. */
export function createRounds(
  context: AppContext,
  options: Partial<RoundWorkerOptions> = {},
): QueueWorker & { failures: unknown[] } {
  const failures: unknown[] = [];
  const rounds = createRoundWorker({
    context,
    // Cloned, as on the way from a work thread.
    evaluate: async (input, onProgress) => structuredClone(await evaluateRound(context, input, onProgress)),
    concurrency: 2,
    onFailure: (error) => void failures.push(error),
    ...options,
  });
  return Object.assign(rounds, { failures });
}

const contexts = new Map<string, AppContext>();

/** Lets tests that know only the address of a service run its rounds. */
export function registerContext(address: string, context: AppContext): void {
  contexts.set(address, context);
}

/** A service that has stopped must not stay in memory. */
export function forgetContext(address: string, context: AppContext): void {
  if (contexts.get(address) === context) contexts.delete(address);
}

export function contextAt(address: string): AppContext {
  return contexts.get(address)!;
}

/** Runs the rounds of all flagged clients, without waiting for changes to gather. */
export async function runRounds(address: string): Promise<void> {
  const rounds = createRounds(contexts.get(address)!, { batchWindowMs: 0 });
  await rounds.sweep();
  await rounds.drain();
  if (rounds.failures.length > 0) throw new Error('Rounds failed.', { cause: rounds.failures[0] });
}
