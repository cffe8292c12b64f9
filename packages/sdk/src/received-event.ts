// Verifies a delivery and reads its event with its type. A newer service may send types that this version does not know: ignore them.

import type { ServiceEvent, StandardEvent } from './generated/webhook-events.ts';
import {
  verifyServiceSignature,
  verifyStandardWebhook,
  type ServiceDelivery,
  type StandardDelivery,
  type TrustedKeys,
} from './webhook.ts';

/** Returns the event of a delivery of v1, or throws a `WebhookRefused`. */
export async function receiveServiceEvent(delivery: ServiceDelivery): Promise<ServiceEvent> {
  await verifyServiceSignature(delivery);
  return readBody(delivery.body);
}

/** Returns the id and the event of a delivery of the scheme `standard`, or throws a `WebhookRefused`. */
export async function receiveStandardEvent(
  delivery: Omit<StandardDelivery, 'keys'> & { readonly keys: StandardDelivery['keys'] | TrustedKeys },
): Promise<{ readonly id: string; readonly event: StandardEvent }> {
  const { keys } = delivery;
  const verified = 'verify' in keys ? keys.verify(delivery) : verifyStandardWebhook({ ...delivery, keys });
  return { id: (await verified).id, event: readBody(delivery.body) };
}

function readBody(body: Uint8Array | string): any {
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
}
