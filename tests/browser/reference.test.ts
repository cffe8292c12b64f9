// The API reference in Chromium, with the demo: what a developer sees and tries first.

import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { fetchDemoDocument, readExamples } from '../setup/http/demo-document.ts';
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

/** Answers that tell about requests, and were given a moment ago: others now. */
const changing = /^v1\.(request-log|usage|audit-entry|application|diagnostics|me)\./;

/** What the demo has only once it is connected to its banks, or has none of. */
const madeUp = (
  'import identifier-mapping feed-run reconciliation-break webhook delivery sandbox-client import-profile restatement reconciliation ' +
  'limit-breach calculation-round event'
).split(' ');

/** Only the family that is being taken over has a mandate before the banks are connected. */
const madeUpLists = ['v1.authority.accounts', 'json-api.auth-flow.list', 'json-api.authority.list'];

test('what is shown for every read is what the demo answers, or is said to be made up', async () => {
  const { baseUrl } = service.addresses;
  const token = await visit.page.evaluate(`fetch('/docs/token', { method: 'POST' }).then((one) => one.json())`);
  const { access_token: accessToken }: any = token;
  const differing: string[] = [];
  for (const { operationId, url, answer, isOfDemo } of readExamples(await fetchDemoDocument(baseUrl))) {
    if (changing.test(operationId) || operationId === 'v1.user.export') continue;
    if (!isOfDemo) {
      const isKnown = madeUp.includes(operationId.split('.')[1]!) || madeUpLists.includes(operationId);
      if (!isKnown) differing.push(`${operationId} is made up`);
      continue;
    }
    const response = await fetch(baseUrl + url, { headers: { authorization: `Bearer ${accessToken}` } });
    if (!isDeepStrictEqual(withoutCursor(answer), withoutCursor(contained(await response.json(), answer))))
      differing.push(`${url} answers otherwise`);
  }
  expect(differing).toEqual([]);
});

/** As much of lists as is shown. */
function contained(actual: any, shown: any): any {
  if (Array.isArray(shown)) return shown.map((one, index) => contained(actual?.[index], one));
  if (typeof shown !== 'object' || shown === null || typeof actual !== 'object' || actual === null) return actual;
  return Object.fromEntries(Object.entries(actual).map(([name, inner]) => [name, contained(inner, shown[name])]));
}

/** Each page has a cursor of its own. */
function withoutCursor(body: object): object {
  return { ...body, next_cursor: null };
}

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

test('a request that is sent has the parameters of its example, and no choice that the reader did not make', async () => {
  const { page } = await chromium.open({ width: 1_400, height: 1_000 });
  await page.goto(`${service.addresses.baseUrl}/docs#tag/v1-holdings`);
  await page
    .getByRole('button', { name: /Test Request.*\/v1\/holdings\b/ })
    .first()
    .click();
  const answered = page.waitForResponse((response) => response.url().includes('/v1/holdings'));
  await page.getByRole('button', { name: /^Send/ }).first().click();
  const response = await answered;
  expect([...new URL(response.url()).searchParams.keys()]).toEqual(['reporting_entity_id']);
  expect(response.status()).toBe(200);
});

test('other programs of this machine and other sites get neither token nor answers', async () => {
  for (const path of ['/docs/token', '/docs/demo']) {
    const { status } = await fetch(service.addresses.baseUrl + path, { method: 'POST' });
    expect(status).toBe(404);
  }
});
