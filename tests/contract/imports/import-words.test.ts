// What an import does with words, columns and figures that it cannot be sure about: it says so, and books what somebody has explained.

import { describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { faultsOf, makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();

async function setUp(currency = 'EUR') {
  const admin = await service.openWorkspace();
  const { client, legalEntity } = await makeHousehold(admin, 'Amsel');
  const custodian_id = await makeRecord(admin, 'custodians', { name: 'Seefeld' });
  const place = { entity_id: legalEntity, currency, custodian_id };
  const account = await makeRecord(admin, 'accounts', place);
  const stock = await makeRecord(admin, 'instruments', {
    type: 'stock-instrument',
    name: 'Fjord',
    isin: 'CH0038863350',
    ticker: 'FJRD',
    listing_currency: currency,
  });
  return { admin, client, account, stock, custodian_id };
}

type Place = Awaited<ReturnType<typeof setUp>>;

async function send({ admin, client, account }: Place, text: string, query = 'book=true'): Promise<any> {
  const path = `/v1/imports?client_id=${client}&account_id=${account}&${query}`;
  const { status, body } = await admin.send(path, { method: 'POST', raw: text });
  expect([status, body.detail]).toEqual([201, undefined]);
  return body;
}

const rowsOf = async (admin: Caller, id: string): Promise<any[]> =>
  (await admin.get(`/v1/imports/${id}/rows`)).body.data;

const bookedOf = async ({ admin, account }: Place): Promise<string[]> =>
  (await admin.get(`/v1/transactions?account_id=${account}`)).body.data.map(
    ({ type, quantity, amount, fees, taxes }: any) =>
      [type, amount, quantity && `${quantity} units`, fees && `fees ${fees}`, taxes && `taxes ${taxes}`]
        .filter(Boolean)
        .join(' '),
  );

const mapWord = ({ admin, client }: Place, value: string, fields: object) =>
  admin.post('/v1/identifier-mappings', { kind: 'type', scheme: 'word', value, client_id: client, ...fields });

describe('a list of trades', () => {
  const trades = `date,action,symbol,isin,quantity,price,fees,currency
2024-01-15,BUY,FJRD,CH0038863350,10,100.00,5.00,EUR
2024-01-31,SELL,FJRD,CH0038863350,4,110.00,2.50,EUR
`;

  test('is booked as trades, with the amounts that units, price and fees give', async () => {
    const place = await setUp();
    const { counts, warnings } = await send(place, trades);
    expect([counts.booked, warnings]).toEqual([2, []]);
    expect(await bookedOf(place)).toEqual(['buy -1005 10 units fees 5', 'sell 437.5 4 units fees 2.5']);
    const again = await send(place, trades);
    expect(again.counts).toMatchObject({ booked: 0, unchanged: 2 });
  });

  test('names both profiles and waits where two profiles fit it nearly alike', async () => {
    const place = await setUp();
    const columns = { date: ['Tag'], isin: ['Papier'], quantity: ['Menge'] };
    const own = [
      { name: 'Seefeld holdings', content: 'positions', columns: { ...columns, value: ['Wert'] } },
      { name: 'Seefeld movements', content: 'transactions', columns: { ...columns, amount: ['Wert'] } },
    ];
    for (const profile of own) await makeRecord(place.admin, 'import-profiles', profile);
    const { id, counts } = await send(place, 'Tag;Papier;Menge;Wert\n2024-01-31;CH0038863350;10;1000\n');
    expect(counts).toMatchObject({ rows: 1, needs: 1 });
    const [row] = await rowsOf(place.admin, id);
    expect(row).toMatchObject({ needs: 'mapping' });
    expect(row.detail).toContain('Seefeld holdings; Seefeld movements');
  });
});

test('a dividend that is taken back and paid again on the same day is booked once', async () => {
  const place = await setUp();
  await makeRecord(place.admin, 'import-profiles', {
    name: 'Seefeld income',
    content: 'transactions',
    columns: { date: ['Tag'], type: ['Art'], isin: ['Papier'], amount: ['Wert'] },
    constants: { currency: 'EUR' },
    types: [
      { word: 'Ertrag', type: 'dividend' },
      { word: 'Storno', type: 'dividend', cancels: true },
    ],
  });
  const line = (word: string, amount: string): string => `2024-01-31;${word};CH0038863350;${amount}\n`;
  const text = `Tag;Art;Papier;Wert\n${line('Ertrag', '10')}${line('Storno', '-10')}${line('Ertrag', '10')}`;
  expect((await send(place, text)).counts).toMatchObject({ booked: 1, unchanged: 2 });
  expect(await bookedOf(place)).toEqual(['dividend 10']);
  expect((await send(place, text)).counts).toMatchObject({ booked: 0, unchanged: 3 });
  expect(await bookedOf(place)).toEqual(['dividend 10']);
});

describe('a word for the type of a row', () => {
  const words = `Date,Type,Amount,Currency,Description
2024-01-02,INTEREST_PAYMENT,1.50,EUR,a
2024-01-03,Zinsen,2.50,EUR,b
2024-01-04,Custody fee,-3.00,EUR,c
2024-01-05,Bank interest,4.00,EUR,d
2024-01-06,Lastschrift,-5.00,EUR,e
2024-01-07,Bonifikation,6.00,EUR,f
2024-01-08,Bonifikation,7.00,EUR,g
`;

  test('is what banks mean by it; one that nobody knows books nothing until a person says it, and then once', async () => {
    const place = await setUp();
    const first = await send(place, words);
    expect(first.counts).toMatchObject({ rows: 7, booked: 5, needs: 2 });
    expect(first.warnings).toMatchObject([
      { code: 'words-unknown', words: [{ word: 'Bonifikation', rows: 2, line: 7 }] },
    ]);
    const known = ['interest 1.5', 'interest 2.5', 'fee -3', 'interest 4', 'withdrawal -5'];
    expect(await bookedOf(place)).toEqual(known);
    const row = (await rowsOf(place.admin, first.id))[5];
    expect(row).toMatchObject({
      outcome: 'needs',
      needs: 'type',
      code: 'type-unknown',
      stated: { type_word: 'Bonifikation', amount: '6' },
    });
    expect(row.stated.kind).toBeUndefined();
    expect(row.detail).toContain('"Bonifikation"');
    expect((await mapWord(place, 'BONIFIKATION', { transaction_type: 'interest' })).status).toBe(201);
    const booked = await place.admin.post(`/v1/imports/${first.id}/book`, {});
    expect(booked.body).toMatchObject({ counts: { booked: 7, needs: 0 }, warnings: [] });
    const all = [...known, 'interest 6', 'interest 7'];
    expect(await bookedOf(place)).toEqual(all);
    const again = await send(place, words);
    expect(again.counts).toMatchObject({ rows: 7, unchanged: 7 });
    expect(await bookedOf(place)).toEqual(all);
  });

  test('is decided when the row is booked: sign, units and instrument follow from what the person says', async () => {
    const place = await setUp();
    const text = `Date,Type,ISIN,Quantity,Price,Fee,Amount,Currency
2024-01-02,Erwirb,CH0038863350,10,100,5,1005,EUR
2024-01-03,Ausgekehrt,CH0038863350,10,1.20,,12,EUR
`;
    const checked = await send(place, text, 'book=false');
    expect(checked.counts).toMatchObject({ needs: 2 });
    await mapWord(place, 'Erwirb', { transaction_type: 'buy' });
    await mapWord(place, 'Ausgekehrt', { transaction_type: 'dividend', custodian_id: place.custodian_id });
    const booked = await place.admin.post(`/v1/imports/${checked.id}/book`, {});
    expect(booked.body.counts).toMatchObject({ booked: 2, needs: 0 });
    expect(await bookedOf(place)).toEqual(['buy -1005 10 units fees 5', 'dividend 12']);
    expect((await send(place, text)).counts).toMatchObject({ unchanged: 2 });
  });

  test("is the whole text of a bank's line too, if it says income or costs and the money goes its way", async () => {
    const place = await setUp();
    const { counts } = await send(
      place,
      `Datum;Buchungstext;Betrag;Waehrung
02.01.2024;Zinsen;1,50;EUR
03.01.2024;Custody fee;-3,00;EUR
04.01.2024;Bank interest;4,00;EUR
05.01.2024;Dividende;5,00;EUR
13.01.2024;Dividende Freunde eV;-6,00;EUR
14.01.2024;Zinsen für das Darlehen an Peter;7,00;EUR
15.01.2024;Finanzamt Steuer;-8,00;EUR
16.01.2024;Cash Merger;9,00;EUR
`,
    );
    expect(counts).toMatchObject({ rows: 8, booked: 8 });
    expect(await bookedOf(place)).toEqual([
      'interest 1.5',
      'fee -3',
      'interest 4',
      'interest 5',
      'withdrawal -6',
      'deposit 7',
      'withdrawal -8',
      'deposit 9',
    ]);
  });

  test.each(['before it is booked', 'after the rest was booked'])(
    'makes equal rows of equal trades, of which each is booked once: said %s',
    async (moment) => {
      const place = await setUp();
      const twins = `date,action,isin,quantity,price,fees,currency
2024-01-15,BUY,CH0038863350,10,100.00,5.00,EUR
2024-01-15,Zugriff,CH0038863350,10,100.00,5.00,EUR
2024-01-15,BUY,CH0038863350,10,100.00,5.00,EUR
`;
      const sent = await send(place, twins, `book=${moment !== 'before it is booked'}`);
      expect(sent.counts).toMatchObject({ rows: 3, booked: 2, needs: 1 });
      expect((await mapWord(place, 'Zugriff', { transaction_type: 'buy' })).status).toBe(201);
      const { body } = await place.admin.post(`/v1/imports/${sent.id}/book`, {});
      expect(body.counts).toMatchObject({ booked: 3, needs: 0 });
      const trade = 'buy -1005 10 units fees 5';
      expect(await bookedOf(place)).toEqual([trade, trade, trade]);
      expect((await send(place, twins)).counts).toMatchObject({ booked: 0, unchanged: 3 });
    },
  );

  test('means what a person says before what the service takes it for, for their client alone', async () => {
    const [place, other] = [await setUp(), await setUp()];
    await mapWord(place, 'Zinsen', { transaction_type: 'deposit' });
    const text = 'Date,Type,Amount,Currency\n2024-01-03,Zinsen,2.50,EUR\n';
    for (const one of [place, other]) await send(one, text);
    expect([await bookedOf(place), await bookedOf(other)]).toEqual([['deposit 2.5'], ['interest 2.5']]);
  });

  test('is mapped to a type and nothing else', async () => {
    const place = await setUp();
    const faults = async (fields: object): Promise<string[]> =>
      faultsOf(await mapWord(place, 'Fusion!', fields)).map(({ pointer, detail }) => `${pointer} ${detail}`);
    expect(await faults({})).toEqual(['/transaction_type transaction_type is required.']);
    expect(await faults({ transaction_type: 'buy', action: 'merger' })).toEqual([
      '/action Only a corporate-action has an action.',
    ]);
    expect(await faults({ transaction_type: 'buy', scheme: 'name' })).toEqual([
      '/scheme Types of transactions are named by a word.',
    ]);
    expect(await faults({ transaction_type: 'buy', instrument_id: place.stock })).toEqual([
      '/instrument_id A mapping of the kind type leads to no instrument.',
    ]);
    const made = await mapWord(place, 'Fusion!', { transaction_type: 'corporate-action', action: 'merger' });
    expect(made.body).toMatchObject({ kind: 'type', transaction_type: 'corporate-action', action: 'merger' });
    const path = `/v1/identifier-mappings/${made.body.id}`;
    const changed = await place.admin.patch(path, { transaction_type: 'sell' });
    expect([changed.status, changed.body.transaction_type, changed.body.action]).toEqual([200, 'sell', null]);
    const instrument = { kind: 'instrument', scheme: 'name', value: 'F', instrument_id: place.stock };
    const wrong = await place.admin.post('/v1/identifier-mappings', { ...instrument, transaction_type: 'buy' });
    expect(faultsOf(wrong)).toMatchObject([{ pointer: '/transaction_type' }]);
  });

  test('of a file with another word in every row is told up to a bound, and every row says its own', async () => {
    const place = await setUp();
    const lines = Array.from({ length: 1_200 }, (_, index) => `2024-01-02,Wort${index}x,1.00,EUR`);
    const { id, counts, warnings } = await send(place, `Date,Type,Amount,Currency\n${lines.join('\n')}\n`);
    expect(counts).toMatchObject({ rows: 1_200, needs: 1_200 });
    expect(warnings).toHaveLength(1);
    expect(warnings[0].words).toHaveLength(50);
    expect((await rowsOf(place.admin, id))[3].stated.type_word).toBe('Wort3x');
  });
});

describe('a column that nobody reads', () => {
  const text = `Date,Type,Amount,Currency,Platform levy,Status,Remark
2024-01-02,deposit,100.00,EUR,0.00,done,
2024-01-03,deposit,200.00,EUR,1.50,done,
2024-01-04,deposit,300.00,EUR,2.00,done,x
`;

  test('is named with its rows and an example, unless it is empty, layout, or left out on purpose', async () => {
    const place = await setUp();
    const { warnings } = await send(place, text, 'book=false');
    expect(warnings).toMatchObject([
      {
        code: 'columns-not-read',
        columns: [
          { name: 'Platform levy', rows: 2, example: '1.50', line: 3 },
          { name: 'Remark', rows: 1, example: 'x', line: 4 },
        ],
      },
    ]);
    expect(warnings[0].detail).toContain('Platform levy (2 rows, such as "1.50" on line 3)');
    await makeRecord(place.admin, 'import-profiles', {
      name: 'Own',
      content: 'transactions',
      columns: { date: ['Date'], type: ['Type'], amount: ['Amount'], currency: ['Currency'] },
      ignored_columns: ['platform*', 'Remark'],
    });
    expect((await send(place, text, 'book=false')).warnings).toEqual([]);
  });
});

describe('the amount of a row', () => {
  const header = 'Date,Type,ISIN,Quantity,Price,Fee,Withholding Tax,Amount,Currency';

  test('before fees and taxes becomes the cash that moved, whichever sign the costs have', async () => {
    const place = await setUp();
    const { counts } = await send(
      place,
      `${header}
2024-01-02,buy,CH0038863350,10,100.00,-1.00,,-1000.00,EUR
2024-01-03,sell,CH0038863350,4,110.00,1.00,2.64,440.00,EUR
2024-01-04,dividend,CH0038863350,6,2.00,,-3.00,12.00,EUR
2024-01-05,buy,CH0038863350,1,100.00,1.00,,-101.00,EUR
`,
    );
    expect(counts).toMatchObject({ booked: 4 });
    expect(await bookedOf(place)).toEqual([
      'buy -1001 10 units fees 1',
      'sell 436.36 4 units fees 1 taxes 2.64',
      'dividend 9 taxes 3',
      'buy -101 1 units fees 1',
    ]);
  });

  test('that units, price and costs do not explain says by how much, on the row and for the import', async () => {
    const place = await setUp();
    const { id, counts, warnings } = await send(
      place,
      `${header}
2024-01-02,buy,CH0038863350,10,100.00,,,-1004.95,EUR
2024-01-03,buy,CH0038863350,10,100.00,,,-1002.00,EUR
2024-01-04,buy,CH0038863350,10,100.00,1.00,,-1010.00,EUR
`,
    );
    expect(counts).toMatchObject({ booked: 2, refused: 1 });
    const rows = await rowsOf(place.admin, id);
    expect(rows.map(({ code, detail }) => [code, detail])).toEqual([
      [
        'amount-unexplained',
        '10 × 100 = 1000, and the amount is -1004.95 EUR. 4.95 EUR is explained by no fee or tax of the row and is booked as cost.',
      ],
      [
        'amount-unexplained',
        '10 × 100 = 1000, and the amount is -1002 EUR. 2 EUR is explained by no fee or tax of the row and is booked as cost.',
      ],
      ['amount-mismatch', 'This does not match the other figures of the transaction: expected -1001, got -1010.'],
    ]);
    expect(warnings).toMatchObject([{ code: 'amounts-unexplained' }]);
    expect(warnings[0].detail).toContain('The amounts of 2 rows differ from units × price by 6.95 EUR in all');
  });

  test('has no fee of another currency in it: that is a fee of its own', async () => {
    const place = await setUp();
    const { counts } = await send(
      place,
      `Date,Type,ISIN,Quantity,Price,Fee,Fee Currency,Amount,Currency,Reference
2024-01-02,buy,CH0038863350,10,100.00,1.20,USD,-1000.00,EUR,R-1
2024-01-03,buy,CH0038863350,10,100.00,1.20,EUR,-1001.20,EUR,R-2
`,
    );
    expect(counts).toMatchObject({ rows: 3, booked: 3 });
    expect(await bookedOf(place)).toEqual(['buy -1000 10 units', 'fee -1.2', 'buy -1001.2 10 units fees 1.2']);
  });
});

describe('how a file writes days and numbers', () => {
  const flows = (...lines: readonly string[]): string => `Date;Description;Amount\n${lines.join('\n')}\n`;

  test('is told from all its lines, also from the last', async () => {
    const place = await setUp();
    const european = flows('03/04/2024;a;1.234', '05/04/2024;b;2,50', '28/04/2024;c;1');
    expect((await send(place, european)).counts).toMatchObject({ booked: 3 });
    const american = flows('03/04/2025;a;1,234', '05/04/2025;b;2.50', '04/28/2025;c;1');
    expect((await send(place, american)).counts).toMatchObject({ booked: 3 });
    const { body } = await place.admin.get(`/v1/transactions?account_id=${place.account}`);
    expect(body.data.map(({ date, amount }: any) => `${date} ${amount}`)).toEqual([
      '2024-04-03 1234',
      '2024-04-05 2.5',
      '2024-04-28 1',
      '2025-03-04 1234',
      '2025-04-28 1',
      '2025-05-04 2.5',
    ]);
  });

  test('is asked where no line says it: those rows wait, the others are booked', async () => {
    const place = await setUp();
    const { id, counts } = await send(place, flows('03/04/2024;a;1', '05/05/2024;b;1.234', '06/06/2024;c;7'));
    expect(counts).toMatchObject({ booked: 1, needs: 2 });
    expect((await rowsOf(place.admin, id)).map(({ outcome, detail }) => [outcome, detail])).toEqual([
      [
        'needs',
        'Its day may be 2024-04-03 or 2024-03-04, and no date of the file says whether it writes the day or the month first. Say the order, and book.',
      ],
      [
        'needs',
        '"1.234" in the column Amount may be 1.234 or 1234. No number of the file says which decimal mark it has. Name a profile that says it.',
      ],
      ['booked', undefined],
    ]);
  });

  test('is never told from lines that contradict each other', async () => {
    const place = await setUp();
    const text = flows('13/04/2024;a;1', '04/14/2024;b;1', '03/04/2024;c;1');
    const { id, counts } = await send(place, text);
    expect(counts).toMatchObject({ booked: 2, needs: 1 });
    expect((await rowsOf(place.admin, id))[2].detail).toContain('the file writes its dates in two orders');
  });
});
