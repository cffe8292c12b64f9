// Emits the events of a finished round: that the client's figures were calculated, the values of its reporting entities, which holdings
// have changed, and which limits were breached or restored.

import { writeJson } from '../../kit/json.ts';
import type { EvaluatedState } from '../../store/resources/limit-states.ts';
import type { TakenRound } from '../../store/queues/round-queue.ts';
import { emit, type Emission } from '../events/event.ts';
import type { HoldingChange, RoundOutcome } from './round-outcome.ts';
import type { Work } from '../core/work.ts';

/**
 * Emits one event for each valued reporting entity where figures have changed, then one for the round: whoever has changed something
 * waits for it. Nobody waits for a round that only a new day has caused, so where it has changed nothing it emits nothing.
 */
export function emitRoundFinished(
  work: Work,
  { id, client, causes }: TakenRound,
  { valuations, areFiguresNew }: Pick<RoundOutcome, 'valuations' | 'areFiguresNew'>,
): void {
  if (!areFiguresNew && causes.every((cause) => cause === 'day')) return;
  const values = (areFiguresNew ? valuations : []).map(
    ({ reportingEntity, date, currency, marketValue, holdings }): Emission => ({
      type: 'reporting_entity.valued',
      client,
      object: {
        reporting_entity_id: reportingEntity,
        client_id: client,
        calculation_round_id: id,
        date,
        currency,
        market_value: marketValue,
        holding_count: holdings,
      },
    }),
  );
  const calculated = { client_id: client, calculation_round_id: id, causes };
  emit(work, ...values, { type: 'calculated_data.created', client, object: calculated });
}

/** How many holdings one statement announces. */
const batchSize = 1_000;

/** Emits one event for each changed holding and keeps what was announced, to compare the next round with. */
export async function emitHoldingChanges(
  work: Work,
  { client }: TakenRound,
  changes: readonly HoldingChange[],
): Promise<void> {
  const table = work.store.announcedHoldings;
  for (let start = 0; start < changes.length; start += batchSize) {
    const batch = changes.slice(start, start + batchSize);
    emit(
      work,
      ...batch.map(({ object, previous }): Emission => ({ type: 'holding.valued', client, object, previous })),
    );
    const held = batch.filter(({ isHeld }) => isHeld).map((one) => ({ ...one, object: writeJson(one.object) }));
    const gone = batch.filter(({ isHeld }) => !isHeld);
    if (held.length > 0) await table.put(client, held);
    if (gone.length > 0) await table.drop(client, gone);
  }
}

/** Emits what has changed. A limit is restored where it was breached when it could last be evaluated. */
export async function emitLimitStates(
  work: Work,
  { id, client }: TakenRound,
  changed: readonly EvaluatedState[],
): Promise<void> {
  const evaluated = changed.filter(({ state }) => state !== 'not_evaluable');
  if (evaluated.length === 0) return;
  const before = new Map(
    (await work.store.limitStates.listPrevious(evaluated)).map(({ of: stateId, state }) => [stateId, state]),
  );
  const relevant = evaluated.filter((one) => one.state === 'breached' || before.get(one.id) === 'breached');
  const changes = relevant.filter((one) => before.get(one.id) !== one.state);
  const emissions = changes.map((one): Emission => ({
    type: one.state === 'breached' ? 'limit.breached' : 'limit.restored',
    client,
    object: {
      limit_id: one.limit,
      reporting_entity_id: one.reportingEntity,
      client_id: client,
      calculation_round_id: id,
      kind: one.kind,
      state: one.state,
      current_value: one.currentValue,
      bound: one.bound,
      bound_value: one.boundValue,
    },
    previous: before.has(one.id) ? { state: before.get(one.id) } : {},
  }));
  emit(work, ...emissions);
}
