// Custody on the console: a custodian is connected step by step and revoked, and differences are accepted with a note and opened again.

import { beforeAll, expect, test } from 'vitest';
import { openSession } from '../../../src/actions/access/session.ts';
import { makeCustodyHousehold, type CustodyHousehold } from '../../setup/custody/custody-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { Browser, type BrowserPage } from '../../setup/people/cookie-browser.ts';
import { insertAdministrator } from '../../setup/people/person-caller.ts';
import { listBreaks, makeStatedHousehold, state } from '../../setup/reconciliation/stated-household.ts';

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
