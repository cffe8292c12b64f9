// The webhook: an address that events are sent to, the types it is registered for, and how deliveries are signed.

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
  usage: {
    purpose: 'Register one instead of asking for changes again and again.',
    list: 'See where events are sent, and which webhooks are disabled.',
    read: 'Look up which events an address gets, how deliveries are signed, and why it was disabled.',
    create:
      'Let events be sent to your address. The secret to verify signatures with is shown only in this answer: store it. Events tell what happened, so this takes the right to read as well.',
    change:
      'Move it to another address, choose other events, or disable and enable it. Deliveries that wait go to the new address. Another address, or further events, take the right to read as well.',
    delete: 'Stop sending events to an address. Deliveries that wait are dropped.',
  },
  table: 'webhook',
  owner: { relation: 'client' },
  attributes: {
    url: {
      kind: text({ lengthMax: 2_048 }),
      description:
        'Where events are posted to: an https address without user, password and fragment. Private addresses are accepted in development only.',
      writable: 'always',
      required: true,
      example: 'https://hooks.example.com/holdfast',
    },
    events: {
      kind: someOf(subscribableEventTypes),
      description: 'The types of the events that are sent to it.',
      writable: 'always',
      required: true,
      example: ['transaction.created', 'transaction.updated', 'calculated_data.created'],
    },
    scheme: {
      kind: oneOf(webhookSchemes),
      description:
        'How deliveries are signed. `hmac`: `Service-Signature` with the secret of the webhook. `standard`: Standard Webhooks, ECDSA P-256 with the keys of `GET /api/v2/webhooks/keys`. When it is not sent: `hmac`, or `standard` for `calculated_data.created` alone.',
      writable: 'at-creation',
    },
    state: {
      kind: oneOf(['enabled', 'disabled']),
      description:
        'Events that happen while it is `disabled` are not sent to it. Deliveries that were pending before are sent once it is `enabled` again.',
      writable: 'always',
      filter: true,
    },
    disabledReason: {
      kind: oneOf(['asked', 'gone']),
      description: '`gone`: its receiver answered 410. `asked`: its `state` was changed. Null while it is enabled.',
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
      description: 'Until when deliveries are also signed with the previous secret; null where there is none.',
      writable: 'never',
      nullable: true,
    },
    pendingCount: {
      kind: count,
      description: 'Deliveries that are not finished yet.',
      writable: 'never',
      computed: true,
    },
    deadLetterCount: {
      kind: count,
      description: 'Dead letters: deliveries that failed for 24 hours and were not replayed since.',
      writable: 'never',
      computed: true,
    },
    createdAt,
  },
  relations: {
    client: {
      to: 'client',
      description:
        'The client whose events are sent, with those of its descendants. When it is not sent, those of the whole workspace.',
      writable: 'at-creation',
      filter: true,
      example: exampleIdOfType('client'),
    },
  },
});

export type Webhook = RecordOf<typeof webhook>;

/** The scheme of a webhook that was registered without one. */
export function defaultWebhookScheme(events: readonly SubscribableEventType[]): WebhookScheme {
  return events.length === 1 && events[0] === 'calculated_data.created' ? 'standard' : 'hmac';
}
