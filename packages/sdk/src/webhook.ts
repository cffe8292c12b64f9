// Verifies webhook deliveries of both schemes in a receiver. Imports nothing and uses Web Crypto only, so that it runs in Node, Deno, Bun,
// workers and browsers, and can be copied into any project.

/** Why a delivery is refused. Respond with 401 in each case. */
export type RefusedReason =
  | 'header-missing'
  | 'header-malformed'
  | 'timestamp-too-old'
  | 'timestamp-too-new'
  | 'no-keys'
  | 'signature-wrong';

export class WebhookRefused extends Error {
  readonly reason: RefusedReason;

  constructor(reason: RefusedReason, message: string) {
    super(message);
    this.name = 'WebhookRefused';
    this.reason = reason;
  }
}

/** The headers of a request: of `node:http`, a `Headers` of fetch, or any object with names in lower case. */
export type ReceivedHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

interface ReceivedDelivery {
  readonly headers: ReceivedHeaders;
  /** The body as it arrived. Parsing and writing it again may change its bytes, and then it does not verify. */
  readonly body: Uint8Array | string;
  /** Epoch milliseconds; by default the time of this machine. */
  readonly now?: number;
}

export interface ServiceDelivery extends ReceivedDelivery {
  /** The secret of the endpoint, or all valid ones during a rotation. */
  readonly secret: string | readonly string[];
}

/** A public key as `GET /api/v2/webhooks/keys` shows it. */
export interface WebhookJwk {
  readonly kty: string;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
  readonly kid?: string;
}

export interface StandardDelivery extends ReceivedDelivery {
  /** All trusted keys: the `keys` of that response. */
  readonly keys: readonly WebhookJwk[];
}

/** How far the clocks of sender and receiver may differ, including the time of transmission. */
export const toleranceSeconds = 300;

const encoder = new TextEncoder();

/** Verifies a delivery of v1: returns when it was signed, or throws a `WebhookRefused`. */
export async function verifyServiceSignature(delivery: ServiceDelivery): Promise<{ timestampSeconds: number }> {
  const present = readHeader(delivery.headers, 'service-signature');
  const previous = findHeader(delivery.headers, 'service-signature-previous');
  const secrets = typeof delivery.secret === 'string' ? [delivery.secret] : delivery.secret;
  const keys = await Promise.all(secrets.map(importSecret));
  for (const header of previous === undefined ? [present] : [present, previous]) {
    const { timestampSeconds, signature, signed } = readServiceSignature(delivery, header);
    for (const key of keys) {
      // The platform compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return { timestampSeconds };
    }
  }
  throw new WebhookRefused('signature-wrong', 'No signature of this delivery matches the secret.');
}

/** Verifies a delivery of the scheme `standard`: returns its id, time and key, or throws a `WebhookRefused`. */
export async function verifyStandardWebhook(
  delivery: StandardDelivery,
): Promise<{ id: string; timestampSeconds: number; kid: string | undefined }> {
  const id = readHeader(delivery.headers, 'webhook-id');
  const timestamp = readHeader(delivery.headers, 'webhook-timestamp');
  const signatures = readSignatures(readHeader(delivery.headers, 'webhook-signature'));
  if (id.includes('.')) throw malformed('A webhook-id must not contain a dot.');
  const timestampSeconds = checkTimestamp(timestamp, delivery.now);
  const signed = signedBytes(`${id}.${timestamp}.`, delivery.body);
  const keys = delivery.keys.filter(({ kty, crv }) => kty === 'EC' && crv === 'P-256');
  if (keys.length === 0) throw new WebhookRefused('no-keys', 'There is no P-256 key to verify this delivery with.');
  for (const jwk of keys) {
    const key = await importKey(jwk);
    for (const signature of signatures) {
      if (await crypto.subtle.verify(ecdsa, key, signature, signed)) return { id, timestampSeconds, kid: jwk.kid };
    }
  }
  throw new WebhookRefused('signature-wrong', 'No signature of this delivery matches a trusted key.');
}

export interface KeySource {
  /** Fetches the keys: `GET {legacy_url}/api/v2/webhooks/keys` with a bearer token. */
  fetchKeys(): Promise<readonly WebhookJwk[]>;
  /** Minimum time between two fetches, however many wrong signatures arrive. */
  readonly refetchEveryMs?: number;
}

