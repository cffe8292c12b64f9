// The console's pages of imports, custody, instruments and bookings in Chromium: geometry, accessibility, keyboard and size, page by page.

import { beforeAll, expect, test } from 'vitest';
import { startFlow } from '../setup/custody/custody-household.ts';
import { serviceForThisFile } from '../setup/node/test-service.ts';
import { chromiumForThisFile } from '../setup/people/chromium.ts';
import { pageFaults } from '../setup/people/page-quality.ts';
import { insertAdministrator, signIn, type SignedInCaller } from '../setup/people/person-caller.ts';
import {
  listBreaks,
  makeStatedHousehold,
  state,
  type StatedHousehold,
} from '../setup/reconciliation/stated-household.ts';
import { CamtText } from '../setup/statements/camt-text.ts';

const service = serviceForThisFile();
const chromium = chromiumForThisFile();
const camt = new CamtText({ version: 8 });
const file = camt.document([{ entries: [camt.entry({ reference: 'A-1' }), camt.entry({ reference: 'A-2' })] }]);
let person: SignedInCaller;
let home: StatedHousehold;
const ids = { import: '', flow: '', authority: '', break: '', booking: '' };

beforeAll(async () => {
  const { admin } = service;
  home = await makeStatedHousehold(admin);
  person = await signIn(service, await insertAdministrator(service));
  const created = await admin.send(`/v1/imports?client_id=${home.client}&file_name=march.xml`, {
    method: 'POST',
    raw: file,
    headers: { 'content-type': 'application/xml' },
  });
  ids.import = created.body.id;
  const { body } = await admin.post('/v1/custodians', { name: 'Bank of the north' });
  const flow = await startFlow(admin, { ...home, custodian: body.id });
  ids.flow = flow.id;
  ids.authority = flow.authority_id;
  await state(admin, home, { date: '2026-03-31', instrument: home.stock, quantity: '90' });
  ids.break = (await listBreaks(admin, home))[0]!['id'];
  ids.booking = (await admin.get(`/v1/transactions?account_id=${home.account}`)).body.data[0].id;
  for (const [date, value] of [
    ['2026-09-30', '98.5'],
    ['2026-10-30', '101.25'],
  ]) {
    await admin.post(`/v1/instruments/${home.stock}/prices`, { date, value });
  }
});

test.each([
  ['the list of imports', () => '/console/imports'],
  ['an import that waits for names', () => `/console/imports/${ids.import}`],
  ['connections', () => '/console/custody'],
  ['an auth flow', () => `/console/custody/auth-flows/${ids.flow}`],
  ['an authority', () => `/console/custody/authorities/${ids.authority}`],
  ['breaks', () => '/console/custody/breaks'],
  ['a break', () => `/console/custody/breaks/${ids.break}`],
  ['an instrument with its prices', () => `/console/instruments/${home.stock}`],
  ['bookings', () => `/console/bookings?client_id=${home.client}`],
  ['a new booking', () => '/console/bookings/new?type=buy'],
  ['a booking', () => `/console/bookings/${ids.booking}`],
])('%s: no fault', async (_name, path) => {
  const address = `${service.addresses.baseUrl}${path()}`;
  expect(await pageFaults(chromium, { address, person, area: 'console' })).toEqual([]);
});
