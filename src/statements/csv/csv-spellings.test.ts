import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../../tests/setup/statements/reader-laws.ts';
import { profileNameOf, readCsv, testProfile } from '../../../tests/setup/statements/read-csv.ts';
import { readStatement } from '../../../tests/setup/statements/read-statement.ts';
import { transactionTypes } from '../../model/ledger/transaction-kind.ts';
import { openStatementReader } from '../recognise.ts';
import { csvFormat } from './csv-format.ts';
import { readCsvDate } from './csv-values.ts';

// What a line of an export means, for every member of a profile.

type Profile = Parameters<typeof testProfile>[0];

/** The first item of a file with one line. */
function lineOf(cells: Readonly<Record<string, string>>, profile: Profile): unknown {
  const [names, values] = [Object.keys(cells), Object.values(cells)];
  return readCsv(`${names.join(';')}\n${values.join(';')}\n`, testProfile({ delimiter: 'semicolon', ...profile }))[0];
}

const date = '2024-01-31';
const isin = 'CH0038863350';

describe('the direction of an amount', () => {
  const directions = {
    columns: { date: ['Date'], amount: ['Amount'], direction: ['D'] },
    directionWords: { in: ['in', 'C*'], out: ['out'] },
  };

  test.each([
    ['5', 'in', '5'],
    ['-5', 'in', '5'],
    ['5', 'Credit', '5'],
    ['-5', 'credit', '5'],
    ['5', 'out', '-5'],
    ['-5', 'out', '-5'],
    ['-5', '', '-5'],
  ])('%s with the word %j is %s', (Amount, D, amount) => {
    expect(lineOf({ Date: date, Amount, D }, directions)).toMatchObject({ amount });
  });

  test('is as stated where the profile has no words for it', () => {
    expect(lineOf({ Date: date, Amount: '-5', D: 'in' }, { columns: directions.columns })).toMatchObject({
      amount: '-5',
    });
  });

  test('that nobody knows waits for a mapping, and the message says which word', () => {
    expect(lineOf({ Date: date, Amount: '5', D: 'sideways' }, directions)).toEqual({
      item: 'problem',
      needs: 'mapping',
      place: { line: 2, field: 'D' },
      detail: 'The profile does not say whether "sideways" means in or out. Add the word to its direction_words.',
    });
  });

  test.each([
    [{ Out: '5' }, '-5'],
    [{ Out: '-5' }, '-5'],
    [{ In: '5' }, '5'],
    [{ In: '-5' }, '5'],
    [{ In: '0', Out: '5' }, '-5'],
    [{ In: '', Out: '0' }, '0'],
    [{ In: '0', Out: '' }, '0'],
    [{ Amount: '7', In: '0', Out: '0' }, '7'],
  ])('is that of its column: %j is %s', (cells, amount) => {
    const columns = { date: ['Date'], amount: ['Amount'], debit: ['Out'], credit: ['In'] };
    expect(lineOf({ Date: date, Amount: '', In: '', Out: '', ...cells }, { columns })).toMatchObject({ amount });
  });
});

