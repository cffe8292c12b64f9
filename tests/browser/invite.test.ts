// Tests the way from the link in a mail to the person's figures in Chromium, with a mouse, with the keyboard alone, and on a
// small screen.

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { chromiumForThisFile } from '../setup/people/chromium.ts';
import { providersForThisFile } from '../setup/people/identity-providers.ts';
import { makeInvite, makeUser, newEmail, inviteSecretOf } from '../setup/people/members.ts';
import { makeReportHousehold, type ReportHousehold } from '../setup/reports/report-household.ts';
import { serviceForThisFile } from '../setup/node/test-service.ts';

const providers = await providersForThisFile();
const service = serviceForThisFile({ settings: providers.settings });
providers.serve(service);
const chromium = chromiumForThisFile();
let household: ReportHousehold;

beforeAll(async () => {
  household = await makeReportHousehold(service.admin);
});

async function invite(): Promise<{ readonly email: string; readonly link: string }> {
  const email = newEmail();
  const { client, all, broken } = household;
  const user = await makeUser(service.admin, client, {
    email,
    first_name: 'Astrid',
    last_name: 'Amsel',
    reporting_entity_ids: [all, broken],
  });
  const secret = await inviteSecretOf(service, await makeInvite(service.admin, user));
  return { email, link: `${service.addresses.baseUrl}/invites/${secret}` };
}

async function enterIdentity(page: Page, email: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Address' }).fill(email);
  await page.getByRole('textbox', { name: 'Name' }).fill('Astrid Amsel');
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const heading = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();

test('a person opens the link, signs in, sees what was granted, and signs out', async () => {
  const { email, link } = await invite();
  const { page, context, consoleErrors: complaints } = await chromium.open();
  await page.goto(link);
  expect(await heading(page)).toBe('You are invited to Amsel');
  await page.getByRole('button', { name: 'Continue with Provider B' }).click();
  await page.waitForURL(/\/provider_b\/interaction\//);
  await enterIdentity(page, email);
  await page.waitForURL(`${service.addresses.baseUrl}/`);
  expect(await heading(page)).toBe('Your wealth');
  expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['All', 'Yen']);
  const [session] = (await context.cookies()).filter(({ name }) => name === 'holdfast_session');
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', expires: -1 });
  await page.getByText('Astrid Amsel').click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect.poll(() => heading(page)).toBe('Sign in');
  await page.goto(`${service.addresses.baseUrl}/`);
  expect(await heading(page)).toBe('Sign in');
  expect(complaints).toEqual([]);
});

test('a person with the wrong account sees a message, and can sign in with the right one', async () => {
  const { email, link } = await invite();
  const { page } = await chromium.open();
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue with Provider A' }).click();
  await enterIdentity(page, 'somebody.else@people.example');
  await page.waitForURL(/\/sign-in\/callback/);
  expect(await heading(page)).toBe('This is not the invited account');
  await page.getByRole('button', { name: 'Use another account of Provider A' }).click();
  await page.waitForURL(/\/provider_a\/interaction\//);
  await enterIdentity(page, email);
  await page.waitForURL(`${service.addresses.baseUrl}/`);
  expect(await heading(page)).toBe('Your wealth');
});

test('everything can be done with the keyboard alone, and the focus is visible', async () => {
  const { email, link } = await invite();
  const { page } = await chromium.open();
  await page.goto(link);
  const focused = (): Promise<string> => page.evaluate('document.activeElement.innerText');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to content');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await focused()).toContain('Continue with Provider A');
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/provider_a\/interaction\//);
  await page.keyboard.press('Tab');
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${service.addresses.baseUrl}/`);
  expect(await page.getByText('Astrid Amsel').isVisible()).toBe(true);
});

test('pages fit a screen of 320 pixels, the width of 1280 pixels at 400 % zoom', async () => {
  const { email, link } = await invite();
  const { page } = await chromium.open({ width: 320, height: 640 });
  const overflow = (): Promise<number> =>
    page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  await page.goto(link);
  expect(await overflow()).toBe(0);
  await page.getByRole('button', { name: 'Continue with Provider C' }).click();
  await enterIdentity(page, email);
  await page.waitForURL(`${service.addresses.baseUrl}/`);
  expect(await overflow()).toBe(0);
});

test('a form sent by another site is refused', async () => {
  const { email, link } = await invite();
  const { page } = await chromium.open();
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue with Provider A' }).click();
  await enterIdentity(page, email);
  await page.waitForURL(`${service.addresses.baseUrl}/`);
  const otherOrigin = service.addresses.baseUrl.replace('127.0.0.1', 'localhost');
  const form = `<form method="post" action="${service.addresses.baseUrl}/sign-out"><button>Win</button></form>`;
  await page.route(`${otherOrigin}/**`, (route) => route.fulfill({ contentType: 'text/html', body: form }));
  await page.goto(`${otherOrigin}/win`);
  await page.getByRole('button', { name: 'Win' }).click();
  await page.waitForURL(`${service.addresses.baseUrl}/sign-out`);
  await page.goto(`${service.addresses.baseUrl}/`);
  expect(await heading(page)).toBe('Your wealth');
});
