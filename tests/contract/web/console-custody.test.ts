// Custody on the console: a custodian is connected step by step and revoked, and differences are accepted with a note and opened again.

import { beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '../../../src/actions/access/session.ts';
import { consentWithoutAccounts } from '../../setup/custody/bare-household.ts';
import { makeFeedWorker } from '../../setup/custody/connected-household.ts';
import { sandboxForThisTest } from '../../setup/custody/sandbox.ts';
import { makeFeedRun } from '../../setup/custody/example-custody.ts';
import { runSql } from '../../setup/database/sql.ts';
import { makeCustodyHousehold, startFlow, type CustodyHousehold } from '../../setup/custody/custody-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { Browser, type BrowserPage } from '../../setup/people/cookie-browser.ts';
import { insertAdministrator, insertPerson } from '../../setup/people/person-caller.ts';
import { plainText, tableCells } from '../../setup/people/page-text.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';
import { signedInBrowser } from '../../setup/people/signed-in-browser.ts';
import {
  listBreaks,
  makeStatedHousehold,
  state,
  type StatedHousehold,
} from '../../setup/reconciliation/stated-household.ts';

const service = workspaceForThisFile();
const browser = new Browser();
let home: CustodyHousehold;
let bank: string;

beforeAll(async () => {
  home = await makeCustodyHousehold(service.admin);
  bank = (await service.admin.get(`/v1/custodians/${home.custodian}`)).body.name;
  await service.admin.patch(`/v1/admin/custodians/${home.custodian}`, { expected_files: ['Mandate'] });
  const personId = await insertAdministrator(service);
  const person = { workspaceId: service.first.workspaceId, environment: 'production', personId } as const;
  browser.cookies.set('holdfast_session', (await openSession(service.context, person)).secret);
});

const make = (plural: string, fields: object): Promise<string> => makeRecord(service.admin, plural, fields);
const openAt = (path: string): Promise<BrowserPage> => browser.open(service.addresses.baseUrl + path);

test('a custodian is connected: file, consent, grant; and revoked by typing its name', async () => {
  expect((await openAt('/console/custody')).visibleText).toContain('No custodian sends data yet');
  const started = await browser.press(await openAt('/console/custody/auth-flows/new'), 'Start', {
    custodian_id: home.custodian,
    legal_entity_id: home.legalEntity,
    depository_id: '',
  });
  expect(started.visibleText).toContain('State Waiting for files');
  expect(started.visibleText).toContain('Still missing Mandate');

  const handedIn = await browser.upload(started, 'Hand in', {
    file: { name: 'mandate.pdf', content: '%PDF-1.7' },
    fields: { expected_file: 'Mandate' },
  });
  expect(handedIn.visibleText).toContain('State Waiting for consent');
  expect(handedIn.visibleText).toContain('mandate.pdf Mandate application/pdf 8');

  const consented = await browser.press(handedIn, 'Give consent', { consent_type: 'signed-document' });
  expect(consented.visibleText).toContain('State Waiting for the operator');
  const granted = await browser.press(consented, 'Grant', { expires_on: '2027-05-15' });
  expect(granted.visibleText).toContain('The authority is active');
  const list = await openAt('/console/custody');
  expect(list.visibleText).toContain(`${bank} Active`);
  expect(list.visibleText).toContain('15 May 2027');

  const [, authority] = /href="(\/console\/custody\/authorities\/[0-9a-f]{24})"/.exec(list.text)!;
  const asking = await openAt(`${authority}/revoke`);
  const mistyped = await browser.press(asking, 'Revoke', { confirm_name: 'another bank' });
  expect(mistyped.status).toBe(422);
  const revoked = await browser.press(mistyped, 'Revoke', { confirm_name: bank });
  expect(revoked.visibleText).toContain('It is being revoked');
  const confirmed = await browser.press(revoked, 'Confirm the revocation');
  expect(confirmed.visibleText).toContain('State Revoked');
});

test('a break is accepted with a note, and opened again', async () => {
  const household = await makeStatedHousehold(service.admin);
  await state(service.admin, household, { date: '2026-03-31', instrument: household.stock, quantity: '90' });
  const [found] = await listBreaks(service.admin, household);
  const list = await openAt('/console/custody/breaks?min_age=30');
  expect(list.visibleText).toContain('90 100');
  expect((await openAt('/console/custody/breaks?class=timing')).visibleText).toContain('No such differences');

  const page = await openAt(`/console/custody/breaks/${found!.id}`);
  const accepted = await browser.press(page, 'Accept the difference', { note: 'The bank is asked.' });
  expect(accepted.visibleText).toContain('State Accepted');
  const read = async (): Promise<any> => (await service.admin.get(`/v1/reconciliation-breaks/${found!.id}`)).body;
  expect(await read()).toMatchObject({ state: 'accepted', note: 'The bank is asked.' });
  const opened = await browser.press(accepted, 'Open it again', { note: 'The bank is asked.' });
  expect([opened.status, (await read()).state]).toEqual([200, 'open']);

  const lines = await openAt(`/console/custody/reconciliation?client_id=${household.client}&differences_only=true`);
  expect(lines.visibleText).toContain('Lines: 1. Different: 1.');
  expect(lines.visibleText).toContain('90 100 −10 Quantity');
});

/** The errors at the fields of a page, by field. */
const fieldErrors = ({ text }: BrowserPage): object =>
  Object.fromEntries([...text.matchAll(/id="field-(\w+)-error">([^<]*)</g)].map(([, name, error]) => [name, error]));

test('a start that the API refuses says so at its field alone', async () => {
  const form = await openAt('/console/custody/auth-flows/new');
  const custodian_id = home.custodian;
  const refused = await browser.press(form, 'Start', { custodian_id, legal_entity_id: '', depository_id: '' });
  expect([refused.status, refused.title]).toEqual([422, 'Connect a custodian · Holdfast']);
  const error = 'Send legal_entity_id or depository_id.';
  expect(fieldErrors(refused)).toEqual({ legal_entity_id: error });
  // At its field, and in the list above the form that leads there.
  expect(refused.visibleText.split(error).length - 1).toBe(2);
  const fields = refused.forms.find(({ button }) => button === 'Start')?.fields;
  expect(fields).toMatchObject({ custodian_id, legal_entity_id: '', depository_id: '' });
});

test('a consent file is needed, and has at most 720 KiB', async () => {
  const { id } = await startFlow(service.admin, home);
  const path = `/console/custody/auth-flows/${id}`;
  const send = async (content: string): Promise<BrowserPage> =>
    browser.upload(await openAt(path), 'Hand in', { file: { name: 'mandate.PDF', content } });
  const sizes = { none: 0, most: 720 * 1024, more: 720 * 1024 + 1 };
  for (const size of [sizes.none, sizes.more]) {
    const refused = await send('a'.repeat(size));
    expect([refused.status, refused.visibleText]).toEqual([
      422,
      expect.stringContaining('Choose a file of at most 720 KiB.'),
    ]);
  }
  expect((await send('a'.repeat(sizes.most))).visibleText).toContain('mandate.PDF Mandate application/pdf 737,280');
});

test('a step that the authority’s state does not allow is refused on its page', async () => {
  const { authority_id: id } = await startFlow(service.admin, await makeCustodyHousehold(service.admin), 'active');
  const { text } = await openAt(`/console/custody/authorities/${id}`);
  const [, token = ''] = /name="form_token" value="([^"]*)"/.exec(text) ?? [];
  const path = `${service.addresses.baseUrl}/console/custody/authorities/${id}/confirm-revocation`;
  const refused = await browser.send(path, { form_token: token });
  const { body } = await service.admin.post(`/v1/admin/authorities/${id}/confirm-revocation`, undefined);
  expect([refused.status, refused.visibleText]).toEqual([422, expect.stringContaining(body.detail)]);
});

