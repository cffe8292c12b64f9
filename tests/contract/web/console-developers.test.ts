// The developers' part of the console, as an administrator uses it: a new application that works, a webhook whose deliveries are seen and sent
// again, what was changed and asked for, and nothing of it for a viewer.

import { beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '../../../src/actions/access/session.ts';
import { dayMs } from '../../../src/kit/clock.ts';
import { runSql } from '../../setup/database/sql.ts';
import { Caller } from '../../setup/http/caller.ts';
import { connectionRefused, createDeliveries, deliverAllDue, webhookAnswer } from '../../setup/events/deliveries.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { Browser, type BrowserPage } from '../../setup/people/cookie-browser.ts';
import { insertAdministrator, insertPerson } from '../../setup/people/person-caller.ts';

const service = serviceForThisFile({ settings: { REQUEST_LOG: 'on' } });
const home = '/console/developers';
let client: string;
let browser: Browser;

beforeAll(async () => {
  client = await service.admin.makeClient('Amsel');
  browser = await signedIn(await insertAdministrator(service));
});

async function signedIn(personId: string): Promise<Browser> {
  const { workspaceId } = service.first;
  const { secret } = await openSession(service.context, { workspaceId, environment: 'production', personId });
  const window = new Browser();
  window.cookies.set('holdfast_session', secret);
  return window;
}

const urlOf = (path: string): string => service.addresses.baseUrl + path;
const open = (path: string, window = browser): Promise<BrowserPage> => window.open(urlOf(home + path));

/** The value of the field that shows a secret. */
function shownSecret({ text }: BrowserPage): string {
  return /<input[^>]*value="([^"]+)"[^>]*readonly/.exec(text)?.[1] ?? '';
}

function shownClientId({ visibleText }: BrowserPage): string {
  return /Client id (\S+)/.exec(visibleText)?.[1] ?? '';
}

/** What a page offers as a checkbox counts only if it is chosen. */
const noRights = { right_read: null, right_write: null, right_admin: null };
const noEvents = Object.fromEntries(
  [
    'account.connected',
    'account.disconnected',
    'transaction.created',
    'transaction.updated',
    'holding.valued',
    'reporting_entity.valued',
    'calculated_data.created',
    'limit.breached',
    'limit.restored',
    'authority.expiring',
  ].map((type) => [`event_${type}`, null]),
);

describe('applications', () => {
  async function createApplication(name: string): Promise<BrowserPage> {
    const form = await open('/applications/new');
    return browser.press(form, 'Create', { ...noRights, name, right_read: 'true', scoped_to: client });
  }

  test('a new one works with the secret that its page shows once', async () => {
    const made = await createApplication('Nightly report');
    expect([made.status, made.title]).toEqual([200, 'Nightly report is ready · Holdfast']);
    const clientSecret = shownSecret(made);
    const clientId = shownClientId(made);
    const caller = await Caller.withCredentials(service.admin.address, { clientId, clientSecret });
    expect((await caller.get('/v1/me')).body).toMatchObject({ rights: ['read'], scoped_to: client });
    const list = await open('');
    expect(list.visibleText).toContain('Nightly report');
    expect(list.text).not.toContain(clientSecret);
  });

  test('what the API refuses is shown at its field', async () => {
    const page = await createApplication('');
    expect(page.status).toBe(422);
    expect(page.text).toMatch(/id="field-name-error"/);
  });

  test('deleting one wants its name, and ends its access', async () => {
    const made = await createApplication('Short-lived');
    const clientId = shownClientId(made);
    const caller = await Caller.withCredentials(service.admin.address, { clientId, clientSecret: shownSecret(made) });
    const { credential_id: id } = (await caller.get('/v1/me')).body;
    const question = await open(`/applications/${id}/delete`);
    const wrong = await browser.press(question, 'Delete', { confirm_name: 'Shortlived' });
    expect([wrong.status, (await caller.get('/v1/me')).status]).toEqual([422, 200]);
    const done = await browser.press(wrong, 'Delete', { confirm_name: 'Short-lived' });
    expect(done.visibleText).toContain('It was deleted.');
    expect((await caller.get('/v1/me')).status).toBe(401);
  });

  test('one shows the access that it gave and that is still there', async () => {
    const maker = await service.admin.becomeApplication({ rights: ['read', 'write', 'admin'] });
    const made = await maker.becomeApplication({ rights: ['read'] });
    const page = await open(`/applications/${maker.id}`);
    expect(page.visibleText).toContain('application created');
    expect(page.text).toContain(made.id);
  });
});

