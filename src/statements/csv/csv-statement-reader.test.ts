import { describe, expect, test } from 'vitest';
import { readCsv, profileNameOf, testProfile } from '../../../tests/setup/statements/read-csv.ts';
import { StatementFault } from '../../model/custody/statement.ts';
import { findFormat, openStatementReader } from '../recognise.ts';
import { readStatement } from '../../../tests/setup/statements/read-statement.ts';

const columns = {
  date: ['Date'],
  amount: ['Amount'],
  type: ['Type'],
  quantity: ['Units'],
  isin: ['ISIN'],
  comment: ['Text'],
};

/** The line and the words with which reading ends. */
function faultOf(read: () => unknown): readonly [number, string] {
  try {
    read();
  } catch (error) {
    if (error instanceof StatementFault) return [error.place.line, error.detail];
    throw error;
  }
  throw new Error('the file is read without a fault');
}

describe('signs', () => {
  const types = [
    { word: 'Buy', type: 'buy' },
    { word: 'Sell', type: 'sell' },
    { word: 'Cancel buy', type: 'buy', cancels: true },
    { word: 'Fee', type: 'fee' },
    { word: 'Refund', type: 'fee', direction: 'in' },
    { word: 'Interest', type: 'interest' },
    { word: 'Debit interest', type: 'interest', direction: 'out' },
    { word: 'Call', type: 'drawing' },
    { word: 'Redemption', type: 'maturity' },
  ] as const;
  const text = `Date,Type,Amount,Units,ISIN
2024-01-01,Buy,100,1,CH0038863350
2024-01-01,Sell,100,1,CH0038863350
2024-01-01,Cancel buy,100,1,CH0038863350
2024-01-01,Fee,5,,
2024-01-01,Refund,5,,
2024-01-01,Interest,5,,
2024-01-01,Debit interest,5,,
2024-01-01,Call,5,,CH0038863350
2024-01-01,Redemption,5,5,CH0038863350
`;

  test('by the type of the line', () => {
    const items = readCsv(text, testProfile({ columns, types, signs: 'by-type' }));
    expect(items.map((one) => one.item === 'entry' && [one.kind, one.amount, one.quantity])).toEqual([
      ['trade', '-100', '1'],
      ['trade', '100', '-1'],
      ['trade', '100', '-1'],
      ['fee', '-5', undefined],
      ['fee', '5', undefined],
      ['interest', '5', undefined],
      ['interest', '-5', undefined],
      ['capital-call', '-5', undefined],
      ['redemption', '5', '-5'],
    ]);
    expect(items[2]).toMatchObject({ cancels: 'same-content' });
  });

  test('reversed, as card statements have them', () => {
    const [item] = readCsv('Date,Amount\n2024-01-01,12.5\n', testProfile({ columns, signs: 'reversed' }));
    expect(item).toMatchObject({ amount: '-12.5', kind: 'flow' });
  });

  test('by a word for the direction', () => {
    const profile = testProfile({
      columns: { date: ['Date'], amount: ['Amount'], direction: ['S/H'] },
      directionWords: { in: ['H'], out: ['S'] },
    });
    expect(readCsv('Date;Amount;S/H\n2024-01-01;5;S\n2024-01-01;5;h\n2024-01-01;5;X\n', profile)).toMatchObject([
      { amount: '-5' },
      { amount: '5' },
      { item: 'problem', needs: 'mapping', place: { line: 4, field: 'S/H' } },
    ]);
  });
});

