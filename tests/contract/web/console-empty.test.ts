// What pages of the console say where there is nothing yet, or nothing that matches: what is missing, and where to go on.

import { beforeAll, expect, test } from 'vitest';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { plainText } from '../../setup/people/page-text.ts';
import { insertAdministrator, insertPerson } from '../../setup/people/person-caller.ts';
import { signedInBrowser, type SignedInBrowser } from '../../setup/people/signed-in-browser.ts';
import { makeHousehold } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let browser: SignedInBrowser;

beforeAll(async () => {
  browser = await signedInBrowser(service, await insertAdministrator(service));
});

/** The title, the text and the button of what stands in place of a list. */
function emptyPart({ text }: { readonly text: string }): unknown {
  const [, title = '', rest = ''] = /<p class="empty-title">(.*?)<\/p>(.*?)<\/div>/s.exec(text) ?? [];
  const [, words = ''] = /<p>(.*?)<\/p>/s.exec(rest) ?? [];
  const [, href = '', button = ''] = /<a class="button primary" href="([^"]*)">([^<]*)</.exec(rest) ?? [];
  return [title, plainText(words), button, href];
}

const importFile = ['Import a file', '/console/imports'];
const noBookings = ['No bookings', 'None match. Choose another account or period.', ...importFile];
const entitiesText = 'Findings are about the figures of reporting entities: create one for a client first.';

test.each<[string, readonly string[]]>([
  [
    '/console/clients',
    [
      'No clients yet',
      'A client is a family, a person or a branch of one. Begin with the topmost.',
      'New client',
      '/console/clients/new',
    ],
  ],
  ['/console/bookings', ['No bookings', 'Import a file, or book by hand.', ...importFile]],
  ['/console/bookings?type=', ['No bookings', 'Import a file, or book by hand.', ...importFile]],
  ['/console/bookings?type=buy', noBookings],
  ['/console/data-quality', ['No reporting entities yet', entitiesText, 'Clients', '/console/clients']],
  ['/console/limits/what-if', ['No clients yet', 'Limits are set for clients.', '', '']],
])('%s of a workspace without anything', async (path, expected) => {
  const page = await browser.open(path);
  expect([page.status, emptyPart(page)]).toEqual([200, expected]);
});

test('a booking is begun where its list was looked at', async () => {
  const buttonOf = async (query: string): Promise<string | undefined> =>
    /href="(\/console\/bookings\/new[^"]*)"/.exec((await browser.open(`/console/bookings${query}`)).text)?.[1];
  const { client } = await makeHousehold(service.admin, 'Without bookings');
  expect(await buttonOf('')).toBe('/console/bookings/new');
  expect(await buttonOf(`?client_id=${client}`)).toBe(`/console/bookings/new?client_id=${client}`);
  expect(emptyPart(await browser.open(`/console/bookings?client_id=${client}`))).toEqual(noBookings);
});

test('an advisor, who may not list clients, begins a what-if with a reporting entity', async () => {
  const { client, reportingEntity } = await makeHousehold(service.admin, 'Amsel');
  const memberships = [{ client, role: 'advisor' as const, grants: [reportingEntity] }];
  const advisor = await signedInBrowser(service, await insertPerson(service, { memberships }));
  const page = await advisor.open('/console/limits/what-if');
  const query = `client_id=${client}&amp;reporting_entity_id=${reportingEntity}`;
  expect([page.status, page.visibleText]).toEqual([200, expect.stringContaining('Whose limits')]);
  expect(page.text).toContain(`href="/console/limits/what-if?${query}"`);
});
