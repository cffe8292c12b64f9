// The pages of the portal in Chromium: geometry, accessibility, keyboard, scripts and size, page by page.

import { expect, test } from 'vitest';
import { serviceForThisFile } from '../setup/node/test-service.ts';
import { chromiumForThisFile } from '../setup/people/chromium.ts';
import { pageFaults } from '../setup/people/page-quality.ts';
import { pageTable } from '../setup/web/page-table.ts';
import { worldForThisFile } from '../setup/web/page-worlds.ts';

const service = serviceForThisFile();
const chromium = chromiumForThisFile();
const world = worldForThisFile(service, 'portal');

test.each(pageTable.portal)('$name: no fault', async (page) => {
  expect(await pageFaults(chromium, world().open(page))).toEqual([]);
});

test('somebody finds the lots of a holding by keyboard alone', async () => {
  const { page, context } = await chromium.open({ width: 1_280, height: 800, person: world().person });
  await page.goto(world().at('/entities/{entity}/holdings'));
  await page.getByRole('link', { name: 'Novartis AG' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/open=/);
  expect(await page.getByRole('table', { name: 'Novartis AG: lots' }).count()).toBe(1);
  await context.close();
});

test('bookings are found by keyboard alone', async () => {
  const { page, context } = await chromium.open({ width: 1_280, height: 800, person: world().person });
  await page.goto(world().at('/entities/{entity}/activity'));
  await page.getByRole('searchbox').focus();
  await page.keyboard.type('novartis');
  await page.keyboard.press('Enter');
  await page.waitForURL(/text=novartis/);
  expect(await page.locator('#activity tbody tr').count()).toBe(1);
  await page.locator('#activity tbody th a').focus();
  await page.keyboard.press('Enter');
  const booking = new URL(world().at('/entities/{entity}/activity/{bought}')).pathname;
  await page.waitForURL((url) => url.pathname === booking);
  await context.close();
});
