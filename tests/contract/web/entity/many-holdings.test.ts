// A reporting entity that holds more than pages show: the holdings in pages of 150, and what is said about those that are left out.

import { beforeAll, describe, expect, test } from 'vitest';
import { csvRecords, plainText, tableCells } from '../../../setup/people/page-text.ts';
import { insertPerson, signIn, type SignedInCaller } from '../../../setup/people/person-caller.ts';
import { makeHousehold, makeRecord } from '../../../setup/structure/structure-document.ts';
import { serviceForThisFile } from '../../../setup/node/test-service.ts';

const service = serviceForThisFile();
const stocksMax = 1_000;
let advisor: SignedInCaller;
let path: string;
/** Before anything is corrected. */
let knownAt: string;
/** The stock that is worth the most. */
let corrected: string;

/** The first is worth the most. The first 150, 151 and 300 have a word of their own. */
function nameOf(index: number): string {
  const words = { alpha: 150, beta: 151, gamma: 300 };
  const own = Object.entries(words).flatMap(([word, count]) => (index < count ? [word] : []));
  return ['Stock', String(index + 1).padStart(4, '0'), ...own].join(' ');
}

async function makeStocks(): Promise<readonly string[]> {
  const ids: string[] = [];
  while (ids.length < stocksMax) {
    const some = Array.from({ length: 20 }, (_, index) => nameOf(ids.length + index));
    const made = some.map((name) =>
      makeRecord(service.admin, 'instruments', { type: 'stock-instrument', name, currency: 'CHF' }),
    );
    ids.push(...(await Promise.all(made)));
  }
  return ids;
}

/** One of each, and cash: 1,000 holdings on 6 January 2026, and 1,001 on the next day. */
beforeAll(async () => {
  const { admin, clock } = service;
  const { client, legalEntity } = await makeHousehold(admin, 'Amsel');
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, name: 'Main', currency: 'CHF' });
  const entity = await makeRecord(admin, 'reporting-entities', { client_id: client, name: 'All' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, name: 'All', account_ids: [account] });
  path = `/entities/${entity}`;
  const bookings = (await makeStocks()).map((instrument_id, index) => ({
    type: 'buy',
    account_id: account,
    date: index === stocksMax - 1 ? '2026-01-07' : '2026-01-06',
    instrument_id,
    quantity: '1',
    amount: String(index - 2_000),
    external_reference: nameOf(index),
  }));
  const deposit = {
    type: 'deposit',
    account_id: account,
    date: '2026-01-05',
    amount: '2000000',
    external_reference: 'cash',
  };
  const raw = [deposit, ...bookings].map((one) => `${JSON.stringify(one)}\n`).join('');
  const headers = { 'content-type': 'application/x-ndjson' };
  await admin.send('/v1/transactions/bulk', { method: 'POST', raw, headers });
  const memberships = [{ client, role: 'advisor' as const, grants: [entity] }];
  advisor = await signIn(service, await insertPerson(service, { memberships }));
  clock.advance(1_000);
  knownAt = new Date(clock.now()).toISOString();
  clock.advance(1_000);
  corrected = bookings[0]!.instrument_id;
});

const english = { 'accept-language': 'en-GB' };

interface ShownPage {
  readonly first: string | undefined;
  readonly last: string | undefined;
  readonly count: number;
  readonly pager: string;
  /** Where the links of the pager lead. */
  readonly links: readonly (string | undefined)[];
}

async function open(query: string): Promise<ShownPage> {
  const reply = await advisor.get(`${path}/holdings${query}`, english);
  const names = tableCells(reply, 'holdings').flatMap(([name = '']) => (name.startsWith('Stock') ? [name] : []));
  const [, label = '', pager = ''] = /<nav class="pager" aria-label="([^"]*)">(.*?)<\/nav>/s.exec(reply.text) ?? [];
  expect(plainText(pager)).toContain(label);
  return {
    first: names[0]?.slice(0, 10),
    last: names.at(-1)?.slice(0, 10),
    count: names.length,
    pager: plainText(pager),
    links: [...pager.matchAll(/href="([^"]*)"/g)].map(([, href]) => href?.replaceAll('&amp;', '&').replace(path, '')),
  };
}