describe('every line is an item or a problem with its line and column', () => {
  test.each([
    ['no date', ',5', 'Date', 'The line has no date in the column Date.'],
    [
      'a date of another order',
      '31.01.2024,5',
      'Date',
      '"31.01.2024" in the column Date is not a date (year, month, day).',
    ],
    ['no amount', '2024-01-01,', 'Amount', 'The line has neither an amount nor a quantity.'],
    [
      'a decimal comma where a point is meant',
      '2024-01-01,"1,5"',
      'Amount',
      '"1,5" in the column Amount is not a number (the decimal mark is a point).',
    ],
    ['a wrong ISIN', '2024-01-01,5,,1,CH0038863351', 'ISIN', '"CH0038863351" is not a valid ISIN.'],
    [
      'more cells than columns',
      '2024-01-01,5,a,1,,b,c',
      undefined,
      'The line has 7 columns, but the header has 6: a text with a separator in it may lack its quotes.',
    ],
  ])('%s', (_, line, field, detail) => {
    const profile = testProfile({ columns, constants: { type: 'buy' } });
    const items = readCsv(`Date,Amount,Type,Units,ISIN,Text\n${line}\n2024-01-01,5,,,,\n`, profile);
    expect(items[0]).toEqual({ item: 'problem', place: { line: 2, ...(field ? { field } : {}) }, detail });
    expect(items[1]).toMatchObject({ item: 'entry', amount: '5' });
  });

  test('both a debit and a credit', () => {
    const profile = testProfile({ columns: { date: ['Date'], debit: ['Out'], credit: ['In'] } });
    expect(readCsv('Date,Out,In\n2024-01-01,5,6\n2024-01-01,0.00,6\n2024-01-01,-5,\n', profile)).toMatchObject([
      { item: 'problem', detail: 'The line has an amount in both In and Out.' },
      { amount: '6' },
      { amount: '-5' },
    ]);
  });

  test('quotes within texts are taken as they are', () => {
    const [first, second] = readCsv(
      'Date;Amount;Text\n2024-01-01;5;Hotel "Krone" Bern\n2024-01-01;6;"Krone" Bern\n',
      testProfile({ columns }),
    );
    expect([first, second]).toMatchObject([{ comment: 'Hotel "Krone" Bern' }, { comment: 'Krone Bern' }]);
  });

  test('references that repeat are told apart, and twins without one are both entries', () => {
    const profile = testProfile({ columns: { ...columns, reference: ['Ref'] } });
    const items = readCsv('Date,Amount,Ref\n2024-01-01,5,A\n2024-01-01,1,A\n2024-01-01,5,\n2024-01-01,5,\n', profile);
    expect(items.map((one) => one.item === 'entry' && one.reference)).toEqual(['A', 'A#2', undefined, undefined]);
  });

  test.each([',', ';'])('of two headers, the one of which more is read separates the columns: %s', (delimiter) => {
    const other = delimiter === ',' ? ';' : ',';
    const text = `Date${other}Amount\n${['Date,Amount,Text', '2024-01-01,5,rent'].join('\n').replaceAll(',', delimiter)}\n`;
    expect(readCsv(text, testProfile({ columns }))).toMatchObject([{ item: 'entry', amount: '5', comment: 'rent' }]);
  });

  test('a file whose header is not that of the profile ends with a fault that names the columns', () => {
    expect(() => readCsv('A,B\n1,2\n', testProfile({ columns }))).toThrow(
      'None of the first 60 lines is the header that the profile "Test" describes: Date, Amount, Units.',
    );
  });
});

describe('what stands above the header', () => {
  const profile = testProfile({ columns: { ...columns, account: ['IBAN', 'Account'], currency: ['Currency'] } });
  const read = (...above: readonly string[]): unknown =>
    readCsv(`${above.join('\n')}\nDate,Amount\n2024-01-01,5\n`, profile)[0];

  test.each([
    ['IBAN:,CH9300762011623852957', 'Account:,17'],
    ['Account: 17', 'IBAN: CH9300762011623852957'],
    ['IBAN,CH9300762011623852957', 'Account,17'],
  ])('is that of the name that the profile lists first, in any order: %s, %s', (...above) => {
    expect(read(...above)).toMatchObject({ account: { number: 'CH9300762011623852957' } });
  });

  test('is that of the first line of a name', () => {
    expect(read('Account:,17', 'Account:,18')).toMatchObject({ account: { number: '17' } });
    expect(read('Currency: CHF / Francs', 'Account:,17')).toMatchObject({ account: { number: '17' }, currency: 'CHF' });
  });
});

describe('without a profile', () => {
  const text = 'Wann;Was;Wieviel\n31.01.2024;Miete;-5,00\n30.01.2024;Lohn;5,00\n';

  test('a header that fits none makes every line wait for a mapping', () => {
    expect(profileNameOf(text)).toBeUndefined();
    const items = readCsv(text);
    expect(items.map((one) => [one.item, one.place.line])).toEqual([
      ['problem', 2],
      ['problem', 3],
    ]);
    expect(items[0]).toMatchObject({
      needs: 'mapping',
      detail:
        'The header (Wann, Was, Wieviel) cannot be read by itself: no mapping profile fits it. Say what the columns mean: name a profile, or create one.',
    });
  });

  test('a quote that never ends is a fault of the file, with its line', () => {
    expect(faultOf(() => readCsv(`${text}29.01.2024;"Miete;-5,00\n`))).toEqual([
      4,
      'The text ends inside a quoted field.',
    ]);
  });

  test('lines before the header and empty ones are none that wait', () => {
    expect(readCsv(`\n${text}\n;;\n29.01.2024;Miete;-5,00\n`).map(({ place }) => place.line)).toEqual([3, 4, 7]);
  });

  test('one of the workspace that fits goes before those that are shipped, and two that fit alike wait for a choice', () => {
    const own = testProfile({ name: 'Own', columns: { date: ['Wann'], amount: ['Wieviel'] } });
    expect(profileNameOf(text, [own])).toBe('Own');
    expect(profileNameOf(text, [own, { ...own, name: 'Other' }])).toBeUndefined();
    const more = { ...own, name: 'More', columns: { ...own.columns, comment: ['Was'] } };
    expect(profileNameOf(text, [own, more])).toBe('More');
  });

  test('a text without columns is no CSV', () => {
    expect(() => readCsv('Dear Sir or Madam\nplease find attached\n')).toThrow('the text is not CSV');
  });
});

