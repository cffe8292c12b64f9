// What the end of a round tells: that a client's figures were worked out, what its reporting entities are worth, and which limits were
// broken or are kept again. Knows not how any of it was found.

import type { EvaluatedState } from '../../store/resources/limit-states.ts';
import type { TakenRound } from '../../store/queues/round-queue.ts';
import { emit, type Emission } from '../events/event.ts';
import type { EntityValuation } from './round-outcome.ts';
import type { Work } from '../core/work.ts';

/** One of the round, after one for each reporting entity whose holdings were valued. */
export function emitRoundFinished(
  work: Work,
  { id, client, causes }: TakenRound,
  valuations: readonly EntityValuation[],
): void {
  const values = valuations.map(({ reportingEntity, date, currency, marketValue, holdings }): Emission => ({
    type: 'holding.valued',
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
  }));
  const calculated = { client_id: client, calculation_round_id: id, causes };
  emit(work, ...values, { type: 'calculated_data.created', client, object: calculated });
}

/** A limit is restored that was broken when it could last be evaluated. */
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
