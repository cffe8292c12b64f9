// Files whose days may be of two orders wait until somebody says the order, and messages that book nothing are called by their name.

import { expect, test } from 'vitest';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();

async function setUp(place: object) {
  const admin = await service.openWorkspace();
  const { client, legalEntity } = await makeHousehold(admin, 'Amsel');
  const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, ...place });
  const bring = (file: string, query: string) =>
    admin.send(`/v1/imports?client_id=${client}&${query}`, { method: 'POST', raw: file });
  const ledger = async (): Promise<string[]> =>
    (await admin.get(`/v1/transactions?account_id=${account}&limit=100`)).body.data.map(
      ({ date, amount, currency }: any) => `${date} ${amount} ${currency}`,
    );
  return { admin, bring, ledger };
}

const cash = (date: string, amount: string): string =>
  `<CashTransaction type="Deposits &amp; Withdrawals" amount="${amount}" currency="USD" reportDate="${date}" transactionID="${amount}"/>`;

const query = (...rows: readonly string[]): string =>
  `<FlexQueryResponse><FlexStatements><FlexStatement accountId="U1" fromDate="01/12/2025" toDate="05/12/2025" whenGenerated="06/12/2025;101500">
<CashReport><CashReportCurrency currency="USD" startingCash="0" endingCash="12"/></CashReport>
<CashTransactions>${rows.join('\n')}</CashTransactions></FlexStatement></FlexStatements></FlexQueryResponse>`;

test('a Flex query that writes 31/12/2025 throughout is booked, and the import says in which order its days were read', async () => {
  const { bring, ledger } = await setUp({ currency: 'USD', external_identifier: 'U1' });
  const { status, body } = await bring(query(cash('03/12/2025', '5'), cash('31/12/2025', '7')), 'book=true');
  expect([status, body.date_order, body.counts.booked]).toEqual([201, 'day-month-year', 2]);
  expect(await ledger()).toEqual(['2025-12-03 5 USD', '2025-12-31 7 USD']);
});

test('days that no date of the query decides wait, and are booked once somebody says the order', async () => {
  for (const [order, day] of [
    ['day-month-year', '2025-12-03'],
    ['month-day-year', '2025-03-12'],
  ] as const) {
    const { admin, bring, ledger } = await setUp({ currency: 'USD', external_identifier: 'U1' });
    const { body } = await bring(query(cash('03/12/2025', '5'), cash('04/12/2025', '7')), 'book=true');
    expect([body.date_order, body.counts.booked]).toEqual([null, 0]);
    expect(body.counts.needs).toBe(body.counts.rows);
    const [row] = (await admin.get(`/v1/imports/${body.id}/rows?needs=date-order`)).body.data;
    expect(row).toMatchObject({ code: 'date-order-unknown', needs: 'date-order' });
    expect(await ledger()).toEqual([]);
    const booked = await admin.send(`/v1/imports/${body.id}/book?date_order=${order}`, { method: 'POST' });
    expect(booked.body).toMatchObject({ date_order: order, counts: { booked: 2, needs: 0, refused: 0 } });
    expect((await ledger())[0]).toBe(`${day} 5 USD`);
    const said = await bring(query(cash('03/12/2025', '5')), `book=true&date_order=${order}`);
    expect(said.body).toMatchObject({ date_order: order, counts: { booked: 0, needs: 0, refused: 0 } });
    const undone = await admin.send(`/v1/imports/${body.id}/undo`, { method: 'POST' });
    expect(undone.body.undone).toMatchObject({ closed: 2, kept: 0 });
  }
});

test('days of two orders in one query are refused, and nothing is kept', async () => {
  const { admin, bring } = await setUp({ currency: 'USD', external_identifier: 'U1' });
  const { status, body } = await bring(query(cash('31/12/2025', '5'), cash('12/31/2025', '7')), 'book=true');
  expect([status, body.errors[0].code]).toEqual([422, 'unreadable-file']);
  expect(body.errors[0].detail).toContain('"12/31/2025" can only be month, day, year');
  expect((await admin.get('/v1/imports')).body.data).toEqual([]);
});

test.each([
  ['BkToCstmrDbtCdtNtfctn', 'The file is a camt.054: notifications of single bookings.'],
  ['CstmrCdtTrfInitn', 'The file is a pain.001: payment orders.'],
])('a message %s is refused by its name', async (element, words) => {
  const { bring } = await setUp({ currency: 'CHF' });
  const { status, body } = await bring(`<Document><${element}><GrpHdr/></${element}></Document>`, 'book=true');
  expect([status, body.errors[0].code]).toEqual([422, 'unknown-file-format']);
  expect(body.errors[0].detail).toContain(words);
});

test('a statement of the years before the euro is booked in its currency, and reports are in one of today', async () => {
  const { admin, bring, ledger } = await setUp({ currency: 'DEM', external_identifier: '471100815' });
  const lines = [
    ':20:X',
    ':25:471100815',
    ':28C:00001/001',
    ':60F:C980105DEM0,',
    ':61:9801060106C250,50NTRFNONREF//A1',
  ];
  const { body } = await bring([...lines, ':62F:C980106DEM250,50', '-', ''].join('\r\n'), 'book=true');
  expect(body.counts).toMatchObject({ booked: 1 });
  expect(await ledger()).toEqual(['1998-01-06 250.5 DEM']);
  const refused = await admin.post('/v1/clients', { name: 'Zeder', reference_currency: 'DEM' });
  expect(refused.body.errors[0].detail).toContain('DEM was withdrawn in 2002-03');
});
