import { describe, expect, test } from 'vitest';
import { CamtText, type CamtDetailText, type CamtEntryText } from '../../../tests/setup/statements/camt-text.ts';
import { readStatement } from '../../../tests/setup/statements/read-statement.ts';
import type { StatementEntry } from '../../model/custody/statement.ts';

// What banks may write for the same fact in camt.052 and camt.053.

const text = new CamtText({ version: 8 });
const readEntry = (entry: CamtEntryText) =>
  readStatement(text.document([{ entries: [text.entry(entry)] }]))[0] as StatementEntry;

describe('a trade', () => {
  const trade = (rest: string, more: CamtEntryText = {}, detail: CamtDetailText = {}) =>
    readEntry({ code: 'SECU/SETT/TRAD', direction: 'DBIT', ...more, details: text.detail({ ...detail, rest }) });
  const units = '<RltdQties><Qty><Unit>3</Unit></Qty></RltdQties>';
  const charges = (content: string) => `<Chrgs>${content}</Chrgs>`;
  const amount = (value: string, currency = 'CHF') => `<Amt Ccy="${currency}">${value}</Amt>`;

  test.each([
    ['units that come in for what is paid', units, {}, { quantity: '3' }],
    ['units that go out for what is paid back', units, { direction: 'CRDT' }, { quantity: '-3' }],
    ['its day', '<RltdDts><TradDt>2024-02-28</TradDt></RltdDts>', {}, { date: '2024-02-28' }],
    [
      'its moment',
      '<RltdDts><TxDtTm>2024-02-28T10:00:00+01:00</TxDtTm></RltdDts>',
      {},
      { executedAt: '2024-02-28T09:00:00.000Z' },
    ],
    ['a price', `<RltdPric><DealPric><Val>${amount('98')}</Val></DealPric></RltdPric>`, {}, { price: '98' }],
    ['a price of older versions', '<RltdPric><DealPric Ccy="CHF">98</DealPric></RltdPric>', {}, { price: '98' }],
    [
      'a price in percent',
      '<RltdPric><DealPric><Val><Rate>98.5</Rate></Val></DealPric></RltdPric>',
      {},
      { price: '98.5' },
    ],
    [
      'the total of its charges',
      charges(`<TtlChrgsAndTaxAmt Ccy="CHF">5</TtlChrgsAndTaxAmt><Rcrd>${amount('2')}</Rcrd>`),
      {},
      { fees: '5' },
    ],
    [
      'the sum of its charges',
      charges(`<Rcrd>${amount('2')}</Rcrd><Rcrd>${amount('1.5')}</Rcrd>`),
      {},
      { fees: '3.5' },
    ],
    ['a charge of older versions', charges(amount('2')), {}, { fees: '2' }],
    ['its taxes', '<Tax><TtlTaxAmt Ccy="CHF">4</TtlTaxAmt></Tax>', {}, { taxes: '4' }],
    ['its depository', '<SfkpgAcct><Id>D-1</Id></SfkpgAcct>', {}, { depository: { number: 'D-1' } }],
  ])('has %s', (_, rest, more, expected) => {
    expect(trade(rest, more)).toMatchObject({ kind: 'trade', ...expected });
  });

  test.each([
    [
      'a price in another currency',
      `<RltdPric><DealPric><Val>${amount('98', 'USD')}</Val></DealPric></RltdPric>`,
      'price',
    ],
    ['charges of nothing', charges(`<Rcrd>${amount('0')}</Rcrd>`), 'fees'],
    ['charges without an amount', charges('<Rcrd/>'), 'fees'],
    ['charges in another currency', charges(`<Rcrd>${amount('1')}</Rcrd><Rcrd>${amount('1', 'USD')}</Rcrd>`), 'fees'],
    ['taxes in another currency', '<Tax><TtlTaxAmt Ccy="USD">4</TtlTaxAmt></Tax>', 'taxes'],
    ['taxes of nothing', '<Tax><TtlTaxAmt Ccy="CHF">0</TtlTaxAmt></Tax>', 'taxes'],
    ['a moment without its offset', '<RltdDts><TxDtTm>2024-02-28T10:00:00</TxDtTm></RltdDts>', 'executedAt'],
  ])('has none by %s', (_, rest, name) => {
    expect(trade(rest)).not.toHaveProperty(name);
  });

  test('is told from a redemption, which has units too, and from income, which has taxes alone', () => {
    const rest = `${units}<Tax><TtlTaxAmt Ccy="CHF">4</TtlTaxAmt></Tax>`;
    expect(trade(rest, { code: 'SECU/CUST/REDM', direction: 'CRDT' })).toMatchObject({
      kind: 'redemption',
      quantity: '-3',
      taxes: '4',
    });
    for (const [code, kind] of [
      ['SECU/CUST/DVCA', 'dividend'],
      ['SECU/CUST/INTR', 'coupon'],
      ['ACMT/MCOP/INTR', 'interest'],
    ] as const) {
      const income = trade(rest, { code, direction: 'CRDT' });
      expect(income).toMatchObject({ kind, taxes: '4' });
      expect(income).not.toHaveProperty('quantity');
    }
    expect(trade(rest, { code: 'PMNT/RCDT/ESCT' })).not.toHaveProperty('taxes');
  });
});

