// People in the console: adding, inviting, disabling and erasing them, as an administrator of the workspace and as one of a client.

import { beforeAll, describe, expect, test } from 'vitest';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { signedInBrowser, type SignedInBrowser } from '../../setup/people/signed-in-browser.ts';
import { newEmail } from '../../setup/people/members.ts';
import { insertAdministrator, insertPerson } from '../../setup/people/person-caller.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let browser: SignedInBrowser;
let clientAdmin: SignedInBrowser;
let client: string;
let other: string;
let family: string;

beforeAll(async () => {
  const { admin } = service;
  const parent = await makeRecord(admin, 'clients', { name: 'Above' });
  client = await makeRecord(admin, 'clients', { name: 'Amsel', parent_id: parent });
  other = await makeRecord(admin, 'clients', { name: 'Drossel' });
  family = await makeRecord(admin, 'reporting-entities', { name: 'Family', client_id: client });
  browser = await signedInBrowser(service, await insertAdministrator(service));
  const person = await insertPerson(service, { memberships: [{ client, role: 'admin', grants: [family] }] });
  clientAdmin = await signedInBrowser(service, person);
});

async function addPerson(by: SignedInBrowser, fields: Record<string, string> = {}): Promise<string> {
  const form = await by.open('/console/people/new');
  const page = await by.press(form, 'Create person', {
    email: newEmail(),
    first_name: 'Astrid',
    last_name: 'Amsel',
    client_id: client,
    reporting_entity_ids: family,
    ...fields,
  });
  if (page.status !== 200) throw new Error(page.visibleText);
  return /\/people\/([^?]+)/.exec(page.url)![1]!;
}

describe.each(['an administrator of the workspace', 'an administrator of the client'])('%s', (who) => {
  const by = (): SignedInBrowser => (who === 'an administrator of the client' ? clientAdmin : browser);

  test('adds a person, gives a grant, invites them, cancels the invite and invites them again', async () => {
    const id = await addPerson(by());
    expect((await service.admin.get(`/v1/users/${id}`)).body).toMatchObject({
      role: 'viewer',
      reporting_entity_ids: [family],
    });
    const invited = await by().press(await by().open(`/console/people/${id}`), 'Send the invite');
    expect(invited.visibleText).toContain('The invite is on its way.');
    const cancelled = await by().press(invited, 'Cancel the invite to Amsel');
    expect(cancelled.visibleText).toContain('Its link no longer works');
    await by().press(cancelled, 'Send the invite', { role: 'advisor' });
    const invites = (await service.admin.get(`/v1/invites?user_id=${id}`)).body.data;
    expect(invites.map(({ state }: any) => state).toSorted()).toEqual(['cancelled', 'pending']);
  });

  test('disables a person and enables them again', async () => {
    const id = await addPerson(by());
    const disabled = await by().press(await by().open(`/console/people/${id}`), 'Disable');
    expect((await service.admin.get(`/v1/users/${id}`)).body.status).toBe('disabled');
    await by().press(disabled, 'Enable');
    expect((await service.admin.get(`/v1/users/${id}`)).body.status).toBe('invited');
  });
});

test('a person is exported as a file, and erased by the name', async () => {
  const id = await addPerson(browser);
  const file = await browser.open(`/console/people/${id}/export`);
  expect([file.status, file.headers.get('content-disposition')]).toEqual([
    200,
    'attachment; filename="personal-data.json"',
  ]);
  expect(JSON.parse(file.text)).toMatchObject({ user: { id } });
  const question = await browser.open(`/console/people/${id}/erase`);
  expect((await browser.press(question, 'Erase', { confirm_name: 'Astrid' })).status).toBe(422);
  await browser.press(question, 'Erase', { confirm_name: 'Astrid Amsel' });
  expect((await service.admin.get(`/v1/users/${id}`)).status).toBe(404);
});

test('an administrator of the workspace adds another by mail, and removes them by their address', async () => {
  const email = newEmail();
  const form = await browser.open('/console/administrators/new');
  const added = await browser.press(form, 'Create administrator', { email, first_name: 'Ada', last_name: 'M' });
  expect(added.visibleText).toContain('Invited');
  const question = await browser.open(new URL(added.url).pathname + '/delete');
  expect((await browser.press(question, 'Delete', { confirm_name: email })).visibleText).toContain('It was deleted.');
  expect((await clientAdmin.open('/console/administrators')).status).toBe(403);
});

describe('an administrator of one client', () => {
  test('chooses among their own clients and grants', async () => {
    await makeRecord(service.admin, 'reporting-entities', { name: 'Not granted', client_id: client });
    const { text } = await clientAdmin.open('/console/people/new');
    expect(text).toContain(`<option value="${client}">Amsel</option>`);
    expect(text).not.toContain('Drossel');
    expect(text).not.toContain('Not granted');
  });

  test('sees their client without its parent and without ways to change it', async () => {
    const page = await clientAdmin.open(`/console/clients/${client}`);
    expect([page.status, page.visibleText.includes('Above')]).toEqual([200, false]);
    expect(page.text).not.toMatch(/\/(?:edit|move|delete)"/);
    expect((await service.admin.get(`/v1/clients/${client}`)).body.parent_id).not.toBeNull();
  });

  test.each(['/edit', '/move', '/delete'])('cannot open %s of their client, nor send its form', async (rest) => {
    const path = `/console/clients/${client}${rest}`;
    expect((await clientAdmin.open(path)).status).toBe(403);
    const token = (await clientAdmin.open('/console/people/new')).forms.at(-1)!.fields['form_token']!;
    const fields = { form_token: token, name: 'Taken', parent_id: '', confirm_name: 'Amsel' };
    expect((await clientAdmin.send(path, fields)).status).toBe(403);
    expect((await service.admin.get(`/v1/clients/${client}`)).body.name).toBe('Amsel');
  });

  test('finds nobody of another client, and neither exports nor erases', async () => {
    const stranger = await addPerson(browser, { client_id: other, reporting_entity_ids: '' });
    expect((await clientAdmin.open(`/console/people/${stranger}`)).status).toBe(404);
    const token = (await clientAdmin.open('/console/people/new')).forms.at(-1)!.fields['form_token']!;
    for (const verb of ['disable', 'invite']) {
      await clientAdmin.send(`/console/people/${stranger}/${verb}`, { form_token: token, client_id: other });
    }
    expect((await service.admin.get(`/v1/users/${stranger}`)).body.status).toBe('invited');
    expect((await service.admin.get(`/v1/invites?user_id=${stranger}`)).body.data).toEqual([]);
    const own = await addPerson(clientAdmin);
    for (const rest of ['/export', '/erase']) {
      expect((await clientAdmin.open(`/console/people/${own}${rest}`)).status).toBe(403);
    }
  });
});
