// Rounds when a test asks for them, on the house of a service.

import { evaluateRound } from '../../../src/actions/rounds/round-evaluation.ts';
import type { AppContext } from '../../../src/actions/core/context.ts';
import type { QueueWorker } from '../../../src/jobs/leased-worker.ts';
import { createRoundWorker, type RoundWorkerOptions } from '../../../src/jobs/round-worker.ts';

/** What makes rounds on a node. Failures are kept for whoever looks. */
export function createRounds(
  context: AppContext,
  options: Partial<RoundWorkerOptions> = {},
): QueueWorker & { failures: unknown[] } {
  const failures: unknown[] = [];
  const rounds = createRoundWorker({
    context,
    evaluate: (input, onProgress) => evaluateRound(context, input, onProgress),
    concurrency: 2,
    onFailure: (error) => void failures.push(error),
    ...options,
  });
  return Object.assign(rounds, { failures });
}

const contexts = new Map<string, AppContext>();

/** Under this address rounds can be asked for by whoever knows nothing else of a service. */
export function registerContext(address: string, context: AppContext): void {
  contexts.set(address, context);
}

export function contextAt(address: string): AppContext {
  return contexts.get(address)!;
}

/** All that are marked, however lately. */
export async function runRounds(address: string): Promise<void> {
  const rounds = createRounds(contexts.get(address)!, { batchWindowMs: 0 });
  await rounds.sweep();
  await rounds.drain();
  if (rounds.failures.length > 0) throw new Error('Rounds failed.', { cause: rounds.failures[0] });
}
