// Pages that people see before they are in, or where they may not go: sign-in, invites, and what is missing, forbidden or not ready.

import { onTestFinished, expect, test } from 'vitest';
import { readConfig } from '../../src/app/config.ts';
import { bindListeners } from '../../src/app/listeners.ts';
import { serviceForThisFile } from '../setup/node/test-service.ts';
import { chromiumForThisFile } from '../setup/people/chromium.ts';
import { providersForThisFile } from '../setup/people/identity-providers.ts';
import { pageFaults } from '../setup/people/page-quality.ts';
import { pageTable } from '../setup/web/page-table.ts';
import { worldForThisFile } from '../setup/web/page-worlds.ts';

const providers = await providersForThisFile();
const service = serviceForThisFile({ settings: providers.settings });
providers.serve(service);
const chromium = chromiumForThisFile();
const visitors = worldForThisFile(service, 'visitors');
const refused = worldForThisFile(service, 'refused-people');

test.each(pageTable.visitors)('$name: no fault', async (page) => {
  expect(await pageFaults(chromium, visitors().open(page))).toEqual([]);
});

test.each(pageTable['refused-people'])('$name: no fault', async (page) => {
  expect(await pageFaults(chromium, refused().open(page))).toEqual([]);
});

test('a service that is starting says so on a page that looks again', async () => {
  const listeners = await bindListeners(readConfig({ PORT: '0' }));
  onTestFinished(() => listeners.close());
  const address = `http://127.0.0.1:${listeners.service.port}/entities`;
  expect(await pageFaults(chromium, { address, status: 503, text: 'is starting', refreshes: true })).toEqual([]);
  const { page, context } = await chromium.open();
  await page.goto(address);
  expect(await page.locator('meta[http-equiv="refresh"]').getAttribute('content')).toBe('5');
  await context.close();
});
