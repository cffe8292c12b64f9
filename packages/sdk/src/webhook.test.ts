// Checks the verification of deliveries against the published vectors, the signatures of the service, and Node's own cryptography.

import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import vectors from '../../../docs/webhook-vectors.json' with { type: 'json' };
import {
  importWebhookKey,
  serviceSignature,
  signStandard,
  standardSignature,
} from '../../../src/signing/webhook-signature.ts';
import {
  toleranceSeconds,
  TrustedKeys,
  verifyServiceSignature,
  verifyStandardWebhook,
  WebhookRefused,
  type WebhookJwk,
} from './webhook.ts';

type KeyName = keyof typeof vectors.standard.keys;
type Headers = Readonly<Record<string, string | undefined>>;

const publicKeyOf = (name: string): WebhookJwk => vectors.standard.keys[name as KeyName];
const privateKeyOf = (name: KeyName) =>
  importWebhookKey({ ...vectors.standard.keys[name], d: vectors.standard.privateParts[name] });

async function refusalReason(outcome: Promise<unknown>): Promise<string | null> {
  try {
    await outcome;
    return null;
  } catch (error) {
    if (error instanceof WebhookRefused) return error.reason;
    throw error;
  }
}

/** Verifies with Node's cryptography, as another receiver would from the documentation. */
const independent = {
  isFresh: (timestamp: string | undefined, now: number) =>
    /^[0-9]+$/.test(timestamp ?? '') && Math.abs(now - Number(timestamp)) <= vectors.toleranceSeconds,

  service({
    headers,
    body,
    now,
    secrets,
  }: {
    headers: Headers;
    body: string;
    now: number;
    secrets: readonly string[];
  }) {
    const received = [headers['service-signature'] ?? '', headers['service-signature-previous']]
      .filter((header) => header !== undefined)
      .map((header) => header.split(','));
    return received.some(
      ([timestamp, signature = '', ...rest]) =>
        this.isFresh(timestamp, now) &&
        rest.length === 0 &&
        secrets.some((secret) => {
          const expected = Buffer.from(createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'));
          return signature.length === expected.length && timingSafeEqual(Buffer.from(signature), expected);
        }),
    );
  },

  standard({ headers, body, now, keys }: { headers: Headers; body: string; now: number; keys: readonly string[] }) {
    const { 'webhook-id': id = '', 'webhook-timestamp': timestamp, 'webhook-signature': signature = '' } = headers;
    const signed = Buffer.from(`${id}.${timestamp}.${body}`);
    const items = signature.split(' ').filter((item) => item.startsWith('v1a,'));
    return (
      this.isFresh(timestamp, now) &&
      id !== '' &&
      !id.includes('.') &&
      keys.some((name) => {
        const key = createPublicKey({ key: { ...publicKeyOf(name) } as Record<string, string>, format: 'jwk' });
        return items.some((item) =>
          verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(item.slice(4), 'base64')),
        );
      })
    );
  },
};

describe('the published vectors of v1', () => {
  test.each(vectors.service.cases)('$name', async (vector) => {
    const { secrets, now, body, valid, reason } = vector;
    const headers = vector.headers as Headers;
    expect(await refusalReason(verifyServiceSignature({ headers, body, secret: secrets, now: now * 1000 }))).toBe(
      reason,
    );
    expect(independent.service({ headers, body, now, secrets })).toBe(valid);
    expect(valid).toBe(reason === null);
  });

  test('are what the service signs', () => {
    const [good, empty, , , , rotated] = vectors.service.cases;
    const at = good!.now;
    const secret = good!.secrets[0]!;
    const old = vectors.service.cases.find(({ name }) => name.endsWith('read with the old secret'))!.secrets[0]!;
    const signed = (body: string) => serviceSignature(secret, { timestampSeconds: at, body: Buffer.from(body) });
    expect([signed(good!.body), signed(empty!.body)]).toEqual(
      [good, empty].map((one) => one!.headers['service-signature']),
    );
    const sign = (key: string) => serviceSignature(key, { timestampSeconds: at, body: good!.body });
    expect(rotated!.headers).toEqual({ 'service-signature': sign(secret), 'service-signature-previous': sign(old) });
  });
});

