// The event: a change that webhooks can report.

import { anyObject, id, instant, integer, oneOf } from '../../kit/field.ts';
import { declareResource, type RecordOf } from '../../kit/resource.ts';

/** The types that a webhook can be registered for. */
export const subscribableEventTypes = [
  'account.connected',
  'account.disconnected',
  'transaction.created',
  'transaction.updated',
  'holding.valued',
  'reporting_entity.valued',
  'calculated_data.created',
  'limit.breached',
  'limit.restored',
  'authority.expiring',
] as const;
export type SubscribableEventType = (typeof subscribableEventTypes)[number];

/** The type of the event that tests a webhook, whatever it is registered for. */
export const testEventType = 'webhook.test';
export const eventTypes = [...subscribableEventTypes, testEventType] as const;
export type EventType = (typeof eventTypes)[number];

export const event = declareResource({
  type: 'event',
  plural: 'events',
  description:
    'Something that has happened, as it is sent to webhooks. `data.object` is the record as this API shows it, and `data.previous` holds the former values of the fields that have changed.',
  usage: {
    purpose: 'Use the list to catch up after your receiver was down, or instead of a webhook.',
    list: 'Catch up on what has happened since the last event that you have handled: everything that a webhook would have been sent.',
    read: 'Get one event again, for example the one whose delivery your receiver has lost.',
  },
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
      description:
        '`object`: the record right after the event; `previous`: the former values of the fields that have changed.',
      writable: 'never',
    },
    transactionId: {
      kind: id,
      description: 'The transaction that the event is about.',
      writable: 'never',
      nullable: true,
    },
    transactionVersion: {
      kind: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
      description: 'The version of that transaction.',
      writable: 'never',
      nullable: true,
    },
  },
  relations: {
    client: {
      to: 'client',
      description:
        'The client it concerns; null where it concerns the whole workspace. The client may have been deleted since.',
      writable: 'never',
      filter: true,
    },
  },
});

export type Event = RecordOf<typeof event>;

/** The payload of an event. */
export interface EventData {
  readonly object: Readonly<Record<string, unknown>>;
  readonly previous: Readonly<Record<string, unknown>>;
}