describe('the comment of an entry', () => {
  const commentOf = (content: string, more: CamtEntryText = {}) =>
    readEntry({ ...more, details: `<TxDtls>${content}</TxDtls>` }).comment;
  const party = (role: string, name: string, id: string) =>
    `<${role}>${name}</${role}><${role}Acct><Id>${id}</Id></${role}Acct>`;
  const parties = `<RltdPties>${party('Dbtr', '<Pty><Nm>Ada</Nm></Pty>', '<IBAN>DE1</IBAN>')}${party('Cdtr', '<Nm>Bob</Nm>', '<Othr><Id>17</Id></Othr>')}</RltdPties>`;

  test.each([
    ['who paid', parties, {}, 'Ada\nDE1'],
    ['who was paid', parties, { direction: 'DBIT' }, 'Bob\n17'],
    ['every line of the purpose', '<RmtInf><Ustrd>Rent</Ustrd><Ustrd>May</Ustrd></RmtInf>', {}, 'Rent\nMay'],
    [
      'the reference of the creditor',
      '<RmtInf><Strd><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf></Strd><Strd><RfrdDocAmt/></Strd></RmtInf>',
      {},
      'RF18',
    ],
    ['what is added to the detail and to the entry', '<AddtlTxInf>one</AddtlTxInf>', { note: 'two' }, 'one\ntwo'],
    ['the same words once', '<AddtlTxInf>one</AddtlTxInf>', { note: 'one' }, 'one'],
    ['nothing', '', {}, undefined],
  ])('says %s', (_, content, more, comment) => {
    expect(commentOf(content, more)).toBe(comment);
  });

  test('has at most 2,000 characters, and no half of one', () => {
    expect([1_999, 2_000, 2_001].map((length) => commentOf('', { note: 'x'.repeat(length) })?.length)).toEqual([
      1_999, 2_000, 2_000,
    ]);
    expect(commentOf('', { note: `${'x'.repeat(1_999)}😀` })!.isWellFormed()).toBe(true);
  });
});

describe('the account', () => {
  const accountOf = (account: string) =>
    readStatement(text.document([{ account: `<Acct>${account}</Acct>`, entries: [text.entry()] }]))[0]!.account;
  const servicer = (content: string) => `<Id><IBAN>CH93</IBAN></Id><Svcr><FinInstnId>${content}</FinInstnId></Svcr>`;

  test.each([
    ['<Id><IBAN>CH93</IBAN></Id><Ccy>CHF</Ccy>', { number: 'CH93', currency: 'CHF' }],
    ['<Id><Othr><Id>17</Id></Othr></Id>', { number: '17' }],
    ['<Id><PrtryAcct><Id>17</Id></PrtryAcct></Id>', { number: '17' }],
    ['<Id><BBAN>17</BBAN></Id>', { number: '17' }],
    ['<Id>17</Id>', { number: '17' }],
    [servicer('<BICFI>UBSWCHZH80A</BICFI><Nm>UBS</Nm>'), { number: 'CH93', institution: 'UBSWCHZH80A' }],
    [servicer('<BIC>UBSWCHZH80A</BIC><Nm>UBS</Nm>'), { number: 'CH93', institution: 'UBSWCHZH80A' }],
    [servicer('<ClrSysMmbId><MmbId>230</MmbId></ClrSysMmbId><Nm>UBS</Nm>'), { number: 'CH93', institution: '230' }],
    [servicer('<Nm>UBS</Nm>'), { number: 'CH93', institution: 'UBS' }],
  ])('is %s', (account, expected) => {
    expect(accountOf(account)).toEqual(expected);
  });
});

describe('the status of an entry', () => {
  test.each([
    ['BOOK', 'booked'],
    ['PDNG', 'pending'],
    ['FUTR', 'pending'],
    ['INFO', 'pending'],
  ])('%s is %s', (status, expected) => {
    expect(readEntry({ status })).toMatchObject({ status: expected });
    const older = new CamtText({ version: 4 });
    expect(readStatement(older.document([{ entries: [older.entry({ status })] }]))[0]).toMatchObject({
      status: expected,
    });
  });
});

describe('the days of an entry', () => {
  test('are those of booking and value, of which one is enough', () => {
    expect(readEntry({ booked: '2024-03-01T10:00:00', valued: '2024-03-04' })).toMatchObject({
      date: '2024-03-01',
      settlementDate: '2024-03-04',
    });
    expect(readEntry({ booked: '', valued: '2024-03-04' })).toMatchObject({
      date: '2024-03-04',
      settlementDate: '2024-03-04',
    });
    expect(readEntry({})).not.toHaveProperty('settlementDate');
  });
});

