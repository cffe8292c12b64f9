// Data quality in the console: findings of several reporting entities by the money that each could move, and remedies that lead to pages.

import { beforeAll, expect, test } from 'vitest';
import { book, makeInstrument } from '../../setup/ledger/ledger-household.ts';
import { makeLimitHousehold, type LimitHousehold } from '../../setup/limits/limit-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import type { BrowserPage } from '../../setup/people/cookie-browser.ts';
import { insertAdministrator, insertPerson } from '../../setup/people/person-caller.ts';
import { signedInBrowser, type SignedInBrowser } from '../../setup/people/signed-in-browser.ts';
import { classIdByPath } from '../../setup/instruments/instrument-document.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let browser: SignedInBrowser;
let home: LimitHousehold;
let boat: string;

beforeAll(async () => {
  const { admin } = service;
  browser = await signedInBrowser(service, await insertAdministrator(service));
  home = await makeLimitHousehold(admin);
  await admin.patch(`/v1/instrument-classes/${await classIdByPath(admin, 'Other')}`, { default_for: [] });
  boat = await makeInstrument(admin, { type: 'other-instrument', name: 'Boat <i>', currency: 'CHF' });
  const paid = { account_id: home.account, date: '2026-11-11', amount: '-90' };
  await book(admin, 'v1', { type: 'buy', instrument_id: boat, quantity: '2', price: '45', ...paid });
  await makeRecord(admin, 'reporting-entities', { name: 'Without', client_id: home.client });
  const second = await makeRecord(admin, 'reporting-entities', { name: 'Same again', client_id: home.client });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: second, account_ids: [home.account] });
  const outside = await makeRecord(admin, 'accounts', { entity_id: home.legalEntity, currency: 'CHF' });
  await book(admin, 'v1', { type: 'deposit', account_id: outside, date: '2026-11-11', amount: '5000' });
});

/** The items of the list: what each could move, and its title. */
function items({ text }: BrowserPage): readonly string[] {
  const found = text.matchAll(/<p class="inbox-effect">([^<]*)<\/p>\s*<div>\s*<h3>([^<]*)<\/h3>/g);
  return [...found].map(([, effect, title]) => `${effect} ${title}`);
}

test('lists what could move the most money first, each finding of a client once', async () => {
  const page = await browser.open('/console/data-quality');
  // The values rest on the trades, since there are no prices; the bond has interest until today.
  expect(items(page)).toEqual([
    'All figures No portfolio',
    '5,000.00 In no portfolio',
    '300.00 Estimated value: Nestlé',
    '200.03 Estimated value: Eidg. 2034',
    '200.00 Estimated value: Volkswagen',
    '90.00 Without a class: Boat &lt;i&gt;',
    '90.00 Estimated value: Boat &lt;i&gt;',
  ]);
  expect(page.visibleText).toContain('and 1 more · Amsel');
  expect(page.visibleText).toContain(
    `GET /v1/data-quality?reporting_entity_id=${home.reportingEntity}&sort=effect&currency=CHF`,
  );
});

test('every remedy is a link to a page that opens', async () => {
  const { text } = await browser.open('/console/data-quality');
  const lists = [...text.matchAll(/<ul class="remedies">(.*?)<\/ul>/gs)].map(([, list = '']) => list);
  const links = lists.map((list) =>
    [...list.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&')),
  );
  expect(links.every((one) => one.length > 0)).toBe(true);
  for (const href of new Set(links.flat())) {
    expect([href, (await browser.open(href)).status]).toEqual([href, 200]);
  }
});

test('a remedy mends its finding: the boat gets a class, and the finding is gone', async () => {
  const filtered = '/console/data-quality?code=unclassified';
  const { text } = await browser.open(filtered);
  const [, href = ''] = /href="([^"]*)">Set its class</.exec(text) ?? [];
  const form = await browser.open(href);
  await browser.press(form, 'Save', { instrument_class_id: await classIdByPath(service.admin, 'Other') });
  expect((await browser.open(filtered)).visibleText).toContain('No such findings');
  await service.admin.patch(`/v1/instruments/${boat}`, { instrument_class_id: null });
});

test('filters stand in the address; one reporting entity is paged by the API, and all goes along as a file', async () => {
  const one = `/console/data-quality?reporting_entity_id=${home.reportingEntity}`;
  expect(items(await browser.open(one))[0]).toBe('5,000.00 In no portfolio');
  const warned = await browser.open(`${one}&severity=error`);
  expect(warned.visibleText).toContain('No such findings');
  expect(items(await browser.open('/console/data-quality?severity=error'))).toEqual(['All figures No portfolio']);
  const csv = await browser.open(`${one}&code=estimated-value&table=findings&format=csv`);
  expect(csv.text).toMatch(/^Estimated value,300,/m);
  expect((await browser.open('/console/data-quality?cursor=25')).visibleText).toContain('Nothing to mend');
  expect((await browser.open('/console/data-quality?client_id=x')).status).toBe(400);
});

test('accrued interest that the terms contradict is shown beside what they give, in the console and in the portal', async () => {
  const { admin } = service;
  const own = await makeLimitHousehold(admin, 'Bussard');
  const terms = { coupon: '0.0365', day_count_convention: 'ACT/365', maturity: '2030-06-15', dated_date: '2020-06-15' };
  const bond = await makeInstrument(admin, { type: 'bond-instrument', name: 'Daily', currency: 'CHF', ...terms });
  const bought = { type: 'buy', instrument_id: bond, account_id: own.account, date: '2026-11-11', quantity: '10000' };
  // 149 days since 15 June, as 1 franc each.
  const row = { ...bought, price: '100', accrued_interest: '172', amount: '-10172' };
  const reply = await book(admin, 'v1', { ...row, settlement_date: '2026-11-11' });
  expect(reply.status).toBe(201);
  const query = `data-quality?reporting_entity_id=${own.reportingEntity}&code=accrued-interest-differs`;
  const inbox = await browser.open(`/console/${query}`);
  expect(items(inbox)).toEqual(['23.00 Accrued interest differs: Daily']);
  expect(inbox.visibleText.replaceAll(/\s+/g, ' ')).toMatch(
    /172\.00 CHF for 10,000 nominal; the terms give 149\.00 CHF to 11 November 2026 by ACT\/365/,
  );
  const portal = await browser.open(`/entities/${own.reportingEntity}/data-quality?code=accrued-interest-differs`);
  const shown = portal.visibleText.replaceAll(/\s+/g, ' ');
  for (const text of ['As stated', 'By the terms', 'Day count', '172.00', '149.00', 'ACT/365'])
    expect(shown).toContain(text);
});

test('an advisor sees the findings of their reporting entities, a viewer none', async () => {
  const member = async (role: 'advisor' | 'viewer'): Promise<SignedInBrowser> => {
    const memberships = [{ client: home.client, role, grants: [home.reportingEntity] }];
    return signedInBrowser(service, await insertPerson(service, { memberships }));
  };
  expect(items(await (await member('advisor')).open('/console/data-quality'))).not.toContain(
    'All figures No portfolio',
  );
  expect((await (await member('viewer')).open('/console/data-quality')).status).toBe(403);
});
