// The alert on a broken limit, from a real breach to the message, with a small server in place of Slack.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { WebhookSender } from '../../../src/gateways/webhook-sender.ts';
import { systemClock } from '../../../src/kit/clock.ts';
import type { Holdfast } from '../../../packages/sdk/src/index.ts';
import { createDeliveries, deliverAllDue } from '../../setup/events/deliveries.ts';
import { ManualClock } from '../../setup/kit/manual-clock.ts';
import { runRounds } from '../../setup/limits/rounds.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { startExample } from '../../setup/sdk/example-program.ts';
import { makeSdkHousehold, sdkClient, type SdkHousehold } from '../../setup/sdk/sdk-household.ts';

// The receiver runs on the clock of the machine, and refuses signatures of another time.
const service = serviceForThisFile({ clock: new ManualClock(systemClock.now()) });
let holdfast: Holdfast;
let household: SdkHousehold;

beforeAll(async () => {
  holdfast = sdkClient(service);
  household = await makeSdkHousehold(holdfast);
  await pay('1000');
});

const pay = (amount: string) =>
  holdfast.transactions.create({ type: 'deposit', date: '2026-01-05', account_id: household.accountId, amount });

/** Limits that all cash is compared with. */
const limitCash = (
  name: string,
  fields: { kind: 'absolute' | 'proportional'; max_amount?: string; max_pct?: string },
) =>
  holdfast.limits.create({
    name,
    client_id: household.clientId,
    filter: { kind: 'condition', field: 'currency', operator: 'equals', value: 'EUR' },
    ...fields,
  });

/** In place of Slack: keeps the messages, and answers the first ones as told. */
async function startSlack(statuses: number[] = []): Promise<{ url: string; texts: string[] }> {
  const texts: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const status = statuses.shift() ?? 200;
    if (status === 200) texts.push(JSON.parse(body).text);
    response.writeHead(status).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/services/T/B/x`, texts };
}

/** Delivers what is due, over the network, and tells what the receiver answered. */
async function deliver(repeat = 1): Promise<number[]> {
  const sender = new WebhookSender({ allowPrivate: true, clock: systemClock });
  onTestFinished(() => sender.close());
  const statuses: number[] = [];
  const deliveries = createDeliveries(service.context, async (post) => {
    let outcome = await sender.send(post);
    for (let time = 1; time < repeat; time++) outcome = await sender.send(post);
    statuses.push(outcome.kind === 'answered' ? outcome.status : 0);
    return outcome;
  });
  await deliverAllDue(service.context, deliveries);
  return statuses;
}

/** The endpoint is registered before the receiver starts, since its secret is a setting of that: it is moved there afterwards. */
async function startAlert(slackUrl: string): Promise<void> {
  const webhook = await holdfast.webhooks.create({ url: 'http://127.0.0.1:9/', events: ['limit.breached'] });
  onTestFinished(() => holdfast.webhooks.delete(webhook.id));
  const env = { WEBHOOK_SECRET: webhook.secret!, SLACK_WEBHOOK_URL: slackUrl, PORT: '0' };
  const url = await startExample(service, 'limit-alert/limit-alert.ts', { env });
  await holdfast.webhooks.update(webhook.id, { url: url.replace('localhost', '127.0.0.1') });
}

test('a breach is posted once, with the name of the limit, the figure, its bound and a link', async () => {
  const slack = await startSlack();
  await startAlert(slack.url);
  const amount = await limitCash('Cash <!channel> & more', { kind: 'absolute', max_amount: '1500' });
  await runRounds(holdfast.url);
  expect(await deliver()).toEqual([]);
  await pay('500.005');
  await runRounds(holdfast.url);
  expect(await deliver(2)).toEqual([204]);
  const [start, link] = [':rotating_light: *', `<${holdfast.url}/console/limits/${amount.id}|Open the limit>`];
  expect(slack.texts).toEqual([
    `${start}Cash &lt;!channel&gt; &amp; more* is broken at Amsel, all: €1,500.005, at most €1,500. ${link}`,
  ]);
  const { status } = await fetch(link.slice(1).split('|')[0]!, { redirect: 'manual' });
  // To sign in first; an unknown page would be 404.
  expect(status).toBe(303);
});

test('a message that Slack did not take is posted when the service sends the event again', async () => {
  const slack = await startSlack([500]);
  await startAlert(slack.url);
  const share = await limitCash('At most half in euros', { kind: 'proportional', max_pct: '0.5' });
  await runRounds(holdfast.url);
  expect(await deliver()).toEqual([500]);
  expect(slack.texts).toEqual([]);
  service.clock.advance(60_000);
  expect(await deliver()).toEqual([204]);
  expect(slack.texts).toHaveLength(1);
  expect(slack.texts[0]).toContain('*At most half in euros* is broken at Amsel, all: 100.00%, at most 50%. ');
  expect(slack.texts[0]).toContain(`/console/limits/${share.id}|`);
});

test('what is not from the service is refused, and not posted', async () => {
  const slack = await startSlack();
  const env = { WEBHOOK_SECRET: 'a secret', SLACK_WEBHOOK_URL: slack.url, PORT: '0' };
  const url = await startExample(service, 'limit-alert/limit-alert.ts', { env });
  const event = { id: '1', type: 'limit.breached', data: { object: {} } };
  const signature = `${Math.floor(Date.now() / 1000)},${'0'.repeat(64)}`;
  for (const headers of [{}, { 'service-signature': signature }]) {
    const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(event) });
    expect(status).toBe(401);
  }
  expect(slack.texts).toEqual([]);
});
