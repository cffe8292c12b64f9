// Every page and every file of a world whose records have hostile names: nothing of them runs, no layout breaks, and figures stay in sight.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { defined } from '../../src/kit/assert.ts';
import { serviceForThisFile } from '../setup/node/test-service.ts';
import { chromiumForThisFile } from '../setup/people/chromium.ts';
import { cutByPaper, geometryFaults } from '../setup/people/page-quality.ts';
import { CamtText } from '../setup/statements/camt-text.ts';
import { hostileText, makeHostile, type HostileWorld } from '../setup/web/hostile-texts.ts';
import { pageTable, type PageGroup } from '../setup/web/page-table.ts';
import { GroupWorld, pageWorlds } from '../setup/web/page-worlds.ts';
import { unzip } from '../setup/web/read-sheet.ts';

const service = serviceForThisFile({ settings: { REQUEST_LOG: 'on' } });
const chromium = chromiumForThisFile();

/** Those in which people have written names. */
const groups = ['portal', 'portal-figures', 'console-records', 'console-developers', 'console-custody'] as const;
const worlds = new Map<PageGroup, GroupWorld>();
let hostile: HostileWorld;

beforeAll(async () => {
  for (const group of groups) worlds.set(group, await GroupWorld.make(service, pageWorlds[group]));
  hostile = await makeHostile(service.admin);
  await sendFile();
});

function worldOf(group: PageGroup): GroupWorld {
  return defined(worlds.get(group), 'its world was made');
}

/** Its name, too, is somebody else's text. */
async function sendFile(): Promise<void> {
  const client = new URL(worldOf('console-custody').at('/{client}')).pathname.slice(1);
  const query = new URLSearchParams({ client_id: client, file_name: hostileText(0, 200) });
  const headers = { 'content-type': 'application/xml' };
  const raw = new CamtText({ version: 8 }).document([{ entries: [] }]);
  const { status } = await service.admin.send(`/v1/imports?${query}`, { method: 'POST', raw, headers });
  expect(status).toBe(201);
}

test('every kind of record has a hostile name', () => {
  expect(hostile.refused).toEqual([]);
  expect([...hostile.counts.keys()].toSorted()).toEqual([
    'accounts',
    'applications',
    'clients',
    'custodians',
    'depositories',
    'import-profiles',
    'instrument-classes',
    'instruments',
    'keys',
    'legal-entities',
    'limits',
    'portfolios',
    'reporting-entities',
    'transactions',
    'users',
  ]);
});

/** What a text became that was taken for markup. */
const injected = `[
  ...document.querySelectorAll('img, [onerror], [onfocus], [style], script:not([src^="/islands/"])'),
].map((element) => element.outerHTML.slice(0, 100)).concat(typeof hostile === 'undefined' ? [] : ['a script has run'])`;

async function faultsOf(page: Page, widths: readonly number[]): Promise<readonly string[]> {
  const faults: string[] = await page.evaluate(injected);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    faults.push(...(await geometryFaults(page)).map((fault) => `${width} px: ${fault}`));
  }
  return faults;
}

/** A cell of CSV that a spreadsheet would run. */
const runCell = /(?:^|,|\n)"?[=+@]/;

/** The elements of a picture that no chart draws; a picture that is not well-formed has one. */
const foreignElements = `(text) => [...new DOMParser().parseFromString(text, 'image/svg+xml').querySelectorAll(
  ':not(svg, title, desc, style, g, rect, text, path, line, circle, pattern), [onerror], [onfocus], [href]',
)].map(({ localName }) => localName)`;

async function pictureFaults(page: Page, picture: string, address: string): Promise<readonly string[]> {
  const found: string[] = await page.evaluate(`(${foreignElements})(${JSON.stringify(picture)})`);
  return found.map((name) => `${address} has ${name}`);
}

async function fileFaults(page: Page, address: string): Promise<readonly string[]> {
  const answer = await page.request.get(address);
  const content = await answer.body();
  if (answer.status() !== 200) return [`${address} answers ${answer.status()}`];
  if (address.includes('format=csv')) return runCell.test(content.toString()) ? [`${address} has a formula`] : [];
  if (address.includes('format=svg')) return pictureFaults(page, content.toString(), address);
  const sheet = unzip(content).get('xl/worksheets/sheet1.xml') ?? '';
  return /<f>|<img|<script/.test(sheet) ? [`${address} has a formula or markup`] : [];
}

describe.each(groups)('%s', (group) => {
  test.each(pageTable[group])('$name stands hostile names', async (tablePage) => {
    const { address, person } = worldOf(group).open(tablePage);
    const { page, consoleErrors } = await chromium.reuse({ width: 1_280, height: 800, ...(person && { person }) });
    await page.goto(address);
    const faults = [
      ...(await faultsOf(page, [1_280, 320])),
      ...consoleErrors.filter((error) => !error.includes('status of')),
    ];
    const files: string[] = await page.evaluate(
      `[...document.querySelectorAll('a[href*="format="]')].map(({ href }) => href)`,
    );
    for (const file of files) faults.push(...(await fileFaults(page, file)));
    expect(faults).toEqual([]);
  });
});

test('the report on paper loses nothing to hostile names', async () => {
  const world = worldOf('portal-figures');
  const { page, context } = await chromium.open({ width: 687, height: 1_000, person: world.person });
  await page.emulateMedia({ media: 'print' });
  await page.goto(world.at('/entities/{entity}/report?start=2025-01-01&as_of=2026-09-30'));
  expect(await cutByPaper(page)).toEqual([]);
  await context.close();
});