/** Caches the trusted keys, and fetches them again when a signature does not verify, so that a rotation needs no action. */
export class TrustedKeys {
  readonly #source: KeySource;
  #keys: Promise<readonly WebhookJwk[]> | undefined;
  #fetchedAt = 0;

  constructor(source: KeySource) {
    this.#source = source;
  }

  async verify(delivery: ReceivedDelivery): ReturnType<typeof verifyStandardWebhook> {
    const now = delivery.now ?? Date.now();
    try {
      return await verifyStandardWebhook({ ...delivery, keys: await (this.#keys ??= this.#fetch(now)) });
    } catch (error) {
      const mayBeRotated = error instanceof WebhookRefused && /^(signature-wrong|no-keys)$/.test(error.reason);
      if (!mayBeRotated || now - this.#fetchedAt < (this.#source.refetchEveryMs ?? 10_000)) throw error;
      this.#keys = this.#fetch(now);
      return verifyStandardWebhook({ ...delivery, keys: await this.#keys });
    }
  }

  #fetch(now: number): Promise<readonly WebhookJwk[]> {
    this.#fetchedAt = now;
    const keys = this.#source.fetchKeys();
    // Does not cache a failure.
    keys.catch(() => {
      if (this.#keys === keys) this.#keys = undefined;
    });
    return keys;
  }
}

function readHeader(headers: ReceivedHeaders, name: string): string {
  const value = findHeader(headers, name);
  if (value === undefined) throw new WebhookRefused('header-missing', `The header ${name} is missing.`);
  return value;
}

function findHeader(headers: ReceivedHeaders, name: string): string | undefined {
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw malformed(`The header ${name} was sent more than once.`);
}

/** Reads `<unix seconds>,<hex>`, the form of `Service-Signature` and of `Service-Signature-Previous`. */
function readServiceSignature({ body, now }: ReceivedDelivery, header: string) {
  const [timestamp = '', signature = '', ...others] = header.split(',');
  if (!/^[0-9a-f]{64}$/.test(signature) || others.length > 0) {
    throw malformed('A service signature must be a unix timestamp, a comma, and a signature in hexadecimal digits.');
  }
  const timestampSeconds = checkTimestamp(timestamp, now);
  return { timestampSeconds, signature: hexToBytes(signature), signed: signedBytes(`${timestamp}.`, body) };
}

function malformed(message: string): WebhookRefused {
  return new WebhookRefused('header-malformed', message);
}

function checkTimestamp(text: string, now = Date.now()): number {
  if (!/^\d{1,12}$/.test(text)) throw malformed('The timestamp is not a number of unix seconds.');
  const ageSeconds = now / 1000 - Number(text);
  if (ageSeconds > toleranceSeconds) {
    throw new WebhookRefused('timestamp-too-old', `The delivery was signed more than ${toleranceSeconds} seconds ago.`);
  }
  if (ageSeconds < -toleranceSeconds) {
    throw new WebhookRefused(
      'timestamp-too-new',
      `The delivery was signed more than ${toleranceSeconds} seconds ahead.`,
    );
  }
  return Number(text);
}

/** Returns the 64-byte signatures. Ignores items of other versions, as Standard Webhooks requires. */
function readSignatures(header: string): Uint8Array<ArrayBuffer>[] {
  const items = header.split(' ').filter((item) => item !== '');
  const parsed = items.flatMap((item) =>
    /^v1a,[A-Za-z0-9+/]{86}==$/.test(item) ? [base64ToBytes(item.slice(4))] : [],
  );
  if (parsed.length > 0) return parsed;
  throw malformed('webhook-signature has no item `v1a,` with the 64 bytes of a signature in base64.');
}

function signedBytes(prefix: string, body: Uint8Array | string): Uint8Array<ArrayBuffer> {
  const before = encoder.encode(prefix);
  const after = typeof body === 'string' ? encoder.encode(body) : body;
  const signed = new Uint8Array(before.length + after.length);
  signed.set(before);
  signed.set(after, before.length);
  return signed;
}

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

function importSecret(secret: string) {
  if (secret === '') throw new Error('The secret must not be empty.');
  return crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Imports only these four members, because some runtimes refuse others. */
function importKey({ kty, crv, x, y }: WebhookJwk) {
  const jwk = { kty, crv, x, y } as { kty: string; crv: string; x: string; y: string };
  return crypto.subtle.importKey('jwk', jwk, ecdsa, false, ['verify']);
}

function hexToBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  );
}

function base64ToBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