describe('webhooks', () => {
  async function createWebhook(url: string): Promise<{ id: string; secret: string }> {
    const form = await open('/webhooks/new');
    const fields = { ...noEvents, url, 'event_transaction.created': 'true', client_id: client, scheme: 'hmac' };
    const made = await browser.press(form, 'Create', fields);
    expect(made.status).toBe(200);
    return { id: /webhooks\/([0-9a-f]{24})"/.exec(made.text)?.[1] ?? '', secret: shownSecret(made) };
  }

  const deliver = (outcome: ReturnType<typeof webhookAnswer>): Promise<void> =>
    deliverAllDue(
      service.context,
      createDeliveries(service.context, async () => outcome),
    );

  test('a test is sent, its answer is seen, and it is sent again', async () => {
    const { id } = await createWebhook('https://hooks.example.com/tested');
    const queued = await browser.press(await open(`/webhooks/${id}`), 'Send a test');
    expect(queued.visibleText).toContain('The test is on its way.');
    await deliver(webhookAnswer(204, { answer: 'thank you' }));
    const delivered = await browser.open(queued.url.replace(/\?.*/, ''));
    expect(delivered.visibleText).toMatch(/webhook\.test Delivered.*204 0 ms thank you/);
    const again = await browser.press(delivered, 'Send it again');
    expect(again.visibleText).toContain('It arrives out of order');
    await deliver(webhookAnswer(200));
    expect((await open(`/webhooks/${id}`)).visibleText).toContain('200 in 0 ms');
  });

  test('dead letters are listed for the workspace and sent again', async () => {
    const { id } = await createWebhook('https://hooks.example.com/down');
    await browser.press(await open(`/webhooks/${id}`), 'Send a test');
    await deliver(connectionRefused);
    expect((await open(`/webhooks/${id}`)).visibleText).toContain('Failing');
    service.clock.advance(dayMs + 1);
    browser = await signedIn(await insertAdministrator(service));
    await deliver(connectionRefused);
    expect((await open('/dead-letters')).visibleText).toContain('https://hooks.example.com/down');
    const page = await browser.press(await open(`/webhooks/${id}`), 'Send dead letters again', { since: '2026-11-15' });
    expect(page.visibleText).toContain('1 dead letters are sent again');
    await deliver(webhookAnswer(200));
    expect((await open('/dead-letters')).visibleText).not.toContain('https://hooks.example.com/down');
  });

  test('the secret is rotated and shown once, and the webhook is disabled and deleted', async () => {
    const { id, secret } = await createWebhook('https://hooks.example.com/rotated');
    const rotated = await browser.press(await open(`/webhooks/${id}`), 'Rotate the secret');
    expect(shownSecret(rotated)).toMatch(/.{20}/);
    expect(shownSecret(rotated)).not.toBe(secret);
    const disabled = await browser.press(await open(`/webhooks/${id}`), 'Disable');
    expect(disabled.visibleText).toContain('Disabled');
    const question = await open(`/webhooks/${id}/delete`);
    const done = await browser.press(question, 'Delete', { confirm_name: 'https://hooks.example.com/rotated' });
    expect(done.visibleText).not.toContain('hooks.example.com/rotated');
  });
});

test('a round that is running has a bar that moves with every look, and none once it has ended', async () => {
  const id = 'f'.repeat(24);
  const { workspaceId, environment } = service.first;
  await runSql(
    service.database,
    `INSERT INTO calculation_round (workspace_id, environment, id, client_id, causes, state, marked_since, started_at, lease_until, done_count, total_count)
     VALUES ($1, $2, $3, $4, '{transaction}', 'running', now(), now(), now() + interval '1 hour', 3, 12)`,
    [workspaceId, environment, id, client],
  );
  const page = await open('/rounds');
  expect(page.text).toMatch(/<progress[^>]* value="3" max="12"/);
  expect(page.visibleText).toContain('Amsel 3 of 12');
  expect(page.text).toContain('http-equiv="refresh"');
  await runSql(service.database, 'UPDATE calculation_round SET done_count = 9 WHERE id = $1', [id]);
  expect((await open('/rounds')).text).toMatch(/<progress[^>]* value="9" max="12"/);
  await runSql(service.database, `UPDATE calculation_round SET state = 'finished', finished_at = now() WHERE id = $1`, [
    id,
  ]);
  const after = await open('/rounds');
  expect(after.text).not.toMatch(/<progress|http-equiv="refresh"/);
  expect(after.visibleText).toContain('finished');
});

test('the audit log shows what a change was before and after, and filters in its address', async () => {
  const admin = await service.enter({ workspaceId: service.first.workspaceId, environment: 'production' });
  const id = await admin.makeClient('Before');
  await admin.patch(`/v1/clients/${id}`, { name: 'After' });
  const today = new Date(service.clock.now()).toISOString().slice(0, 10);
  const page = await open(`/audit?subject_id=${id}&act=change&from=${today}&to=${today}`);
  expect(page.visibleText).toMatch(/For a test changed client After.*name Before After/);
  expect(page.visibleText).toContain('/v1/audit-log?act=change&subject_id=');
  expect((await open(`/audit?subject_id=${id}&to=2026-11-01`)).visibleText).toContain('Nothing was found');
  const file = await open(`/audit?subject_id=${id}&act=change&table=audit-log&format=csv`);
  expect(file.text).toMatch(/name,Before,After/);
  await admin.delete(`/v1/clients/${id}`);
  const deleted = await open(`/audit?subject_id=${id}&act=delete`);
  expect(deleted.visibleText).toMatch(/For a test deleted client After/);
});

test('a sign-in names who signed in once, and any other act what it was about', async () => {
  const person = await insertAdministrator(service);
  await signedIn(person);
  const summariesOf = async (query: string): Promise<(string | undefined)[]> => {
    const { text } = await open(`/audit?${query}`);
    const summaries = [...text.matchAll(/<summary>(.*?)<\/summary>/gs)].map(([, summary = '']) => summary);
    const lines = summaries.filter((summary) => summary.includes('class="when"'));
    return lines.map((summary) => /<strong>(.*?)<\/strong>/s.exec(summary)?.[1]);
  };
  expect(await summariesOf(`subject_id=${person}&act=sign-in`)).toEqual([undefined]);
  expect(await summariesOf(`subject_id=${client}&act=create`)).toEqual(['Amsel']);
});

test('a request is found by its id with its code, and counted in the usage', async () => {
  const admin = await service.enter({ workspaceId: service.first.workspaceId, environment: 'production' });
  await admin.get('/v1/clients?odd=1', { 'x-request-id': 'seen-on-the-page' });
  const text = async () => (await open('/requests?request_id=seen-on-the-page')).visibleText;
  await expect.poll(text).toMatch(/GET \/v1\/clients 400 unknown-parameter .* For a test seen-on-the-page/);
  const usage = await open('/usage?interval=day');
  expect(usage.visibleText).toMatch(/Requests a minute 6,000,000 1,000,000 at once/);
  expect(usage.visibleText).toMatch(/Request log is kept for 7 days .*All workspaces/);
  expect(usage.visibleText).toMatch(/Who asked most/);
});

const pages = ['', '/applications/new', '/keys/new', '/webhooks', '/webhooks/new', '/dead-letters', '/events'].concat([
  '/audit',
  '/requests',
  '/usage',
  '/rounds',
]);

test.each(pages)('%s is one page with one heading, its tab and the calls that do the same', async (path) => {
  const page = await open(path);
  expect([page.status, page.text.match(/<h1>/g)]).toEqual([200, ['<h1>']]);
  expect(page.text).toMatch(/<nav class="tabs"[^]*aria-current="page"/);
  expect(page.visibleText).toMatch(/The same by API GET \/v1\//);
});

test.each(pages)('%s is refused to a viewer with a page', async (path) => {
  const viewer = await signedIn(await insertPerson(service, { memberships: [{ client, role: 'viewer' }] }));
  const page = await open(path, viewer);
  expect([page.status, page.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
});
