// Limits in the console: their list with states, the editor of nested filters without scripts, refusals at their fields, and the what-if.

import { beforeAll, describe, expect, test } from 'vitest';
import { makeLimitHousehold, type LimitHousehold } from '../../setup/limits/limit-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import type { BrowserPage } from '../../setup/people/cookie-browser.ts';
import { insertAdministrator, insertPerson } from '../../setup/people/person-caller.ts';
import { signedInBrowser, type SignedInBrowser } from '../../setup/people/signed-in-browser.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let browser: SignedInBrowser;
let home: LimitHousehold;
let swiss: string;

const condition = (field: string, operator: string, value: readonly string[]): object => ({
  kind: 'condition',
  field,
  operator,
  value,
});

beforeAll(async () => {
  const { admin } = service;
  browser = await signedInBrowser(service, await insertAdministrator(service));
  home = await makeLimitHousehold(admin);
  swiss = await makeRecord(admin, 'limits', {
    client_id: home.client,
    name: 'Swiss shares',
    kind: 'proportional',
    max_pct: '0.25',
    filter: condition('issuer_country', 'in', ['CH']),
  });
});

/** The fields of the editor's form as the page shows them. */
function editorFields(page: BrowserPage): Readonly<Record<string, string | readonly string[]>> {
  const form = page.forms.find(({ fields }) => 'filter.kind' in fields);
  if (form === undefined) throw new Error(page.visibleText);
  return form.fields;
}

/** Presses a button of the editor. */
function act(address: string, page: BrowserPage, value: string, fields: object = {}): Promise<BrowserPage> {
  return browser.send(address, { ...editorFields(page), ...fields, act: value });
}

describe('limits', () => {
  test('are listed with their rule, their state and the room that is left', async () => {
    const list = await browser.open('/console/limits');
    // 300 of 1,000 francs.
    expect(list.visibleText).toMatch(
      /Swiss shares .* Broken 5\.0% beyond at most 25\.0% of the whole value country CH/,
    );
    expect(list.text).toMatch(/href="\/console\/limits"[^>]* aria-current="page"/);
    const csv = await browser.open(`/console/limits?client_id=${home.client}&table=limits&format=csv`);
    expect(csv.text).toMatch(/Swiss shares,.*Broken,-0\.05,/);
    const other = await makeRecord(service.admin, 'clients', { name: 'Zeisig' });
    expect((await browser.open(`/console/limits?client_id=${other}`)).visibleText).toContain('No such limits');
  });

  test('have a page with the state at every reporting entity, and are deleted by their name', async () => {
    const id = await makeRecord(service.admin, 'limits', {
      client_id: home.client,
      name: 'Cash',
      kind: 'absolute',
      min_amount: '100',
      max_amount: '400',
      filter: condition('instrument_class.path', 'starts_with', ['Cash']),
    });
    const page = await browser.open(`/console/limits/${id}`);
    expect(page.visibleText).toMatch(/between CHF\s100\.00 and CHF\s400\.00 .* class Cash .* Kept/);
    expect(page.visibleText).toMatch(/Now CHF\s300\.00 Room CHF\s100\.00 left/);
    const wrong = await browser.press(await browser.open(`/console/limits/${id}/delete`), 'Delete', {
      confirm_name: 'cash',
    });
    expect(wrong.status).toBe(422);
    await browser.press(wrong, 'Delete', { confirm_name: 'Cash' });
    expect((await service.admin.get(`/v1/limits/${id}`)).status).toBe(404);
  });

  test('are for those who may: an advisor reads them, a viewer does not', async () => {
    const member = async (role: 'advisor' | 'viewer'): Promise<SignedInBrowser> => {
      const memberships = [{ client: home.client, role, grants: [home.reportingEntity] }];
      return signedInBrowser(service, await insertPerson(service, { memberships }));
    };
    const advisor = await member('advisor');
    expect((await advisor.open('/console/limits')).visibleText).toContain('Swiss shares');
    expect((await advisor.open(`/console/limits/new?client_id=${home.client}&kind=absolute`)).status).toBe(403);
    const whatIf = await advisor.open(`/console/limits/what-if?limit_id=${swiss}&show=1&max=40`);
    expect([whatIf.status, whatIf.visibleText]).toEqual([200, expect.stringContaining('One limit would be mended.')]);
    expect((await (await member('viewer')).open('/console/limits')).status).toBe(403);
  });
});

