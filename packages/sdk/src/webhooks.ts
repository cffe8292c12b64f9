// What `@holdfast/sdk/webhooks` exports.

export type { ServiceEvent, ServiceEvents, StandardEvent, StandardEvents } from './generated/webhook-events.ts';
export { receiveServiceEvent, receiveStandardEvent } from './received-event.ts';
export {
  toleranceSeconds,
  TrustedKeys,
  verifyServiceSignature,
  verifyStandardWebhook,
  WebhookRefused,
  type KeySource,
  type ReceivedHeaders,
  type RefusedReason,
  type ServiceDelivery,
  type StandardDelivery,
  type WebhookJwk,
} from './webhook.ts';
