// Lets reads by key of one caller that come at the same time share a round trip: entering a scope, two messages through a socket and waking the
// server cost more than such a read itself.

import { Batcher } from '../../kit/batcher.ts';
import { Refusal } from '../../kit/refusal.ts';
import { activeSpan } from '../../kit/tracing/span.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Call, Outcome, Statement } from './statement.ts';

export interface SharedRead {
  readonly scope: Scope;
  readonly call: Call;
}

type SharedReads = readonly [SharedRead, ...SharedRead[]];

/** Runs the calls of reads of equal scopes as one transaction. */
export type RunReads = (reads: SharedReads, calls: readonly Call[]) => Promise<readonly Outcome[]>;

/** How many trips of one caller are under way at the same time. More would each be shared by fewer. */
const tripsMax = 2;
/** How many reads share a trip, which ends for all of them with the last one. */
const readsMax = 32;

/** A traced read has a trip of its own, so that its span says what it took. What a person sees is a list, different for each of them. */
export function canShare(scope: Scope, { isByKey }: Statement<unknown>): boolean {
  return isByKey === true && scope.visibleClients.kind !== 'some' && activeSpan() === undefined;
}

/** Different for scopes that a transaction enters in different ways. */
function nameOf({ scope: { workspaceId, environment, visibleClients, credentialId } }: SharedRead): string {
  const client = 'clientId' in visibleClients ? visibleClients.clientId : '';
  return `${workspaceId} ${environment} ${credentialId ?? ''} ${visibleClients.kind} ${client}`;
}

type Answer = { readonly outcome: Outcome } | { readonly refusal: Refusal };

export class ReadSharing {
  readonly #batcher: Batcher<SharedRead, Answer>;

  constructor(run: RunReads) {
    this.#batcher = new Batcher({
      keyOf: nameOf,
      runningMax: tripsMax,
      batchMax: readsMax,
      run: (reads) => answerAll(run, reads),
    });
  }

  async read(shared: SharedRead): Promise<Outcome> {
    const answer = await this.#batcher.submit(shared);
    if ('refusal' in answer) throw answer.refusal;
    return answer.outcome;
  }
}

/** A refusal is of the caller or of the database, and would be that of each read alone. After any other error, each is run alone. */
async function answerAll(run: RunReads, reads: SharedReads): Promise<readonly Answer[]> {
  try {
    const outcomes = await run(
      reads,
      reads.map(({ call }) => call),
    );
    return outcomes.map((outcome) => ({ outcome }));
  } catch (error) {
    if (error instanceof Refusal) return reads.map(() => ({ refusal: error }));
    throw error;
  }
}