describe('the published vectors of the scheme standard', () => {
  test.each(vectors.standard.cases)('$name', async (vector) => {
    const { keys, now, body, valid, reason } = vector;
    const headers = vector.headers as Headers;
    const delivery = { headers, body, keys: keys.map(publicKeyOf), now: now * 1000 };
    expect(await refusalReason(verifyStandardWebhook(delivery))).toBe(reason);
    expect(independent.standard({ headers, body, now, keys })).toBe(valid);
    expect(valid).toBe(reason === null);
  });
});

describe('what the service signs', () => {
  const bodies = fc.uint8Array({ maxLength: 300 });

  test('verifies unchanged, and not with another body, secret or time', async () => {
    const secrets = fc.string({ minLength: 1 });
    await fc.assert(
      fc.asyncProperty(bodies, secrets, fc.nat({ max: 4e9 }), async (body, secret, timestampSeconds) => {
        const sign = (key: string) => serviceSignature(key, { timestampSeconds, body });
        const headers = { 'service-signature': sign(`${secret}x`), 'service-signature-previous': sign(secret) };
        const now = timestampSeconds * 1000;
        expect(await verifyServiceSignature({ headers, body, secret, now })).toEqual({ timestampSeconds });
        const changed = Uint8Array.of(...body, 0);
        expect(await refusalReason(verifyServiceSignature({ headers, body: changed, secret, now }))).toBe(
          'signature-wrong',
        );
        const other = { headers, body, secret: `${secret}y`, now };
        expect(await refusalReason(verifyServiceSignature(other))).toBe('signature-wrong');
        const later = now + toleranceSeconds * 1000 + 1;
        expect(await refusalReason(verifyServiceSignature({ headers, body, secret, now: later }))).toBe(
          'timestamp-too-old',
        );
      }),
      { numRuns: 30 },
    );
  });

  test('verifies with any trusted key during a rotation', async () => {
    const keys = [privateKeyOf('active'), privateKeyOf('retired')];
    await fc.assert(
      fc.asyncProperty(bodies, fc.nat({ max: 4e9 }), async (body, timestampSeconds) => {
        const delivery = { id: 'msg_1', timestampSeconds, body };
        const headers = new Headers({
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(timestampSeconds),
          'webhook-signature': standardSignature(keys, delivery),
        });
        const now = timestampSeconds * 1000;
        for (const name of ['active', 'retired']) {
          const jwk = publicKeyOf(name);
          const verified = await verifyStandardWebhook({ headers, body, keys: [publicKeyOf('stranger'), jwk], now });
          expect(verified).toEqual({ id: 'msg_1', timestampSeconds, kid: jwk.kid });
        }
        const strange = { headers, body, keys: [publicKeyOf('stranger')], now };
        expect(await refusalReason(verifyStandardWebhook(strange))).toBe('signature-wrong');
      }),
      { numRuns: 20 },
    );
  });

  test('is one item of 64 bytes for each key', () => {
    const delivery = { id: 'msg_1', timestampSeconds: 1, body: '{}' };
    expect(signStandard(privateKeyOf('active'), delivery)).toMatch(/^v1a,[A-Za-z0-9+/]{86}==$/);
    const both = standardSignature([privateKeyOf('active'), privateKeyOf('retired')], delivery);
    expect(both.split(' ').map((item) => item.slice(0, 4))).toEqual(['v1a,', 'v1a,']);
  });

  test.each([
    ['an id with a dot', () => signStandard(privateKeyOf('active'), { id: 'a.b', timestampSeconds: 1, body: '' })],
    ['an empty id', () => signStandard(privateKeyOf('active'), { id: '', timestampSeconds: 1, body: '' })],
    ['a part of a second', () => serviceSignature('s', { timestampSeconds: 1.5, body: '' })],
    ['a time before 1970', () => serviceSignature('s', { timestampSeconds: -1, body: '' })],
    ['an empty secret', () => serviceSignature('', { timestampSeconds: 1, body: '' })],
    ['no key', () => standardSignature([], { id: 'a', timestampSeconds: 1, body: '' })],
  ])('is never %s', (_what, attempt) => {
    expect(attempt).toThrow(Error);
  });
});

