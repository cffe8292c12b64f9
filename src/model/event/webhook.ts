// The webhook: an address that events are sent to, which of them, and how they are signed. Knows no delivery.

import { instant, integer, oneOf, someOf, text } from '../../kit/field.ts';
import { declareResource, exampleIdOfType, type RecordOf } from '../../kit/resource.ts';
import { subscribableEventTypes, type SubscribableEventType } from './event.ts';
import { createdAt } from '../shared-fields.ts';

/** `hmac`: a secret and `Service-Signature`; `standard`: Standard Webhooks with ECDSA. */
export const webhookSchemes = ['hmac', 'standard'] as const;
export type WebhookScheme = (typeof webhookSchemes)[number];

const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

export const webhook = declareResource({
  type: 'webhook',
  plural: 'webhooks',
  description:
    'An address that events are sent to as they happen, signed, in order for each client, and at least once.',
  table: 'webhook',
  owner: { relation: 'client' },
  attributes: {
    url: {
      kind: text({ lengthMax: 2_048 }),
      description:
        'Where events are posted to: an https address without user, password and fragment. Private addresses are taken in development only.',
      writable: 'always',
      required: true,
      example: 'https://hooks.example.com/holdfast',
    },
    events: {
      kind: someOf(subscribableEventTypes),
      description: 'The types of the events that are sent there.',
      writable: 'always',
      required: true,
      example: ['transaction.created', 'transaction.updated', 'calculated_data.created'],
    },
    scheme: {
      kind: oneOf(webhookSchemes),
      description:
        'How deliveries are signed. `hmac`: `Service-Signature` with the secret of the webhook. `standard`: Standard Webhooks, ECDSA P-256 with the keys of `GET /api/v2/webhooks/keys`. Without it `hmac`, but `standard` for `calculated_data.created` alone.',
      writable: 'at-creation',
    },
    state: {
      kind: oneOf(['enabled', 'disabled']),
      description:
        'What happens while it is `disabled` is not sent to it; what waited before that goes on once it is `enabled` again.',
      writable: 'always',
      filter: true,
    },
    disabledReason: {
      kind: oneOf(['asked', 'gone']),
      description: '`gone`: its receiver answered 410. `asked`: by a change of `state`. Null while it is enabled.',
      writable: 'never',
      nullable: true,
    },
    disabledAt: {
      kind: instant,
      description: 'Since when it has been disabled.',
      writable: 'never',
      nullable: true,
    },
    previousSecretUntil: {
      kind: instant,
      description:
        'Until when deliveries are signed with the secret before this one as well; null where there is none.',
      writable: 'never',
      nullable: true,
    },
    pendingCount: {
      kind: count,
      description: 'Deliveries that are still to be made.',
      writable: 'never',
      computed: true,
    },
    deadLetterCount: {
      kind: count,
      description: 'Deliveries that were given up after 24 hours and not replayed since.',
      writable: 'never',
      computed: true,
    },
    createdAt,
  },
  relations: {
    client: {
      to: 'client',
      description: 'Only events of this client and of those below it. Without it those of the whole workspace.',
      writable: 'at-creation',
      filter: true,
      example: exampleIdOfType('client'),
    },
  },
});

export type Webhook = RecordOf<typeof webhook>;

/** Where nothing was said of it. */
export function defaultWebhookScheme(events: readonly SubscribableEventType[]): WebhookScheme {
  return events.length === 1 && events[0] === 'calculated_data.created' ? 'standard' : 'hmac';
}