describe('the type of a line', () => {
  const columns = {
    date: ['Date'],
    type: ['Type'],
    amount: ['Amount'],
    quantity: ['Units'],
    price: ['Price'],
    isin: ['ISIN'],
  };
  const cells = { Date: date, Type: 'x', Amount: '5', Units: '2', Price: '2.5', ISIN: isin };
  /** Kind, amount and units of 5 for 2 units, and whether it has a price and an instrument. */
  const meanings: Readonly<
    Record<
      (typeof transactionTypes)[number],
      readonly [string, string, (string | undefined)?, (string | undefined)?, true?]
    >
  > = {
    buy: ['trade', '-5', '2', '2.5', true],
    sell: ['trade', '5', '-2', '2.5', true],
    deposit: ['flow', '5', '2', undefined, true],
    withdrawal: ['flow', '-5', '-2', undefined, true],
    dividend: ['dividend', '5', undefined, undefined, true],
    coupon: ['coupon', '5', undefined, undefined, true],
    interest: ['interest', '5'],
    fee: ['fee', '-5'],
    'fx-trade': ['fx', '5'],
    'corporate-action': ['corporate-action', '5', '2', '2.5', true],
    drawing: ['capital-call', '-5', undefined, '2.5', true],
    maturity: ['redemption', '5', '-2', '2.5', true],
    'private-equity-cashflow': ['distribution', '5', undefined, '2.5', true],
  };

  test.each(transactionTypes)('%s', (type) => {
    const [kind, amount, quantity, price, isOfInstrument] = meanings[type];
    const item = lineOf(cells, { columns, types: [{ word: 'x', type }], signs: 'by-type' });
    expect(item).toEqual({
      item: 'entry',
      place: { line: 2 },
      status: 'booked',
      kind,
      date,
      amount,
      typeWord: 'x',
      statement: 'Test',
      ...(quantity && { quantity }),
      ...(price && { price }),
      ...(isOfInstrument && { instrument: { isin } }),
    });
    const constant = lineOf({ ...cells, Type: 'y' }, { columns, constants: { type }, signs: 'by-type' });
    expect(constant).toEqual({ ...(item as object), typeWord: 'y' });
  });

  test('is the first word that the profile knows, of several columns', () => {
    const types = [
      { word: 'fee*', type: 'fee' },
      { word: 'rent', type: 'withdrawal' },
    ] as const;
    const two = { columns: { ...columns, type: ['A', 'B'] }, types, signs: 'by-type' } as const;
    const read = (A: string, B: string) => lineOf({ Date: date, A, B, Amount: '5' }, two);
    expect(read('other', 'Fees of May')).toMatchObject({ kind: 'fee', typeWord: 'other Fees of May' });
    expect(read('Rent', 'Fees of May')).toMatchObject({ kind: 'flow', amount: '-5' });
    expect(read('', '')).toMatchObject({ kind: 'flow', amount: '5' });
  });

  test('that nobody knows keeps everything that the line says, as it says it', () => {
    const profile = { columns, types: [{ word: 'buy', type: 'buy' }], signs: 'by-type' } as const;
    for (const [Units, quantity] of [
      ['2', '2'],
      ['-2', '-2'],
      ['0', undefined],
    ] as const)
      expect(lineOf({ ...cells, Units }, profile)).toEqual({
        item: 'entry',
        place: { line: 2 },
        status: 'booked',
        kind: 'flow',
        date,
        amount: '5',
        price: '2.5',
        instrument: { isin },
        typeWord: 'x',
        statement: 'Test',
        byWord: { isKnown: false, signs: 'by-type' },
        ...(quantity && { quantity }),
      });
    expect(lineOf(cells, { columns })).toMatchObject({ byWord: { isKnown: false, signs: 'stated' } });
  });

  test('is that of the vocabulary where the profile does not say it, and keeps what the line says for a mapping', () => {
    const profile = { columns, types: [{ word: 'x', type: 'sell' }], signs: 'by-type' } as const;
    expect(lineOf({ ...cells, Type: 'Cash dividend' }, profile)).toMatchObject({
      kind: 'dividend',
      amount: '5',
      byWord: { isKnown: true, signs: 'by-type', stated: { quantity: '2', price: '2.5' } },
    });
    expect(lineOf({ ...cells, Type: 'Kauf' }, profile)).toMatchObject({ kind: 'trade', amount: '-5', quantity: '2' });
    expect(lineOf({ ...cells, Type: 'Kauf', Units: '' }, profile)).toMatchObject({ byWord: { isKnown: false } });
  });

  test('without any word is that of its signs if units go against cash, and nobody guesses if both go alike', () => {
    const line = (Amount: string, Units: string) => lineOf({ ...cells, Type: '', Amount, Units }, { columns });
    expect(line('-5', '2')).toMatchObject({ kind: 'trade', amount: '-5', quantity: '2' });
    expect(line('5', '-2')).toMatchObject({ kind: 'trade', amount: '5', quantity: '-2' });
    expect(line('5', '')).toMatchObject({ kind: 'flow', amount: '5' });
    expect(line('', '2')).toMatchObject({ kind: 'flow', quantity: '2' });
    expect(line('5', '2')).toMatchObject({ item: 'problem', needs: 'mapping', place: { field: 'Type' } });
  });

  test('may say what a corporate action is, and that a line takes back another', () => {
    const types = [
      { word: 'split', type: 'corporate-action', action: 'split' },
      { word: 'undone', type: 'sell', cancels: true },
    ] as const;
    expect(lineOf({ ...cells, Type: 'Split' }, { columns, types })).toMatchObject({
      kind: 'corporate-action',
      action: 'split',
    });
    expect(lineOf({ ...cells, Type: 'undone' }, { columns, types, signs: 'by-type' })).toMatchObject({
      kind: 'trade',
      cancels: 'same-content',
      amount: '-5',
      quantity: '2',
    });
  });
});

