// The pages of the portal in Chromium: geometry, accessibility, keyboard, scripts and size, page by page. With PICTURES=on, it draws the
// pictures of docs/portal.md.

import { beforeAll, expect, test } from 'vitest';
import { chromiumForThisFile } from '../setup/people/chromium.ts';
import { pageFaults } from '../setup/people/page-quality.ts';
import { insertPerson, signIn, type SignedInCaller } from '../setup/people/person-caller.ts';
import { makeReportHousehold, type ReportHousehold } from '../setup/reports/report-household.ts';
import { serviceForThisFile } from '../setup/node/test-service.ts';

const service = serviceForThisFile();
const chromium = chromiumForThisFile();
let household: ReportHousehold;
let person: SignedInCaller;

beforeAll(async () => {
  household = await makeReportHousehold(service.admin);
  const { client, all, broken } = household;
  const id = await insertPerson(service, {
    name: ['Astrid', 'Amsel'],
    memberships: [{ client, role: 'advisor', grants: [all, broken] }],
  });
  person = await signIn(service, id);
});

const pages: readonly {
  readonly name: string;
  readonly path: () => string;
  readonly picture?: string;
  readonly status?: number;
}[] = [
  { name: 'the overview', path: () => '/', picture: 'portal-list' },
  {
    name: 'the overview of an entity',
    path: () => `/entities/${household.all}?period=all`,
    picture: 'portal-overview',
  },
  {
    name: 'an entity in another currency, without a rate',
    path: () => `/entities/${household.all}?currency=JPY`,
    status: 422,
  },
  { name: 'the holdings', path: () => `/entities/${household.all}/holdings`, picture: 'portal-holdings' },
  {
    name: 'the accounts and lots of an instrument',
    path: () => `/entities/${household.all}/holdings?open=${household.stock}`,
  },
  { name: 'a search that finds nothing', path: () => `/entities/${household.all}/holdings?text=nobody` },
  { name: 'the own account', path: () => '/me' },
];

test.each(pages)('$name has no fault', async ({ path, picture, status = 200 }) => {
  const address = `${service.addresses.baseUrl}${path()}`;
  expect(await pageFaults(chromium, { address, person, status })).toEqual([]);
  if (process.env['PICTURES'] === 'on' && picture !== undefined) {
    const { page, context } = await chromium.open({ width: 1_280, height: 800, person });
    await page.goto(address);
    await page.screenshot({ path: `docs/pictures/${picture}.png`, fullPage: true });
    await context.close();
  }
});

test('somebody finds the lots of a holding by keyboard alone', async () => {
  const { page, context } = await chromium.open({ width: 1_280, height: 800, person });
  await page.goto(`${service.addresses.baseUrl}/entities/${household.all}/holdings`);
  await page.getByRole('link', { name: 'Novartis AG' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/open=/);
  expect(await page.getByRole('table', { name: 'Novartis AG: lots' }).count()).toBe(1);
  await context.close();
});
