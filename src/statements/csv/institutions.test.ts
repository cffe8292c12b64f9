// The exports of institutions, each by a made-up file of its layout.

import { describe, expect, test } from 'vitest';
import { profileFaults } from '../../actions/imports/profiles/profile-faults.ts';
import { toFixed } from '../../kit/fixed.ts';
import { shippedProfiles } from '../../model/custody/shipped-profiles/shipped.ts';
import { institutionSamples } from '../../../tests/setup/statements/institution-samples.ts';
import { itemLine } from '../../../tests/setup/statements/item-line.ts';
import { profileNameOf, readCsv, testProfile } from '../../../tests/setup/statements/read-csv.ts';

describe.each(institutionSamples)('$profile', ({ profile, text, items }) => {
  test('is told from all other layouts by its header', () => {
    expect(profileNameOf(text)).toBe(profile);
  });

  test('each line has its kind, sign, units, price, costs, currency and reference', () => {
    expect(readCsv(text).map(itemLine)).toEqual(items);
  });
});

const balanced = institutionSamples.filter(({ items }) => items.some((line) => line.startsWith('closing')));

test.each(balanced)('$profile: cash adds up from the opening balance to the closing balance', ({ text }) => {
  const read = readCsv(text);
  const [opening, closing] = read.flatMap((item) => (item.item === 'balance' ? [toFixed(item.amount)] : []));
  const moved = read.flatMap((item) =>
    item.item === 'entry' && item.status === 'booked' && item.amount !== undefined ? [toFixed(item.amount)] : [],
  );
  expect(moved.reduce((sum, amount) => sum + amount, opening ?? 0n)).toBe(closing);
});

test('everything that a shipped profile says can be said by a profile of a workspace', () => {
  for (const profile of shippedProfiles) {
    const faults = profileFaults(profile);
    const { columns, recognisedBy, types, texts, ignoredLines, ignoredWords, ignoredColumns } = profile;
    expect([profile.name, faults]).toEqual([profile.name, []]);
    const lists = [...Object.values(columns).map((names) => names ?? []), recognisedBy, ignoredLines];
    expect([profile.name, lists.filter(({ length }) => length > 50)]).toEqual([profile.name, []]);
    expect(
      types.length <= 500 && texts.length <= 100 && ignoredWords.length <= 200 && ignoredColumns.length <= 200,
    ).toBe(true);
    for (const word of lists.flat()) expect(word.length).toBeLessThanOrEqual(200);
  }
});

describe('a column can be named by its place', () => {
  const movements = testProfile({
    header: 'none',
    decimalMark: 'comma',
    dateOrder: 'day-month-year',
    columns: { date: ['#1'], amount: ['#3'], comment: ['#2'] },
    ignoredColumns: ['#4'],
  });
  const text = '31.01.2026;Miete;1.200,50;x\n30.01.2026;Laden;-5,00;x\n';

  test('in a file without a header, whose first line is data', () => {
    expect(readCsv(text, movements).map(itemLine)).toEqual(['flow 2026-01-31: 1200.5', 'flow 2026-01-30: -5']);
  });

  test('in a file with one, also to the right of a column', () => {
    const profile = testProfile({
      columns: { date: ['Day'], currency: ['Change'], amount: ['Change+1'], comment: ['#4'] },
    });
    expect(readCsv('Day,Change,,\n2026-01-31,CHF,12,Text\n', profile)).toMatchObject([
      { amount: '12', currency: 'CHF', comment: 'Text' },
    ]);
  });

  test('and such a file is recognised only by what stands in every line', () => {
    expect(profileNameOf(text, [movements])).not.toBe(movements.name);
    const known = { ...movements, recognisedBy: ['#1=##.##.####', '#4=x|y'] };
    expect(profileNameOf(text, [known])).toBe(known.name);
    expect(profileNameOf(text.replace('5,00;x', '5,00;z') + text, [known])).not.toBe(known.name);
    expect(profileNameOf('Datum;Text;Betrag;x\n' + text, [known])).not.toBe(known.name);
  });

  test('a file that has no date and amount there is refused', () => {
    expect(() => readCsv('Datum;Text;Betrag\n', movements)).toThrow(
      'None of the first lines has a date and an amount where the profile "Test" says: #1, #3.',
    );
  });
});

