// The activity of a reporting entity: its bookings on the API and on the page, with filters, pages to the end, files and versions.

import { beforeAll, describe, expect, test, vi } from 'vitest';
import { makeReportHousehold, type ReportHousehold } from '../../setup/reports/report-household.ts';
import { book, bookedId } from '../../setup/ledger/ledger-household.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';
import { plainText, tableCells } from '../../setup/people/page-text.ts';
import { insertPerson, signIn, type SignedInCaller } from '../../setup/people/person-caller.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { LockHolder } from '../../setup/database/database-parts.ts';

const service = serviceForThisFile();
let household: ReportHousehold;
let viewer: SignedInCaller;
let advisor: SignedInCaller;
/** An account of the client that belongs to no reporting entity, and what it paid to the main account. */
let away: string;
let transfer: string;
/** An account of the entity in which nothing was booked. */
let unused: string;

const english = { 'accept-language': 'en-GB' };

beforeAll(async () => {
  const { admin } = service;
  household = await makeReportHousehold(admin);
  const { client, all, account } = household;
  const { body } = await admin.get(`/v1/accounts/${account}`);
  away = await makeRecord(admin, 'accounts', { entity_id: body.entity_id, name: 'Away', currency: 'CHF' });
  unused = await makeRecord(admin, 'accounts', { entity_id: body.entity_id, name: 'Unused', currency: 'CHF' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: all, name: 'Unused', account_ids: [unused] });
  const move = {
    type: 'withdrawal',
    account_id: away,
    date: '2026-02-10',
    amount: '-250',
    counter_account_id: account,
  };
  transfer = bookedId(await book(admin, 'v1', { ...move, comment: 'From the Zürich safe' }));
  await book(admin, 'v1', { type: 'deposit', account_id: away, date: '2026-02-09', amount: '9999' });
  const person = async (role: 'viewer' | 'advisor'): Promise<SignedInCaller> =>
    signIn(service, await insertPerson(service, { memberships: [{ client, role, grants: [all] }] }));
  [viewer, advisor] = [await person('viewer'), await person('advisor')];
});

async function listActivity(query = '', caller: SignedInCaller = advisor): Promise<any[]> {
  const reply = await caller.get(`/v1/activity?reporting_entity_id=${household.all}${query}`);
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
  return reply.body.data;
}

const shown = (one: any): unknown[] => [one.date, one.type, one.account_name, one.instrument_name, one.amount];

test('the newest bookings of the entity come first, without hidden accounts and what is private to others', async () => {
  expect((await listActivity()).map(shown)).toEqual([
    ['2026-02-10', 'withdrawal', null, null, '250'],
    ['2026-01-06', 'buy', 'Main', null, '-100'],
    ['2026-01-06', 'buy', 'Main', 'Novartis AG', '-700'],
    ['2026-01-05', 'deposit', 'Main', null, '1000'],
  ]);
});

test('of a transfer from elsewhere, the entity sees what came to it, and not from where', async () => {
  const [one] = await listActivity('&q=z%C3%BCrich');
  expect([one.account_id, one.counter_account_name, one.amount]).toEqual([null, 'Main', '250']);
  expect(JSON.stringify(one)).not.toContain(away);
});

test.each([
  ['&type=buy', 2],
  ['&cash=in', 2],
  ['&cash=out', 2],
  ['&from=2026-01-06&to=2026-01-31', 2],
  ['&q=novar', 1],
  ['&q=main%20novar', 1],
  ['&q=nothing', 0],
  ['&known_at=2000-01-01T00:00:00Z', 404],
])('%s leaves the bookings that it says', async (query, count) => {
  const reply = await advisor.get(`/v1/activity?reporting_entity_id=${household.all}${query}`);
  expect(reply.status === 200 ? reply.body.data.length : reply.status).toBe(count);
});

test('an account of the client that is not the entity’s is not found, and neither is its booking', async () => {
  const query = `reporting_entity_id=${household.all}`;
  expect((await advisor.get(`/v1/activity?${query}&account_id=${away}`)).status).toBe(404);
  expect((await advisor.get(`/v1/activity?${query}&account_id=${household.hidden}`)).status).toBe(404);
  const [foreign] = (await service.admin.get(`/v1/transactions?account_id=${away}`)).body.data;
  expect((await advisor.get(`/v1/transactions/${foreign.id}/versions?${query}`)).status).toBe(404);
  expect((await viewer.get(`/v1/activity?${query}`)).status).toBe(403);
});

