// The pages of a reporting entity: tabs by role, the choices in the address, and the banner of what was known.

import { beforeAll, expect, test } from 'vitest';
import { formatsOf } from '../../../src/surfaces/web/language/formats.ts';
import { figuresOf, plainText } from '../../setup/people/page-text.ts';
import { makeReportHousehold, type ReportHousehold } from '../../setup/reports/report-household.ts';
import { insertAdministrator, insertPerson, signIn, type SignedInCaller } from '../../setup/people/person-caller.ts';
import { runRounds } from '../../setup/limits/rounds.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';

const service = serviceForThisFile();
let household: ReportHousehold;
let viewer: SignedInCaller;
let advisor: SignedInCaller;

beforeAll(async () => {
  household = await makeReportHousehold(service.admin);
  const { client, all, broken, empty } = household;
  const person = async (role: 'viewer' | 'advisor'): Promise<SignedInCaller> =>
    signIn(service, await insertPerson(service, { memberships: [{ client, role, grants: [all, broken, empty] }] }));
  [viewer, advisor] = [await person('viewer'), await person('advisor')];
});

function tabsOf(text: string): string[] {
  const [, tabs = ''] = /<nav class="tabs"[^>]*>(.*?)<\/nav>/s.exec(text) ?? [];
  return [...tabs.matchAll(/<a [^>]*>(.*?)<\/a\s*>/gs)].map(([, title = '']) => title.trim());
}

test('each role sees the tabs that the API answers it', async () => {
  const path = `/entities/${household.all}`;
  const administrator = await signIn(service, await insertAdministrator(service));
  const shared = ['Overview', 'Holdings', 'Performance'];
  expect(tabsOf((await viewer.get(path)).text)).toEqual([...shared, 'Private markets', 'Income']);
  const details = [...shared, 'Activity', 'Private markets', 'Income', 'Realised gains', 'Limits', 'Data quality'];
  expect(tabsOf((await advisor.get(path)).text)).toEqual(details);
  expect(tabsOf((await administrator.get(path)).text)).toEqual(details);
});

test('further choices are unfolded only where one of them is made', async () => {
  const isUnfolded = async (query: string): Promise<boolean | undefined> => {
    const { text } = await viewer.get(`/entities/${household.all}${query}`);
    const [, attributes] = /<div class="controls">.*?<details([^>]*)>/s.exec(text) ?? [];
    return attributes?.includes('open');
  };
  const queries = ['', '?period=ytd', '?as_of=2026-02-01', '?currency=EUR', '?known_at=2026-11-01T00:00:00Z'];
  expect(await Promise.all(queries.map(isUnfolded))).toEqual([false, false, true, true, true]);
});

test('what was not granted is not there', async () => {
  const reply = await viewer.get(`/entities/${household.other}`);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
});

test('what the API refuses because of a choice is said on the page, between its controls', async () => {
  const reply = await viewer.get(`/entities/${household.all}?currency=JPY`);
  expect(reply.status).toBe(422);
  expect(reply.text).toContain('There is no exchange rate');
  expect(tabsOf(reply.text)).toContain('Holdings');
  const malformed = await viewer.get(`/entities/${household.all}?as_of=yesterday`);
  expect(malformed.status).toBe(400);
  expect(tabsOf(malformed.text)).toContain('Holdings');
});

test('as known at: the page says so, with what the value was then, what it is now and the difference', async () => {
  const { all, stock } = household;
  const { clock, admin } = service;
  const before = new Date(clock.now()).toISOString();
  clock.advance(60_000);
  await admin.post(`/v1/instruments/${stock}/prices`, { date: '2026-02-01', value: '80' });
  const english = { 'accept-language': 'en-GB' };
  const reply = await viewer.get(`/entities/${all}?known_at=${before}&as_of=2026-02-01`, english);
  const text = plainText(reply.text);
  const valueAt = async (more: string): Promise<string> =>
    (await admin.get(`/v1/holdings?reporting_entity_id=${all}&as_of=2026-02-01${more}`)).body.totals.market_value;
  const [then, now] = [await valueAt(`&known_at=${before}`), await valueAt('')];
  const formats = formatsOf('en-GB');
  expect(text).toContain('As known at');
  // Ten units at 80 instead of 72.123456789012345678.
  expect(text).toContain(
    `was ${formats.moneyWithCode(then, 'CHF')}; as known today it is ${formats.moneyWithCode(now, 'CHF')} (+78.77)`.replaceAll(
      /\s/g,
      ' ',
    ),
  );
  expect(figuresOf(reply.text)[0]).toBe(`Value ${formats.money(then, 'CHF')}`);
  expect(reply.text).toContain(`href="/entities/${all}?as_of=2026-02-01"`);
  expect(plainText((await viewer.get(`/entities/${all}`, english)).text)).not.toContain('As known at 1');
});