describe('what a line says besides', () => {
  const columns = {
    date: ['Date'],
    amount: ['Amount'],
    type: ['Type'],
    status: ['State'],
    settlementDate: ['Value'],
    currency: ['Cur'],
    account: ['Acc'],
    depository: ['Dep'],
    reference: ['Ref', 'Ref 2'],
    comment: ['Text', 'More'],
    fees: ['Fee', 'Fee 2'],
    taxes: ['Tax'],
    accruedInterest: ['Accrued'],
    exchangeRate: ['Rate'],
    counterAccount: ['Other'],
    counterAmount: ['Other amount'],
    counterCurrency: ['Other cur'],
    isin: ['ISIN'],
    ticker: ['Ticker'],
    mic: ['Market'],
    code: ['Code'],
    instrumentName: ['Name'],
  } as const;
  const types = [
    { word: 'fx', type: 'fx-trade' },
    { word: 'dividend', type: 'dividend' },
  ] as const;
  const profile: Profile = {
    columns: columns as unknown as Profile['columns'],
    types,
    pendingWords: ['planned*'],
    constants: { currency: 'EUR', account: 'A-0', institution: 'Bank' },
  };
  const read = (cells: Readonly<Record<string, string>>) => lineOf({ Date: date, Amount: '5', ...cells }, profile);

  test.each([
    [{ State: 'Planned for May' }, { status: 'pending' }],
    [{ State: 'done' }, { status: 'booked' }],
    [{ Value: '2024-02-01' }, { settlementDate: '2024-02-01' }],
    [{ Cur: 'chf' }, { currency: 'CHF' }],
    [{ Cur: '' }, { currency: 'EUR' }],
    [{ Acc: 'A-1' }, { account: { number: 'A-1', institution: 'Bank' } }],
    [{ Acc: '' }, { account: { number: 'A-0', institution: 'Bank' } }],
    [{ Dep: 'D-1' }, { depository: { number: 'D-1' } }],
    [{ Ref: '', 'Ref 2': 'R' }, { reference: 'R' }],
    [{ Text: 'one', More: 'two  three' }, { comment: 'one, two three' }],
    [{ Text: 'n/a', More: ' two ' }, { comment: 'two' }],
    [{ Fee: '1', 'Fee 2': '-0.5' }, { fees: '1.5' }],
    [{ Tax: '-2' }, { taxes: '2' }],
    [{ Accrued: '3' }, { accruedInterest: '3' }],
    [
      { Rate: '1.1', Type: 'fx', Other: 'A-2', 'Other amount': '-4', 'Other cur': 'usd' },
      {
        kind: 'fx',
        exchangeRate: '1.1',
        counterAccount: { number: 'A-2' },
        counterAmount: '-4',
        counterCurrency: 'USD',
      },
    ],
    [{ Other: 'A-2' }, { kind: 'flow', counterAccount: { number: 'A-2' } }],
    [
      { Type: 'dividend', ISIN: isin, Code: '3886335', Name: 'Nestle' },
      { instrument: { isin, custodianCode: '3886335', name: 'Nestle' } },
    ],
    [{ Type: 'dividend', Ticker: 'nesn**', Market: 'xswx' }, { instrument: { ticker: 'NESN', mic: 'XSWX' } }],
  ])('%j: %j', (cells, expected) => {
    expect(read(cells)).toMatchObject({ item: 'entry', ...expected });
  });

  test.each([
    ['no fee', { Fee: '0', 'Fee 2': '0.00', Tax: '0', Accrued: '-' }, ['fees', 'taxes', 'accruedInterest']],
    ['no other account of a dividend', { Type: 'dividend', Other: 'A-2' }, ['counterAccount']],
    ['no instrument of a movement of cash', { ISIN: isin }, ['instrument']],
    ['no comment', { Text: ' ', More: '--' }, ['comment', 'typeWord', 'reference', 'settlementDate', 'depository']],
  ])('%s', (_, cells, names) => {
    const item = read(cells as unknown as Readonly<Record<string, string>>);
    expect(item).toMatchObject({ item: 'entry' });
    for (const name of names) expect(item).not.toHaveProperty(name);
  });

  test('a market counts only with a ticker', () => {
    expect((read({ Type: 'dividend', ISIN: isin, Market: 'XSWX' }) as { instrument: object }).instrument).toEqual({
      isin,
    });
  });

  test.each([
    [{ Cur: 'XXQ' }, 'Cur', '"XXQ" in the column Cur is not a currency code.'],
    [{ Fee: 'much' }, 'Fee', '"much" in the column Fee is not a number (the decimal mark is a point).'],
    [{ Value: 'soon' }, 'Value', '"soon" in the column Value is not a date (year, month, day).'],
    [{ Fee: '9'.repeat(26), 'Fee 2': '9'.repeat(26) }, 'Fee', undefined],
  ])('%j is a problem', (cells, field, detail) => {
    expect(read(cells as unknown as Readonly<Record<string, string>>)).toMatchObject({
      item: 'problem',
      place: { line: 2, field },
      ...(detail && { detail }),
    });
  });

  test('a comment has at most 2,000 characters', () => {
    const comment = (length: number) => (read({ Text: 'x'.repeat(length) }) as { comment: string }).comment.length;
    expect([comment(1_999), comment(2_000), comment(2_001)]).toEqual([1_999, 2_000, 2_000]);
  });
});