describe('the holdings', () => {
  const [first, second] = ['Page 1 of 7 Next page', 'Previous page Page 2 of 7 Next page'];
  test.each([
    ['', 'Stock 0001', 'Stock 0150', 150, first, ['/holdings?page=2']],
    ['?page=1', 'Stock 0001', 'Stock 0150', 150, first, ['/holdings?page=2']],
    ['?page=0', 'Stock 0001', 'Stock 0150', 150, first, ['/holdings?page=2']],
    ['?page=x', 'Stock 0001', 'Stock 0150', 150, first, ['/holdings?page=2']],
    ['?page=2.5', 'Stock 0001', 'Stock 0150', 150, first, ['/holdings?page=2']],
    ['?page=2&open={first}', 'Stock 0151', 'Stock 0300', 150, second, ['/holdings', '/holdings?page=3']],
    ['?page=7', 'Stock 0901', 'Stock 1000', 100, 'Previous page Page 7 of 7', ['/holdings?page=6']],
    ['?page=8', 'Stock 0901', 'Stock 1000', 100, 'Previous page Page 7 of 7', ['/holdings?page=6']],
    ['?text=alpha', 'Stock 0001', 'Stock 0150', 150, '', []],
    ['?text=beta', 'Stock 0001', 'Stock 0150', 150, 'Page 1 of 2 Next page', ['/holdings?text=beta&page=2']],
    ['?text=beta&page=2', 'Stock 0151', 'Stock 0151', 1, 'Previous page Page 2 of 2', ['/holdings?text=beta']],
    ['?text=gamma&page=2', 'Stock 0151', 'Stock 0300', 150, 'Previous page Page 2 of 2', ['/holdings?text=gamma']],
    ['?text=gamma&page=3', 'Stock 0151', 'Stock 0300', 150, 'Previous page Page 2 of 2', ['/holdings?text=gamma']],
  ])('at "%s" are those from %s to %s', async (query, from, last, count, pager, links) => {
    const address = query.replace('{first}', corrected);
    expect(await open(address)).toEqual({ first: from, last, count, pager, links });
  });

  test('are a file with those of all pages', async () => {
    const { text } = await advisor.get(`${path}/holdings?page=2&table=holdings&format=csv`, english);
    const names = csvRecords(text).map((record) => Object.values(record)[0]);
    expect(names.filter((name) => name?.startsWith('Stock'))).toEqual(
      Array.from({ length: stocksMax }, (_, i) => nameOf(i)),
    );
  });

  test('beyond the first thousand are left out, and the page says so', async () => {
    const noteOn = async (day: string): Promise<string> =>
      plainText(
        /<div class="notice warn".*?<\/div>/s.exec(
          (await advisor.get(`${path}/holdings?as_of=${day}`, english)).text,
        )?.[0] ?? '',
      );
    expect(await noteOn('2026-01-06')).toBe('');
    expect(await noteOn('2026-01-07')).toBe(
      'Only the first 1,000 instruments are shown. The file has the same; the API has all.',
    );
  });
});

describe('then and today', () => {
  const noteOfFirst = 'Only the first 1,000 holdings are compared here; the figures above are complete.';

  async function openKnown(day: string): Promise<{ text: string; differing: readonly (readonly string[])[] }> {
    const reply = await advisor.get(`${path}/known?known_at=${encodeURIComponent(knownAt)}&as_of=${day}`, english);
    expect(reply.status).toBe(200);
    return { text: plainText(reply.text), differing: tableCells(reply, 'positions') };
  }

  test('are said to be the same where nothing was recorded since, of all holdings only where all are compared', async () => {
    const [all, first] = [await openKnown('2026-01-06'), await openKnown('2026-01-07')];
    const same = 'Holdings that differ Nothing changed: every holding of that day is said today as it was said then.';
    const sameOfFirst = 'Holdings that differ None of the first 1,000 holdings differs. Only they are compared here;';
    expect([all, first].map(({ text }) => [text.includes(same), text.includes(sameOfFirst)])).toEqual([
      [true, false],
      [false, true],
    ]);
    const nothing = 'What was recorded since Nothing was recorded since that concerns these figures.';
    for (const { text, differing } of [all, first]) expect([text.includes(nothing), differing]).toEqual([true, []]);
  });

  test('differ in what was corrected since, and the page says whether it compares all', async () => {
    const { admin } = service;
    const [bought] = (await admin.get(`/v1/transactions?instrument_id=${corrected}`)).body.data;
    expect((await admin.patch(`/v1/transactions/${bought.id}`, { amount: '-1990' })).status).toBe(200);
    const [all, first] = [await openKnown('2026-01-06'), await openKnown('2026-01-07')];
    const stock = ['Stock 0001 alpha beta gamma', '1', '1', '2,000.00', '1,990.00', '−10.00', 'Booking corrected'];
    const cash = ['Cash CHF', '500,501', '500,511', '500,501.00', '500,511.00', '+10.00', 'Booking corrected'];
    expect(all.differing).toEqual([stock, cash]);
    expect(first.differing).toEqual([stock]);
    expect([all, first].map(({ text }) => text.includes(noteOfFirst))).toEqual([false, true]);
  });
});
