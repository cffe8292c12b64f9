// A defect of the service while a form or a file is sent: the page says so with an id to quote, and does not offer the form as if it were to blame.

import { expect, test } from 'vitest';
import { runSql } from '../../setup/database/sql.ts';
import { serviceForThisTest } from '../../setup/node/test-service.ts';
import type { BrowserPage } from '../../setup/people/cookie-browser.ts';
import { insertAdministrator } from '../../setup/people/person-caller.ts';
import { signedInBrowser } from '../../setup/people/signed-in-browser.ts';

test('a form and a file that meet a defect end at a page that says so', async () => {
  const service = await serviceForThisTest();
  const client = await service.admin.makeClient('Amsel');
  const browser = await signedInBrowser(service, await insertAdministrator(service));
  const form = await browser.open('/console/clients/new');
  const upload = await browser.open('/console/imports');
  await runSql(service.database, 'ALTER TABLE audit_entry RENAME TO lost');
  const file = { name: 'march.csv', content: 'date,amount\n2024-03-01,5\n' };
  const pages: BrowserPage[] = [
    await browser.press(form, 'Create client', { name: 'Drossel' }),
    await browser.upload(upload, 'Check the file', { file, fields: { client_id: client } }),
  ];
  for (const page of pages) {
    expect([page.status, page.title]).toEqual([500, 'Internal error · Holdfast']);
    expect(page.forms.map(({ button }) => button)).toEqual([]);
  }
});