test('a note on a break shows its beginning in the list, and one that is too long stays in the form', async () => {
  const household = await makeStatedHousehold(service.admin);
  await state(service.admin, household, { date: '2026-03-31', instrument: household.stock, quantity: '90' });
  const [found] = await listBreaks(service.admin, household);
  const path = `/console/custody/breaks/${found!.id}`;
  const note = `Aside ${'b'.repeat(73)}yz`;
  await browser.press(await openAt(path), 'Accept the difference', { note });
  const list = await openAt(`/console/custody/breaks?client_id=${household.client}&state=accepted`);
  expect(tableCells(list, 'breaks').map((cells) => cells.at(-1))).toEqual([`Accepted ${note.slice(0, 80)}`]);
  expect(note.slice(0, 80)).toMatch(/^A.*by$/);
  const long = 'n'.repeat(2_001);
  const refused = await browser.press(await openAt(path), 'Open it again', { note: long });
  expect([refused.status, refused.forms.find(({ fields }) => 'note' in fields)?.fields['note']]).toEqual([422, long]);
  expect((await service.admin.get(`/v1/reconciliation-breaks/${found!.id}`)).body).toMatchObject({
    state: 'accepted',
    note,
  });
});

describe('breaks, for people who may not read the records', () => {
  let household: StatedHousehold;
  let found: any;
  const row = ['Novartis AG', 'Quantity', 'Depository', '90', '100', '−10', '229', '31 Mar 2026', 'Open'];
  const menu = (text: string): readonly string[] => {
    const [, tabs = ''] = /<nav[^>]*aria-label="Custody"[^>]*>(.*?)<\/nav>/s.exec(text) ?? [];
    return [...tabs.matchAll(/<a[^>]*>([^<]*)</g)].map(([, title = '']) => title);
  };
  beforeAll(async () => {
    household = await makeStatedHousehold(service.admin);
    await state(service.admin, household, { date: '2026-03-31', instrument: household.stock, quantity: '90' });
    [found] = await listBreaks(service.admin, household);
  });

  test.each([
    ['advisor', false],
    ['admin', true],
  ] as const)(
    'an %s of the client finds them under Custody, by name, without what they may not open',
    async (role, isAdmin) => {
      const memberships = [{ client: household.client, role, grants: [household.entity] }];
      const person = await signedInBrowser(service, await insertPerson(service, { memberships }));
      expect((await person.open('/console')).text).toContain('href="/console/custody/breaks"');
      const list = await person.open('/console/custody');
      expect([list.status, list.url, menu(list.text)]).toEqual([
        200,
        `${service.addresses.baseUrl}/console/custody/breaks`,
        ['Breaks'],
      ]);
      expect(tableCells(list, 'breaks')).toEqual([row]);
      expect(list.text.includes('name="client_id"')).toBe(isAdmin);
      const page = await person.open(`/console/custody/breaks/${found.id}`);
      expect(page.title).toBe('Novartis AG · Holdfast');
      expect(page.visibleText).toContain(
        'Where Depository The custodian states 90 The ledger has 100 Difference −10 First',
      );
      expect(page.visibleText).toContain(`Days 229 ${isAdmin ? 'Work on it' : 'The same by API'}`);
    },
  );

  test('an administrator of the workspace sees the same, and has all of Custody', async () => {
    const list = await openAt(`/console/custody/breaks?client_id=${household.client}`);
    expect(tableCells(list, 'breaks')).toEqual([row]);
    expect(list.visibleText).not.toContain('GET /v1/reporting-entities');
    const tabs = ['Connections', 'Feeds', 'Breaks', 'Reconciliation'];
    for (const path of ['', '/feeds', '/breaks', '/reconciliation']) {
      expect(menu((await openAt(`/console/custody${path}`)).text)).toEqual(tabs);
    }
  });
});