describe('the balances after each line', () => {
  const profile = testProfile({
    columns: {
      date: ['Date'],
      amount: ['Amount'],
      balance: ['Balance'],
      account: ['Acc'],
      currency: ['Cur'],
      status: ['State'],
    },
    pendingWords: ['planned'],
  });
  const balancesOf = (...lines: readonly string[]) =>
    readCsv(['Date,Amount,Balance,Acc,Cur,State', ...lines, ''].join('\n'), profile).flatMap((item) =>
      item.item === 'balance' ? [[item.moment, item.date, item.amount]] : [],
    );
  const [opening, closing] = [
    ['opening', '2024-01-01', '90'],
    ['closing', '2024-01-02', '105'],
  ];

  test.each([
    ['the oldest line first', ['2024-01-01,10,100,A,CHF,', '2024-01-02,5,105,A,CHF,'], [opening, closing]],
    ['the newest line first', ['2024-01-02,5,105,A,CHF,', '2024-01-01,10,100,A,CHF,'], [opening, closing]],
    [
      'one day, the oldest first',
      ['2024-01-01,10,100,A,CHF,', '2024-01-01,5,105,A,CHF,'],
      [
        ['opening', '2024-01-01', '90'],
        ['closing', '2024-01-01', '105'],
      ],
    ],
    [
      'one day, the newest first',
      ['2024-01-01,5,105,A,CHF,', '2024-01-01,10,100,A,CHF,', '2024-01-01,1,90,A,CHF,'],
      [
        ['opening', '2024-01-01', '89'],
        ['closing', '2024-01-01', '105'],
      ],
    ],
    ['one line', ['2024-01-01,10,100,A,CHF,'], [opening, ['closing', '2024-01-01', '100']]],
    [
      'what is planned does not count',
      ['2024-01-01,10,100,A,CHF,', '2024-01-02,5,105,A,CHF,', '2024-01-03,1,106,B,CHF,planned'],
      [opening, closing],
    ],
    [
      'lines without a balance do not count',
      ['2024-01-01,10,100,A,CHF,', '2024-01-02,5,105,A,CHF,', '2024-01-03,1,,A,CHF,'],
      [opening, closing],
    ],
    ['two accounts', ['2024-01-01,10,100,A,CHF,', '2024-01-02,5,105,B,CHF,'], []],
    ['two currencies', ['2024-01-01,10,100,A,CHF,', '2024-01-02,5,105,A,EUR,'], []],
    ['no currency', ['2024-01-01,10,100,A,,'], []],
    ['no balances', ['2024-01-01,10,,A,CHF,'], []],
  ])('%s', (_, lines, expected) => {
    expect(balancesOf(...lines)).toEqual(expected);
  });
});

