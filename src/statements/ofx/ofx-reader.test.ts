import { describe, expect, test } from 'vitest';
import type { StatementItem } from '../../model/custody/statement.ts';
import { checkDamage, findCutThatMatters, outcomeOf } from '../../../tests/setup/statements/reader-laws.ts';
import { readStatement } from '../../../tests/setup/statements/read-statement.ts';
import { openStatementReader, recogniseFormat } from '../recognise.ts';

const header = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

`;

const signOn = `<OFX>
<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20240201083000[-5:EST]<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>
`;

const bank = `${header}${signOn}<BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS>
<STMTRS><CURDEF>USD
<BANKACCTFROM><BANKID>121000248<ACCTID>1234567890<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20240101<DTEND>20240131
<STMTTRN>
<TRNTYPE>DEBIT
<DTPOSTED>20240115120000.000[-5:EST]
<TRNAMT>-45.10
<FITID>F-1
<NAME>Smith &amp; Sons
<MEMO>
<CHECKNUM>
</STMTTRN>
<STMTTRN><TRNTYPE>SRVCHG</TRNTYPE><DTPOSTED>20240131</DTPOSTED><TRNAMT>-5,00</TRNAMT><FITID>F-2</FITID><NAME>Fee</NAME></STMTTRN>
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20240120<TRNAMT>+100<FITID>F-3<NAME>Refund &#233; &#xE9; &#0; &#xD800; &#xDFFF; &#x110000; &ever;<CURRENCY><CURRATE>1.08<CURSYM>EUR</CURRENCY></STMTTRN>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240121<TRNAMT>-46.10<FITID>F-4<CORRECTFITID>F-1<CORRECTACTION>REPLACE<NAME>Smith &amp; Sons</STMTTRN>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240122<TRNAMT>-47.10<FITID>F-5<CORRECTFITID>F-4<CORRECTACTION>REPLACE<NAME>Smith &amp; Sons</STMTTRN>
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20240123<TRNAMT>100<FITID>F-6<CORRECTFITID>F-3<CORRECTACTION>DELETE<NAME>Refund</STMTTRN>
</BANKTRANLIST>
<LEDGERBAL><BALAMT>1200.55<DTASOF>20240131235959</LEDGERBAL>
<AVAILBAL><BALAMT>1100.55<DTASOF>20240131</AVAILBAL>
</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
`;

const account = { number: '1234567890', institution: '121000248' };
const shared = { account, statedAt: '2024-02-01T13:30:00.000Z', statement: '1234567890/2024-02-01', currency: 'USD' };

test('OFX 1: a bank statement without end tags, with corrections and deletions of what came before', () => {
  const entry = { ...shared, item: 'entry', status: 'booked' };
  expect(readStatement(bank)).toEqual([
    {
      ...entry,
      place: { line: 17, field: 'STMTTRN' },
      kind: 'flow',
      reference: 'F-1',
      date: '2024-01-15',
      amount: '-45.1',
      comment: 'Smith & Sons',
      typeWord: 'DEBIT',
    },
    {
      ...entry,
      place: { line: 26, field: 'STMTTRN' },
      kind: 'fee',
      reference: 'F-2',
      date: '2024-01-31',
      amount: '-5',
      comment: 'Fee',
      typeWord: 'SRVCHG',
    },
    {
      ...entry,
      place: { line: 27, field: 'STMTTRN' },
      kind: 'flow',
      reference: 'F-3',
      date: '2024-01-20',
      amount: '100',
      currency: 'EUR',
      exchangeRate: '1.08',
      comment: 'Refund é é &#0; &#xD800; &#xDFFF; &#x110000; &ever;',
      typeWord: 'CREDIT',
    },
    {
      ...entry,
      place: { line: 28, field: 'STMTTRN' },
      kind: 'flow',
      reference: 'F-1',
      date: '2024-01-21',
      amount: '-46.1',
      comment: 'Smith & Sons',
      typeWord: 'DEBIT',
    },
    {
      ...entry,
      place: { line: 29, field: 'STMTTRN' },
      kind: 'flow',
      reference: 'F-1',
      date: '2024-01-22',
      amount: '-47.1',
      comment: 'Smith & Sons',
      typeWord: 'DEBIT',
    },
    {
      ...entry,
      place: { line: 30, field: 'STMTTRN' },
      kind: 'flow',
      cancels: { reference: 'F-3' },
      date: '2024-01-23',
      amount: '100',
      comment: 'Refund',
      typeWord: 'CREDIT',
    },
    {
      ...shared,
      item: 'balance',
      place: { line: 32, field: 'LEDGERBAL' },
      moment: 'closing',
      date: '2024-01-31',
      amount: '1200.55',
    },
  ]);
});

const investmentBody = `<OFX><SIGNONMSGSRSV1><SONRS><DTSERVER>20240201</DTSERVER></SONRS></SIGNONMSGSRSV1>
<INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><DTASOF>20240131</DTASOF><CURDEF>USD</CURDEF>
<INVACCTFROM><BROKERID>broker.example</BROKERID><ACCTID>INV-1</ACCTID></INVACCTFROM>
<INVTRANLIST><DTSTART>20240101</DTSTART><DTEND>20240131</DTEND>
<BUYSTOCK><INVBUY><INVTRAN><FITID>B1</FITID><DTTRADE>20240110101500[-5:EST]</DTTRADE><DTSETTLE>20240112</DTSETTLE><MEMO>Bought</MEMO></INVTRAN><SECID><UNIQUEID>037833100</UNIQUEID><UNIQUEIDTYPE>CUSIP</UNIQUEIDTYPE></SECID><UNITS>10</UNITS><UNITPRICE>184.4</UNITPRICE><COMMISSION>4.95</COMMISSION><FEES>0.05</FEES><TOTAL>-1849</TOTAL><SUBACCTSEC>CASH</SUBACCTSEC><SUBACCTFUND>CASH</SUBACCTFUND></INVBUY><BUYTYPE>BUY</BUYTYPE></BUYSTOCK>
<SELLDEBT><INVSELL><INVTRAN><FITID>S1</FITID><DTTRADE>20240111</DTTRADE></INVTRAN><SECID><UNIQUEID>CH0038863350</UNIQUEID><UNIQUEIDTYPE>ISIN</UNIQUEIDTYPE></SECID><UNITS>-5000</UNITS><UNITPRICE>98.5</UNITPRICE><WITHHOLDING>1.5</WITHHOLDING><TAXES>0.5</TAXES><TOTAL>4935</TOTAL></INVSELL><SELLREASON>SELL</SELLREASON><ACCRDINT>12</ACCRDINT></SELLDEBT>
<INCOME><INVTRAN><FITID>I1</FITID><DTTRADE>20240115</DTTRADE></INVTRAN><SECID><UNIQUEID>037833100</UNIQUEID><UNIQUEIDTYPE>CUSIP</UNIQUEIDTYPE></SECID><INCOMETYPE>DIV</INCOMETYPE><TOTAL>24</TOTAL><WITHHOLDING>3.6</WITHHOLDING></INCOME>
<INCOME><INVTRAN><FITID>I2</FITID><DTTRADE>20240115</DTTRADE></INVTRAN><SECID><UNIQUEID>X-1</UNIQUEID><UNIQUEIDTYPE>OTHER</UNIQUEIDTYPE></SECID><INCOMETYPE>INTEREST</INCOMETYPE><TOTAL>50</TOTAL></INCOME>
<REINVEST><INVTRAN><FITID>R1</FITID><DTTRADE>20240116</DTTRADE></INVTRAN><SECID><UNIQUEID>F</UNIQUEID><UNIQUEIDTYPE>TICKER</UNIQUEIDTYPE></SECID><INCOMETYPE>DIV</INCOMETYPE><TOTAL>-20</TOTAL><UNITS>2</UNITS><UNITPRICE>10</UNITPRICE></REINVEST>
<INVBANKTRAN><STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20240117</DTPOSTED><TRNAMT>500</TRNAMT><FITID>C1</FITID><NAME>Deposit</NAME></STMTTRN><SUBACCTFUND>CASH</SUBACCTFUND></INVBANKTRAN>
<TRANSFER><INVTRAN><FITID>T1</FITID><DTTRADE>20240118</DTTRADE></INVTRAN><SECID><UNIQUEID>F</UNIQUEID><UNIQUEIDTYPE>TICKER</UNIQUEIDTYPE></SECID><UNITS>7</UNITS><TFERACTION>OUT</TFERACTION><POSTYPE>LONG</POSTYPE></TRANSFER>
<RETOFCAP><INVTRAN><FITID>K1</FITID><DTTRADE>20240119</DTTRADE></INVTRAN><SECID><UNIQUEID>F</UNIQUEID><UNIQUEIDTYPE>TICKER</UNIQUEIDTYPE></SECID><TOTAL>3</TOTAL></RETOFCAP>
<SPLIT><INVTRAN><FITID>P1</FITID><DTTRADE>20240120</DTTRADE></INVTRAN><SECID><UNIQUEID>F</UNIQUEID><UNIQUEIDTYPE>TICKER</UNIQUEIDTYPE></SECID><OLDUNITS>10</OLDUNITS><NEWUNITS>40</NEWUNITS><NUMERATOR>4</NUMERATOR><DENOMINATOR>1</DENOMINATOR></SPLIT>
<MARGININTEREST><INVTRAN><FITID>M1</FITID><DTTRADE>20240121</DTTRADE></INVTRAN><TOTAL>-7</TOTAL></MARGININTEREST>
<INVEXPENSE><INVTRAN><FITID>E1</FITID><DTTRADE>20240122</DTTRADE></INVTRAN><SECID><UNIQUEID>F</UNIQUEID><UNIQUEIDTYPE>TICKER</UNIQUEIDTYPE></SECID><TOTAL>8</TOTAL></INVEXPENSE>
<CLOSUREOPT><INVTRAN><FITID>O1</FITID><DTTRADE>20240123</DTTRADE></INVTRAN><SECID><UNIQUEID>OPT</UNIQUEID><UNIQUEIDTYPE>OTHER</UNIQUEIDTYPE></SECID><OPTACTION>EXPIRE</OPTACTION><UNITS>-2</UNITS></CLOSUREOPT>
<JRNLFUND><INVTRAN><FITID>J1</FITID><DTTRADE>20240124</DTTRADE></INVTRAN><TOTAL>9</TOTAL></JRNLFUND>
<SELLSTOCK><INVSELL><INVTRAN><FITID>S2</FITID><DTTRADE>20240125</DTTRADE><REVERSALFITID>B1</REVERSALFITID></INVTRAN><SECID><UNIQUEID>037833100</UNIQUEID><UNIQUEIDTYPE>CUSIP</UNIQUEIDTYPE></SECID><UNITS>-10</UNITS><UNITPRICE>184.4</UNITPRICE><TOTAL>1849</TOTAL></INVSELL><SELLTYPE>SELL</SELLTYPE></SELLSTOCK>
<BUYGOLD><INVTRAN><FITID>X1</FITID></INVTRAN></BUYGOLD>
</INVTRANLIST>
<INVPOSLIST><POSSTOCK><INVPOS><SECID><UNIQUEID>037833100</UNIQUEID><UNIQUEIDTYPE>CUSIP</UNIQUEIDTYPE></SECID><HELDINACCT>CASH</HELDINACCT><POSTYPE>SHORT</POSTYPE><UNITS>10</UNITS><UNITPRICE>185</UNITPRICE><MKTVAL>-1850</MKTVAL><DTPRICEASOF>20240130</DTPRICEASOF></INVPOS></POSSTOCK></INVPOSLIST>
<INVBAL><AVAILCASH>321.5</AVAILCASH><MARGINBALANCE>0</MARGINBALANCE><SHORTBALANCE>0</SHORTBALANCE></INVBAL>
</INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>
<SECLISTMSGSRSV1><SECLIST><DEBTINFO><SECINFO><SECID><UNIQUEID>X-1</UNIQUEID><UNIQUEIDTYPE>OTHER</UNIQUEIDTYPE></SECID><SECNAME>Bond 2 %</SECNAME></SECINFO><PARVALUE>1000</PARVALUE><COUPONRT>2</COUPONRT><DTMAT>20300101</DTMAT></DEBTINFO>
<STOCKINFO><SECINFO><SECID><UNIQUEID>037833100</UNIQUEID><UNIQUEIDTYPE>CUSIP</UNIQUEIDTYPE></SECID><SECNAME>Apple &amp; Co</SECNAME><TICKER>AAPL</TICKER></SECINFO></STOCKINFO></SECLIST></SECLISTMSGSRSV1></OFX>
`;

const investment = `<?xml version="1.0" encoding="UTF-8"?>
<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>
${investmentBody}`;

test('OFX 2: a statement of investments, every kind of transaction, positions, cash and securities', () => {
  const items = readStatement(investment);
  // The list is at the end of the file, and its instruments come first.
  expect(items.slice(0, 2)).toMatchObject([
    {
      item: 'instrument',
      instrument: {
        custodianCode: 'X-1',
        name: 'Bond 2 %',
        type: 'bond',
        couponRate: '2',
        maturity: '2030-01-01',
      },
    },
    {
      item: 'instrument',
      instrument: { cusip: '037833100', ticker: 'AAPL', name: 'Apple & Co', type: 'stock' },
    },
  ]);
  expect(items[2]).toEqual({
    item: 'entry',
    place: { line: 7, field: 'BUYSTOCK' },
    account: { number: 'INV-1', institution: 'broker.example' },
    statedAt: '2024-02-01T00:00:00.000Z',
    statement: 'INV-1/2024-02-01',
    status: 'booked',
    kind: 'trade',
    reference: 'B1',
    date: '2024-01-10',
    settlementDate: '2024-01-12',
    executedAt: '2024-01-10T15:15:00.000Z',
    comment: 'Bought',
    instrument: { cusip: '037833100', ticker: 'AAPL', name: 'Apple & Co', type: 'stock' },
    quantity: '10',
    price: '184.4',
    amount: '-1849',
    currency: 'USD',
    fees: '5',
    typeWord: 'BUYSTOCK BUY',
  });
  const fund = { ticker: 'F' };
  expect(items.slice(3)).toMatchObject([
    {
      kind: 'trade',
      instrument: { isin: 'CH0038863350' },
      quantity: '-5000',
      amount: '4935',
      taxes: '2',
      accruedInterest: '12',
    },
    { kind: 'dividend', amount: '24', taxes: '3.6' },
    { kind: 'coupon', amount: '50', instrument: { custodianCode: 'X-1', name: 'Bond 2 %', type: 'bond' } },
    { kind: 'dividend', reference: 'R1/income', amount: '20', instrument: fund },
    { kind: 'trade', reference: 'R1', amount: '-20', quantity: '2', price: '10', instrument: fund },
    { kind: 'flow', reference: 'C1', amount: '500', account: { number: 'INV-1' } },
    { kind: 'flow', quantity: '-7', instrument: fund },
    { kind: 'corporate-action', action: 'return-of-capital', amount: '3' },
    { kind: 'corporate-action', action: 'split', ratio: '4:1', quantity: '30' },
    { kind: 'interest', amount: '-7' },
    { kind: 'fee', amount: '-8', instrument: fund },
    { kind: 'redemption', quantity: '-2', amount: '0', typeWord: 'CLOSUREOPT EXPIRE' },
    {
      item: 'problem',
      place: { line: 19, field: 'JRNLFUND' },
      detail: 'JRNLFUND moves cash between the sub-accounts of one account: there is nothing to book.',
    },
    {
      kind: 'trade',
      reference: 'S2',
      cancels: { reference: 'B1' },
      quantity: '-10',
      amount: '1849',
      typeWord: 'SELLSTOCK SELL',
    },
    { item: 'problem', detail: 'BUYGOLD is not a transaction or position of OFX.' },
    {
      item: 'position',
      date: '2024-01-31',
      quantity: '-10',
      price: '185',
      priceDate: '2024-01-30',
      value: '-1850',
      valueCurrency: 'USD',
    },
    { item: 'balance', moment: 'closing', amount: '321.5', date: '2024-01-31', currency: 'USD' },
  ]);
});

test('SGML gives the same as XML, with the lines of its own', () => {
  const placeless = (items: readonly StatementItem[]) => items.map((one) => ({ ...one, place: null }));
  const leaves = investmentBody.replace(/<\/(?:[A-Z]+)>(?=<)/g, (tag) =>
    investmentBody.includes(`<${tag.slice(2, -1)}><`) ? tag : '',
  );
  expect(leaves.length).toBeLessThan(investmentBody.length);
  for (const body of [investmentBody, leaves]) {
    expect(placeless(readStatement(`${header}${body}`))).toEqual(placeless(readStatement(investment)));
  }
});

test('an empty list may be written as one tag, also in SGML', () => {
  const transactions = /<INVTRANLIST>[^]*<\/INVTRANLIST>/;
  expect(investmentBody).toMatch(transactions);
  const items = readStatement(`${header}${investmentBody.replace(transactions, '<INVTRANLIST/>')}`);
  expect(items.map(({ item }) => item)).toEqual(['instrument', 'instrument', 'position', 'balance']);
});

test('a security has the currency that the list states for it, and one that does not exist is a problem', () => {
  const stated = (code: string) =>
    readStatement(
      investmentBody.replace(
        '<TICKER>AAPL',
        `<CURRENCY><CURRATE>1</CURRATE><CURSYM>${code}</CURSYM></CURRENCY><TICKER>AAPL`,
      ),
    ).filter((one) => one.item === 'instrument' || (one.item === 'problem' && one.place.field === 'CURSYM'));
  const bond = {
    item: 'instrument',
    place: { line: 24, field: 'DEBTINFO' },
    statedAt: '2024-02-01T00:00:00.000Z',
    instrument: { custodianCode: 'X-1', name: 'Bond 2 %', type: 'bond', maturity: '2030-01-01', couponRate: '2' },
  };
  expect(stated('gbp')).toEqual([
    bond,
    {
      item: 'instrument',
      place: { line: 25, field: 'STOCKINFO' },
      statedAt: '2024-02-01T00:00:00.000Z',
      instrument: { ticker: 'AAPL', cusip: '037833100', name: 'Apple & Co', type: 'stock', currency: 'GBP' },
    },
  ]);
  expect(stated('pounds')).toMatchObject([
    bond,
    {
      item: 'problem',
      place: { line: 25, field: 'CURSYM' },
      detail: '"POUNDS" in CURSYM is not a currency code.',
    },
  ]);
});

describe('a card statement', () => {
  const card = `${header}${signOn}<CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>EUR<CCACCTFROM><ACCTID>4111</CCACCTFROM><BANKTRANLIST>`;

  test('has its own account; the same transaction twice has one reference, another under it gets a number', () => {
    const line = (amount: string) =>
      `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240101<TRNAMT>${amount}<FITID>X<NAME>Shop</STMTTRN>`;
    const items = readStatement(
      `${card}${line('-1')}${line('-2')}${line('-1')}</BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>`,
    );
    expect(items.map((one) => one.item === 'entry' && [one.reference, one.account?.number])).toEqual([
      ['X', '4111'],
      ['X#2', '4111'],
      ['X', '4111'],
    ]);
  });

  test.each([
    ['no amount', '<STMTTRN><DTPOSTED>20240101<FITID>X</STMTTRN>', 'TRNAMT is missing.'],
    [
      'a wrong amount',
      '<STMTTRN><DTPOSTED>20240101<TRNAMT>1.2.3<FITID>X</STMTTRN>',
      '"1.2.3" in TRNAMT is not a number.',
    ],
    ['no date', '<STMTTRN><TRNAMT>1<FITID>X</STMTTRN>', 'DTPOSTED is missing.'],
    ['a wrong date', '<STMTTRN><TRNAMT>1<DTPOSTED>20240230<FITID>X</STMTTRN>', '"20240230" in DTPOSTED is not a date.'],
    [
      'a correction of another kind',
      '<STMTTRN><TRNAMT>1<DTPOSTED>20240101<FITID>X<CORRECTFITID>Y<CORRECTACTION>UNDO</STMTTRN>',
      'CORRECTACTION is neither REPLACE nor DELETE.',
    ],
  ])('with %s has a problem with its line, and the others are read', (_, line, detail) => {
    const good = '<STMTTRN><TRNAMT>1<DTPOSTED>20240101<FITID>Z</STMTTRN>';
    const items = readStatement(`${card}\n${line}\n${good}</BANKTRANLIST></CCSTMTRS></OFX>`);
    expect(items).toMatchObject([
      { item: 'problem', place: { line: 14 }, detail },
      { item: 'entry', reference: 'Z' },
    ]);
  });

  test('with end tags missing loses no transaction', () => {
    const items = readStatement(
      `${card}<STMTTRN><TRNAMT>1<DTPOSTED>20240101<FITID>A<STMTTRN><TRNAMT>2<DTPOSTED>20240101<FITID>B</BANKTRANLIST></CCSTMTRS></OFX>`,
    );
    expect(items).toMatchObject([
      { amount: '1', reference: 'A' },
      { amount: '2', reference: 'B' },
    ]);
  });

  test('with a damaged tag loses no transaction', () => {
    const end = '</BANKTRANLIST></CCSTMTRS></OFX>';
    const fields = '<TRNAMT>1<DTPOSTED>20240101<FITID>A</STMTTRN>';
    for (const tag of ['STMTTRN>', '<STMTTRM>', '<STMTTRN', '']) {
      const problems = readStatement(`${card}${tag}${fields}${end}`).filter((one) => one.item === 'problem');
      expect([tag, problems.length > 0]).toEqual([tag, true]);
    }
  });

  test('with a currency that does not exist has a problem, and its transactions state none', () => {
    const line = '<STMTTRN><TRNAMT>1<DTPOSTED>20240101<FITID>A</STMTTRN>';
    const items = readStatement(`${card.replace('EUR', 'euros')}\n${line}</BANKTRANLIST></CCSTMTRS></OFX>`);
    expect(items).toEqual([
      {
        item: 'problem',
        place: { line: 13, field: 'CURDEF' },
        detail: '"EUROS" in CURDEF is not a currency code.',
      },
      {
        item: 'entry',
        place: { line: 14, field: 'STMTTRN' },
        account: { number: '4111' },
        statedAt: '2024-02-01T13:30:00.000Z',
        statement: '4111/2024-02-01',
        status: 'booked',
        kind: 'flow',
        reference: 'A',
        date: '2024-01-01',
        amount: '1',
      },
    ]);
  });

  test('that is cut off says so and never books a part of a number', () => {
    const text = `${card}<STMTTRN><TRNAMT>1<DTPOSTED>20240101<FITID>A</STMTTRN><STMTTRN><FITID>B<TRNAMT>12`;
    const { items, fault } = outcomeOf(() => openStatementReader(recogniseFormat(text)!), [text]);
    expect([items, fault]).toMatchObject([[{ amount: '1' }], 'Line 13: The file ends within STMTTRN: it was cut off.']);
  });

  test('without an account number makes a problem of every transaction', () => {
    const items = readStatement(
      `${card.replace('<ACCTID>4111', '')}<STMTTRN><TRNAMT>1<DTPOSTED>20240101<FITID>A</STMTTRN></BANKTRANLIST></CCSTMTRS></OFX>`,
    );
    expect(items).toMatchObject([{ item: 'problem', detail: expect.stringContaining('has no ACCTID') }]);
  });
});

test.each([
  ['&#xD7FF;', '\ud7ff'],
  ['&#xD800;', '&#xD800;'],
  ['&#57343;', '&#57343;'],
  ['&#xE000;', '\ue000'],
  ['&#x10FFFF;', '\u{10ffff}'],
  ['&#1114112;', '&#1114112;'],
  ['&#0;', '&#0;'],
  ['&#1;', '\u0001'],
  ['&AMP;&lt;&gt;&nope;', '&<>&nope;'],
])('the reference %s in a text is a character only if there is one', (written, character) => {
  const line = `<STMTTRN><TRNAMT>1<DTPOSTED>20240101<FITID>X<NAME>a${written}b</STMTTRN>`;
  const [entry] = readStatement(
    `${header}${signOn}<CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>EUR<CCACCTFROM><ACCTID>4111</CCACCTFROM><BANKTRANLIST>${line}</BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>`,
  );
  expect(JSON.stringify(entry)).toContain(JSON.stringify(`a${character}b`));
});

describe('a file that is no statement ends with a fault', () => {
  test.each([
    [
      'entities',
      `${header}<!DOCTYPE OFX [<!ENTITY a "b">]><OFX></OFX>`,
      'Document type definitions and other declarations are not accepted.',
    ],
    [
      'entities in XML',
      '<?xml version="1.0"?><!DOCTYPE OFX [<!ENTITY a "b">]><OFX></OFX>',
      'Document type definitions are not accepted',
    ],
    ['deep nesting', `${header}<OFX>${'<A>'.repeat(100)}`, 'Elements are nested deeper than 64 levels.'],
    ['endless text', `${header}<OFX><A>${'x'.repeat(70_000)}`, 'is longer than 65536 characters'],
    ['endless text in pieces', `${header}<OFX><A>${'x<!-- -->'.repeat(70_000)}`, 'is longer than 65536 characters'],
    ['endless tags', `${header}<OFX><A${'x'.repeat(70_000)}`, 'is longer than 65536 characters'],
    ['no statement', `${header}<OFX></OFX>`, 'The file has no statement'],
  ])('%s', (_, text, message) => {
    expect(() => readStatement(text)).toThrow(message);
  });

  test('an error of the institution is said', () => {
    expect(
      readStatement(
        `${header}<OFX><SONRS><STATUS><CODE>15500<SEVERITY>ERROR<MESSAGE>Signon invalid</STATUS></SONRS></OFX>`,
      ),
    ).toMatchObject([
      {
        item: 'problem',
        detail: 'The institution answered with an error instead of a statement: 15500, Signon invalid.',
      },
    ]);
  });
});

test.each([
  ['OFX 1', bank],
  [
    'OFX 2',
    `<?xml version="1.0"?>\n${investmentBody.slice(0, investmentBody.indexOf('<INCOME>'))}</INVTRANLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1></OFX>`,
  ],
])('%s gives the same items wherever it is cut, and damage never crashes it', (_, text) => {
  const open = () => openStatementReader(recogniseFormat(text)!);
  expect(findCutThatMatters(open, text)).toBeUndefined();
  expect(() => checkDamage(open, text)).not.toThrow();
});

test('a type that is a word and not one of the standard means what the word means', () => {
  const read = (type: string) =>
    readStatement(bank.replace('<TRNTYPE>DEBIT\n', `<TRNTYPE>${type}\n`)).find(({ item }) => item === 'entry');
  expect(read('INTEREST')).toMatchObject({ kind: 'interest', amount: '-45.1', byWord: { isKnown: true } });
  expect(read('SOMETHING')).toMatchObject({ kind: 'flow', typeWord: 'SOMETHING', byWord: { isKnown: true } });
  expect(read('POS')).not.toHaveProperty('byWord');
});