describe('runs of feeds', () => {
  test('are filtered, say what went wrong, and keep the authority they were asked for', async () => {
    const own = await makeCustodyHousehold(service.admin);
    const { authority_id: authority } = await startFlow(service.admin, own, 'active');
    const none = await openAt('/console/custody/feeds');
    expect(none.visibleText).toContain('No feed has run yet');
    expect(none.visibleText).not.toContain('Apply');
    const filtered = await openAt('/console/custody/feeds?state=failed');
    expect(filtered.visibleText).not.toContain('No feed has run yet');
    expect(filtered.visibleText).toContain('Apply');

    const id = await makeFeedRun(service.admin, { ...own, authority });
    expect((await openAt('/console/custody/feeds')).visibleText).not.toContain('No feed has run yet');
    const shown = await openAt(`/console/custody/feeds?authority_id=${authority}`);
    expect(shown.text).toContain(`<input type="hidden" name="authority_id" value="${authority}" />`);
    expect(tableCells(shown, 'runs')).toHaveLength(1);
    expect((await openAt('/console/custody/feeds')).text).not.toContain('name="authority_id"');
    const noteOf = async (): Promise<string | undefined> =>
      /<div class="notice \w+"[^>]*>.*?<\/div>/s.exec((await openAt(`/console/custody/feeds/${id}`)).text)?.[0];
    expect(await noteOf()).toBeUndefined();
    const change = (fields: string): Promise<unknown> =>
      runSql(service.database, `UPDATE feed_run SET error_detail = 'No answer.', ${fields} WHERE id = $1`, [id]);
    await change("state = 'failed'");
    expect([plainText((await noteOf()) ?? ''), await noteOf()]).toEqual([
      'No answer.',
      expect.stringContaining('danger'),
    ]);
    await change("state = 'waiting', finished_at = NULL");
    expect([plainText((await noteOf()) ?? ''), await noteOf()]).toEqual([
      'No answer.',
      expect.stringContaining('warn'),
    ]);
  });
});

