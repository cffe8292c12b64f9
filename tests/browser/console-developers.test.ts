// The developers' part of the console in Chromium: geometry, accessibility, keyboard and size, page by page.

import { beforeAll, expect, test, vi } from 'vitest';
import { createDeliveries, deliverAllDue, webhookAnswer } from '../setup/events/deliveries.ts';
import { chromiumForThisFile } from '../setup/people/chromium.ts';
import { pageFaults } from '../setup/people/page-quality.ts';
import { insertAdministrator, signIn, type SignedInCaller } from '../setup/people/person-caller.ts';
import { serviceForThisFile } from '../setup/node/test-service.ts';

const service = serviceForThisFile({ settings: { REQUEST_LOG: 'on' } });
const chromium = chromiumForThisFile();
let person: SignedInCaller;
let webhook: string;
let delivery: string;
let application: string;

beforeAll(async () => {
  const { admin, context } = service;
  person = await signIn(service, await insertAdministrator(service));
  await admin.makeClient('Lindqvist Family Holding and Investment Company');
  application = (await admin.becomeApplication({ rights: ['read', 'write'] })).id;
  const url = 'https://hooks.example.com/a/rather/long/address/without/any/space/in/it';
  webhook = (await admin.post('/v1/webhooks', { url, events: ['transaction.created', 'holding.valued'] })).body.id;
  delivery = (await admin.post(`/v1/webhooks/${webhook}/test`, undefined)).body.id;
  const answer = webhookAnswer(503, { answer: '<html>Service unavailable, come back later</html>' });
  await deliverAllDue(
    context,
    createDeliveries(context, async () => answer),
  );
  await admin.patch(`/v1/webhooks/${webhook}`, { events: ['transaction.created'] });
  await admin.get('/v1/clients?odd=1');
  await vi.waitUntil(async () => (await admin.get('/v1/requests?outcome=refused')).body.data.length > 0);
});

test.each([
  ['applications and keys', () => ''],
  ['a new application', () => '/applications/new'],
  ['an application', () => `/applications/${application}`],
  ['deleting an application', () => `/applications/${application}/delete`],
  ['webhooks', () => '/webhooks'],
  ['a new webhook', () => '/webhooks/new'],
  ['a webhook that fails', () => `/webhooks/${webhook}`],
  ['a delivery', () => `/deliveries/${delivery}`],
  ['dead letters', () => '/dead-letters'],
  ['events', () => '/events'],
  ['the audit log of a record', () => `/audit?subject_id=${webhook}`],
  ['the request log', () => '/requests'],
  ['the usage', () => '/usage'],
  ['calculation rounds', () => '/rounds'],
])('%s has no fault', async (_name, path) => {
  const address = `${service.addresses.baseUrl}/console/developers${path()}`;
  expect(await pageFaults(chromium, { address, person, area: 'console' })).toEqual([]);
});
