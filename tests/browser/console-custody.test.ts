// The console's pages of imports, custody, instruments and bookings in Chromium: geometry, accessibility, keyboard and size, page by page.

import { expect, test } from 'vitest';
import { serviceForThisFile } from '../setup/node/test-service.ts';
import { chromiumForThisFile } from '../setup/people/chromium.ts';
import { pageFaults } from '../setup/people/page-quality.ts';
import { pageTable } from '../setup/web/page-table.ts';
import { worldForThisFile } from '../setup/web/page-worlds.ts';

const service = serviceForThisFile();
const chromium = chromiumForThisFile();
const world = worldForThisFile(service, 'console-custody');

test.each(pageTable['console-custody'])('$name: no fault', async (page) => {
  expect(await pageFaults(chromium, world().open(page))).toEqual([]);
});
