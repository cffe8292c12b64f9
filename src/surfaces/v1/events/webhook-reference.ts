// Describes the events that are posted to webhooks, with their payloads in both schemes, for the API reference.

import { orNull, type JsonSchema } from '../../../kit/field.ts';
import { event, testEventType, type EventType } from '../../../model/event/event.ts';
import { valuedHoldingShape } from '../../../model/report/holding.ts';
import { snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import { v1 } from '../wire.ts';

interface EventDescription {
  readonly when: string;
  readonly object: JsonSchema;
}

const id: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{24}$' };
const text: JsonSchema = { type: 'string' };
const decimal: JsonSchema = { type: 'string', description: 'A decimal.' };
const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const objectOf = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

const limitState = objectOf({
  limit_id: id,
  reporting_entity_id: id,
  client_id: id,
  calculation_round_id: id,
  kind: text,
  state: text,
  current_value: orNull(decimal),
  bound: orNull(text),
  bound_value: orNull(decimal),
});

const describedEvents: Readonly<Record<EventType, EventDescription>> = {
  'account.connected': {
    when: 'An account is covered by an active authority for its custodian: it was linked, or a connection that was broken works again.',
    object: schemaRef('V1Account'),
  },
  'account.disconnected': {
    when: 'An account is no longer connected with its custodian: it was unlinked or deleted, the authority was revoked or has ended, or its credentials broke.',
    object: schemaRef('V1Account'),
  },
  'transaction.created': {
    when: 'A transaction was booked, from a feed or by hand, singly or in bulk.',
    object: schemaRef('V1Transaction'),
  },
  'transaction.updated': {
    when: 'A transaction was amended or classified; `previous` has the former values of the changed fields.',
    object: schemaRef('V1Transaction'),
  },
  'holding.valued': {
    when: 'A round has found another quantity or value of a holding than before: one event for each such holding, a reporting entity’s holdings of one instrument. `object` is the row of `GET /v1/holdings` by instrument, with the reporting entity, the currency and the moment of that report; its quantity and value are 0 when it is no longer held. `previous` has the former values of the changed fields, and is empty for a new holding. Written only while a webhook is registered for it; the first round after that reports every holding.',
    object: valuedHoldingShape.schema(v1.style),
  },
  'reporting_entity.valued': {
    when: 'A round valued a reporting entity: one event for all of its holdings.',
    object: objectOf({
      reporting_entity_id: id,
      client_id: id,
      calculation_round_id: id,
      date: { type: 'string', format: 'date' },
      currency: text,
      market_value: decimal,
      holding_count: { type: 'integer' },
    }),
  },
  'calculated_data.created': {
    when: 'A round of holdings, performance and limits finished for a client.',
    object: objectOf({ client_id: id, calculation_round_id: id, causes: { type: 'array', items: text } }),
  },
  'limit.breached': { when: 'A limit was breached that was not breached before.', object: limitState },
  'limit.restored': { when: 'A breached limit is met again.', object: limitState },
  'authority.expiring': {
    when: "Consent given to a custodian ends soon: once for each of the numbers of days in the custodian's settings, 30, 7 and 1 unless changed. The client's administrators get a mail as well.",
    object: objectOf({
      authority_id: id,
      client_id: id,
      custodian_id: id,
      expires_at: { type: 'string', format: 'date-time' },
    }),
  },
  [testEventType]: {
    when: 'A test of the webhook. Nothing has happened.',
    object: objectOf({ webhook_id: id, message: text }),
  },
};

const previous: JsonSchema = { type: 'object', description: 'The former values of the changed fields.' };

function hmacBody(type: EventType, object: JsonSchema): JsonSchema {
  const envelope = snakeCaseSchema(event, v1);
  const properties = envelope['properties'] as Record<string, JsonSchema>;
  return {
    ...envelope,
    properties: { ...properties, type: { const: type }, data: objectOf({ object, previous }) },
  };
}

function standardBody(type: EventType, object: JsonSchema): JsonSchema {
  const data =
    type === 'calculated_data.created'
      ? objectOf({ clientId: id })
      : objectOf({ client_id: orNull(id), object, previous });
  return objectOf({ type: { const: type }, timestamp: { type: 'string', format: 'date-time' }, data });
}

const header = (name: string, description: string): JsonSchema => ({ name, in: 'header', schema: text, description });

const headers = [
  header('Service-Signature', 'Scheme `hmac`: unix seconds, a comma, and the signature with the present secret.'),
  header(
    'Service-Signature-Previous',
    'Scheme `hmac`, for 24 hours after a rotation of the secret: the same, with the previous secret.',
  ),
  header('webhook-id', 'Scheme `standard`: the id of the event, the same for every attempt.'),
  header('webhook-timestamp', 'Scheme `standard`: the time of sending, in unix seconds.'),
  header('webhook-signature', 'Scheme `standard`: `v1a,` and a signature for each key that signs.'),
];

/** Builds the `webhooks` part of the OpenAPI document. */
export function describeWebhooks(): Record<string, JsonSchema> {
  const described = Object.entries(describedEvents).map(([type, { when, object }]) => {
    const schemes = [hmacBody(type as EventType, object), standardBody(type as EventType, object)];
    const titled = schemes.map((schema, index) => ({ title: ['Scheme hmac', 'Scheme standard'][index], ...schema }));
    const post = {
      operationId: `webhook.${type}`,
      tags: ['webhooks'],
      summary: type,
      description: when,
      security: [],
      parameters: headers,
      requestBody: { required: true, content: { 'application/json': { schema: { anyOf: titled } } } },
      responses: {
        '2XX': { description: 'Received. After any other status, the delivery is retried for 24 hours.' },
        410: { description: 'Gone: disables the webhook, so that nothing more is sent to it.' },
      },
    };
    return [type, { post }] as const;
  });
  return Object.fromEntries(described);
}