describe('headers', () => {
  test('sent twice are refused', async () => {
    const headers = { 'service-signature': ['1,a', '1,b'] };
    expect(await refusalReason(verifyServiceSignature({ headers, body: '', secret: 's', now: 0 }))).toBe(
      'header-malformed',
    );
  });

  test('that are empty count as missing', async () => {
    const headers = { 'service-signature': '' };
    expect(await refusalReason(verifyServiceSignature({ headers, body: '', secret: 's', now: 0 }))).toBe(
      'header-missing',
    );
  });

  test('are checked against the time of the machine by default', async () => {
    const [good] = vectors.service.cases;
    const { headers, body, secrets } = good!;
    const old = verifyServiceSignature({ headers: headers as Headers, body, secret: secrets });
    expect(['timestamp-too-old', 'timestamp-too-new', null]).toContain(await refusalReason(old));
  });
});

test('an empty secret is a fault of the receiver, not of the delivery', async () => {
  const [good] = vectors.service.cases;
  const attempt = verifyServiceSignature({
    headers: good!.headers as Headers,
    body: '',
    secret: '',
    now: good!.now * 1000,
  });
  await expect(attempt).rejects.toThrow('The secret must not be empty.');
});

test('keys of other types in a set are ignored', async () => {
  const [good] = vectors.standard.cases;
  const keys = [{ kty: 'RSA', kid: 'rsa' }, { kty: 'EC', crv: 'P-384', x: 'a', y: 'b' }, publicKeyOf('active')];
  const { headers, body, now } = good!;
  expect(await verifyStandardWebhook({ headers, body, keys, now: now * 1000 })).toMatchObject({
    kid: publicKeyOf('active').kid,
  });
});

describe('trusted keys', () => {
  const [good] = vectors.standard.cases;
  const forged = vectors.standard.cases.find(({ name }) => name === 'signed with a key that is not trusted')!;
  const now = good!.now * 1000;
  const sourceOf = (...answers: readonly (readonly string[])[]) => {
    let fetchCount = 0;
    const source = {
      count: () => fetchCount,
      async fetchKeys(): Promise<readonly WebhookJwk[]> {
        const names = answers[Math.min(fetchCount++, answers.length - 1)]!;
        if (names.includes('away')) throw new Error('The service is away.');
        return names.map(publicKeyOf);
      },
    };
    return source;
  };

  test('are fetched once and cached', async () => {
    const source = sourceOf(['active']);
    const keys = new TrustedKeys(source);
    for (let count = 0; count < 3; count++) await keys.verify({ ...good!, now });
    expect(source.count()).toBe(1);
  });

  test('are fetched again when a signature does not verify, so that a rotation needs no action', async () => {
    const source = sourceOf(['retired'], ['active', 'retired']);
    const keys = new TrustedKeys({ ...source, refetchEveryMs: 0 });
    expect(await keys.verify({ ...good!, now })).toMatchObject({ kid: publicKeyOf('active').kid });
    expect(source.count()).toBe(2);
  });

  test('are not fetched for every wrong signature', async () => {
    const source = sourceOf(['active']);
    const keys = new TrustedKeys(source);
    await keys.verify({ ...good!, now });
    for (let second = 0; second < 9; second++) {
      const verdict = await refusalReason(keys.verify({ ...forged, now: now + second * 1000 }));
      expect(verdict).toBe('signature-wrong');
    }
    expect(source.count()).toBe(1);
    await refusalReason(keys.verify({ ...forged, now: now + 10_000 }));
    expect(source.count()).toBe(2);
  });

  test('that could not be fetched are fetched again for the next delivery', async () => {
    const source = sourceOf(['away'], ['active']);
    const keys = new TrustedKeys(source);
    await expect(keys.verify({ ...good!, now })).rejects.toThrow('The service is away.');
    expect(await keys.verify({ ...good!, now })).toMatchObject({ id: good!.headers['webhook-id'] });
  });
});
