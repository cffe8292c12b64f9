// The types of delivery queues: their keys, what a taken queue holds, and what an attempt does to a delivery and its queue.

import type { Id } from '../../kit/id.ts';
import type { Event } from '../../model/event/event.ts';
import type { WebhookScheme } from '../../model/event/webhook.ts';

/** The deliveries of one webhook that are made in order. */
export interface DeliveryQueueKey {
  readonly webhook: Id;
  /** What they have in common: their client, or the delivery itself where it need not wait for others. */
  readonly orderKey: string;
}

/** A lease ends at `until`. Recording attempts prolongs it where it would end before `renewBefore`. */
export interface DeliveryLease {
  readonly now: number;
  readonly until: number;
  readonly renewBefore: number;
}

/** Where deliveries to a webhook go, and what they are signed with. */
export interface DeliveryTarget {
  readonly url: string;
  readonly scheme: WebhookScheme;
  readonly secretSealed: Buffer | null;
  readonly previousSecretSealed: Buffer | null;
  readonly previousSecretUntil: number | null;
  /** The version of the hierarchy in which a client was last moved. */
  readonly movedVersion: number;
}

/** A delivery that is next in its queue, with the event it delivers. */
export interface NextDelivery extends Pick<
  Event,
  'type' | 'client' | 'createdAt' | 'data' | 'transactionId' | 'transactionVersion'
> {
  readonly delivery: Id;
  /** Of the event. */
  readonly id: Id;
  readonly attemptCount: number;
  /** The trace of what caused the event, if it was recorded. */
  readonly traceparent: string | null;
  /** When it was queued, or queued again by a replay. */
  readonly readyAt: number;
  /** The webhook is of one client, which the client of the event no longer belongs to. */
  readonly isMovedAway: boolean;
}

/** A queue that may be due or, with a holder, one that this holder has already and that has more deliveries. */
export interface QueueToTake extends DeliveryQueueKey {
  readonly holder?: Id;
}

export interface TakenQueue extends DeliveryQueueKey {
  readonly holder: Id;
  /** When the lease ends unless it is prolonged. */
  readonly leasedUntil: number;
  /** Counts every delivery that was ever put into the queue: where it has not changed, nothing has come in. */
  readonly queued: number;
  readonly target: DeliveryTarget;
  readonly nextDeliveries: readonly NextDelivery[];
  /** `nextDeliveries` is all there was in the queue. */
  readonly isComplete: boolean;
}

/** The result of one attempt, and the state that it leaves the delivery in. */
export interface AttemptResult {
  readonly delivery: Id;
  readonly at: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly answer: string | null;
  readonly state: 'pending' | 'delivered' | 'dead';
  readonly endedAt: number;
  /** Null unless the delivery is still pending. */
  readonly nextAttemptAt: number | null;
}

/** The attempts at deliveries of a queue, in their order; all before the last one were accepted. */
export interface QueueAttempts {
  readonly takenQueue: TakenQueue;
  readonly attempts: readonly [AttemptResult, ...AttemptResult[]];
  /** No other delivery was in the queue after these. */
  readonly isLast: boolean;
}

/**
 * The state of a queue after attempts:
 * - `open`: still leased, and the next delivery can be sent;
 * - `closed`: still leased, but its webhook was disabled or has another URL now, or a client has moved;
 * - `waiting`: handed back until the next attempt;
 * - `empty`: nothing was left, and the queue is gone;
 * - `refilled`: handed back and due at once, since deliveries have come into it;
 * - `lost`: another node has the lease, and nothing was written.
 */
export type QueueOutcome = 'open' | 'closed' | 'waiting' | 'empty' | 'refilled' | 'lost';
