// Costs and income of files are part of the return, whether or not the file says which instrument they are about.

import { expect, test } from 'vitest';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
const iban = 'CH9300762011623852957';

async function setUp() {
  const admin = await service.openWorkspace();
  const { client, legalEntity, reportingEntity } = await makeHousehold(admin, 'Amsel');
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  const place = { entity_id: legalEntity, currency: 'CHF', external_identifier: iban };
  const account = await makeRecord(admin, 'accounts', place);
  await makeRecord(admin, 'portfolios', { reporting_entity_id: reportingEntity, account_ids: [account] });
  return { admin, client, account, reportingEntity };
}

const statement = (lines: readonly string[]): string =>
  [':20:1', `:25:${iban}`, ':28C:1/1', ':60F:C240101CHF0,', ...lines, ':62F:C240131CHF1,', '-', ''].join('\n');

/** 10,000 comes in; 300 + 20 − 40 + 15 − 5 of income and costs follow: 290, which is 2.9 %. */
const lines = [
  ':61:2401020102C10000,NTRFNONREF//F-000001',
  ':61:2401100110C300,NDIVNONREF//F-000002',
  ':86:Dividend of a share that the bank does not name',
  ':61:2401110111C20,NINTNONREF//F-000003',
  ':61:2401120112D40,NCHGNONREF//F-000004',
  ':61:2401150115C15,NCHGNONREF//F-000005',
  ':86:Fee refunded',
  ':61:2401160116D5,NDIVNONREF//F-000006',
  ':86:Dividend corrected',
];

test('dividends without an instrument, refunded fees and income that is taken back are return, not flows', async () => {
  const { admin, client, account, reportingEntity } = await setUp();
  const path = `/v1/imports?client_id=${client}&book=true`;
  const { body } = await admin.send(path, { method: 'POST', raw: statement(lines) });
  expect(body.counts).toMatchObject({ rows: 6, booked: 6 });
  const booked = (await admin.get(`/v1/transactions?account_id=${account}`)).body.data;
  expect(booked.map(({ type, amount }: any) => `${type} ${amount}`)).toEqual([
    'deposit 10000',
    'interest 300',
    'interest 20',
    'fee -40',
    'fee 15',
    'interest -5',
  ]);
  const rows = (await admin.get(`/v1/imports/${body.id}/rows`)).body.data;
  expect(rows[1]).toMatchObject({ outcome: 'booked', code: 'income-without-instrument', stated: { kind: 'dividend' } });
  const query = `reporting_entity_id=${reportingEntity}&start=2024-01-02&end=2024-01-31`;
  const [figures] = (await admin.get(`/v1/performance?${query}`)).body.data;
  const flows = figures.series.filter((day: any) => day.net_cash_flow !== '0');
  expect(flows.map((day: any) => [day.date, day.net_cash_flow])).toEqual([['2024-01-02', '10000']]);
  expect(figures.series.at(-1)).toMatchObject({ market_value: '10290' });
  expect(Number(figures.cumulative_twr ?? figures.twr)).toBeCloseTo(0.029, 10);
});

test('a redemption without an instrument is neither income nor a flow: it waits for one', async () => {
  const { admin, client, account } = await setUp();
  const path = `/v1/imports?client_id=${client}&book=true`;
  const raw = statement([':61:2401100110C5000,NREDNONREF//R-000001', ':86:Redemption']);
  const { body } = await admin.send(path, { method: 'POST', raw });
  expect(body.counts).toMatchObject({ rows: 1, needs: 1 });
  const [row] = (await admin.get(`/v1/imports/${body.id}/rows`)).body.data;
  expect(row).toMatchObject({ needs: 'instrument', code: 'instrument-unnamed', account_id: account });
  expect(row.detail).toContain('R-000001');
});

test('a reversal of a fee whose original never came lowers the costs, and is no flow', async () => {
  const { admin, client, account } = await setUp();
  const raw = statement([':61:2401100110RD25,NCHGNONREF//X-000001', ':86:Fee of last year reversed']);
  const { body } = await admin.send(`/v1/imports?client_id=${client}&book=true`, { method: 'POST', raw });
  expect(body.counts).toMatchObject({ rows: 1, booked: 1 });
  const [booked] = (await admin.get(`/v1/transactions?account_id=${account}`)).body.data;
  expect(booked).toMatchObject({ type: 'fee', amount: '25' });
});
