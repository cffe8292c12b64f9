// The console's pages of records, made from the API's declarations: creating, changing, deleting, and what they refuse.

import { beforeAll, describe, expect, test } from 'vitest';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { signedInBrowser, type SignedInBrowser } from '../../setup/people/signed-in-browser.ts';
import { insertAdministrator, insertPerson } from '../../setup/people/person-caller.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let browser: SignedInBrowser;
let client: string;
let entity: string;

beforeAll(async () => {
  browser = await signedInBrowser(service, await insertAdministrator(service));
  client = await makeRecord(service.admin, 'clients', { name: 'Amsel <b>' });
  entity = await makeRecord(service.admin, 'legal-entities', { name: 'Amsel Holding', client_id: client });
});

describe('a record', () => {
  test('is created by a form made from the API, changed and deleted by its name', async () => {
    const form = await browser.open(`/console/accounts/new?entity_id=${entity}&client_id=${client}`);
    expect(form.visibleText).toContain('POST /v1/accounts');
    const created = await browser.press(form, 'Create account', { name: 'Current', currency: 'CHF' });
    expect(created.title).toBe('Current · Holdfast');
    expect(created.visibleText).toContain('It was created.');
    const id = created.url.replace(/^.*\/(\w+)\?.*$/, '$1');
    expect((await service.admin.get(`/v1/accounts/${id}`)).body).toMatchObject({
      name: 'Current',
      currency: 'CHF',
      entity_id: entity,
    });
    const changed = await browser.press(await browser.open(`/console/accounts/${id}/edit`), 'Save', {
      name: 'Current CHF',
      exclude_from_reporting: 'true',
    });
    expect(changed.visibleText).toContain('Your changes are saved.');
    expect((await service.admin.get(`/v1/accounts/${id}`)).body).toMatchObject({
      name: 'Current CHF',
      exclude_from_reporting: true,
      currency: 'CHF',
    });
    const question = await browser.open(`/console/accounts/${id}/delete`);
    const wrong = await browser.press(question, 'Delete', { confirm_name: 'current chf' });
    expect(wrong.status).toBe(422);
    expect((await service.admin.get(`/v1/accounts/${id}`)).status).toBe(200);
    const gone = await browser.press(wrong, 'Delete', { confirm_name: 'Current CHF' });
    expect(gone.visibleText).toContain('It was deleted.');
    expect((await service.admin.get(`/v1/accounts/${id}`)).status).toBe(404);
  });

  test('shows the API’s faults at the fields, with what was typed', async () => {
    const form = await browser.open(`/console/accounts/new?entity_id=${entity}`);
    const refused = await browser.press(form, 'Create account', { name: 'Typed <i>', currency: 'francs' });
    expect(refused.status).toBe(422);
    expect(refused.text).toMatch(/id="field-currency-error"/);
    expect(refused.text).toContain('value="Typed &lt;i&gt;"');
    expect(refused.visibleText).toContain('One entry needs your attention');
  });

  test('comes back from a form with a text that is not JSON, with what was typed', async () => {
    const boat = { type: 'other-instrument', name: 'Boat', currency: 'CHF' };
    const fault = (text: string): unknown => [
      /id="field-metadata-error">([^<]*)</.exec(text)?.[1],
      /name="metadata"[^>]*>\n([^<]*)</.exec(text)?.[1],
    ];
    const typed = ['This is not JSON: Unexpected &quot;h&quot; at offset 1.', '{hull: 7}'];
    const form = await browser.open('/console/instruments/new?type=other-instrument');
    const refused = await browser.press(form, 'Create instrument', { ...boat, metadata: '{hull: 7}' });
    expect([refused.status, refused.title, fault(refused.text)]).toEqual([422, 'New instrument · Holdfast', typed]);
    const created = await browser.press(refused, 'Create instrument', { metadata: '{"hull": 7}' });
    const id = created.url.replace(/^.*\/(\w+)\?.*$/, '$1');
    const edit = await browser.open(`/console/instruments/${id}/edit`);
    expect(fault(edit.text)).toEqual([undefined, '{\n  &quot;hull&quot;: 7\n}']);
    const again = await browser.press(edit, 'Save', { metadata: '{hull: 7}' });
    expect([again.status, again.title, fault(again.text)]).toEqual([422, 'Edit Boat · Holdfast', typed]);
    expect((await service.admin.get(`/v1/instruments/${id}`)).body.metadata).toEqual({ hull: 7 });
  });

  test('stays as it is where its form is sent unchanged, or with what the API refuses', async () => {
    const id = await makeRecord(service.admin, 'legal-entities', { name: 'Kept', client_id: client });
    const path = `/console/legal-entities/${id}`;
    const before = (await service.admin.get(`/v1/legal-entities/${id}`)).headers.get('etag');
    expect(before).toMatch(/^(W\/)?"/);
    const unchanged = await browser.press(await browser.open(`${path}/edit`), 'Save');
    expect(unchanged.url).toMatch(new RegExp(`${path}\\?done=unchanged$`));
    expect(unchanged.visibleText).toContain('Nothing was changed.');
    const refused = await browser.press(await browser.open(`${path}/edit`), 'Save', { name: 'N'.repeat(201) });
    expect([refused.status, refused.title]).toEqual([422, 'Edit Kept · Holdfast']);
    expect(refused.text).toContain('id="field-name-error"');
    expect(refused.forms.find(({ button }) => button === 'Save')?.fields['name']).toBe('N'.repeat(201));
    expect((await service.admin.get(`/v1/legal-entities/${id}`)).headers.get('etag')).toBe(before);
  });

  test('that somebody else has changed in between is not overwritten, and the change is shown', async () => {
    const id = await makeRecord(service.admin, 'legal-entities', { name: 'Before', client_id: client });
    const form = await browser.open(`/console/legal-entities/${id}/edit`);
    await service.admin.patch(`/v1/legal-entities/${id}`, { name: 'Theirs' });
    const warned = await browser.press(form, 'Save', { name: 'Mine' });
    expect(warned.status).toBe(409);
    expect(warned.visibleText).toMatch(/Somebody changed this while you were editing it.*Theirs/);
    expect((await service.admin.get(`/v1/legal-entities/${id}`)).body.name).toBe('Theirs');
    await browser.press(warned, 'Save');
    expect((await service.admin.get(`/v1/legal-entities/${id}`)).body.name).toBe('Mine');
  });

  test('that others hang on is kept, and its page leads to them', async () => {
    const id = await makeRecord(service.admin, 'legal-entities', { name: 'Kept', client_id: client });
    await makeRecord(service.admin, 'accounts', { entity_id: id, currency: 'EUR' });
    const question = await browser.open(`/console/legal-entities/${id}/delete`);
    const kept = await browser.press(question, 'Delete', { confirm_name: 'Kept' });
    expect(kept.status).toBe(409);
    expect(kept.text).toContain(`<a href="/console/accounts?entity_id=${id}">1 account</a>`);
  });

  test('of a set names its members by checkboxes, and a change replaces the set', async () => {
    const accounts = await Promise.all(
      ['CHF', 'EUR', 'USD'].map((currency) => makeRecord(service.admin, 'accounts', { entity_id: entity, currency })),
    );
    const report = await makeRecord(service.admin, 'reporting-entities', { name: 'All', client_id: client });
    const form = await browser.open(`/console/portfolios/new?reporting_entity_id=${report}&client_id=${client}`);
    const created = await browser.press(form, 'Create portfolio', { name: 'Two', account_ids: accounts.slice(0, 2) });
    const id = created.url.replace(/^.*\/(\w+)\?.*$/, '$1');
    const edit = await browser.open(`/console/portfolios/${id}/edit`);
    expect(edit.forms.find(({ button }) => button === 'Save')?.fields['account_ids']).toHaveLength(2);
    await browser.press(edit, 'Save', { account_ids: accounts[2]! });
    expect((await service.admin.get(`/v1/portfolios/${id}`)).body.account_ids).toEqual([accounts[2]]);
  });
});

describe('a list', () => {
  test('keeps its filters in the address, names what it refers to, and goes along as CSV', async () => {
    const other = await makeRecord(service.admin, 'clients', { name: 'Drossel' });
    await makeRecord(service.admin, 'legal-entities', { name: 'Drossel AG', client_id: other });
    const listed = await browser.open(`/console/legal-entities?client_id=${other}`);
    expect(listed.visibleText).toMatch(/Drossel AG Drossel/);
    expect(listed.visibleText).not.toContain('Amsel Holding');
    const csv = await browser.open(`/console/legal-entities?client_id=${other}&table=legal-entities&format=csv`);
    expect(csv.text).toMatch(/^Name,Client,Created\r?\n"?Drossel AG"?,"?Drossel"?,/);
  });
});

describe('a page refuses', () => {
  test('whoever has no role for it, with a page', async () => {
    const viewer = await signedInBrowser(
      service,
      await insertPerson(service, { memberships: [{ client, role: 'viewer' }] }),
    );
    for (const path of ['/console/accounts', '/console/accounts/new', `/console/legal-entities/${entity}/delete`]) {
      const page = await viewer.open(path);
      expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 403, 'text/html; charset=utf-8']);
    }
  });

  test('a record of another workspace as one that does not exist', async () => {
    const stranger = await service.openWorkspace();
    const theirs = await makeRecord(stranger, 'clients', { name: 'Theirs' });
    const id = await makeRecord(stranger, 'legal-entities', { name: 'Theirs', client_id: theirs });
    for (const path of ['', '/edit', '/delete']) {
      const page = await browser.open(`/console/legal-entities/${id}${path}`);
      expect([page.status, page.title]).toEqual([404, 'Legal entity not found · Holdfast']);
    }
  });

  test('a form that another site sends', async () => {
    const form = await browser.open('/console/custodians/new');
    const fields = { ...form.forms.find(({ button }) => button === 'Create custodian')!.fields, name: 'Forged' };
    const crossSite = { 'sec-fetch-site': 'cross-site', origin: 'https://other.example' };
    expect((await browser.send('/console/custodians/new', fields, crossSite)).status).toBe(403);
    expect((await browser.send('/console/custodians/new', { ...fields, form_token: 'x' })).status).toBe(403);
    expect((await service.admin.get('/v1/custodians?name=Forged')).body.data).toEqual([]);
  });
});
