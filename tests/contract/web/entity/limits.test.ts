// The limits of a reporting entity in every state: kept, broken, and those that cannot be evaluated, with the currency of their amounts.

import { beforeAll, expect, test } from 'vitest';
import { plainText, tableCells } from '../../../setup/people/page-text.ts';
import { insertPerson, signIn, type SignedInCaller } from '../../../setup/people/person-caller.ts';
import { makeReportHousehold, type ReportHousehold } from '../../../setup/reports/report-household.ts';
import { runRounds } from '../../../setup/limits/rounds.ts';
import { makeRecord } from '../../../setup/structure/structure-document.ts';
import { serviceForThisFile } from '../../../setup/node/test-service.ts';

const service = serviceForThisFile();
const english = { 'accept-language': 'en-GB' };
let household: ReportHousehold;
let advisor: SignedInCaller;

const condition = (field: string, operator: string, ...value: string[]) => ({
  kind: 'condition',
  field,
  operator,
  value,
});

beforeAll(async () => {
  const { admin, addresses } = service;
  household = await makeReportHousehold(admin);
  const { client, all, empty, broken } = household;
  const limit = (name: string, fields: object): Promise<string> =>
    makeRecord(admin, 'limits', { client_id: client, name, ...fields });
  const shares = condition('instrument_class.path', 'starts_with', 'Equities');
  await limit('Shares', { kind: 'proportional', max_pct: '0.8', filter: shares });
  await limit('Shares in francs', { kind: 'absolute', max_amount: '500', filter: shares });
  const cash = condition('instrument.type', 'in', 'cash-instrument');
  const deleted = await limit('Cash', { kind: 'proportional', min_pct: '0.5', filter: cash });
  await limit('Abroad', { kind: 'absolute', max_amount: '100', filter: condition('currency', 'not_in', 'CHF') });
  await admin.post('/v1/fx-rates', { base: 'USD', quote: 'CHF', date: '2026-01-01', rate: '0.5' });
  await runRounds(addresses.baseUrl);
  await admin.delete(`/v1/limits/${deleted}`);
  const memberships = [{ client, role: 'advisor' as const, grants: [all, empty, broken] }];
  advisor = await signIn(service, await insertPerson(service, { memberships }));
});

/** What the card of each limit says, without its drawing. */
async function cardsOf(entity: string): Promise<readonly string[]> {
  const { status, text } = await advisor.get(`/entities/${entity}/limits`, english);
  expect([status, plainText(text)]).toEqual([200, expect.not.stringMatching(/\b(?:undefined|null|NaN)\b/)]);
  const cards = [...text.matchAll(/<section class="card">(.*?)<\/section>/gs)].map(([, card = '']) => card);
  return cards
    .slice(0, -1)
    .map((card) => plainText(card.replace(/<figure.*<\/figure>/s, '')).replace(' How this value came about', ''));
}

const since = 'Since 15 Nov 2026, 12:00 UTC';
const unclassified = (value: string): string =>
  `Holdings without a class are worth ${value}. They may belong here and are not counted.`;

test('a limit is kept or broken, with the room that is left, and says what may belong to it', async () => {
  expect(await cardsOf(household.all)).toEqual([
    `Shares: at most 80.0% of the whole value Kept Now 71.5% Room left 8.5% ${since} Counts class Equities ${unclassified('9.9%')}`,
    `Shares in francs: at most CHF 500.00 Broken Now CHF 721.23 Beyond the bound CHF 221.23 ${since} Counts class Equities ${unclassified('CHF 100.00')}`,
    `Abroad: at most CHF 100.00 Kept Now CHF 0.00 Room left CHF 100.00 ${since} Counts currency other than CHF`,
  ]);
});

test('a share of nothing cannot be said, and has no room', async () => {
  const [share] = await cardsOf(household.empty);
  expect(share).toBe(
    `Shares: at most 80.0% of the whole value Cannot be said There is no value to take a share of. ${since} Counts class Equities`,
  );
});

test('where a rate is missing, limits say so, and amounts stand without the currency that no report says', async () => {
  const missing = 'Cannot be said An exchange rate is missing.';
  expect(await cardsOf(household.broken)).toEqual([
    `Shares: at most 80.0% of the whole value ${missing} ${since} Counts class Equities`,
    `Shares in francs: at most 500.00 Kept Now 0.00 Room left 500.00 ${since} Counts class Equities`,
    `Abroad: at most 100.00 ${missing} ${since} Counts currency other than CHF`,
  ]);
});

test('breaches are listed with their bound and end, those of limits that were deleted too', async () => {
  const reply = await advisor.get(`/entities/${household.all}/limits`, english);
  const at = '15 Nov 2026, 12:00 UTC';
  expect(tableCells(reply, 'breaches')).toEqual([
    ['A limit that was deleted', at, at, '19.8%', 'at least 50.0%'],
    ['Shares in francs', at, 'still broken', 'CHF 721.23', 'at most CHF 500.00'],
  ]);
  expect(plainText((await advisor.get(`/entities/${household.empty}/limits`, english)).text)).toContain(
    'When limits were broken No limit was broken so far.',
  );
});

test.each(['', '?currency=USD'])(
  'the overview%s writes broken limits in the currency that they are set in',
  async (query) => {
    const { text } = await advisor.get(`/entities/${household.all}${query}`, english);
    expect(plainText(text)).toContain(
      'Limit broken Shares in francs CHF 721.23, at most CHF 500.00; since 15 Nov 2026, 12:00 UTC',
    );
  },
);
