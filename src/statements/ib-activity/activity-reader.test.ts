import { expect, test } from 'vitest';
import { fromFixed, toFixed } from '../../kit/fixed.ts';
import { openStatementReader } from '../recognise.ts';
import { ibActivityFormat } from './activity-reader.ts';
import { checkDamage, findCutThatMatters } from '../../../tests/setup/statements/reader-laws.ts';
import { ibActivityText } from '../../../tests/setup/statements/ib-activity-text.ts';
import { itemLine } from '../../../tests/setup/statements/item-line.ts';
import { readStatement } from '../../../tests/setup/statements/read-statement.ts';

const head = `Statement,Header,Field Name,Field Value
Statement,Data,Period,"January 1, 2025 - March 31, 2025"
`;
const read = (...lines: readonly string[]): string[] => readStatement(`${head}${lines.join('\n')}\n`).map(itemLine);

test('every section that moves cash or units is read, with the codes of instruments that stand at the end', () => {
  expect(readStatement(ibActivityText).map(itemLine)).toEqual([
    'instrument: US0378331005',
    'instrument: 7001',
    'position 2025-03-31: 24 × US0378331005',
    'trade 2025-01-15 in U1234567: -2001 USD; 10 × US0378331005 @ 200; fees 1',
    'trade 2025-01-20 in U1234567: 998.5 USD; -4 × US0378331005 @ 250; fees 1.5',
    'trade 2025-02-03 in U1234567: -251.05 USD; 1 × 7001; fees 1.05',
    'refused: Trades of the asset category FUT cannot be booked: enter their results by hand.',
    'fx 2025-01-14 in U1234567: -2000 EUR; for 2200 USD',
    'fee 2025-01-14 in U1234567: -2 EUR',
    'fee 2025-02-10 in U1234567: -0.9 EUR; ALP',
    'corporate-action split 2025-02-20/2025-02-21 in U1234567: 18 × US0378331005; ratio 4:1',
    'corporate-action spin-off 2025-02-24/2025-02-25 in U1234567: 4 × US0378331005; ratio 1:6',
    'flow 2025-01-02 in U1234567: 5000 EUR',
    'flow 2025-03-20 in U1234567: -100 EUR',
    'fee 2025-02-04 in U1234567: -2.6 EUR',
    'dividend 2025-02-16 in U1234567: 1.44 USD; US0378331005',
    'dividend 2025-02-17 in U1234567: 0.24 USD; US0378331005',
    'fee 2025-02-16 in U1234567: -0.22 USD; US0378331005',
    'interest 2025-02-05 in U1234567: 1 EUR',
    'interest 2025-03-05 in U1234567: -1 EUR',
    'opening 2025-01-01: 1000 EUR',
    'closing 2025-03-31: 3894.5 EUR',
    'opening 2025-01-01: 0 USD',
    'closing 2025-03-31: 947.91 USD',
    'refused: The section Borrow Fee Details is not read (rows: 2). If it moved cash or units, enter them by hand.',
  ]);
});

test('the cash of each currency adds up to the balances of the statement', () => {
  const items = readStatement(ibActivityText);
  for (const currency of ['EUR', 'USD']) {
    const sum = items.reduce((total, item) => {
      if (item.item === 'balance' && item.currency === currency)
        return total + (item.moment === 'opening' ? 1n : -1n) * toFixed(item.amount);
      if (item.item !== 'entry') return total;
      const own = item.currency === currency && item.amount !== undefined ? toFixed(item.amount) : 0n;
      const counter =
        item.counterCurrency === currency && item.counterAmount !== undefined ? toFixed(item.counterAmount) : 0n;
      return total + own + counter;
    }, 0n);
    expect([currency, fromFixed(sum)]).toEqual([currency, '0']);
  }
});

test('an instrument is known by each of its symbols, its exchange and its name', () => {
  const trades =
    'Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,Proceeds,Comm/Fee,Code';
  const instruments =
    'Financial Instrument Information,Header,Asset Category,Symbol,Description,Conid,Security ID,Listing Exch,Multiplier';
  const text = `${head}${trades}
Trades,Data,Order,Stocks,EUR,OLD,"2025-01-15, 10:30:00",10,2,-20,-1,
${instruments}
Financial Instrument Information,Data,Stocks,"NEW, OLD",SEEFELD AG,1,CH0038863350,IBIS,1
`;
  expect(readStatement(text)[1]).toMatchObject({
    kind: 'trade',
    instrument: {
      isin: 'CH0038863350',
      ticker: 'OLD',
      mic: 'XETR',
      name: 'SEEFELD AG',
      custodianCode: '1',
      type: 'stock',
    },
  });
});

