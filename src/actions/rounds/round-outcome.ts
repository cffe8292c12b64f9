// What a round is asked and what it finds, as values that can be passed between threads.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import type { EventData } from '../../model/event/event.ts';
import type { RoundProgress } from '../../model/limit/calculation-round.ts';
import type { AnnouncedFigures } from '../../store/events/announced-holdings.ts';
import type { FoundBreak } from '../../store/custody/reconciliation-breaks.ts';
import type { RoundResult } from '../../store/queues/round-queue.ts';
import type { EvaluatedState } from '../../store/resources/limit-states.ts';
import type { Tenant } from '../../model/access/scope.ts';

export interface RoundInput {
  readonly tenant: Tenant;
  readonly client: Id;
}

/** Several clients of a tenant. */
export interface RoundsInput {
  readonly tenant: Tenant;
  readonly clients: readonly Id[];
}

export interface ClientProgress extends RoundProgress {
  readonly client: Id;
}

/** What was found for a client, or why nothing was. The outcome is undefined where the client is gone. */
export type RoundEvaluation = { readonly outcome: RoundOutcome | undefined } | { readonly error: unknown };

/** The state of a limit at a reporting entity. */
export type RoundState = Omit<EvaluatedState, 'id'>;

/** The value of a reporting entity's holdings at the end of a day. */
export interface EntityValuation {
  readonly reportingEntity: Id;
  readonly date: CalendarDate;
  readonly currency: string;
  /** Of any length. */
  readonly marketValue: string;
  readonly holdings: number;
}

/** A holding whose quantity or value is another than what was last announced, or that is no longer held. */
export interface HoldingChange extends AnnouncedFigures {
  readonly reportingEntity: Id;
  readonly instrument: string;
  readonly isHeld: boolean;
  /** As it is now, and the former values of what has changed. */
  readonly object: EventData['object'];
  readonly previous: EventData['previous'];
}

export interface RoundOutcome extends RoundResult {
  /** The differences between statements of custodians and the ledger. */
  readonly breaks: readonly FoundBreak[];
  readonly states: readonly RoundState[];
  readonly valuations: readonly EntityValuation[];
  readonly holdingChanges: readonly HoldingChange[];
  /** The last round has found other figures, or there was none. */
  readonly areFiguresNew: boolean;
  /** What was announced of holdings before no longer counts: nobody who has received it receives changes now. */
  readonly isAnnouncedOutdated: boolean;
}
