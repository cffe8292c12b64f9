// The pages behind the figures of an entity in Chromium: activity, a booking, limits, data quality, then and today.

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
/** A moment before a booking was corrected. */
let knownAt: string;

beforeAll(async () => {
  const { admin, clock } = service;
  household = await makeReportHousehold(admin);
  const { client, all, bought } = household;
  const filter = { kind: 'condition', field: 'currency', operator: 'in', value: ['CHF', 'EUR'] };
  const limit = { client_id: client, name: 'Francs and euros', kind: 'proportional', filter };
  await admin.post('/v1/limits', { ...limit, min_pct: '0.05', max_pct: '0.15' });
  clock.advance(1_000);
  knownAt = new Date(clock.now()).toISOString();
  clock.advance(1_000);
  await admin.patch(`/v1/transactions/${bought}`, { quantity: '11', amount: '-770', comment: 'Corrected by the bank' });
  person = await signIn(
    service,
    await insertPerson(service, { memberships: [{ client, role: 'advisor', grants: [all] }] }),
  );
});

test.each([
  ['activity', () => '/activity', 'Novartis AG'],
  ['a booking', () => `/activity/${household.bought}`, 'Corrected by the bank'],
  ['limits', () => '/limits', 'Francs and euros'],
  ['data quality', () => '/data-quality', 'Units of an unnamed instrument'],
  ['then and today', () => `/known?known_at=${encodeURIComponent(knownAt)}`, 'Booking corrected'],
])('%s has no fault', async (_name, path, text) => {
  const address = `${service.addresses.baseUrl}/entities/${household.all}${path()}`;
  expect(await pageFaults(chromium, { address, person, text })).toEqual([]);
});

test('bookings are found by keyboard alone', async () => {
  const { page, context } = await chromium.open({ width: 1_280, height: 800, person });
  await page.goto(`${service.addresses.baseUrl}/entities/${household.all}/activity`);
  await page.getByRole('searchbox').focus();
  await page.keyboard.type('novartis');
  await page.keyboard.press('Enter');
  await page.waitForURL(/text=novartis/);
  expect(await page.locator('#activity tbody tr').count()).toBe(1);
  await page.locator('#activity tbody th a').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/activity/${household.bought}`));
  await context.close();
});
