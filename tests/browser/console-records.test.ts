// The console's pages of clients, what they have, people and settings in Chromium, and the life of a client by keyboard alone.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { serviceForThisFile } from '../setup/node/test-service.ts';
import { chromiumForThisFile } from '../setup/people/chromium.ts';
import { pageFaults } from '../setup/people/page-quality.ts';
import { pageTable } from '../setup/web/page-table.ts';
import { worldForThisFile } from '../setup/web/page-worlds.ts';

const service = serviceForThisFile();
const chromium = chromiumForThisFile();
const world = worldForThisFile(service, 'console-records');

test.each(pageTable['console-records'])('$name: no fault', async (page) => {
  expect(await pageFaults(chromium, world().open(page))).toEqual([]);
});

const tabStopsMax = 80;

/** Presses the tabulator until something with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const nameOfFocus = `(() => {
    const element = document.activeElement;
    return (element.labels?.[0] ?? element).textContent.trim();
  })()`;
  for (let stop = 0; stop < tabStopsMax; stop++) {
    await page.keyboard.press('Tab');
    if (String(await page.evaluate(nameOfFocus)).startsWith(name)) return;
  }
  throw new Error(`The focus never reached ${name}.`);
}

test('a client is created, found and deleted with the keyboard alone', async () => {
  const { page, context } = await chromium.open({ width: 1_280, height: 800, person: world().person });
  const { keyboard } = page;
  const toClients = async (): Promise<void> => {
    await keyboard.press('g');
    await keyboard.press('c');
    await page.waitForURL(/\/console\/clients$/);
  };
  await page.goto(world().at('/console'));
  await toClients();
  await tabTo(page, 'New client');
  await keyboard.press('Enter');
  await page.waitForURL(/\/new$/);
  await tabTo(page, 'Name');
  await keyboard.type('By keyboard');
  await keyboard.press('Enter');
  await page.waitForURL(/\?done=created$/);
  await toClients();
  await keyboard.press('/');
  await keyboard.type('by key');
  await keyboard.press('Enter');
  await page.waitForURL(/\?q=by\+key$/);
  await tabTo(page, 'By keyboard');
  await keyboard.press('Enter');
  await page.waitForURL(/\/console\/clients\/\w+$/);
  await tabTo(page, 'Delete');
  await keyboard.press('Enter');
  await page.waitForURL(/\/delete$/);
  await tabTo(page, 'To confirm');
  await keyboard.type('By keyboard');
  await keyboard.press('Enter');
  await page.waitForURL(/\?done=deleted$/);
  expect(await page.getByRole('status').innerText()).toBe('It was deleted.');
  await context.close();
});
