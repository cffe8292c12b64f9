// The event: something has happened that a receiver may want to hear of. Knows not who is told.

import { anyObject, id, instant, integer, oneOf } from '../../kit/field.ts';
import { declareResource, type RecordOf } from '../../kit/resource.ts';

/** What a webhook can be registered for. */
export const subscribableEventTypes = [
  'account.connected',
  'account.disconnected',
  'transaction.created',
  'transaction.updated',
  'holding.valued',
  'calculated_data.created',
  'limit.breached',
  'limit.restored',
  'authority.expiring',
] as const;
export type SubscribableEventType = (typeof subscribableEventTypes)[number];

/** The one that a webhook is tried out with, whatever it is registered for. */
export const testEventType = 'webhook.test';
export const eventTypes = [...subscribableEventTypes, testEventType] as const;
export type EventType = (typeof eventTypes)[number];

export const event = declareResource({
  type: 'event',
  plural: 'events',
  description:
    'Something that has happened, as it is sent to webhooks. `data.object` is the thing in the words of v1, and `data.previous` what it had in place of what has changed.',
  table: 'event',
  owner: { relation: 'client' },
  attributes: {
    type: { kind: oneOf(eventTypes), description: 'What has happened.', writable: 'never', filter: true },
    createdAt: { kind: instant, description: 'When it happened.', writable: 'never', filter: 'since' },
    workspace: {
      kind: id,
      description: 'The workspace that it happened in.',
      writable: 'never',
      snakeCaseName: 'workspace_id',
      computed: true,
    },
    data: {
      kind: anyObject,
      description: '`object`: the thing as it was right after; `previous`: the former values of what has changed.',
      writable: 'never',
    },
    transactionId: {
      kind: id,
      description: 'Of an event about a transaction: which.',
      writable: 'never',
      nullable: true,
    },
    transactionVersion: {
      kind: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
      description: 'Which version of it.',
      writable: 'never',
      nullable: true,
    },
  },
  relations: {
    client: {
      to: 'client',
      description: 'Whom it concerns; null where that is the whole workspace. The client may be gone.',
      writable: 'never',
      filter: true,
    },
  },
});

export type Event = RecordOf<typeof event>;

/** What is told of an event. */
export interface EventData {
  readonly object: Readonly<Record<string, unknown>>;
  readonly previous: Readonly<Record<string, unknown>>;
}
