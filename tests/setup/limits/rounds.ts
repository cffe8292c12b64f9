// Rounds when a test asks for them, on the house of a service.

import { evaluateRound } from '../../../src/actions/rounds/round-evaluation.ts';
import type { House } from '../../../src/actions/core/context.ts';
import { Rounds, type RoundsOptions } from '../../../src/jobs/round-worker.ts';

/** What makes rounds on a node. Failures are kept for whoever looks. */
export function roundsOn(house: House, options: Partial<RoundsOptions> = {}): Rounds & { failures: unknown[] } {
  const failures: unknown[] = [];
  const rounds = new Rounds({
    house,
    evaluate: (question, tell) => evaluateRound(house, question, tell),
    sideBySide: 2,
    onFailure: (error) => void failures.push(error),
    ...options,
  });
  return Object.assign(rounds, { failures });
}

const houses = new Map<string, House>();

/** Under this address rounds can be asked for by whoever knows nothing else of a service. */
export function serveRounds(address: string, house: House): void {
  houses.set(address, house);
}

export function houseAt(address: string): House {
  return houses.get(address)!;
}

/** All that are marked, however lately. */
export async function makeRounds(address: string): Promise<void> {
  const rounds = roundsOn(houses.get(address)!, { gatherMs: 0 });
  await rounds.sweep();
  await rounds.settle();
  if (rounds.failures.length > 0) throw new Error('Rounds failed.', { cause: rounds.failures[0] });
}