describe('the currency of an amount', () => {
  const profile = testProfile({
    columns: {
      date: ['Day'],
      type: ['Type'],
      isin: ['ISIN'],
      quantity: ['Units'],
      price: ['Price [Price in]'],
      fees: ['Fee [+1]', 'Duty [EUR]'],
      amount: ['Total ({currency})'],
      comment: ['Text'],
    },
    types: [{ word: 'buy', type: 'buy' }],
  });
  const read = (price: string, currency: string, fee: string, feeCurrency: string, code = 'GBP') =>
    readCsv(
      `Day,Type,ISIN,Units,Price,Price in,Fee,,Duty,Total (${code}),Text\n2026-01-31,buy,CH0038863350,10,${price},${currency},${fee},${feeCurrency},,-25,A\n`,
      profile,
    ).map((item) => [itemLine(item), 'comment' in item ? item.comment : undefined]);

  test('is that in the name of its column', () => {
    expect(read('2.4', 'GBP', '1', 'GBP')).toEqual([
      ['trade 2026-01-31: -25 GBP; 10 × CH0038863350 @ 2.4; fees 1', 'A'],
    ]);
  });

  test('tells a price and a fee in another currency, which are no part of the amount, and pence', () => {
    expect(read('3.1', 'USD', '1', 'EUR')).toEqual([['trade 2026-01-31: -25 GBP; 10 × CH0038863350', 'A, Fee 1 EUR']]);
    expect(read('240', 'GBX', '1', '')).toEqual([['trade 2026-01-31: -25 GBP; 10 × CH0038863350 @ 2.4; fees 1', 'A']]);
    expect(read('240', 'GBp', '', '')).toEqual([['trade 2026-01-31: -25 GBP; 10 × CH0038863350 @ 2.4', 'A']]);
    expect(read('240', 'GBX', '', '', 'EUR')).toEqual([['trade 2026-01-31: -25 EUR; 10 × CH0038863350', 'A']]);
  });

  test('a column of exactly the name goes first', () => {
    const literal = testProfile({
      columns: { date: ['Day'], amount: ['Total [EUR]'] },
      constants: { currency: 'CHF' },
    });
    expect(readCsv('Day,Total [EUR]\n2026-01-31,5\n', literal)).toMatchObject([{ amount: '5', currency: 'CHF' }]);
  });
});

test('costs with the sign of the cash: what comes back is no cost', () => {
  const profile = testProfile({
    columns: {
      date: ['Day'],
      type: ['Type'],
      isin: ['ISIN'],
      quantity: ['Units'],
      grossAmount: ['Cash'],
      taxes: ['Tax'],
    },
    types: [
      { word: 'sell', type: 'sell' },
      { word: 'dividend', type: 'dividend' },
    ],
    costs: 'signed',
  });
  const lines = ['sell,CH0038863350,-1,100,-5', 'sell,CH0038863350,-1,100,5', 'dividend,CH0038863350,,-10,2'];
  const text = `Day,Type,ISIN,Units,Cash,Tax\n${lines.map((line) => `2026-01-31,${line}\n`).join('')}`;
  expect(readCsv(text, profile).map(itemLine)).toEqual([
    'trade 2026-01-31: 95; -1 × CH0038863350; taxes 5',
    'trade 2026-01-31: 105; -1 × CH0038863350',
    'dividend 2026-01-31: -8; CH0038863350; taxes -2',
  ]);
});

test('what a line moves, and which way, can be said apart from its type', () => {
  const profile = testProfile({
    columns: { date: ['Day'], type: ['Type'], isin: ['ISIN'], quantity: ['Units'], amount: ['Cash'] },
    types: [
      { word: 'gift', type: 'deposit', moves: 'units' },
      { word: 'out', type: 'withdrawal', moves: 'units', direction: 'out' },
      { word: 'money', type: 'deposit', moves: 'cash' },
      { word: 'trade', type: 'buy', direction: 'by-cash' },
      { word: 'tax', type: 'fee', direction: 'as-stated' },
    ],
    signs: 'by-type',
  });
  const lines = [
    'gift,CH0038863350,3,30',
    'gift,CH0038863350,-3,30',
    'out,CH0038863350,3,30',
    'money,,1,30',
    'tax,,,30',
  ];
  const text = `Day,Type,ISIN,Units,Cash\n${lines.map((line) => `2026-01-31,${line}\n`).join('')}`;
  expect(readCsv(text, profile).map(itemLine)).toEqual([
    'flow 2026-01-31: 3 × CH0038863350',
    'flow 2026-01-31: -3 × CH0038863350',
    'flow 2026-01-31: -3 × CH0038863350',
    'flow 2026-01-31: 30',
    'fee 2026-01-31: 30',
  ]);
  const signed = 'Day,Type,ISIN,Units,Cash\n2026-01-31,trade,CH0038863350,3,-30\n2026-01-31,trade,CH0038863350,3,30\n';
  expect(readCsv(signed, { ...profile, signs: 'as-stated' }).map(itemLine)).toEqual([
    'trade 2026-01-31: -30; 3 × CH0038863350',
    'trade 2026-01-31: 30; -3 × CH0038863350',
  ]);
});

test('an account that stands above the header is not the IBAN of the other party below it', () => {
  const text = 'IBAN;CH93 0076 2011 6238 5295 7\n\nDay;IBAN;Cash\n2026-01-31;DE02120300000000202051;5\n';
  const profile = testProfile({ columns: { date: ['Day'], amount: ['Cash'], account: ['IBAN:'] } });
  expect(readCsv(text, profile)[0]).toMatchObject({ account: { number: 'CH93 0076 2011 6238 5295 7' } });
});