test('a chart is taken along as a picture; a table without a chart has none', async () => {
  const path = `/entities/${household.all}`;
  const { text } = await viewer.get(path);
  const [address = ''] = /\/entities\/[^"]*format=svg/.exec(text) ?? [];
  const reply = await viewer.get(address.replaceAll('&amp;', '&'));
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="value-.*\.svg"$/);
  expect(reply.text).toContain('<svg xmlns=');
  expect((await viewer.get(`${path}?table=classes&format=svg`)).status).toBe(404);
});

test('the overview has broken limits for those who see limits, and the report for all', async () => {
  const { admin, addresses } = service;
  const { client, all } = household;
  const filter = { kind: 'condition', field: 'instrument.type', operator: 'not_in', value: ['cash-instrument'] };
  const rule = { client_id: client, name: 'No investments', kind: 'proportional', max_pct: '0.001', filter };
  await makeRecord(admin, 'limits', rule);
  await runRounds(addresses.baseUrl);
  const [seen, hidden] = await Promise.all([advisor, viewer].map((one) => one.get(`/entities/${all}`)));
  expect(plainText(seen!.text)).toMatch(/Limit broken No investments [\d.]+%, at most 0\.1%; since /);
  expect(hidden!.text).not.toContain('No investments');
  const then = await advisor.get(`/entities/${all}?known_at=${new Date(service.clock.now() - 1_000).toISOString()}`);
  expect(then.text).not.toContain('Limit broken');
  for (const { text } of [seen!, hidden!]) expect(text).toContain(`href="/entities/${all}/report"`);
});

test('the language is chosen for the browser, and stays', async () => {
  const page = await viewer.get('/me', { 'accept-language': 'en-GB' });
  expect(page.status).toBe(200);
  const [, token = ''] = /name="form_token" value="([^"]*)"/.exec(page.text) ?? [];
  const sent = await viewer.send('/me/language', {
    method: 'POST',
    raw: new URLSearchParams({ form_token: token, language: 'de' }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
  });
  expect([sent.status, sent.headers.get('location')]).toEqual([303, '/me?done=saved']);
  const [chosen = ''] = (sent.headers.get('set-cookie') ?? '').split(';');
  const german = await viewer.get('/me', { cookie: `${viewer.cookie}; ${chosen}`, 'accept-language': 'en-GB' });
  expect(plainText(german.text)).toContain('Ihr Konto');
  expect(german.text).toContain('<html lang="de">');
});

test('sessions are listed and ended by their owner', async () => {
  const { client, all } = household;
  const id = await insertPerson(service, { memberships: [{ client, role: 'viewer', grants: [all] }] });
  const [here, elsewhere] = [await signIn(service, id), await signIn(service, id)];
  const page = await here.get('/me', { 'accept-language': 'en-GB' });
  expect(page.text.match(/This browser/g)).toHaveLength(1);
  const [, action = ''] = /action="(\/me\/sessions\/[^"]*\/end)"/.exec(page.text) ?? [];
  const [, token = ''] = /name="form_token" value="([^"]*)"/.exec(page.text) ?? [];
  const ended = await here.send(action, {
    method: 'POST',
    raw: new URLSearchParams({ form_token: token }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
  });
  expect(ended.headers.get('location')).toBe('/me?done=ended');
  expect((await elsewhere.get('/me')).headers.get('location')).toBe('/sign-in');
  expect((await here.get('/me')).status).toBe(200);
});