test.each([
  ['Reverse Split: SEE(US0378331005) Split 1 for 10 (SEE, SEEFELD INC, US0378331005)', 'reverse-split', '1:10'],
  [
    'SEE(US0378331005) Stock Dividend US0378331005 5 for 100 (SEE, SEEFELD INC, US0378331005)',
    'stock-dividend',
    '105:100',
  ],
])('%s', (description, action, ratio) => {
  const header =
    'Corporate Actions,Header,Asset Category,Currency,Report Date,Date/Time,Description,Quantity,Proceeds,Value,Realized P/L,Code';
  expect(
    readStatement(
      `${head}${header}\nCorporate Actions,Data,Stocks,USD,2025-02-21,"2025-02-20, 20:25:00","${description.replace('Reverse Split: ', '')}",5,0,0,0,\n`,
    ),
  ).toMatchObject([{ kind: 'corporate-action', action, ratio, instrument: { isin: 'US0378331005' } }]);
});

test('a takeover for cash is a sale, and a maturity a redemption', () => {
  const header =
    'Corporate Actions,Header,Asset Category,Currency,Report Date,Date/Time,Description,Quantity,Proceeds,Value,Realized P/L,Code';
  expect(
    read(
      header,
      'Corporate Actions,Data,Stocks,USD,2025-02-21,"2025-02-20, 20:25:00","SEE(US0378331005) Merged(Acquisition) for USD 12.50 per Share (SEE, SEEFELD INC, US0378331005)",-4,50,0,0,',
      'Corporate Actions,Data,Bonds,USD,2025-02-21,"2025-02-20, 20:25:00","(US912828ZT04) Bond Maturity for USD 1.00 per Bond (T 0 1/4 05/31/25, UST, US912828ZT04)",-1000,1000,0,0,',
      'Corporate Actions,Data,Stocks,USD,2025-02-21,"2025-02-20, 20:25:00","SEE(US0378331005) Tendered to 99 1 FOR 1 (SEE.TEN, SEEFELD INC, US0378331005)",-4,0,0,0,',
    ),
  ).toEqual([
    'trade 2025-02-20/2025-02-21: 50 USD; -4 × US0378331005',
    'redemption 2025-02-20/2025-02-21: 1000 USD; -1000 × US912828ZT04',
    'corporate-action 2025-02-20/2025-02-21: -4 × US0378331005',
  ]);
});

test('a row that cannot be understood is refused with its section, and the rest is read', () => {
  const header = 'Dividends,Header,Currency,Date,Description,Amount';
  const rows = [
    header,
    'Dividends,Data,USD,16/02/2025,SEE(US0378331005) Cash,1',
    'Dividends,Data,USD,2025-02-16,SEE(US0378331005) Cash,x',
  ];
  expect(read(...rows, 'Dividends,Data,USD,2025-02-16,SEE(US0378331005) Cash,1')).toEqual([
    'refused: "16/02/2025" is not a date that is certain. Set the query to yyyy-MM-dd or yyyyMMdd.',
    'refused: "x" is not a decimal number.',
    'dividend 2025-02-16: 1 USD; US0378331005',
  ]);
});

test('a statement in another language says of each section how many rows are not read', () => {
  expect(
    read('Transaktionen,Header,A', 'Transaktionen,Data,1', 'Transaktionen,Data,2', 'Transaktionen,Total,3'),
  ).toEqual([
    'refused: The section Transaktionen is not read (rows: 2). If it moved cash or units, enter them by hand.',
  ]);
});

test('a file without any section is refused, and one with very many', () => {
  expect(() => readStatement('Statement,Header,Field Name,Field Value\n')).not.toThrow();
  const many = Array.from({ length: 250 }, (_, index) => `S${index},Data,1`);
  expect(() => read(...many)).toThrow('The file has more than 200 sections that are not known.');
});

test('more rows than wait for instruments are read without their codes', () => {
  const header =
    'Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,Proceeds,Comm/Fee,Code';
  const rows = Array.from(
    { length: 20_001 },
    () => 'Trades,Data,Order,Stocks,EUR,SEE,"2025-01-15, 10:30:00",1,2,-2,0,',
  );
  const info = [
    'Financial Instrument Information,Header,Asset Category,Symbol,Description,Conid,Security ID',
    'Financial Instrument Information,Data,Stocks,SEE,SEEFELD AG,1,CH0038863350',
  ];
  const items = readStatement(`${head}${[header, ...rows, ...info].join('\n')}\n`);
  const trades = items.filter((item) => item.item === 'entry');
  expect([trades.length, trades[0]?.instrument?.isin, trades.at(-1)?.instrument?.isin]).toEqual([
    20_001,
    undefined,
    'CH0038863350',
  ]);
});

test('the same items wherever it is cut, and damage never crashes it', () => {
  const open = () => openStatementReader(ibActivityFormat);
  expect(findCutThatMatters(open, ibActivityText)).toBeUndefined();
  expect(() => checkDamage(open, ibActivityText, 100)).not.toThrow();
});