describe('prices, rates and positions', () => {
  test('prices: identifiers of any kind in one column', () => {
    const items = readCsv(
      'Date,Identifier,Price,Currency\n2024-01-31,CH0038863350,98.45,CHF\n2024-01-31,912828ZT0,94.75,USD\n2024-01-31,AAPL,184.4,usd\n2024-01-31,,1,CHF\n',
    );
    expect(items).toEqual([
      {
        item: 'price',
        place: { line: 2 },
        series: 'price',
        instrument: { isin: 'CH0038863350', currency: 'CHF' },
        date: '2024-01-31',
        value: '98.45',
      },
      {
        item: 'price',
        place: { line: 3 },
        series: 'price',
        instrument: { cusip: '912828ZT0', currency: 'USD' },
        date: '2024-01-31',
        value: '94.75',
      },
      {
        item: 'price',
        place: { line: 4 },
        series: 'price',
        instrument: { ticker: 'AAPL', currency: 'USD' },
        date: '2024-01-31',
        value: '184.4',
      },
      { item: 'problem', place: { line: 5, field: 'Identifier' }, detail: 'The line names no instrument.' },
    ]);
  });

  test('a line that names nothing is reported at the first column that could', () => {
    expect(readCsv('Date,Price,Ticker,Currency\n2024-01-31,5,,USD\n')).toEqual([
      { item: 'problem', place: { line: 2, field: 'Ticker' }, detail: 'The line names no instrument.' },
    ]);
  });

  test('rates: one base is that much of the quote', () => {
    expect(readCsv('Rate,To,From,Date\n0.86,CHF,USD,2024-01-31\n1,XXQ,USD,2024-01-31\n')).toEqual([
      { item: 'fx-rate', place: { line: 2 }, base: 'USD', quote: 'CHF', date: '2024-01-31', rate: '0.86' },
      { item: 'problem', place: { line: 3, field: 'To' }, detail: '"XXQ" in the column To is not a currency code.' },
    ]);
  });

  test('positions', () => {
    expect(
      readCsv(
        'Datum;Depot;ISIN;Bezeichnung;Bestand;Kurs;Währung;Kurswert\n31.01.2024;D-1;CH0038863350;Nestle;1.500;98,45;CHF;147.675,00\nSumme;;;;;;;147.675,00\n',
      ),
    ).toEqual([
      {
        item: 'position',
        place: { line: 2 },
        account: { number: 'D-1' },
        date: '2024-01-31',
        instrument: { isin: 'CH0038863350', name: 'Nestle' },
        quantity: '1500',
        price: '98.45',
        currency: 'CHF',
        value: '147675',
        valueCurrency: 'CHF',
      },
    ]);
  });

  test('a file of reference rates that is empty is refused', () => {
    const reader = openStatementReader(findFormat('ecb-csv')!);
    expect(reader.push('\n')).toEqual([]);
    expect(faultOf(() => reader.end())).toEqual([1, 'The file is empty.']);
  });

  test('a file of reference rates whose header is another is refused', () => {
    const reader = openStatementReader(findFormat('ecb-csv')!);
    expect(faultOf(() => reader.push('\nDay,USD\n'))).toEqual([2, 'The header is not that of the reference rates.']);
  });

  test('the reference rates of the European Central Bank: history and one day', () => {
    expect(readStatement('Date,USD,JPY,CYP,\n2024-01-31,1.0837,160.19,N/A,\nsoon,1,2,3,\n')).toEqual([
      {
        item: 'fx-rate',
        place: { line: 2, field: 'USD' },
        base: 'EUR',
        quote: 'USD',
        date: '2024-01-31',
        rate: '1.0837',
        statedAt: '2024-01-31',
      },
      {
        item: 'fx-rate',
        place: { line: 2, field: 'JPY' },
        base: 'EUR',
        quote: 'JPY',
        date: '2024-01-31',
        rate: '160.19',
        statedAt: '2024-01-31',
      },
      { item: 'problem', place: { line: 3, field: 'Date' }, detail: '"soon" is not a date.' },
    ]);
    expect(readStatement('Date, USD, \n31 January 2024, 1.0837, \n')).toMatchObject([
      { quote: 'USD', date: '2024-01-31', rate: '1.0837' },
    ]);
    // Every rate is stated on the latest day, with which the file begins.
    const days = readStatement(
      'Date,USD,\n2024-01-31,1.0837,\n2024-01-30,much,\n2024-01-29,1.08,\n2024-01-26,1,2,3,\n',
    );
    expect(days).toMatchObject([
      { date: '2024-01-31', statedAt: '2024-01-31' },
      { item: 'problem', place: { line: 3, field: 'USD' }, detail: '"much" is not a rate.' },
      { date: '2024-01-29', statedAt: '2024-01-31' },
      { item: 'problem', place: { line: 5, field: 'Date' }, detail: 'The line has more columns than the header.' },
    ]);
    expect(faultOf(() => readStatement('Date,USD,\n"2024-01-31'))).toEqual([2, 'The text ends inside a quoted field.']);
  });
});