describe('the header', () => {
  const profile = testProfile({ columns: { date: ['Date'], amount: ['Amount'] } });
  const below = (count: number) => `${'above,\n'.repeat(count)}Date,Amount\n2024-01-01,5\n`;

  test('may have sixty lines above it', () => {
    expect(readCsv(below(60), profile)).toMatchObject([{ item: 'entry', amount: '5', place: { line: 62 } }]);
    expect(() => readCsv(below(61), profile)).toThrow('None of the first 60 lines is the header');
  });

  test('that fits no profile is shown with up to 500 characters', () => {
    const shown = (length: number): string => {
      const [item] = readCsv(`Wann,${'x'.repeat(length - 'Wann, '.length)}\n1,2\n`);
      return /^The header \((.*)\) cannot/.exec((item as { detail: string }).detail)![1]!;
    };
    expect(shown(500)).toHaveLength(500);
    expect(shown(501)).toBe(`${shown(500)}…`);
  });

  test('is told by one column too, and by none only if the profile names its columns', () => {
    const header = 'Wann;Was;Wieviel\n31.01.2024;Miete;-5,00\n';
    const named = (more: Partial<Profile>) => profileNameOf(header, [{ ...profile, name: 'Own', ...more }]);
    expect(named({ recognisedBy: ['Wann'] })).toBe('Own');
    expect(named({ recognisedBy: ['When|Wann', 'Wieviel'] })).toBe('Own');
    expect(named({ recognisedBy: ['When', 'Wieviel'] })).toBeUndefined();
    expect(named({ columns: { date: ['When', 'Wann'], amount: ['Wieviel'] } })).toBe('Own');
    expect(named({ columns: { date: ['Wann'], amount: ['Amount'] } })).toBeUndefined();
    expect(named({ columns: {} })).toBeUndefined();
  });

  test('again, totals and lines of separators are passed over', () => {
    const own = { ...profile, ignoredLines: ['Total*'] };
    const text = 'Date,Amount\n2024-01-01,5\n,\nDate,Amount\nTotal of May,5\nTotal,5\n2024-01-02,6\n';
    expect(readCsv(text, own)).toMatchObject([{ amount: '5' }, { amount: '6' }]);
  });

  test('names may differ in case and spaces, and the first of two that are alike counts', () => {
    const items = readCsv('\ufeff DATE ,amount\u00a0,Amount\n2024-01-01,5,6\n', profile);
    expect(items).toMatchObject([
      { amount: '5' },
      { item: 'notice', columns: [{ name: 'Amount', rows: 1, example: '6', line: 2 }] },
    ]);
  });

  test('in a long file is found in its beginning, however the file is cut', () => {
    const text = `Date,Amount\n${'2024-01-01,5\n'.repeat(2_000)}`;
    const open = () => openStatementReader(csvFormat(profile));
    const whole = outcomeOf(open, [text]);
    expect(whole.items).toHaveLength(2_000);
    for (const at of [16_383, 16_384, 16_385])
      expect(outcomeOf(open, [text.slice(0, at), text.slice(at)])).toEqual(whole);
  });
});

const months: readonly (readonly string[])[] = [
  ['January', 'Januar', 'janvier'],
  ['February', 'Februar', 'février', 'febbraio'],
  ['March', 'März', 'mars', 'marzo', 'Mrz', 'Maerz'],
  ['April', 'avril', 'aprile'],
  ['May', 'Mai', 'mai', 'maggio'],
  ['June', 'Juni', 'juin', 'giugno'],
  ['July', 'Juli', 'juillet', 'luglio'],
  ['August', 'août', 'aout', 'agosto'],
  ['September', 'septembre', 'settembre'],
  ['October', 'Oktober', 'octobre', 'ottobre'],
  ['November', 'novembre'],
  ['December', 'Dezember', 'décembre', 'dicembre'],
];

test('months have the names that they have in English, German, French and Italian', () => {
  for (const [index, names] of months.entries()) {
    const day = `2024-${String(index + 1).padStart(2, '0')}-05`;
    for (const name of names) {
      expect([name, readCsvDate(`5 ${name} 2024`, 'day-month-year')]).toEqual([name, day]);
      expect([name, readCsvDate(`${name.toUpperCase()} 5, 2024`, 'day-month-year')]).toEqual([name, day]);
    }
  }
});

test('reference rates of currencies that there are no more, and missing ones, are left out', () => {
  const items = readStatement('Date,CYP,USD,TRL,JPY,\n2024-01-31,0.58,1.08,30,N/A,\n2024-01-30,0.58,,30,160,\n');
  expect(items.map((item) => item.item === 'fx-rate' && `${item.date} ${item.quote}`)).toEqual([
    '2024-01-31 USD',
    '2024-01-30 JPY',
  ]);
});
