// Signs deliveries of both webhook tracks: bytes in, the text of a header out. Does not know whose secrets and keys these are,
// nor how a delivery travels.

import { createHmac, createPrivateKey, sign, type KeyObject, type webcrypto } from 'node:crypto';

/** When a delivery is sent, and its body to the byte. */
export interface DeliveryToSign {
  /** Unix seconds. */
  readonly timestampSeconds: number;
  readonly body: Uint8Array | string;
}

export interface StandardDeliveryToSign extends DeliveryToSign {
  /** The `webhook-id`, the same at every attempt. */
  readonly id: string;
}

/** `Service-Signature` under one secret: `<unix seconds>,<hex>`. The text signed is the timestamp, a dot, and the body. */
export function signHmac(secret: string, delivery: DeliveryToSign): string {
  return `${checkedSeconds(delivery)},${hmacHex(secret, delivery)}`;
}

/**
 * `Service-Signature` under every secret that is in force, the newest first. While a secret is followed by another one its
 * signature comes third: whoever reads the first two parts only sees the newest.
 */
export function serviceSignature(secrets: readonly string[], delivery: DeliveryToSign): string {
  if (secrets.length === 0) throw new Error('A delivery is signed with one secret at least.');
  return [checkedSeconds(delivery), ...secrets.map((secret) => hmacHex(secret, delivery))].join(',');
}

/** One item of `webhook-signature`: ECDSA P-256 with SHA-256 over `id.timestamp.body`, as the 64 bytes r‖s. */
export function signStandard(key: KeyObject, delivery: StandardDeliveryToSign): string {
  // A dot within the id would let one delivery be read as another one.
  if (!/^[\w-]+$/.test(delivery.id)) throw new Error('The id of a delivery has letters, digits, - and _ only.');
  const signed = Buffer.concat([Buffer.from(`${delivery.id}.${checkedSeconds(delivery)}.`), toBytes(delivery.body)]);
  return `v1a,${sign('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }).toString('base64')}`;
}

/** `webhook-signature`: an item for each key, so that it verifies whichever of them a receiver knows. */
export function standardSignature(keys: readonly KeyObject[], delivery: StandardDeliveryToSign): string {
  if (keys.length === 0) throw new Error('A delivery is signed with one key at least.');
  return keys.map((key) => signStandard(key, delivery)).join(' ');
}

/** The private half of a key of the standard track, ready to sign with. */
export function importWebhookKey(privateJwk: webcrypto.JsonWebKey): KeyObject {
  const key = createPrivateKey({ key: privateJwk, format: 'jwk' });
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('Webhooks are signed with keys of P-256.');
  return key;
}

function hmacHex(secret: string, delivery: DeliveryToSign): string {
  if (secret === '') throw new Error('An empty secret signs nothing.');
  return createHmac('sha256', secret)
    .update(`${checkedSeconds(delivery)}.`)
    .update(delivery.body)
    .digest('hex');
}

function checkedSeconds({ timestampSeconds }: DeliveryToSign): number {
  if (Number.isSafeInteger(timestampSeconds) && timestampSeconds >= 0) return timestampSeconds;
  throw new Error('A delivery is signed at a whole second.');
}

function toBytes(body: Uint8Array | string): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : body;
}