describe('the editor', () => {
  test('builds a nested filter by its buttons alone, and creates the limit', async () => {
    const start = await browser.open(`/console/limits/new?client_id=${home.client}`);
    expect(start.visibleText).toContain('What is bounded');
    const address = `/console/limits/new?client_id=${home.client}&kind=proportional`;
    let page = await browser.open(address);
    page = await act(address, page, 'group:filter', { name: 'Nested <b>', max: '12.5', 'filter.0.value': 'Equities' });
    expect([page.status, page.text.includes('value="Nested &lt;b&gt;"')]).toEqual([200, true]);
    page = await act(address, page, 'condition:filter.1', { 'filter.1.0.field': 'custodian' });
    // The property of the first inner condition was changed: its comparison and values are those of the new one.
    expect(editorFields(page)).toMatchObject({ 'filter.1.kind': 'or', 'filter.1.0.was': 'custodian' });
    page = await act(address, page, 'remove:filter.1.0', {
      'filter.1.1.field': 'currency',
    });
    page = await act(address, page, 'condition:filter.1', {
      'filter.1.0.operator': 'not_in',
      'filter.1.0.value': 'chf, eur',
    });
    page = await act(address, page, 'show:', { 'filter.1.1.field': 'tags' });
    const created = await browser.press(page, 'Create limit', {
      'filter.1.1.operator': 'contains',
      'filter.1.1.value': 'food\r\nlocal',
    });
    expect(created.visibleText).toContain('It was created.');
    const id = created.url.replace(/^.*\/(\w+)\?.*$/, '$1');
    expect((await service.admin.get(`/v1/limits/${id}`)).body).toMatchObject({
      name: 'Nested <b>',
      max_pct: '0.125',
      min_pct: null,
      reporting_entity_id: null,
      filter: {
        kind: 'and',
        filters: [
          condition('instrument_class.path', 'starts_with', ['Equities']),
          {
            kind: 'or',
            filters: [
              condition('currency', 'not_in', ['CHF', 'EUR']),
              condition('tags', 'contains', ['food', 'local']),
            ],
          },
        ],
      },
    });
    await service.admin.delete(`/v1/limits/${id}`);
  });

  test('shows every refusal at its field, with what was typed', async () => {
    const address = `/console/limits/new?client_id=${home.client}&kind=proportional`;
    let page = await act(address, await browser.open(address), 'condition:filter');
    page = await act(address, page, 'show:', { 'filter.1.field': 'currency' });
    const refused = await browser.press(page, 'Create limit', {
      min: 'ten',
      max: '150',
      'filter.0.value': '',
      'filter.1.value': 'CHF, XYZ',
    });
    expect(refused.status).toBe(422);
    for (const id of ['min', 'max', 'filter-0-value', 'filter-1-value']) {
      expect(refused.text).toContain(`id="field-${id}-error"`);
      expect(refused.text).toContain(`href="#field-${id}"`);
    }
    expect(editorFields(refused)).toMatchObject({ min: 'ten', max: '150', 'filter.1.value': 'CHF, XYZ' });
  });

  test('with every condition removed says that one is needed', async () => {
    const address = `/console/limits/new?client_id=${home.client}&kind=absolute`;
    const bare = await act(address, await browser.open(address), 'remove:filter.0');
    const refused = await browser.press(bare, 'Create limit', { max: '5' });
    expect([refused.status, refused.text.includes('id="field-filter-kind-error"')]).toEqual([422, true]);
  });

  test('changes only what differs, and overwrites nobody', async () => {
    const filter = condition('instrument.id', 'in', [home.food, home.cars]);
    const id = await makeRecord(service.admin, 'limits', {
      client_id: home.client,
      name: 'Two',
      kind: 'proportional',
      max_pct: '0.9',
      filter,
    });
    const address = `/console/limits/${id}/edit`;
    const form = await browser.open(address);
    expect(form.visibleText).toContain('Nestlé');
    const same = await browser.press(form, 'Save');
    expect(same.visibleText).toContain('Nothing was changed.');
    // A box that is not checked is not sent.
    const saved = await browser.press(form, 'Save', { max: '75', 'filter.0.value': home.cars });
    expect(saved.visibleText).toContain('Your changes are saved.');
    expect((await service.admin.get(`/v1/limits/${id}`)).body).toMatchObject({
      name: 'Two',
      max_pct: '0.75',
      filter: condition('instrument.id', 'in', [home.cars]),
    });
    const warned = await browser.press(form, 'Save', { name: 'Mine' });
    expect(warned.status).toBe(409);
    expect(warned.visibleText).toMatch(/Somebody changed this while you were editing it.* 75 /);
    expect((await service.admin.get(`/v1/limits/${id}`)).body.name).toBe('Two');
    await service.admin.delete(`/v1/limits/${id}`);
  });
});