describe('the name of a statement', () => {
  test.each([
    ['<Id>S-1</Id><ElctrncSeqNb>7</ElctrncSeqNb><LglSeqNb>8</LglSeqNb>', 'S-1'],
    ['<Id></Id><ElctrncSeqNb>7</ElctrncSeqNb><LglSeqNb>8</LglSeqNb>', '7'],
    ['<ElctrncSeqNb></ElctrncSeqNb><LglSeqNb>8</LglSeqNb>', '8'],
  ])('has its number: %s', (numbers, name) => {
    const document = text
      .document([{ entries: [text.entry()] }])
      .replace('<Id>S-1</Id><ElctrncSeqNb>1</ElctrncSeqNb>', numbers);
    expect(readStatement(document)[0]).toMatchObject({ statement: `CH9300762011623852957/CHF/${name}` });
  });

  test.each(['', '<LglSeqNb></LglSeqNb>'])(
    'is that of the account and currency where it has no number: %j',
    (number) => {
      const document = text
        .document([{ entries: [text.entry()] }])
        .replace('<Id>S-1</Id><ElctrncSeqNb>1</ElctrncSeqNb>', number);
      expect((readStatement(document)[0] as StatementEntry).statement).toBe('CH9300762011623852957/CHF');
    },
  );

  test('it was stated when it was made, or else when the message was', () => {
    const document = text.document([{ entries: [text.entry()] }]);
    const without = document.replace('<CreDtTm>2024-03-02T05:30:00+01:00</CreDtTm>', '');
    expect([document, without].map((one) => (readStatement(one)[0] as StatementEntry).statedAt)).toEqual([
      '2024-03-02T04:30:00.000Z',
      '2024-03-02T05:00:00.000Z',
    ]);
  });
});

describe('balances', () => {
  const balance = (type: string) =>
    readStatement(text.document([{ balances: [text.balance('X', '1', '2024-03-01').replace(/<Tp>.*<\/Tp>/, type)] }]));

  test.each<[string, string | undefined]>([
    ['<Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp>', 'balance'],
    ['<Tp><Cd>CLBD</Cd></Tp>', 'balance'],
    ['<Tp><Prtry>CLBD</Prtry></Tp>', undefined],
    ['<Tp><CdOrPrtry><Prtry>CLBD</Prtry></CdOrPrtry></Tp>', undefined],
    ...['CLAV', 'FWAV', 'ITAV', 'OPAV', 'XPCD', 'INFO', 'XCRD', 'XBAL', 'PERM', 'UBDT', 'BLCK'].map(
      (code): [string, undefined] => [`<Tp><Cd>${code}</Cd></Tp>`, undefined],
    ),
  ])('by their type: %s is %s', (type, item) => {
    expect(balance(type)[0]?.item).toBe(item);
  });

  test.each([
    ['<Tp/>', 'Balance: The type (Tp) is missing.'],
    ['', 'Balance: Tp is missing.'],
  ])('without a type are a problem: %j', (type, detail) => {
    expect(balance(type)).toMatchObject([{ item: 'problem', detail }]);
  });

  test('of several currencies are an opening and a closing one of each', () => {
    const of = (code: string, currency: string) =>
      text.balance(code, '1', '2024-03-01').replace('"CHF"', `"${currency}"`);
    const items = readStatement(
      text.document([{ balances: [of('OPBD', 'CHF'), of('OPBD', 'USD'), of('CLBD', 'CHF'), of('CLBD', 'USD')] }]),
    );
    expect(items.map((item) => item.item === 'balance' && `${item.moment} ${item.currency}`)).toEqual([
      'opening CHF',
      'closing CHF',
      'opening USD',
      'closing USD',
    ]);
  });

  test('of several days are the first and the last', () => {
    const of = (code: string, amount: string, day: string) => text.balance(code, amount, day);
    const balances = [
      of('OPBD', '1', '2024-03-01'),
      of('CLBD', '2', '2024-03-01'),
      of('OPBD', '2', '2024-03-02'),
      of('CLBD', '3', '2024-03-02'),
    ];
    expect(readStatement(text.document([{ balances }])).map((item) => item.item === 'balance' && item.amount)).toEqual([
      '1',
      '3',
    ]);
  });
});

describe('details of a batch', () => {
  const amountsOf = (...details: readonly string[]) =>
    readStatement(
      text.document([{ entries: [text.entry({ amount: '30', reference: 'B', details: details.join('') })] }]),
    ).map((item) => item.item === 'entry' && item.amount);
  const detail = (amount: string, more = '') => `<TxDtls><Amt Ccy="CHF">${amount}</Amt>${more}</TxDtls>`;

  test('may each have a direction, in which they add up', () => {
    expect(amountsOf(detail('40'), detail('10', '<CdtDbtInd>DBIT</CdtDbtInd>'))).toEqual(['40', '-10']);
    expect(amountsOf(detail('40'), detail('10'))).toEqual(['30']);
  });

  test('in another currency do not add up', () => {
    expect(amountsOf(detail('20'), detail('10').replace('CHF', 'USD'))).toEqual(['30']);
  });
});
