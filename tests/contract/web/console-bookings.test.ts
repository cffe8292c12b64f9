// Instruments and bookings on the console: a price by hand, and a booking that is checked, booked, amended and deleted.

import { beforeAll, expect, test } from 'vitest';
import { openSession } from '../../../src/actions/access/session.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { Browser, type BrowserPage } from '../../setup/people/cookie-browser.ts';
import { insertAdministrator } from '../../setup/people/person-caller.ts';
import { makeStatedHousehold, type StatedHousehold } from '../../setup/reconciliation/stated-household.ts';

const service = workspaceForThisFile();
const browser = new Browser();
let home: StatedHousehold;

beforeAll(async () => {
  home = await makeStatedHousehold(service.admin);
  const personId = await insertAdministrator(service);
  const person = { workspaceId: service.first.workspaceId, environment: 'production', personId } as const;
  browser.cookies.set('holdfast_session', (await openSession(service.context, person)).secret);
});

const openAt = (path: string): Promise<BrowserPage> => browser.open(service.addresses.baseUrl + path);
const read = async (path: string): Promise<any> => (await service.admin.get(path)).body;

test('a price is added by hand, drawn with its table, and deleted', async () => {
  const page = await openAt(`/console/instruments/${home.stock}`);
  const wrong = await browser.press(page, 'Add a price', { date: '2026-11-10', value: 'much' });
  expect(wrong.status).toBe(422);
  const added = await browser.press(page, 'Add a price', { date: '2026-11-10', value: '104.3500' });
  expect(added.visibleText).toContain('It was created.');
  expect(added.visibleText).toContain('104.35 By hand');
  expect(added.text).toContain('<svg');
  const prices = await read(`/v1/instruments/${home.stock}/prices?start=2026-11-10`);
  expect(prices.data).toMatchObject([{ date: '2026-11-10', value: '104.35', source: 'manual' }]);

  const [, deletion] = new RegExp(`href="([^"]*/prices/${prices.data[0].id}/delete)"`).exec(added.text)!;
  const deleted = await browser.press(await openAt(deletion!), 'Delete the price');
  expect(deleted.visibleText).toContain('It was deleted.');
  expect((await read(`/v1/instruments/${home.stock}/prices?start=2026-11-10`)).data).toEqual([]);
});

test('a booking is checked without booking it, booked, amended with a version, and deleted', async () => {
  const list = (): Promise<any> => read(`/v1/transactions?account_id=${home.account}&type=buy&from=2026-10-20`);
  const empty = { settlement_date: '', currency: '', exchange_rate: '', comment: '' };
  const fields = {
    ...empty,
    date: '2026-10-20',
    quantity: '10',
    price: '100',
    fees: '10',
    amount: '-999',
    account_id: home.account,
    depository_id: home.depository,
    instrument_id: home.stock,
  };
  const form = await openAt('/console/bookings/new?type=buy');
  const sent = form.forms.find(
    ({ button }) => button === 'Check without booking' || button === 'Create booking',
  )!.fields;
  const check = (amount: string): Promise<BrowserPage> =>
    browser.send(`${service.addresses.baseUrl}/console/bookings/check?type=buy`, { ...sent, ...fields, amount });
  const mismatch = await check('-999');
  expect([mismatch.status, mismatch.visibleText]).toEqual([422, expect.stringContaining('expected -1010, got -999')]);
  const agreed = await check('-1010');
  expect([agreed.status, agreed.visibleText]).toEqual([200, expect.stringContaining('All figures agree.')]);
  expect((await list()).data).toEqual([]);

  const send = (amount: string): Promise<BrowserPage> =>
    browser.send(`${service.addresses.baseUrl}/console/bookings/new?type=buy`, { ...sent, ...fields, amount });
  expect((await send('-999')).visibleText).toContain('expected -1010, got -999');
  const booked = await send('-1010');
  expect(booked.visibleText).toContain('It was created.');
  const [{ id }] = (await list()).data;
  expect(booked.url).toContain(`/console/bookings/${id}`);

  const editing = await openAt(`/console/bookings/${id}/edit`);
  const amended = await browser.press(editing, 'Save', { comment: 'Confirmed by the bank.' });
  expect(amended.visibleText).toContain('Your changes are saved.');
  expect(amended.visibleText).toContain('Comment: – → Confirmed by the bank.');
  expect((await openAt(`/console/bookings?account_id=${home.account}`)).visibleText).toContain(
    'Confirmed by the bank.',
  );

  const asking = await openAt(`/console/bookings/${id}/delete`);
  const deleted = await browser.press(asking, /Delete/, { confirm_name: 'Buy of 2026-10-20' });
  expect([deleted.status, (await list()).data]).toEqual([200, []]);
});
