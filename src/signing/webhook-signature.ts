// Signs webhook deliveries of both schemes: takes the bytes of the body and returns the signature header.

import { createHmac, createPrivateKey, sign, type KeyObject, type webcrypto } from 'node:crypto';

/** The time of sending and the exact body. */
interface DeliveryToSign {
  /** Unix seconds. */
  readonly timestampSeconds: number;
  readonly body: Uint8Array | string;
}

interface StandardDeliveryToSign extends DeliveryToSign {
  /** The `webhook-id`, the same for every attempt. */
  readonly id: string;
}

/** The value of `Service-Signature`, `<unix seconds>,<hex>`: the HMAC of the timestamp, a dot, and the body. */
export function serviceSignature(secret: string, delivery: DeliveryToSign): string {
  return `${checkedSeconds(delivery)},${hmacHex(secret, delivery)}`;
}

/** One item of `webhook-signature`: ECDSA P-256 with SHA-256 over `id.timestamp.body`, as the 64 bytes r‖s. */
export function signStandard(key: KeyObject, delivery: StandardDeliveryToSign): string {
  // A dot in the id would make the boundaries of the signed text ambiguous.
  if (!/^[\w-]+$/.test(delivery.id)) throw new Error('The id of a delivery may contain letters, digits, - and _ only.');
  const signed = Buffer.concat([Buffer.from(`${delivery.id}.${checkedSeconds(delivery)}.`), toBytes(delivery.body)]);
  return `v1a,${sign('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }).toString('base64')}`;
}

/** `webhook-signature` with one item for each key, so that a receiver needs only one of the keys. */
export function standardSignature(keys: readonly KeyObject[], delivery: StandardDeliveryToSign): string {
  if (keys.length === 0) throw new Error('A delivery needs at least one key.');
  return keys.map((key) => signStandard(key, delivery)).join(' ');
}

/** Imports the private half of a key of the scheme `standard`. */
export function importWebhookKey(privateJwk: webcrypto.JsonWebKey): KeyObject {
  const key = createPrivateKey({ key: privateJwk, format: 'jwk' });
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('Webhooks are signed with P-256 keys.');
  return key;
}

function hmacHex(secret: string, delivery: DeliveryToSign): string {
  if (secret === '') throw new Error('A secret must not be empty.');
  return createHmac('sha256', secret)
    .update(`${checkedSeconds(delivery)}.`)
    .update(delivery.body)
    .digest('hex');
}

function checkedSeconds({ timestampSeconds }: DeliveryToSign): number {
  if (Number.isSafeInteger(timestampSeconds) && timestampSeconds >= 0) return timestampSeconds;
  throw new Error('The timestamp of a delivery must be a whole number of seconds.');
}

function toBytes(body: Uint8Array | string): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : body;
}
