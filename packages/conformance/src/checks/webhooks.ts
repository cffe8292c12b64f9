// Deliveries of webhooks, as a receiver sees them: both schemes of signing. Skipped where the service has no way to the machine of the checks.

import { createHmac, createPublicKey, verify, type webcrypto } from 'node:crypto';
import { inArea, type Check, type CheckOfArea, type World } from '../check.ts';
import { expectEqual, expectTrue, Skipped } from '../outcome.ts';
import type { Json } from '../contract/json-schema.ts';
import type { Delivery } from '../receiver.ts';

interface Registered {
  readonly id: string;
  readonly secret: string;
}

/** Registers a webhook for the run's client, lets the service send a test, and returns what arrived. */
async function receiveTest({ api, client, receiver }: World, scheme: string): Promise<[Registered, Delivery]> {
  if (receiver === undefined) throw new Skipped('No receiver was named (--webhook-url).');
  const registration = { url: `${receiver.url}?${scheme}`, events: ['transaction.created'], scheme, client_id: client };
  const { status, body, text } = await api.post('/v1/webhooks', registration);
  if (status === 422) throw new Skipped(`The service does not send to ${receiver.url}: ${body.detail ?? text}`);
  expectEqual('registered', status, 201);
  try {
    const test = await api.send('POST', `/v1/webhooks/${body.id}/test`);
    expectEqual('a test is queued', test.status, 201);
    const header = scheme === 'hmac' ? 'service-signature' : 'webhook-signature';
    const found = await receiver.find((one) => one.headers[header] !== undefined);
    if (found === undefined) throw new Skipped(`Nothing has arrived at ${receiver.url} in time.`);
    return [body, found];
  } finally {
    await api.send('DELETE', `/v1/webhooks/${body.id}`);
  }
}

/** The keys sign for the whole workspace: they are rotated only where nobody but the run verifies with them. */
export async function refuseIfKeysAreUsed({ api, records }: World): Promise<void> {
  const { body } = await api.get('/v1/webhooks?limit=100');
  const isOfOthers = ({ id, scheme }: Json): boolean =>
    scheme === 'standard' && !records.made.some((location) => location.endsWith(`/${id}`));
  if (body.has_more || body.data.some(isOfOthers))
    throw new Skipped('It would change the keys that webhooks of the workspace are verified with.');
}

/** Receivers refuse what is older. */
const secondsMax = 300;

const checks: readonly CheckOfArea[] = [
  {
    title: 'a delivery is signed with the secret: Service-Signature is the HMAC-SHA256 of time and body',
    needs: ['read', 'write', 'admin'],
    async run(world) {
      const [{ secret }, { headers, body }] = await receiveTest(world, 'hmac');
      const [time = '', signature = ''] = String(headers['service-signature']).split(',');
      expectTrue('the time is now', Math.abs(Date.now() / 1_000 - Number(time)) < secondsMax, time);
      expectEqual('signature', signature, createHmac('sha256', secret).update(`${time}.${body}`).digest('hex'));
      const { id, type, created_at: createdAt } = JSON.parse(body);
      expectTrue('names its id, type and time', [id, type, createdAt].every(Boolean), body.slice(0, 300));
    },
  },
  {
    title:
      'a delivery of the standard scheme is signed with a key that the service publishes (Standard Webhooks, ECDSA)',
    needs: ['read', 'write', 'admin'],
    async run(world) {
      const [, { headers, body }] = await receiveTest(world, 'standard');
      const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
      const { data } = (await world.api.get('/v1/webhook-keys')).body;
      const keys: readonly webcrypto.JsonWebKey[] = data.map(({ jwk }: Json) => jwk);
      const signatures = String(headers['webhook-signature'])
        .split(' ')
        .map((one) => Buffer.from(one.replace(/^v1a,/, ''), 'base64'));
      const isSigned = keys.some((jwk) => {
        const key = createPublicKey({ key: jwk, format: 'jwk' });
        return signatures.some((signature) =>
          verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, signature),
        );
      });
      expectTrue('one signature verifies with one key', isSigned);
    },
  },
  {
    title: 'a new key is published first, and the one before it stays trusted',
    needs: ['read', 'write', 'admin'],
    async run(world) {
      const { api } = world;
      await refuseIfKeysAreUsed(world);
      const trusted = async (): Promise<readonly string[]> =>
        (await api.get('/v1/webhook-keys')).body.data.map(({ id }: Json) => id);
      const [active] = await trusted();
      const { status, body } = await api.send('POST', '/v1/webhook-keys/rotate');
      expectEqual('status of the rotation', status, 201);
      expectEqual('trusted keys', await trusted(), active === undefined ? [body.id] : [body.id, active]);
    },
  },
];

export const webhookChecks: readonly Check[] = inArea('webhooks', checks);
