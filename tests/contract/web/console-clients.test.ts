// Clients in the console: the tree with its search, moves, what hangs on a client, its settings, and the first page.

import { beforeAll, describe, expect, test } from 'vitest';
import { dayMs } from '../../../src/kit/clock.ts';
import { makeCustodyHousehold, startFlow } from '../../setup/custody/custody-household.ts';
import { runSql } from '../../setup/database/sql.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { signedInBrowser, type SignedInBrowser } from '../../setup/people/signed-in-browser.ts';
import { insertAdministrator, insertPerson } from '../../setup/people/person-caller.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let browser: SignedInBrowser;
let root: string;
let branch: string;
let other: string;

beforeAll(async () => {
  const { admin } = service;
  browser = await signedInBrowser(service, await insertAdministrator(service));
  root = await makeRecord(admin, 'clients', { name: 'Lindqvist', reference_currency: 'CHF' });
  branch = await makeRecord(admin, 'clients', { name: 'Ästrid’s branch', parent_id: root });
  other = await makeRecord(admin, 'clients', { name: 'Bergmann' });
});

const linksTo = (text: string, path: string): number => text.split(`href="${path}"`).length - 1;

describe('the tree of clients', () => {
  test('has children below their parents, by name', async () => {
    const { text } = await browser.open('/console/clients');
    const order = [other, root, branch].map((id) => text.indexOf(`href="/console/clients/${id}"`));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(text).toMatch(/class="in1[ "][^]*?Ästrid/);
  });

  test('finds a client whatever its accents, below its ancestors', async () => {
    const { text } = await browser.open('/console/clients?q=astrid');
    expect([root, branch, other].map((id) => linksTo(text, `/console/clients/${id}`))).toEqual([1, 1, 0]);
  });
});

describe('a client', () => {
  test('is created below another with its settings, and shows what they mean', async () => {
    const form = await browser.open(`/console/clients/new?parent_id=${root}`);
    const page = await browser.press(form, 'Create client', { name: 'Trust', long_term_months: '24' });
    expect(page.visibleText).toMatch(/Months until a gain is long-term 24 After how many months/);
    const [created] = (await service.admin.get(`/v1/clients?parent_id=${root}&limit=100`)).body.data.filter(
      ({ name }: any) => name === 'Trust',
    );
    expect(created).toMatchObject({ long_term_months: 24, reference_currency: 'CHF' });
  });

  test('sends only what was changed of its nested settings', async () => {
    const form = await browser.open(`/console/clients/${other}/edit`);
    await browser.press(form, 'Save', { 'reconciliation.cash_tolerance': '5' });
    const { body } = await service.admin.get(`/v1/clients/${other}`);
    expect(body.reconciliation).toMatchObject({ cash_tolerance: '5', settlement_days: 5 });
  });

  test('moves below another, and not below itself', async () => {
    const form = await browser.open(`/console/clients/${branch}/move`);
    expect(form.visibleText).toContain('Its settings stay as they are');
    await browser.press(form, 'Move', { parent_id: other });
    expect((await service.admin.get(`/v1/clients/${branch}`)).body.parent_id).toBe(other);
    const loop = await browser.press(await browser.open(`/console/clients/${other}/move`), 'Move', {
      parent_id: branch,
    });
    expect(loop.status).toBe(422);
    expect(loop.text).toContain('id="field-parent_id-error"');
    expect((await service.admin.get(`/v1/clients/${other}`)).body.parent_id).toBeNull();
  });

  test('shows what hangs on it, each with the way to a new one', async () => {
    const entity = await makeRecord(service.admin, 'legal-entities', { name: 'Lindqvist AG', client_id: root });
    const { text, visibleText } = await browser.open(`/console/clients/${root}`);
    expect(linksTo(text, `/console/legal-entities/${entity}`)).toBe(1);
    for (const kind of ['account', 'depository', 'reporting entity', 'portfolio', 'limit', 'person']) {
      expect(visibleText).toContain(`New ${kind}`);
    }
    const kept = await browser.press(await browser.open(`/console/clients/${root}/delete`), 'Delete', {
      confirm_name: 'Lindqvist',
    });
    expect(kept.text).toContain(`<a href="/console/legal-entities?client_id=${root}">1 legal entity</a>`);
  });
});

describe('the first page', () => {
  test('counts what needs attention by the API, and says where it is production', async () => {
    const { text, visibleText } = await browser.open('/console');
    expect(visibleText).toContain('Nothing needs your attention');
    expect(visibleText).toContain('GET /v1/limit-breaches?limit=100&state=open');
    expect(text).toContain('<span class="env production">Production</span>');
  });

  test('counts consent that ends within 30 days or has broken, but none that ends later or never', async () => {
    const { admin, clock } = service;
    const inDays = (days: number, ms = 0): string => new Date(clock.now() + days * dayMs + ms).toISOString();
    const connectionsOf = async (): Promise<string | undefined> =>
      (await browser.open('/console')).visibleText.match(/(\d+) Custodian connections/)?.[1];
    for (const grant of [{ expires_at: inDays(30) }, { expires_at: inDays(60) }, {}])
      await startFlow(admin, await makeCustodyHousehold(admin), 'active', grant);
    expect(await connectionsOf()).toBe('0');
    await startFlow(admin, await makeCustodyHousehold(admin), 'active', { expires_at: inDays(30, -1) });
    expect(await connectionsOf()).toBe('1');
    const { authority_id: broken } = await startFlow(admin, await makeCustodyHousehold(admin), 'active');
    await runSql(
      service.database,
      `UPDATE authority SET broken_at = now(), broken_reason = 'No answer.' WHERE id = $1`,
      [broken],
    );
    expect(await connectionsOf()).toBe('2');
  });

  test('is not for a viewer, and an advisor has only the menu that their role opens', async () => {
    const person = (role: 'viewer' | 'advisor') => insertPerson(service, { memberships: [{ client: other, role }] });
    const viewer = await signedInBrowser(service, await person('viewer'));
    expect((await viewer.open('/console')).status).toBe(403);
    const advisor = await signedInBrowser(service, await person('advisor'));
    const { status, text } = await advisor.open('/console');
    expect(status).toBe(200);
    const menu = ['clients', 'bookings', 'people', 'developers', 'custody', 'limits', 'data-quality'];
    expect(menu.filter((name) => text.includes(`href="/console/${name}" `))).toEqual([
      'custody',
      'limits',
      'data-quality',
    ]);
  });

  test('shows the settings with the rounds', async () => {
    const { visibleText } = await browser.open('/console/settings');
    expect(visibleText).toMatch(/Environment Production.*No round has run yet/);
  });
});
