// The API reference in Chromium, with the demo: what a developer sees and tries first.

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { chromiumForThisFile, type BrowserWindow } from '../setup/people/chromium.ts';
import { serviceForThisFile } from '../setup/node/test-service.ts';

const service = serviceForThisFile({ settings: { DEMO: 'on' } });
const chromium = chromiumForThisFile();

/** The page may be transferred with at most this many bytes. */
const transferMax = 1_500_000;

interface Visit extends BrowserWindow {
  readonly requested: readonly string[];
  /** All bytes that came over the network. */
  transferred(): number;
}

let visit: Visit;

async function openReference(): Promise<Visit> {
  const window = await chromium.open({ width: 1_400, height: 1_000 });
  const { page } = window;
  // The viewer is large, and a busy machine needs a while to show it.
  page.setDefaultTimeout(240_000);
  const requested: string[] = [];
  let bytes = 0;
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.requestWillBeSent', ({ request }) => requested.push(request.url));
  session.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength));
  await page.goto(`${service.addresses.baseUrl}/docs#tag/v1-clients`);
  await firstTestButton(page).waitFor();
  return { ...window, requested, transferred: () => bytes };
}

function firstTestButton(page: Page) {
  return page.getByRole('button', { name: /Test Request/ }).first();
}

beforeAll(async () => {
  visit = await openReference();
});

test('the page is shown with at most 1.5 MB, from this service only, and without an error', async () => {
  const { page, requested, transferred, consoleErrors } = visit;
  await expect.poll(() => requested.some((address) => address.includes('/docs/model.svg'))).toBe(true);
  await page.waitForLoadState('networkidle');
  expect(transferred()).toBeGreaterThan(100_000);
  expect(transferred()).toBeLessThanOrEqual(transferMax);
  expect(
    requested.filter((address) => !address.startsWith(service.addresses.baseUrl) && !address.startsWith('data:')),
  ).toEqual([]);
  expect(consoleErrors).toEqual([]);
});

test('a group shows its place in the model, with a text for those who cannot see it', async () => {
  const picture = visit.page.locator('img[src*="/docs/model.svg#client"]').first();
  await picture.waitFor();
  expect(await picture.getAttribute('alt')).toContain('Client has legal entity');
  await expect
    .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
    .toBeGreaterThan(300);
});

test('the ids of the examples are those of the demo: what it has can be read as it stands', async () => {
  const { baseUrl } = service.addresses;
  const headers = { origin: baseUrl, 'sec-fetch-site': 'same-origin' };
  const token: any = await (await fetch(`${baseUrl}/docs/token`, { method: 'POST', headers })).json();
  const document: any = await (await fetch(`${baseUrl}/openapi.json`)).json();
  const missing: string[] = [];
  for (const [path, { get }] of Object.entries<any>(document.paths)) {
    if (get === undefined || !path.startsWith('/v1/') || !/\{\w+\}$/.test(path)) continue;
    const { name, example } = get.parameters.find((one: any) => one.in === 'path');
    const answer = await fetch(baseUrl + path.replace(`{${name}}`, example), {
      headers: { authorization: `Bearer ${token.access_token}` },
    });
    if (answer.status !== 200) missing.push(path);
  }
  // What the demo has none of.
  const none =
    'sandbox/clients invites administrators webhooks deliveries keys net-asset-values interest-rates index-factors';
  const later =
    'imports identifier-mappings auth-flows authorities feeds limit-breaches reconciliation-breaks events calculation-rounds';
  const allowed = `${none} ${later}`.split(' ').map((plural) => `/v1/${plural}/{id}`);
  expect(missing.filter((path) => !allowed.includes(path))).toEqual(['/v1/admin/auth-flows/{id}/files/{file_id}']);
});

test('search finds the sections that developers look for first', async () => {
  const { page } = visit;
  await page.keyboard.press('Control+k');
  for (const word of ['pagination', 'idempotency', 'webhook', 'import']) {
    const field = page
      .getByRole('combobox')
      .or(page.getByPlaceholder(/search/i))
      .last();
    await field.fill(word);
    const found = page.getByRole('option').filter({ hasText: new RegExp(word, 'i') });
    await expect.poll(() => found.count(), { message: word }).toBeGreaterThan(0);
  }
  await page.keyboard.press('Escape');
});

test('the first request that is sent is answered with 200, without typing anything', async () => {
  const { page } = visit;
  await firstTestButton(page).click();
  const answered = page.waitForResponse((response) => response.url().includes('/v1/clients'));
  await page.getByRole('button', { name: /^Send/ }).first().click();
  const response = await answered;
  expect(response.status()).toBe(200);
  expect((await response.json()).data[0].name).toBe('Lindqvist Family');
  await page.getByText('200 OK').first().waitFor();
});

test('the examples name records of the demo', async () => {
  const { body: document } = await service.admin.get('/openapi.json');
  const paths = ['clients', 'accounts', 'reporting-entities', 'instruments', 'limits'].map(
    (name) => `/v1/${name}/{id}`,
  );
  const addresses = paths.map((path) => path.replace('{id}', document.paths[path].get.parameters[0].example));
  const statuses = await visit.page.evaluate(`(async () => {
    const { access_token: token } = await (await fetch('/docs/token', { method: 'POST' })).json();
    const get = (address) => fetch(address, { headers: { authorization: 'Bearer ' + token } });
    return Promise.all(${JSON.stringify(addresses)}.map(async (address) => (await get(address)).status));
  })()`);
  expect(statuses).toEqual(paths.map(() => 200));
});

test('other programs of this machine and other sites get no token', async () => {
  const { status } = await fetch(`${service.addresses.baseUrl}/docs/token`, { method: 'POST' });
  expect(status).toBe(404);
});
