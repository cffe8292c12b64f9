// Runs the example receiver unchanged: it accepts deliveries of both schemes, rejects forged ones, and keeps working through a
// key rotation.

import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeReceiver } from '../../../examples/webhook-receiver.ts';
import { listSigningKeys } from '../../../src/actions/events/webhook-key.ts';
import { WebhookSender, type WebhookOutcome } from '../../../src/gateways/webhook-sender.ts';
import { systemClock } from '../../../src/kit/clock.ts';
import { serviceSignature, standardSignature } from '../../../src/signing/webhook-signature.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';

const service = workspaceForThisFile();
const sender = new WebhookSender({ allowPrivate: true, clock: systemClock });
let events: [id: string, event: any][] = [];
let receiver: ReturnType<typeof makeReceiver>;
let url: string;

beforeAll(async () => {
  receiver = makeReceiver({
    secret: ['old secret', 'new secret'],
    serviceUrl: service.admin.address,
    token: service.admin.token!,
    onEvent: (event, id) => events.push([id, event]),
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
});

beforeEach(() => void (events = []));

afterAll(async () => {
  await sender.close();
  receiver.close();
});

const timestampSeconds = Math.floor(systemClock.now() / 1000);

async function post(headers: Record<string, string>, body: string): Promise<[number, string]> {
  const outcome: WebhookOutcome = await sender.send({ url, headers, body, timeoutMs: 120_000, responseBytesMax: 100 });
  if (outcome.kind === 'failed') throw new Error(outcome.detail);
  return [outcome.status, outcome.responseStart];
}

const postService = (secret: string, body: string): Promise<[number, string]> =>
  post({ 'service-signature': serviceSignature(secret, { timestampSeconds, body }) }, body);

async function postStandard(id: string, body: string): Promise<[number, string]> {
  const keys = (await listSigningKeys(service.context, service.first)).map(({ key }) => key);
  return post(
    {
      'webhook-id': id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': standardSignature(keys, { id, timestampSeconds, body }),
    },
    body,
  );
}

test('an event of v1 is processed once, however often it arrives, under both secrets of a rotation', async () => {
  const body = '{"id":"1","type":"transaction.created"}';
  expect(await postService('old secret', body)).toEqual([204, '']);
  expect(await postService('new secret', body)).toEqual([204, '']);
  expect(events).toEqual([['1', { id: '1', type: 'transaction.created' }]]);
});

test('an event of the standard track is processed once, also after a rotation', async () => {
  const body = '{"type":"calculated_data.created","data":{"clientId":"a"}}';
  expect(await postStandard('msg_1', body)).toEqual([204, '']);
  expect(await postStandard('msg_1', body)).toEqual([204, '']);
  await service.admin.post('/v1/webhook-keys/rotate', undefined);
  expect(await postStandard('msg_2', body)).toEqual([204, '']);
  expect(events.map(([id]) => id)).toEqual(['msg_1', 'msg_2']);
});

test('a delivery that is not from the service gets 401 with the reason, and is not processed', async () => {
  expect(await postService('another secret', '{}')).toEqual([401, 'signature-wrong']);
  expect(await post({ 'service-signature': `${timestampSeconds - 400},${'0'.repeat(64)}` }, '{}')).toEqual([
    401,
    'timestamp-too-old',
  ]);
  expect(await post({}, '{}')).toEqual([401, 'header-missing']);
  expect(events).toEqual([]);
});

test('a body that is too large gets 413', async () => {
  expect(await postService('new secret', 'x'.repeat(1024 * 1024 + 1))).toEqual([413, '']);
});