test('a correction is a version, with the time at which it was recorded; a deletion ends the last', async () => {
  const { admin, clock } = service;
  clock.advance(60_000);
  await admin.patch(`/v1/transactions/${transfer}`, { comment: 'From the Bern safe', date: '2026-02-11' });
  const path = `/v1/transactions/${transfer}/versions?reporting_entity_id=${household.all}`;
  const { data } = (await advisor.get(path)).body;
  expect(data.map((one: any) => [one.date, one.comment, one.ended_at === null])).toEqual([
    ['2026-02-10', 'From the Zürich safe', false],
    ['2026-02-11', 'From the Bern safe', true],
  ]);
  expect(data[0].ended_at).toBe(data[1].recorded_at);
  const page = await advisor.get(`/entities/${household.all}/activity/${transfer}`);
  expect(page.status).toBe(200);
  expect(page.text).toContain('<h2>Paid in</h2>');
  for (const text of [
    'From the Zürich safe',
    'From the Bern safe',
    '10 February 2026',
    '11 February 2026',
    'CHF\u00A0250.00',
  ])
    expect(page.text).toContain(text);
  expect(page.text).toContain(`/entities/${household.all}/known?known_at=`);
});

test('the page shows what the API says, in the reader’s language, with the filters in its address', async () => {
  const path = `/entities/${household.all}/activity`;
  const english = await advisor.get(`${path}?cash=out`);
  expect(english.text).toMatch(/−700\.00[\s\S]*Bought[\s\S]*Novartis AG[\s\S]*Main/);
  expect(english.text).not.toContain('Paid in</td>');
  expect(english.text).toContain('<option value="out" selected');
  const german = await advisor.get(path, { 'accept-language': 'de-CH' });
  expect(german.text).toContain('Gekauft');
  expect(german.text).toContain('Bewegungen');
  expect((await viewer.get(path)).status).toBe(403);
});

describe('the filter', () => {
  /** What the form keeps without showing it, and the accounts to choose from. */
  async function openFilter(query: string): Promise<{ kept: unknown; accounts: readonly string[]; words: string }> {
    const { text } = await advisor.get(`/entities/${household.all}/activity?${query}`, english);
    const forms = [...text.matchAll(/<form.*?<\/form>/gs)].map(([form]) => form);
    const form = forms.find((one) => one.includes('name="cash"')) ?? '';
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const [, options = ''] = /<select[^>]*name="account"[^>]*>(.*?)<\/select>/s.exec(form) ?? [];
    return {
      kept: Object.fromEntries(hidden.map(([, name = '', value]) => [name, value])),
      accounts: [...options.matchAll(/<option value="([^"]*)"( selected)?\s*>(.*?)<\/option>/gs)].map(
        ([, value, selected = '', title]) => `${title}: ${value}${selected}`,
      ),
      words: plainText(text),
    };
  }

  test('keeps the other choices of the address, from the instrument to the moment of knowledge', async () => {
    const knownAt = new Date(service.clock.now() - 1).toISOString();
    const choices = {
      instrument: household.stock,
      known_at: knownAt,
      as_of: '2026-02-01',
      currency: 'EUR',
      period: '1y',
    };
    const { kept } = await openFilter(`${new URLSearchParams(choices)}&cursor=&type=buy&from=2026-01-01`);
    expect(kept).toEqual(choices);
    expect((await openFilter('type=buy')).kept).toEqual({});
  });

  test('offers the accounts that hold something, and the one that is chosen', async () => {
    const { account } = household;
    expect((await openFilter('')).accounts).toEqual(['All accounts:  selected', `Main: ${account}`]);
    expect((await openFilter(`account=${account}`)).accounts).toEqual(['All accounts: ', `Main: ${account} selected`]);
    expect((await openFilter(`account=${unused}`)).accounts).toEqual([
      'All accounts: ',
      `Main: ${account}`,
      `${unused}: ${unused} selected`,
    ]);
  });

  test('says which instrument was chosen: by its name, or by its id where no booking names it', async () => {
    const { stock } = household;
    expect((await openFilter('')).words).not.toContain('Show all instruments');
    expect((await openFilter(`instrument=${stock}`)).words).toContain('Only Novartis AG · Show all instruments');
    expect((await openFilter(`instrument=${stock}&type=coupon`)).words).toContain(
      `Only ${stock} · Show all instruments`,
    );
  });
});

