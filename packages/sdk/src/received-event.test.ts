// Events of both schemes, read with their type once they verify.

import { createHmac } from 'node:crypto';
import { expect, expectTypeOf, test } from 'vitest';
import vectors from '../../../docs/webhook-vectors.json' with { type: 'json' };
import { importWebhookKey, standardSignature } from '../../../src/signing/webhook-signature.ts';
import { receiveServiceEvent, receiveStandardEvent } from './received-event.ts';
import { TrustedKeys } from './webhook.ts';

const body = JSON.stringify({ id: 'e-1', type: 'webhook.test', data: { object: { message: 'Hello' }, previous: {} } });
const now = 1_772_366_400_000;
const timestampSeconds = now / 1000;
const refused = expect.objectContaining({ reason: 'signature-wrong' });

test('of the scheme hmac', async () => {
  const secret = 'hfw_secret';
  const signature = createHmac('sha256', secret).update(`${timestampSeconds}.${body}`).digest('hex');
  const headers = { 'service-signature': `${timestampSeconds},${signature}` };
  const event = await receiveServiceEvent({ headers, body: Buffer.from(body), secret, now });
  if (event.type !== 'webhook.test') throw new Error('It is another event.');
  expectTypeOf(event.data.object.message).toEqualTypeOf<string>();
  expect([event.id, event.data.object.message]).toEqual(['e-1', 'Hello']);
  const forged = receiveServiceEvent({ headers, body: body.replace('Hello', 'Gold'), secret, now });
  await expect(forged).rejects.toThrow(refused);
});

test.each(['given', 'cached'])('of the scheme standard, with %s keys', async (kind) => {
  const { active } = vectors.standard.keys;
  const signing = importWebhookKey({ ...active, d: vectors.standard.privateParts.active });
  const headers = {
    'webhook-id': 'e-2',
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standardSignature([signing], { id: 'e-2', timestampSeconds, body }),
  };
  const keys = kind === 'given' ? [active] : new TrustedKeys({ fetchKeys: async () => [active] });
  const { id, event } = await receiveStandardEvent({ headers, body, keys, now });
  expect([id, event.type]).toEqual(['e-2', 'webhook.test']);
  const changed = receiveStandardEvent({ headers: { ...headers, 'webhook-id': 'e-3' }, body, keys, now });
  await expect(changed).rejects.toThrow(refused);
});