describe('what if', () => {
  const whatIf = (fields: Readonly<Record<string, string>>): Promise<BrowserPage> =>
    browser.open(`/console/limits/what-if?${new URLSearchParams({ limit_id: swiss, ...fields }).toString()}`);
  const line = (number: number, fields: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [`line.${number}.${name}`, value]));

  test('shows a limit before and after trades and payments, as the API computes it', async () => {
    const sell = { do: 'sell', amount: '2', unit: 'units', instrument: home.food, account: home.account };
    const buy = { do: 'buy', amount: '30', unit: 'money', instrument: home.cars, account: home.account };
    const pay = { do: 'pay-in', amount: '200', account: home.account };
    const page = await whatIf({ show: '1', ...line(0, sell), ...line(1, buy), ...line(2, pay) });
    // 8 × 30 of 1,200 francs.
    expect(page.visibleText).toContain('One limit would be mended. Nothing was booked or changed.');
    expect(page.visibleText).toMatch(
      /Before Broken .* Value 30\.0% Room 5\.0% beyond After Kept .* Value 20\.0% Room 5\.0% left/,
    );
    expect(page.visibleText).toContain(
      `POST /v1/limits/check {"reporting_entity_id":"${home.reportingEntity}","trades":[{"side":"sell","instrument_id":"${home.food}","account_id":"${home.account}","quantity":"2"}`,
    );
    expect((await service.admin.get(`/v1/limits/${swiss}/status`)).body.reporting_entities[0].state).toBe('breached');
  });

  test('begins with the only reporting entity of a client, and with all of them where there are more', async () => {
    const { client, reportingEntity } = await makeHousehold(service.admin, 'Zeisig');
    const chosenBy = async (reader: SignedInBrowser): Promise<unknown> => {
      const page = await reader.open(`/console/limits/what-if?client_id=${client}`);
      return page.forms.find(({ fields }) => 'reporting_entity_id' in fields)?.fields['reporting_entity_id'];
    };
    expect(await chosenBy(browser)).toBe(reportingEntity);
    const second = await makeRecord(service.admin, 'reporting-entities', { client_id: client, name: 'Second' });
    const memberships = [{ client, role: 'advisor' as const, grants: [reportingEntity, second] }];
    const advisor = await signedInBrowser(service, await insertPerson(service, { memberships }));
    // Who does not see all of a client can only check one of them.
    expect([await chosenBy(browser), await chosenBy(advisor)]).toEqual(['', reportingEntity]);
  });

  test('tries other bounds', async () => {
    const page = await whatIf({ show: '1', min: '', max: '30' });
    expect(page.visibleText).toMatch(/At most 25\.0%.* After Kept at most 30\.0% of the whole value/);
    expect((await service.admin.get(`/v1/limits/${swiss}`)).body.max_pct).toBe('0.25');
  });

  test('shows what is refused at its line, and lines are added and removed', async () => {
    const unpriced = { do: 'buy', amount: 'some', unit: 'units', instrument: home.food, account: home.account };
    const pay = { do: 'pay-out', amount: '5', account: home.account };
    const refused = await whatIf({ show: '1', ...line(0, pay), ...line(1, unpriced) });
    expect([refused.status, refused.text.includes('id="field-line-1-amount-error"')]).toEqual([422, true]);
    const more = await whatIf({ act: 'add', ...line(0, pay) });
    expect(more.visibleText).toContain('Line 2');
    const less = await whatIf({ act: 'remove:0', ...line(0, pay), ...line(1, unpriced) });
    expect([less.visibleText.includes('Line 2'), less.text.includes('value="some"')]).toEqual([false, true]);
  });
});
