// The demo at the sandbox's banks: connected once, never older than yesterday, and in the ledger what the banks say is held.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDeliveries, deliverAllDue } from '../../../../tests/setup/events/deliveries.ts';
import { fetchDemoDocument, readExamples } from '../../../../tests/setup/http/demo-document.ts';
import { makeFeedWorker } from '../../../../tests/setup/custody/connected-household.ts';
import { sandboxForThisTest, startTestSandbox, type RunningSandbox } from '../../../../tests/setup/custody/sandbox.ts';
import { Caller } from '../../../../tests/setup/http/caller.ts';
import { runRounds } from '../../../../tests/setup/limits/rounds.ts';
import { serviceForThisFile } from '../../../../tests/setup/node/test-service.ts';
import { WebhookSender } from '../../../gateways/webhook-sender.ts';
import { dayMs } from '../../../kit/clock.ts';
import { connectDemo, connectDemoIfPossible } from './connect-demo.ts';

const service = serviceForThisFile({ settings: { DEMO: 'on' } });
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startTestSandbox(service.clock);
});
afterAll(() => sandbox.stop());

function enter(): Promise<Caller> {
  return Caller.withCredentials(service.addresses.baseUrl, service.demoApplication!);
}

async function listRuns(demo: Caller, state: string): Promise<any[]> {
  return (await demo.get(`/v1/feeds?state=${state}&limit=100`)).body.data;
}

test('banks that do not answer are reported, and nothing else happens', async () => {
  const written: string[] = [];
  await connectDemoIfPossible(service.context, 'http://127.0.0.1:1', { write: (text) => written.push(text) });
  expect(written).toEqual([expect.stringMatching(/^The demo could not be connected to its banks: .+\n$/)]);
});

test('five depositories are connected, once', async () => {
  expect(await connectDemo(service.context, sandbox.origin)).toBe(5);
  expect(await connectDemo(service.context, sandbox.origin)).toBe(0);
});

test('banks that have moved to another address are connected again, since consent was given for the former one', async () => {
  const elsewhere = await sandboxForThisTest(service.clock);
  expect(await connectDemo(service.context, elsewhere.origin)).toBe(5);
  expect(await connectDemo(service.context, sandbox.origin)).toBe(5);
});

test('every row is booked, and the ledger holds what the banks state, each day again', async () => {
  const worker = makeFeedWorker(service);
  const entity = service.demoApplication!.reportingEntityId;
  for (const today of ['2026-11-15', '2026-11-16']) {
    await worker.runAll();
    expect(worker.failures).toEqual([]);
    const demo = await enter();
    const runs = await listRuns(demo, 'finished');
    expect(runs.map(({ problems, waits_for }) => [problems, waits_for])).toEqual(runs.map(() => [[], null]));
    const { body: holdings } = await demo.get(`/v1/holdings?reporting_entity_id=${entity}`);
    expect(holdings.data.length).toBeGreaterThan(10);
    const { body: performance } = await demo.get(`/v1/performance?reporting_entity_id=${entity}&detail=summary`);
    expect(performance.end).toBe(today);
    await runRounds(demo.address);
    expect((await demo.get(`/v1/reconciliation-breaks?client_id=${runs[0].client_id}`)).body.data).toEqual([]);
    service.clock.advance(dayMs);
  }
});

/** What an application has none of, or nobody has done yet. */
const madeUp = [
  'v1.import.work',
  'v1.import.waiting',
  'v1.import.problems',
  // Of the demo's first consent, which is still waiting for its file.
  'v1.authority.accounts',
  'v1.me.list-sessions',
  'v1.request-log.read',
  'v1.sandbox-client.list',
  'v1.sandbox-client.read',
];

test('the reference has a record of the demo for every read but a few, which nobody has', async () => {
  const sender = new WebhookSender({ allowPrivate: true, clock: service.clock });
  await deliverAllDue(
    service.context,
    createDeliveries(service.context, (post) => sender.send(post)),
  );
  const shown = readExamples(await fetchDemoDocument(service.addresses.baseUrl));
  expect(shown.filter(({ isOfDemo }) => !isOfDemo).map(({ operationId }) => operationId)).toEqual(madeUp);
  const answers = new Map(shown.map(({ operationId, answer }) => [operationId, answer]));
  expect(answers.get('v1.reconciliation-break.read')).toMatchObject({ difference: '-45', state: 'open' });
  expect(answers.get('v1.invite.read')).toMatchObject({ state: 'cancelled' });
  const delivered = answers.get('v1.delivery.list') as { data: object[] };
  expect(delivered.data.at(-1)).toMatchObject({ event_type: 'webhook.test', state: 'delivered' });
});

test('the webhook of the demo follows the receiver of the sandbox, and is not registered twice', async () => {
  const [before] = await listWebhookUrls();
  expect(before).toBe(`${sandbox.origin}/events`);
  const elsewhere = before!.replace(/:\d+/, ':9');
  const demo = await enter();
  const { data } = (await demo.get('/v1/webhooks')).body;
  await demo.send(`/v1/webhooks/${data[0].id}`, { method: 'PATCH', body: { url: elsewhere } });
  await connectDemo(service.context, sandbox.origin);
  expect(await listWebhookUrls()).toEqual([before]);
});

async function listWebhookUrls(): Promise<string[]> {
  return (await (await enter()).get('/v1/webhooks')).body.data.map(({ url }: { url: string }) => url);
}

test('a demo whose consents the banks have forgotten is connected again', async () => {
  sandbox.custodian.setOutage('harbor', 'expired-consent');
  const worker = makeFeedWorker(service);
  await worker.runAll();
  expect(await listRuns(await enter(), 'failed')).toMatchObject([{ error: 'credentials-broken' }]);
  sandbox.custodian.setOutage('harbor', 'none');
  expect(await connectDemo(service.context, sandbox.origin)).toBe(1);
  service.clock.advance(dayMs);
  await worker.runAll();
  expect(await listRuns(await enter(), 'running')).toEqual([]);
  expect(worker.outcomes.at(-1)).toEqual({ kind: 'finished' });
});
