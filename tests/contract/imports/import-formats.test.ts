// Files of banks, brokers and custodians in each format, from the request to the ledger.

import { describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { CamtText } from '../../setup/statements/camt-text.ts';
import { movementText, semt017 } from '../../setup/statements/semt-text.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();

async function setUp(number: string, currency = 'CHF') {
  const admin = await service.openWorkspace();
  const household = await makeHousehold(admin, 'Amsel');
  const account = await makeRecord(admin, 'accounts', {
    entity_id: household.legalEntity,
    currency,
    external_identifier: number,
  });
  return { admin, account, ...household };
}

async function importFile(caller: Caller, query: string, file: string): Promise<any> {
  const headers = { 'content-type': 'application/octet-stream' };
  const { status, body } = await caller.send(`/v1/imports?${query}`, { method: 'POST', raw: file, headers });
  expect([status, body.detail]).toEqual([201, undefined]);
  return body;
}

async function listBooked(caller: Caller, account: string): Promise<any[]> {
  const { body } = await caller.get(`/v1/transactions?account_id=${account}&limit=100`);
  return body.data;
}

const noCounts = { rows: 0, booked: 0, amended: 0, unchanged: 0, refused: 0, needs: 0 };

describe('SWIFT', () => {
  const lines = (...entries: string[]) => entries.join('\r\n');
  const day = lines(
    ':61:2401150115C200,00NTRFNONREF//BANKREF0001',
    ':86:166?00GUTSCHRIFT?20SVWZ+Rent?32Tenant',
    ':61:2401150115D9,90NCHGNONREF//BANKREF0002',
    ':86:808?00ENTGELT',
  );
  const heading = lines(':20:X', ':25:0235/00123456', ':28C:1/1');

  test('an interim report, then the statement of the day: each entry is booked once, and the balances agree', async () => {
    const { admin, account, client } = await setUp('00123456');
    const interim = lines(heading, ':34F:CHF0,', ':13D:2401151200+0100', day, '-');
    const first = await importFile(admin, `client_id=${client}&book=true`, interim);
    expect([first.format, first.counts]).toEqual(['mt942', { ...noCounts, rows: 2, booked: 2 }]);
    const rest = lines(':61:2401150115D100,00NTRFNONREF//BANKREF0003', ':86:Groceries');
    const whole = lines(heading, ':60F:C240114CHF1000,00', day, rest, ':62F:C240115CHF1090,10', '-');
    const second = await importFile(admin, `client_id=${client}&book=true`, whole);
    const counts = { ...noCounts, rows: 3, booked: 1, unchanged: 2 };
    expect([second.format, second.counts]).toEqual(['mt940', counts]);
    expect(second.warnings).toMatchObject([{ code: 'opening-missing', stated: '1000' }]);
    const booked = await listBooked(admin, account);
    expect(booked.map(({ type, amount, external_reference: reference }) => [type, amount, reference])).toEqual([
      ['deposit', '200', 'BANKREF0001'],
      ['fee', '-9.9', 'BANKREF0002'],
      ['withdrawal', '-100', 'BANKREF0003'],
    ]);
  });

  test('a statement whose entries do not lead to its closing balance says so', async () => {
    const { admin, client } = await setUp('00123456');
    const text = lines(heading, ':60F:C240114CHF1000,00', day, ':62F:C240115CHF1,00', '-');
    const { warnings } = await importFile(admin, `client_id=${client}`, text);
    expect(warnings.slice(1)).toMatchObject([{ code: 'balances-differ', expected: '1190.1', stated: '1' }]);
  });
});

test('OFX: a correction amends, a deletion cancels, and the same file again changes nothing', async () => {
  const { admin, account, client } = await setUp('987', 'USD');
  const file = (server: string, transactions: string) =>
    `OFXHEADER:100\n\n<OFX><SONRS><DTSERVER>${server}</SONRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>987</BANKACCTFROM><BANKTRANLIST>${transactions}</BANKTRANLIST></STMTRS></OFX>`;
  const entry = (id: string, amount: string, rest = '') =>
    `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240115<TRNAMT>${amount}<FITID>${id}${rest}<NAME>Shop</STMTTRN>`;
  const query = `client_id=${client}&book=true`;
  const first = file('20240201', entry('A', '-5.00') + entry('B', '-6.00'));
  expect((await importFile(admin, query, first)).counts).toEqual({ ...noCounts, rows: 2, booked: 2 });
  const corrected = entry('C', '-5.50', '<CORRECTFITID>A<CORRECTACTION>REPLACE');
  const deleted = entry('D', '-6.00', '<CORRECTFITID>B<CORRECTACTION>DELETE');
  const second = file('20240202', corrected + deleted);
  expect((await importFile(admin, query, second)).counts).toEqual({ ...noCounts, rows: 2, amended: 2 });
  const booked = async () => (await listBooked(admin, account)).map(({ amount }) => amount);
  expect(await booked()).toEqual(['-5.5']);
  for (const again of [first, second]) {
    expect((await importFile(admin, query, again)).counts).toEqual({ ...noCounts, rows: 2, unchanged: 2 });
    expect(await booked()).toEqual(['-5.5']);
  }
});

test('OFX: the list of securities at the end says what was traded above it', async () => {
  const { admin, account, client } = await setUp('INV-1', 'USD');
  const id = '<SECID><UNIQUEID>912828ZT0<UNIQUEIDTYPE>CUSIP</SECID>';
  const text = `OFXHEADER:100

<OFX><INVSTMTRS><DTASOF>20240131<CURDEF>USD<INVACCTFROM><BROKERID>x<ACCTID>INV-1</INVACCTFROM><INVTRANLIST>
<BUYDEBT><INVBUY><INVTRAN><FITID>B<DTTRADE>20240110</INVTRAN>${id}<UNITS>5000<UNITPRICE>98.5<TOTAL>-4937</INVBUY><ACCRDINT>12</BUYDEBT>
</INVTRANLIST><INVPOSLIST><POSDEBT><INVPOS>${id}<POSTYPE>LONG<UNITS>5000</INVPOS></POSDEBT></INVPOSLIST></INVSTMTRS>
<SECLIST><DEBTINFO><SECINFO>${id}<SECNAME>Treasury 2025</SECINFO><COUPONRT>0.25<DTMAT>20250531</DEBTINFO></SECLIST></OFX>`;
  const { counts } = await importFile(admin, `client_id=${client}&create_instruments=true&book=true`, text);
  expect(counts).toEqual({ ...noCounts, rows: 3, booked: 2, unchanged: 1 });
  const [bought] = await listBooked(admin, account);
  expect(bought).toMatchObject({ type: 'buy', quantity: '5000', amount: '-4937', accrued_interest: '12' });
  const { body: bond } = await admin.get(`/v1/instruments/${bought.instrument_id}`);
  expect(bond).toMatchObject({ type: 'bond-instrument', name: 'Treasury 2025', maturity: '2025-05-31' });
});

describe('CSV', () => {
  test('a German export without a profile: recognised, pending lines wait, the rest is booked', async () => {
    const { admin, account, client } = await setUp('DE89 3704 0044 0532 0130 00', 'EUR');
    const text = `Auftragskonto;Buchungstag;Valutadatum;Buchungstext;Verwendungszweck;Beguenstigter/Zahlungspflichtiger;Betrag;Waehrung;Info
DE89370400440532013000;31.01.24;31.01.24;ENTGELTABSCHLUSS;Entgelte;;-9,90;EUR;Umsatz gebucht
DE89370400440532013000;30.01.24;30.01.24;GUTSCHRIFT;Miete;Mieter;1.250,00;EUR;Umsatz gebucht
DE89370400440532013000;01.02.24;01.02.24;LASTSCHRIFT;Strom;Stadtwerke;-80,00;EUR;Umsatz vorgemerkt
`;
    const { format, profile, counts } = await importFile(admin, `client_id=${client}&book=true`, text);
    expect([format, counts]).toEqual(['csv', { ...noCounts, rows: 3, booked: 2, unchanged: 1 }]);
    expect(profile).toMatch(/^f{16}10/);
    expect((await listBooked(admin, account)).map(({ type, amount }) => [type, amount])).toEqual([
      ['deposit', '1250'],
      ['fee', '-9.9'],
    ]);
  });

  test('trades of a US broker create what is missing, and a word that nobody knows waits until somebody says its type', async () => {
    const { admin, account, client } = await setUp('unused', 'USD');
    const text = `"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"
"01/31/2024","Buy","037833100","APPLE INC","10","$184.40","$4.95","-$1,848.95"
"01/27/2024","Exchange or Exercise","037833100","APPLE INC","12","","",""
"Transactions Total","","","","","","","-$1,848.95"
`;
    const query = `client_id=${client}&account_id=${account}&create_instruments=true&book=true`;
    const { id, counts } = await importFile(admin, query, text);
    expect(counts).toEqual({ ...noCounts, rows: 2, booked: 1, needs: 1 });
    const rows = (await admin.get(`/v1/imports/${id}/rows`)).body.data;
    expect(rows[1]).toMatchObject({
      outcome: 'needs',
      needs: 'type',
      code: 'type-unknown',
      stated: { type_word: 'Exchange or Exercise', quantity: '12' },
    });
    expect((await listBooked(admin, account)).map(({ type, quantity, amount }) => [type, quantity, amount])).toEqual([
      ['buy', '10', '-1848.95'],
    ]);
  });

  test('a header that fits no profile waits for a mapping; with a profile of its own the file is booked', async () => {
    const { admin, account, client } = await setUp('unused');
    const text = 'Wann;Was;Wieviel\n31.01.2024;Miete;-1’250,00\n30.01.2024;Lohn;5.000,00\n';
    const query = `client_id=${client}&account_id=${account}&book=true`;
    expect((await importFile(admin, query, text)).counts).toEqual({ ...noCounts, rows: 2, needs: 2 });
    const profile = await makeRecord(admin, 'import-profiles', {
      name: 'House bank',
      content: 'transactions',
      decimal_mark: 'comma',
      date_order: 'day-month-year',
      columns: { date: ['Wann'], amount: ['Wieviel'], comment: ['Was'] },
      constants: { currency: 'CHF' },
    });
    const mapped = await importFile(admin, query, text);
    expect([mapped.profile, mapped.counts]).toEqual([profile, { ...noCounts, rows: 2, booked: 2 }]);
    expect((await listBooked(admin, account)).map(({ amount, comment }) => [amount, comment])).toEqual([
      ['5000', 'Lohn'],
      ['-1250', 'Miete'],
    ]);
  });

  test('prices and exchange rates become those of the catalogue, and undoing the import closes them', async () => {
    const { admin } = await setUp('unused');
    const stock = {
      type: 'stock-instrument',
      name: 'Nestle',
      isin: 'CH0038863350',
      ticker: 'NESN',
      listing_currency: 'CHF',
    };
    const instrument = await makeRecord(admin, 'instruments', stock);
    const prices = await importFile(
      admin,
      'book=true',
      'Price,Date,ISIN,Currency\n98.45,2024-01-31,CH0038863350,CHF\n',
    );
    expect(prices.counts).toEqual({ ...noCounts, rows: 1, booked: 1 });
    const listPrices = async () => (await admin.get(`/v1/instruments/${instrument}/prices`)).body.data;
    expect(await listPrices()).toMatchObject([{ date: '2024-01-31', value: '98.45' }]);
    const rates = await importFile(admin, 'book=true', 'Date,USD,CHF,\n2024-01-31,1.0837,0.9340,\n');
    expect([rates.format, rates.counts]).toEqual(['ecb-csv', { ...noCounts, rows: 2, booked: 2 }]);
    const plain = await importFile(admin, 'book=true', 'Date;From;To;Rate\n2024-01-30;USD;CHF;0.86\n');
    expect(plain.counts).toEqual({ ...noCounts, rows: 1, booked: 1 });
    await admin.send(`/v1/imports/${prices.id}/undo`, { method: 'POST' });
    expect(await listPrices()).toEqual([]);
  });
});

const bookedOf = async (caller: Caller, account: string): Promise<unknown[]> =>
  (await listBooked(caller, account)).map((one) => [
    one.type,
    one.date,
    one.quantity,
    one.amount,
    one.external_reference,
  ]);

test('camt.052: what is booked during the day is booked, what is pending waits', async () => {
  const { admin, account, client } = await setUp('CH9300762011623852957');
  const camt = new CamtText({ version: 8, message: 'camt.052' });
  const entries = [camt.entry({ reference: 'A1' }), camt.entry({ reference: 'A2', status: 'PDNG' })];
  const { format, counts } = await importFile(admin, `client_id=${client}&book=true`, camt.document([{ entries }]));
  expect([format, counts]).toEqual(['camt.052', { ...noCounts, rows: 2, booked: 1, unchanged: 1 }]);
  expect(await bookedOf(admin, account)).toEqual([['deposit', '2024-03-01', null, '100', 'A1']]);
});

test('semt.017: units that were received for money are bought, units that left for nothing leave', async () => {
  const { admin, account, client } = await setUp('DEP-77');
  const amount = '<PstngAmt><Amt Ccy="CHF">2500.50</Amt><CdtDbtInd>DBIT</CdtDbtInd></PstngAmt>';
  const bought = movementText({ amount, traded: '<TradDt><Dt><Dt>2024-03-03</Dt></Dt></TradDt>' });
  const left = movementText({ reference: 'TX-2', movement: 'DELI', payment: 'FREE', quantity: '<Unit>4</Unit>' });
  const instrument = '<FinInstrmId><ISIN>CH0012032048</ISIN><Desc>Roche</Desc></FinInstrmId>';
  const file = semt017(`<FinInstrmDtls>${instrument}${bought}${left}</FinInstrmDtls>`);
  const query = `client_id=${client}&book=true&create_instruments=true`;
  const { format, counts } = await importFile(admin, query, file);
  expect([format, counts]).toEqual(['semt.017', { ...noCounts, rows: 2, booked: 2 }]);
  expect(await bookedOf(admin, account)).toEqual([
    ['buy', '2024-03-03', '10', '-2500.5', 'TX-1'],
    ['withdrawal', '2024-03-05', '4', null, 'TX-2'],
  ]);
});

test('MT536: a purchase is booked, a sign against its direction is refused, the closing units go to reconciliation', async () => {
  const { admin, account, client } = await setUp('0835-1234567-01');
  const received = (reference: string, amount: string) =>
    `:16R:TRAN|:16R:LINK|:20C::RELA//${reference}|:16S:LINK|:16R:TRANSDET|:36B::PSTA//UNIT/60,|:19A::PSTA//${amount}|:22F::TRAN//SETT|:22H::REDE//RECE|:22H::PAYM//APMT|:98A::ESET//20240117|:98A::TRAD//20240115|:90B::DEAL//ACTU/CHF98,|:16S:TRANSDET|:16S:TRAN`;
  const heading =
    ':16R:GENL|:28E:1/ONLY|:20C::SEME//STMT0001|:23G:NEWM|:69A::STAT//20240101/20240131|:97A::SAFE//0835-1234567-01|:17B::ACTI//Y|:16S:GENL';
  const instrument = ':16R:FIN|:35B:ISIN CH0038863350|NESTLE SA|:93B::FIOP//UNIT/0,|:93B::FICL//UNIT/60,';
  const file = [heading, instrument, received('ORDER1', 'CHF5910,25'), received('ORDER2', 'NCHF5910,25'), ':16S:FIN']
    .join('|')
    .replaceAll('|', '\r\n');
  const envelope = `{1:F01BANKCHZZAXXX0000000000}{2:O5360830240201BANKCHZZAXXX00000000002402010831N}{4:\r\n${file}\r\n-}`;
  const query = `client_id=${client}&book=true&create_instruments=true`;
  const { format, counts } = await importFile(admin, query, envelope);
  expect([format, counts]).toEqual(['mt536', { ...noCounts, rows: 3, booked: 1, refused: 1, unchanged: 1 }]);
  expect(await bookedOf(admin, account)).toEqual([['buy', '2024-01-15', '60', '-5910.25', 'ORDER1']]);
});

test('the reference rates of the European Central Bank as XML become rates of the catalogue', async () => {
  const admin = await service.openWorkspace();
  const rates =
    "<Cube><Cube time='2026-02-27'><Cube currency='USD' rate='1.0412'/><Cube currency='JPY' rate='155.91'/></Cube></Cube>";
  const file = `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject>${rates}</gesmes:Envelope>`;
  const { format, counts } = await importFile(admin, 'book=true', file);
  expect([format, counts]).toEqual(['ecb-rates', { ...noCounts, rows: 2, booked: 2 }]);
  const { body } = await admin.get('/v1/fx-rates');
  expect(body.data.map((one: any) => [one.base, one.quote, one.date, one.rate]).toSorted()).toEqual([
    ['EUR', 'JPY', '2026-02-27', '155.91'],
    ['EUR', 'USD', '2026-02-27', '1.0412'],
  ]);
});