test('a booking says whether it was corrected or deleted, and leads to what was known before each', async () => {
  const { admin, clock } = service;
  const { all, account } = household;
  const path = `/entities/${all}/activity`;
  const bookDeposit = async (): Promise<string> =>
    bookedId(await book(admin, 'v1', { type: 'deposit', account_id: account, date: '2026-02-02', amount: '3' }));
  const [plain, corrected, deleted] = [await bookDeposit(), await bookDeposit(), await bookDeposit()];
  clock.advance(60_000);
  await admin.patch(`/v1/transactions/${corrected}`, { amount: '4' });
  await admin.delete(`/v1/transactions/${deleted}`);
  const before = new Date(clock.now() - 1).toISOString();
  const shown = async (id: string): Promise<unknown> => {
    const reply = await advisor.get(`${path}/${id}`, english);
    return {
      caption: plainText(/<caption[^>]*>(.*?)<\/caption>/s.exec(reply.text)?.[1] ?? ''),
      isDeleted: reply.text.includes('This booking was deleted. It counts in no figure any more.'),
      steps: tableCells(reply, 'versions').map(([what = '', ...change]) => [what.split(' ')[0], ...change]),
      known: [...reply.text.matchAll(/known\?known_at=([^"&]*)"/g)].map(([, moment = '']) =>
        decodeURIComponent(moment),
      ),
    };
  };
  const booked = ['Booked', '–', '–', '–'];
  const caption = 'What was recorded, and when';
  expect(await shown(plain)).toEqual({
    caption: 'It was never corrected.',
    isDeleted: false,
    steps: [booked],
    known: [],
  });
  const change = ['Corrected', 'Cash', 'CHF 3.00', 'CHF 4.00'];
  expect(await shown(corrected)).toEqual({ caption, isDeleted: false, steps: [booked, change], known: [before] });
  const end = ['Deleted', '–', '–', '–'];
  expect(await shown(deleted)).toEqual({ caption, isDeleted: true, steps: [booked, end], known: [before] });
});

test('pages lead through all bookings once, and a file has all of them', async () => {
  const { account, all } = household;
  const lines = Array.from({ length: 130 }, (_, index) =>
    JSON.stringify({
      type: 'deposit',
      account_id: account,
      date: `2026-03-${String((index % 28) + 1).padStart(2, '0')}`,
      amount: String(index + 1),
      external_reference: `paging ${index}`,
    }),
  );
  const raw = `${lines.join('\n')}\n`;
  const booked = await service.admin.send('/v1/transactions/bulk', {
    method: 'POST',
    raw,
    headers: { 'content-type': 'application/x-ndjson' },
  });
  expect([booked.status, booked.text]).toEqual([200, booked.text]);
  let address: string | undefined = `/entities/${all}/activity?text=paging`;
  const amounts: string[] = [];
  for (let pages = 0; address !== undefined && pages < 10; pages++) {
    const { text }: { text: string } = await advisor.get(address);
    amounts.push(...[...text.matchAll(/\+(\d+)\.00</g)].map(([, amount = '']) => amount));
    address = /rel="next"\s+href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  expect(amounts).toHaveLength(130);
  expect(new Set(amounts).size).toBe(130);
  const file = await advisor.get(`/entities/${all}/activity?text=paging&table=activity&format=csv`);
  expect(file.headers.get('content-type')).toContain('text/csv');
  expect(file.text.trim().split('\r\n')).toHaveLength(131);
});

test('a file that takes long has a page that says so, and is there at the same address when it is ready', async () => {
  const holder = await LockHolder.open(service.database);
  const path = `/entities/${household.all}/activity?table=activity&format=csv`;
  const look = (caller: SignedInCaller, take = '') =>
    caller.send(`${path}${take}`, { method: 'GET', headers: { accept: 'text/html' } });
  await holder.query('LOCK TABLE transaction IN ACCESS EXCLUSIVE MODE');
  const waiting = await look(advisor);
  expect([waiting.status, waiting.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(waiting.text).toContain('The file is being made');
  expect(waiting.text).toContain('<noscript><meta http-equiv="refresh" content="3" /></noscript>');
  await holder.release();
  const ready = await vi.waitUntil(
    async () => {
      const page = await look(advisor);
      return page.text.includes('The file is ready') && page;
    },
    { timeout: 120_000, interval: 100 },
  );
  const [, address = ''] = /http-equiv="refresh" content="0; url=([^"]*)"/.exec(ready.text) ?? [];
  expect(address.replaceAll('&amp;', '&')).toBe(`${path}&take=1`);
  const taken = await look(advisor, '&take=1');
  expect(taken.headers.get('content-disposition')).toBe('attachment; filename="activity.csv"');
  expect(taken.text).toMatch(/^Date,Cash,Currency,What,/);
  expect((await look(viewer, '&take=1')).status).toBe(403);
});