describe('the reconciliation', () => {
  test('asks for a client first', async () => {
    const page = await openAt('/console/custody/reconciliation');
    expect(page.visibleText).toContain(
      'Whose? Choose a client to see what its custodians state beside what the ledger holds.',
    );
    expect(page.text).not.toContain('<table');
  });

  test('names an instrument that nobody knows as the custodian does, and says what agrees', async () => {
    const own = await makeStatedHousehold(service.admin);
    const date = '2026-03-31';
    await state(
      service.admin,
      own,
      { date, instrument: own.stock, quantity: '100' },
      { date, instrument: { name: 'Ferro SA', isin: 'CH0000000001' }, quantity: '1' },
      { date, instrument: { isin: 'CH0000000002' }, quantity: '2' },
      { date, instrument: { ticker: 'FERR' }, quantity: '3' },
      { date, quantity: '9000' },
    );
    const page = await openAt(`/console/custody/reconciliation?client_id=${own.client}`);
    const lines = tableCells(page, 'lines').map((cells) => [cells[0], cells[3], cells.at(-1)]);
    expect(lines.toSorted()).toEqual([
      ['CH0000000002', '2', 'Unknown instrument'],
      ['Cash CHF', '9,000', 'Agrees'],
      ['Ferro SA', '1', 'Unknown instrument'],
      ['Novartis AG · CHF', '100', 'Agrees'],
      ['Unknown', '3', 'Unknown instrument'],
    ]);
  });
});

describe('the accounts of a consent', () => {
  async function consented() {
    const sandbox = await sandboxForThisTest(service.clock);
    const household = await consentWithoutAccounts(service, service.admin, {
      origin: sandbox.origin,
      customer: 'holding',
    });
    await makeFeedWorker(service).runAll();
    const path = `/console/custody/authorities/${household.authority}`;
    const list = async (): Promise<any[]> =>
      (await service.admin.get(`/v1/authorities/${household.authority}/accounts`)).body.data;
    return { household, path, list };
  }

  test('are created and linked all at once, after which the page says how many rows are booked', async () => {
    const { household, path, list } = await consented();
    const [first] = await list();
    const owned = { entity_id: household.legalEntity, currency: first.currency, external_identifier: first.number };
    await service.admin.post('/v1/accounts', { ...owned, name: 'Known here' });
    const page = await openAt(path);
    expect(page.visibleText).toContain('This will create 2 and link 1 of them');
    expect(page.visibleText).toContain('State Here, not linked');
    const done = await browser.press(page, 'Create and link all', {});
    expect(done.status).toBe(200);
    expect(done.visibleText).toMatch(
      /2 records were created, and 1 record was linked\. \d+ rows that waited are booked\./,
    );
    expect((await list()).map(({ state, waiting_rows: waiting }) => [state, waiting])).toEqual([
      ['linked', 0],
      ['linked', 0],
      ['linked', 0],
    ]);
    expect(done.visibleText).not.toContain('Not here yet');
  });

  test('are created one by one under another name, into a portfolio', async () => {
    const { household, path, list } = await consented();
    const entity = await make('reporting-entities', { client_id: household.client, name: 'Family' });
    const portfolio = await make('portfolios', { reporting_entity_id: entity, name: 'Everything' });
    const page = await openAt(path);
    await browser.press(page, 'Create', { name: 'My francs', portfolio_id: portfolio });
    const [account] = (await service.admin.get(`/v1/accounts?entity_id=${household.legalEntity}`)).body.data;
    expect([account.name, account.external_identifier]).toEqual(['My francs', (await list())[0].number]);
    expect((await service.admin.get(`/v1/portfolios/${portfolio}`)).body.account_ids).toEqual([account.id]);
  });

  test('that the API refuses say why in words', async () => {
    const { path } = await consented();
    const page = await openAt(path);
    const refused = await browser.press(page, 'Create', { name: '', portfolio_id: '0123456789abcdef01234567' });
    expect([refused.status, refused.visibleText]).toEqual([
      422,
      expect.stringContaining('There is no such portfolio.'),
    ]);
  });

  test('a feed is run now, once a minute, and the button leads to its run', async () => {
    const { household, path } = await consented();
    const soon = await browser.press(await openAt(path), 'Run now', {});
    expect([soon.status, soon.visibleText]).toEqual([
      422,
      expect.stringContaining('The custodian was visited less than a minute ago. Run the feed again in 60 seconds.'),
    ]);
    await runSql(
      service.database,
      `UPDATE feed_run SET attempted_at = attempted_at - interval '1 minute' WHERE authority_id = $1`,
      [household.authority],
    );
    const run = await browser.press(await openAt(path), 'Run now', {});
    expect([run.status, run.visibleText]).toEqual([200, expect.stringContaining('The run begins within seconds.')]);
    const { body } = await service.admin.get(`/v1/feeds?authority_id=${household.authority}&state=waiting`);
    expect(run.url).toContain(body.data[0].id);
    await makeFeedWorker(service).runAll();
    expect((await openAt(new URL(run.url).pathname)).visibleText).toContain('State Finished');
  });
});
