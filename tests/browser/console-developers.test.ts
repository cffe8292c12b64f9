// The developers' part of the console and that of the sandbox in Chromium: geometry, accessibility, keyboard and size, page by page.

import { expect, test } from 'vitest';
import { serviceForThisFile } from '../setup/node/test-service.ts';
import { chromiumForThisFile } from '../setup/people/chromium.ts';
import { pageFaults } from '../setup/people/page-quality.ts';
import { pageTable } from '../setup/web/page-table.ts';
import { worldForThisFile } from '../setup/web/page-worlds.ts';

const service = serviceForThisFile({ settings: { REQUEST_LOG: 'on' } });
const chromium = chromiumForThisFile();
const world = worldForThisFile(service, 'console-developers');

test.each(pageTable['console-developers'])('$name: no fault', async (page) => {
  expect(await pageFaults(chromium, world().open(page))).toEqual([]);
});

const sandbox = worldForThisFile(service, 'console-sandbox');

test.each(pageTable['console-sandbox'])('$name: no fault', async (page) => {
  expect(await pageFaults(chromium, sandbox().open(page))).toEqual([]);
});
