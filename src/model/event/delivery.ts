// The delivery: one event to one webhook, with every attempt to send it.

import { instant, integer, oneOf, text } from '../../kit/field.ts';
import { listOf, objectOf } from '../../kit/structured-field.ts';
import { declareResource, type RecordOf } from '../../kit/resource.ts';
import { eventTypes } from './event.ts';
import { createdAt } from '../shared-fields.ts';

const deliveryStates = ['pending', 'delivered', 'dead'] as const;

const count = integer({ min: 0, max: 2_147_483_647 });

const attempt = objectOf({
  number: { kind: count, description: 'Counted from 1.' },
  at: { kind: instant, description: 'When it began.' },
  status: {
    kind: integer({ min: 100, max: 999 }),
    description: 'The status of the response; absent where there was none.',
    optional: true,
  },
  error: {
    kind: text({ lengthMax: 500 }),
    description: 'Why there was no response; `moved-away` if nothing was sent.',
    optional: true,
  },
  durationMs: { kind: count, description: 'How long it took, in milliseconds.' },
  answer: {
    kind: text({ lengthMin: 0, lengthMax: 1_024 }),
    description: 'The beginning of the response body: 1 KiB at most.',
    optional: true,
  },
});

export const delivery = declareResource({
  type: 'delivery',
  plural: 'deliveries',
  description:
    'The delivery of an event to a webhook. It is retried until the receiver answers with 2xx within 10 seconds: after 5 seconds, then less and less often but at least once an hour, for 24 hours from when it was ready for that webhook, whether it was tried or waited for an earlier one. After that it is a dead letter.',
  usage: {
    purpose: 'Look here when an event did not arrive: every attempt is kept with the status that the receiver gave.',
    read: 'See the attempts of one delivery, and when the next one is due.',
  },
  table: 'delivery',
  owner: { relation: 'client' },
  mergedLists: { by: 'state', values: deliveryStates },
  attributes: {
    eventType: {
      kind: oneOf(eventTypes),
      description: 'The type of the event.',
      writable: 'never',
      through: { relation: 'event', table: 'event', column: 'type' },
    },
    state: {
      kind: oneOf(deliveryStates),
      description: '`dead`: no more attempts are made. A dead letter can be replayed.',
      writable: 'never',
      filter: true,
    },
    attemptCount: { kind: count, description: 'How many attempts were made.', writable: 'never' },
    createdAt,
    firstAttemptAt: {
      kind: instant,
      description: 'When the first attempt was made; of a replayed delivery, the first since the replay.',
      writable: 'never',
      nullable: true,
    },
    nextAttemptAt: {
      kind: instant,
      description: 'When the next attempt is due.',
      writable: 'never',
      nullable: true,
    },
    endedAt: {
      kind: instant,
      description: 'When it was delivered or became a dead letter.',
      writable: 'never',
      nullable: true,
    },
    attempts: {
      kind: listOf(attempt, { itemsMax: 1_000 }),
      description: 'The last 100 attempts, oldest first.',
      writable: 'never',
      computed: true,
    },
    order_key: {
      kind: text({ lengthMax: 64 }),
      description: 'The deliveries with the same value are sent in order.',
      writable: 'never',
    },
  },
  relations: {
    webhook: { to: 'webhook', description: 'The webhook that it is sent to.', writable: 'never', required: true },
    event: { to: 'event', description: 'The event that it carries.', writable: 'never', required: true },
    client: { to: 'client', description: 'The client of the webhook.', writable: 'never' },
  },
});

export type Delivery = RecordOf<typeof delivery>;
export type DeliveryAttempt = Delivery['attempts'][number];
