// Pages of a reporting entity that have nothing to show: each says so in place of its tables, and what to do.

import { beforeAll, expect, test } from 'vitest';
import { plainText } from '../../../setup/people/page-text.ts';
import { insertPerson, signIn, type SignedInCaller } from '../../../setup/people/person-caller.ts';
import { makeReportHousehold, type ReportHousehold } from '../../../setup/reports/report-household.ts';
import { makeRecord } from '../../../setup/structure/structure-document.ts';
import { serviceForThisFile } from '../../../setup/node/test-service.ts';

const service = serviceForThisFile();
/** `quiet` has a portfolio with an account in which nothing was ever booked. */
let household: ReportHousehold & { readonly quiet: string };
let advisor: SignedInCaller;

beforeAll(async () => {
  const { admin } = service;
  const made = await makeReportHousehold(admin);
  const { client, account, all, empty } = made;
  const { entity_id } = (await admin.get(`/v1/accounts/${account}`)).body;
  const unused = await makeRecord(admin, 'accounts', { entity_id, name: 'Unused', currency: 'CHF' });
  const quiet = await makeRecord(admin, 'reporting-entities', { client_id: client, name: 'Quiet' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: quiet, name: 'Unused', account_ids: [unused] });
  household = { ...made, quiet };
  const memberships = [{ client, role: 'advisor' as const, grants: [all, empty, quiet] }];
  advisor = await signIn(service, await insertPerson(service, { memberships }));
});

const english = { 'accept-language': 'en-GB' };

async function open(entity: 'all' | 'empty' | 'quiet', path: string): Promise<string> {
  const { status, text } = await advisor.get(`/entities/${household[entity]}${path}`, english);
  expect([status, plainText(text)]).toEqual([200, expect.not.stringMatching(/\b(?:undefined|null|NaN)\b/)]);
  return text;
}

test.each([
  [
    'empty',
    '',
    'Nothing is held here yet',
    'As soon as the first deposit or holding is booked, its value is shown here.',
  ],
  [
    'empty',
    '/holdings',
    'Nothing is held',
    'On this day nothing was held. Choose a later day, or ask for the first booking.',
  ],
  ['all', '/holdings?text=nobody', 'Nothing is held', 'No holding has this name. Clear the search to see all.'],
  [
    'empty',
    '/activity',
    'Nothing was booked yet',
    'Bookings appear here as soon as the accounts of this entity have some.',
  ],
  ['empty', '/activity?type=coupon', 'No booking matches', 'Choose other dates or fewer words.'],
  ['all', '/activity?type=coupon', 'No booking matches', 'Choose other dates or fewer words.'],
  [
    'all',
    '/private-markets',
    'No private markets',
    'This entity holds no private-market fund. A fund appears here with its first commitment or call.',
  ],
  [
    'all',
    '/income',
    'No income in this period',
    'Dividends, coupons and interest appear here as soon as they are booked. Choose a longer period above.',
  ],
  [
    'all',
    '/realised-gains',
    'Nothing was sold in this period',
    'Gains appear here with each sale, redemption or distribution. Choose a longer period above.',
  ],
  [
    'all',
    '/limits',
    'There are no limits yet',
    'A limit says how much of something this entity may or must hold, such as at most 15% in private markets. Administrators set limits.',
  ],
  ['quiet', '/data-quality', 'Nothing to look at', 'No finding on the data behind the figures of this day.'],
] as const)('%s at "%s": %s', async (entity, path, title, said) => {
  const page = await open(entity, path);
  const found = [...page.matchAll(/<div class="empty">(.*?)<\/div>/gs)].map(([, text = '']) => plainText(text));
  expect(found).toEqual([`${title} ${said}`]);
  expect(page).not.toContain('<table');
});

test('on the first page an entity that holds nothing says so in its card, beside one that holds something', async () => {
  const { text } = await advisor.get('/', english);
  const cards = [...text.matchAll(/<section class="card entity">(.*?)<\/section>/gs)].map(([, card = '']) => card);
  const nothing =
    'Nothing is held here yet As soon as the first deposit or holding is booked, its value is shown here.';
  expect(
    cards.map((card) => [headingsOf(card)[0], plainText(card).includes(nothing), card.includes('<table')]),
  ).toEqual([
    ['All', false, true],
    ['None', true, false],
    ['Quiet', true, false],
  ]);
});

const headingsOf = (page: string): readonly string[] =>
  [...page.matchAll(/<h2[^>]*>(.*?)<\/h2>/gs)].map(([, text = '']) => plainText(text));

test('a report of somebody without private-market funds has no section for them', async () => {
  expect(headingsOf(await open('all', '/report'))).toEqual(['Overview', 'Holdings', 'Performance', 'Notes']);
});

test('a performance without warnings has no note of them; where nothing held has a price, nothing is offered to compare with', async () => {
  const shown = async (day: string): Promise<readonly boolean[]> => {
    const page = plainText(await open('all', `/performance?start=2026-01-05&as_of=${day}`));
    return ['To know about these figures', 'Compare with'].map((words) => page.includes(words));
  };
  expect(await shown('2026-01-05')).toEqual([false, false]);
  expect(await shown('2026-02-01')).toEqual([true, true]);
});
