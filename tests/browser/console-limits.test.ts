// Limits and data quality of the console in Chromium: geometry, accessibility, keyboard and size, page by page; the editor with and without
// scripts.

import { beforeAll, expect, test } from 'vitest';
import { makeLimitHousehold, type LimitHousehold } from '../setup/limits/limit-household.ts';
import { serviceForThisFile } from '../setup/node/test-service.ts';
import { chromiumForThisFile } from '../setup/people/chromium.ts';
import { pageFaults } from '../setup/people/page-quality.ts';
import { insertAdministrator, signIn, type SignedInCaller } from '../setup/people/person-caller.ts';
import { makeRecord } from '../setup/structure/structure-document.ts';

const service = serviceForThisFile();
const chromium = chromiumForThisFile();
let person: SignedInCaller;
let home: LimitHousehold;
let nested: string;

beforeAll(async () => {
  const { admin } = service;
  person = await signIn(service, await insertAdministrator(service));
  home = await makeLimitHousehold(admin);
  await makeRecord(admin, 'reporting-entities', { name: 'Not set up yet', client_id: home.client });
  nested = await makeRecord(admin, 'limits', {
    client_id: home.client,
    name: 'Equities outside Switzerland and everything from Volkswagen',
    kind: 'proportional',
    min_pct: '0.1',
    max_pct: '0.15',
    filter: {
      kind: 'or',
      filters: [
        {
          kind: 'and',
          filters: [
            { kind: 'condition', field: 'instrument_class.path', operator: 'starts_with', value: ['Equities'] },
            { kind: 'condition', field: 'issuer_country', operator: 'not_in', value: ['CH'] },
          ],
        },
        { kind: 'condition', field: 'instrument.id', operator: 'in', value: [home.cars] },
      ],
    },
  });
});

const line = (): string =>
  `line.0.do=sell&line.0.amount=100&line.0.unit=money&line.0.instrument=${home.cars}&line.0.account=${home.account}`;

test.each([
  ['limits', () => '/console/limits', 'Equities outside'],
  ['a limit', () => `/console/limits/${nested}`, 'Room'],
  ['what a new limit bounds', () => '/console/limits/new', 'What is bounded'],
  ['a new limit', () => `/console/limits/new?client_id=${home.client}&kind=absolute`, 'Condition 1'],
  ['the editor of a nested filter', () => `/console/limits/${nested}/edit`, 'Condition 1.2'],
  ['deleting a limit', () => `/console/limits/${nested}/delete`, 'To confirm'],
  ['a what-if', () => `/console/limits/what-if?limit_id=${nested}&show=1&${line()}`, 'Nothing was booked'],
  ['data quality', () => '/console/data-quality', 'Create its portfolio'],
  ['exchange rates', () => '/console/fx-rates/new?base=USD&quote=CHF&date=2026-01-05', 'Create exchange rate'],
])('%s: no fault', async (_name, path, text) => {
  const address = `${service.addresses.baseUrl}${path()}`;
  expect(await pageFaults(chromium, { address, person, area: 'console', text, status: 200 })).toEqual([]);
});

test('a what-if that is refused: no fault', async () => {
  const address = `${service.addresses.baseUrl}/console/limits/what-if?limit_id=${nested}&show=1&max=300`;
  expect(await pageFaults(chromium, { address, person, area: 'console', status: 422 })).toEqual([]);
});

test.each(['on', 'off'] as const)(
  'a limit with a nested filter is made by keyboard alone, scripts %s',
  async (scripts) => {
    const { page, context } = await chromium.open({ width: 1_280, height: 800, scripts, person });
    try {
      const address = `${service.addresses.baseUrl}/console/limits/new?client_id=${home.client}&kind=absolute`;
      await page.goto(address, { waitUntil: 'networkidle' });
      await page.getByRole('textbox', { name: /^Name/ }).focus();
      await page.keyboard.type(`By keyboard, scripts ${scripts}`);
      await page.getByRole('textbox', { name: /^At most/ }).focus();
      await page.keyboard.type('5000');
      await page.getByRole('combobox', { name: 'Class' }).focus();
      await page.keyboard.type('Equities');
      const add = page.getByRole('button', { name: 'Add a group: Which holdings count' });
      await add.focus();
      await page.keyboard.press('Enter');
      const inner = page.getByRole('group', { name: 'Condition 2.1' });
      await inner.waitFor();
      const property = inner.getByRole('combobox', { name: 'Property' });
      await property.focus();
      await page.keyboard.type('Currency');
      await page.keyboard.press('Tab');
      if (scripts === 'off') {
        await inner.getByRole('button', { name: /^Show choices/ }).focus();
        await page.keyboard.press('Enter');
      }
      const values = inner.getByRole('textbox', { name: 'Values' });
      await values.waitFor();
      await values.focus();
      await page.keyboard.type('USD, EUR');
      // The key sends the form with its first button, which creates.
      await page.keyboard.press('Enter');
      await page.getByText('It was created.').waitFor();
      const { data } = (await service.admin.get(`/v1/limits?client_id=${home.client}&limit=100`)).body;
      expect(data.find(({ name }: { name: string }) => name.endsWith(`scripts ${scripts}`))).toMatchObject({
        max_amount: '5000',
        filter: {
          kind: 'and',
          filters: [
            { field: 'instrument_class.path', operator: 'starts_with', value: ['Equities'] },
            { kind: 'or', filters: [{ field: 'currency', value: ['USD', 'EUR'] }] },
          ],
        },
      });
    } finally {
      await context.close();
    }
  },
);

test('a what-if is filled in and shown, without scripts', async () => {
  const { page, context } = await chromium.open({ width: 375, height: 800, scripts: 'off', person });
  try {
    await page.goto(`${service.addresses.baseUrl}/console/limits/what-if?client_id=${home.client}`);
    await page.getByRole('combobox', { name: 'Do' }).selectOption('Sell');
    await page.getByRole('textbox', { name: 'How much' }).fill('100');
    await page.getByRole('combobox', { name: 'Of what' }).selectOption('Money');
    await page.getByRole('combobox', { name: 'Instrument' }).selectOption('Volkswagen');
    await page.getByRole('button', { name: 'Show what would happen' }).click();
    await page.getByText('Nothing was booked or changed.').waitFor();
    // 100 of 1,000 francs in shares of Volkswagen are left of 200.
    expect(await page.locator('.before-after').first().innerText()).toMatch(/20\.0%[^]*10\.0%/);
  } finally {
    await context.close();
  }
});
