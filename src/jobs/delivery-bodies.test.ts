// Tests that the body of an event is made once for all webhooks that get it, and signed again only where the signature has to differ.

import { generateKeyPairSync, verify, type KeyObject } from 'node:crypto';
import { expect, test } from 'vitest';
import { createDeliveries, deliverAllDue, webhookAnswer } from '../../tests/setup/events/deliveries.ts';
import { emitEvents, tenantOf } from '../../tests/setup/events/event-source.ts';
import { serviceForThisFile } from '../../tests/setup/node/test-service.ts';
import { DeliveryBody } from '../actions/events/delivery-body.ts';
import type { SendWebhook } from '../actions/events/delivery-attempt.ts';
import { hourMs } from '../kit/clock.ts';

const service = serviceForThisFile();

function keyPair(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

test('all webhooks of a scheme share the body of an event, which is rendered once, also for later attempts', async () => {
  const { context, clock } = service;
  const admin = await service.openWorkspace();
  for (const [number, scheme] of ['hmac', 'hmac', 'hmac', 'standard', 'standard'].entries()) {
    const url = `https://hooks.example.com/${number}`;
    await admin.post('/v1/webhooks', { url, scheme, events: ['limit.breached'] });
  }
  await emitEvents(context, await tenantOf(admin), { clients: 2, perClient: 1 });
  const posts: Parameters<SendWebhook>[0][] = [];
  let answer = webhookAnswer(500);
  const rendered: string[] = [];
  const deliveries = createDeliveries(context, async (post) => (posts.push(post), answer), {
    onRender: (event) => void rendered.push(event),
  });
  await deliverAllDue(context, deliveries);
  clock.advance(hourMs);
  answer = webhookAnswer(204);
  await deliverAllDue(context, deliveries);
  expect([posts.length, rendered.length, new Set(rendered).size]).toEqual([20, 2, 2]);
  const bodies = Map.groupBy(posts, ({ url, body }) => `${Number(url.at(-1)) < 3} ${String(body)}`);
  expect([...bodies.values()].map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([4, 4, 6, 6]);
  const signatures = posts.flatMap(({ headers }) => headers['webhook-signature'] ?? []);
  // Two events at two times, each for two webhooks.
  expect([signatures.length, new Set(signatures).size]).toEqual([8, 4]);
});

test('a body is signed again for another second and for other keys, and every signature verifies', () => {
  const [one, other] = [keyPair(), keyPair()];
  const body = new DeliveryBody('event', '{"a":1}');
  const sign = (keys: readonly KeyObject[], at: number): string => body.standardSignature(keys, at);
  const first = sign([one.privateKey], 100);
  expect(sign([one.privateKey], 100)).toBe(first);
  const signed = [
    [first, 100, [one]],
    [sign([one.privateKey], 101), 101, [one]],
    [sign([other.privateKey], 101), 101, [other]],
    [sign([other.privateKey, one.privateKey], 101), 101, [other, one]],
    [sign([one.privateKey, other.privateKey], 101), 101, [one, other]],
  ] as const;
  expect(new Set(signed.map(([signature]) => signature)).size).toBe(signed.length);
  for (const [signature, at, pairs] of signed) {
    const verified = signature.split(' ').map((item, index) => {
      const key = { key: pairs[index]!.publicKey, dsaEncoding: 'ieee-p1363' } as const;
      return verify('sha256', Buffer.from(`event.${at}.{"a":1}`), key, Buffer.from(item.slice(4), 'base64'));
    });
    expect(verified).toEqual(pairs.map(() => true));
  }
});
