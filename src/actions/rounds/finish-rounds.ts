// Finishes rounds of a tenant together: what each found is written, with its events, in one transaction. Of what waits for nothing else, the
// statements of all rounds share a trip to the database.

import type { Id } from '../../kit/id.ts';
import { limit as limitResource } from '../../model/limit/limit.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import type { Store } from '../../store/store.ts';
import type { AppContext } from '../core/context.ts';
import { runInTransaction, serviceAuthor, type Work } from '../core/work.ts';
import { putBreaks } from '../reconciliation/reconciliation-break.ts';
import type { LeasedRound } from './round.ts';
import { emitHoldingChanges, emitLimitStates, emitRoundFinished } from './round-events.ts';
import type { RoundOutcome } from './round-outcome.ts';

export interface EvaluatedRound extends LeasedRound {
  readonly outcome: RoundOutcome;
}

/** Returns for each whether its lease was still held. Where it was lost, writes nothing of that round. */
export function finishRounds(
  context: AppContext,
  rounds: readonly [EvaluatedRound, ...EvaluatedRound[]],
): Promise<readonly boolean[]> {
  // In the order of clients, so that two nodes cannot deadlock.
  const sorted = rounds.toSorted((one, other) => (one.round.client < other.round.client ? -1 : 1));
  return runInTransaction(context, serviceAuthor(rounds[0].tenant), async (work) => {
    const { store, now } = work;
    const areHeld = await Promise.all(sorted.map(({ round, outcome }) => store.rounds.finish(round, outcome, now)));
    const held = new Set(sorted.filter((_one, index) => areHeld[index]));
    const existing = await lockExisting(store, [...held]);
    await Promise.all([...held].map((one) => writeOutcome(work, one, existing)));
    return rounds.map((one) => held.has(one));
  });
}

/** The limits and reporting entities that states and changes of holdings are about and that were not deleted meanwhile: locked against it. */
async function lockExisting(store: Store, rounds: readonly EvaluatedRound[]): Promise<ReadonlySet<Id>> {
  const states = rounds.flatMap(({ outcome }) => outcome.states);
  const changes = rounds.flatMap(({ outcome }) => outcome.holdingChanges);
  const limitIds = new Set(states.map(({ limit }) => limit));
  const entityIds = new Set([...states, ...changes].map((one) => one.reportingEntity));
  const [limits, entities] = await Promise.all([
    limitIds.size === 0 ? [] : store.table(limitResource).lockReferenced([...limitIds]),
    entityIds.size === 0 ? [] : store.table(reportingEntity).lockReferenced([...entityIds]),
  ]);
  return new Set([...limits, ...entities].map(({ id }) => id));
}

async function writeOutcome(work: Work, { round, outcome }: EvaluatedRound, existing: ReadonlySet<Id>): Promise<void> {
  const { store, now, ids } = work;
  const { states, holdingChanges, isAnnouncedOutdated, breaks } = outcome;
  const recorded = states
    .filter((state) => existing.has(state.limit) && existing.has(state.reportingEntity))
    .map((state) => ({ ...state, id: ids.next() }));
  const [startedIds] = await Promise.all([
    store.limitStates.putStates(recorded, { client: round.client, round: round.id, now }),
    putBreaks(work, round, breaks),
    isAnnouncedOutdated ? store.announcedHoldings.dropClient(round.client) : undefined,
  ]);
  const started = new Set(startedIds);
  const changes = holdingChanges.filter((one) => existing.has(one.reportingEntity));
  await emitHoldingChanges(work, round, changes);
  emitRoundFinished(work, round, outcome);
  await emitLimitStates(
    work,
    round,
    recorded.filter(({ id }) => started.has(id)),
  );
}
