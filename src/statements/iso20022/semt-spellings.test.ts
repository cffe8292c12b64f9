import { describe, expect, test } from 'vitest';
import { holdingText, movementText, semt002, semt017 } from '../../../tests/setup/statements/semt-text.ts';
import { readStatement } from '../../../tests/setup/statements/read-statement.ts';

/** What a custodian may write for the same fact, each read from a whole file. */
const firstOf = (text: string) => readStatement(text)[0];

const isin = '<FinInstrmId><ISIN>CH0012032048</ISIN></FinInstrmId>';
const movement = (more: Parameters<typeof movementText>[0]) =>
  firstOf(semt017(`<FinInstrmDtls>${isin}${movementText(more)}</FinInstrmDtls>`));
const holding = (more: Parameters<typeof holdingText>[0]) =>
  firstOf(semt002(`<BalForAcct>${holdingText(more)}</BalForAcct>`));

describe('the reason of a movement', () => {
  const event = (code: string) =>
    `<SttlmTxOrCorpActnEvtTp><CorpActnEvtTp>${code}</CorpActnEvtTp></SttlmTxOrCorpActnEvtTp>`;
  const settlement = (code: string) =>
    `<SttlmTxOrCorpActnEvtTp><SctiesTxTp>${code}</SctiesTxTp></SttlmTxOrCorpActnEvtTp>`;

  test.each([
    ['a code', event('<Cd>MRGR</Cd>'), 'corporate-action', 'SETT/MRGR/RECE/FREE'],
    [
      'a word with its issuer',
      event('<Prtry><Id>MRGR</Id><Issr>X</Issr></Prtry>'),
      'corporate-action',
      'SETT/MRGR/RECE/FREE',
    ],
    ['a word alone', event('<Prtry>MRGR</Prtry>'), 'corporate-action', 'SETT/MRGR/RECE/FREE'],
    ['a code of the custodian', settlement('<Prtry><Id>GIFT</Id></Prtry>'), 'flow', 'SETT/GIFT/RECE/FREE'],
    ['not said', '', 'flow', 'SETT/RECE/FREE'],
  ])('is %s', (_, type, kind, typeWord) => {
    expect(movement({ payment: 'FREE', type })).toMatchObject({ kind, typeWord });
  });
});

describe('the cash of a movement', () => {
  const paid = (content: string) => `<PstngAmt>${content}</PstngAmt>`;
  const dividend = '<SttlmTxOrCorpActnEvtTp><CorpActnEvtTp><Cd>DVCA</Cd></CorpActnEvtTp></SttlmTxOrCorpActnEvtTp>';
  const coupon = dividend.replace('DVCA', 'INTR');

  test.each([
    ['goes out for what is received', {}, '<Amt Ccy="CHF">9</Amt>', '-9'],
    ['comes in for what is delivered', { movement: 'DELI' }, '<Amt Ccy="CHF">9</Amt>', '9'],
    ['goes where the file says', {}, '<Amt Ccy="CHF">9</Amt><CdtDbtInd>CRDT</CdtDbtInd>', '9'],
    ['goes where an older file says', {}, '<Amt Ccy="CHF">9</Amt><CdtDbt>CRDT</CdtDbt>', '9'],
    ['of income comes in with units received', { type: coupon }, '<Amt Ccy="CHF">9</Amt>', '9'],
    ['of income goes out with units delivered', { type: dividend, movement: 'DELI' }, '<Amt Ccy="CHF">9</Amt>', '-9'],
  ])('%s', (_, more, content, amount) => {
    expect(movement({ ...more, amount: paid(content) })).toMatchObject({ amount, currency: 'CHF' });
  });

  test('may be the amount itself', () => {
    expect(movement({ amount: '<PstngAmt Ccy="USD">9</PstngAmt>' })).toMatchObject({ amount: '-9', currency: 'USD' });
  });

  test('is none of a free movement, even where an amount is stated', () => {
    const free = movement({ payment: 'FREE', amount: paid('<Amt Ccy="CHF">9</Amt>') });
    expect(free).toMatchObject({ kind: 'flow', quantity: '10' });
    expect(free).not.toHaveProperty('amount');
  });

  test('of income counts without its units', () => {
    for (const type of [dividend, coupon])
      expect(movement({ type, amount: paid('<Amt Ccy="CHF">9</Amt>') })).not.toHaveProperty('quantity');
  });

  test.each([
    ['<PstngAmt><Amt Ccy="CHF">9</Amt><AcrdIntrst Ccy="CHF">1.5</AcrdIntrst></PstngAmt>', '1.5'],
    ['<AcrdIntrstAmt><Amt Ccy="CHF">2.5</Amt></AcrdIntrstAmt><PstngAmt><Amt Ccy="CHF">9</Amt></PstngAmt>', '2.5'],
  ])('has accrued interest in it: %s', (amount, accruedInterest) => {
    expect(movement({ amount })).toMatchObject({ accruedInterest });
  });
});

describe('the days of a movement', () => {
  const at = (dates: string) => {
    const text = movementText().replace('<FctvSttlmDt><Dt>2024-03-05</Dt></FctvSttlmDt>', dates);
    return firstOf(semt017(`<FinInstrmDtls>${isin}${text}</FinInstrmDtls>`));
  };

  test.each([
    ['settled', '<FctvSttlmDt><DtTm>2024-03-05T09:00:00Z</DtTm></FctvSttlmDt>', '2024-03-05', '2024-03-05'],
    ['to be settled', '<SttlmDt><Dt>2024-03-06</Dt></SttlmDt>', '2024-03-06', '2024-03-06'],
    [
      'settled before it was to be',
      '<SttlmDt><Dt>2024-03-06</Dt></SttlmDt><FctvSttlmDt><Dt>2024-03-05</Dt></FctvSttlmDt>',
      '2024-03-05',
      '2024-03-05',
    ],
    [
      'traded',
      '<TradDt><Dt>2024-03-01</Dt></TradDt><SttlmDt><Dt><Dt>2024-03-06</Dt></Dt></SttlmDt>',
      '2024-03-01',
      '2024-03-06',
    ],
    [
      'traded, to be settled some day',
      '<TradDt><Dt>2024-03-01</Dt></TradDt><SttlmDt><DtCd>OPEN</DtCd></SttlmDt>',
      '2024-03-01',
      undefined,
    ],
    [
      'traded, and settled some day',
      '<TradDt><Dt>2024-03-01</Dt></TradDt><SttlmDt><Dt><DtCd>OPEN</DtCd></Dt></SttlmDt>',
      '2024-03-01',
      undefined,
    ],
    [
      'traded some day',
      '<TradDt><Dt><DtCd>UNKN</DtCd></Dt></TradDt><SttlmDt><Dt>2024-03-06</Dt></SttlmDt>',
      '2024-03-06',
      '2024-03-06',
    ],
  ])('%s', (_, dates, date, settlementDate) => {
    const entry = at(dates);
    expect(entry).toMatchObject({ item: 'entry', date });
    expect((entry as { settlementDate?: string }).settlementDate).toBe(settlementDate);
  });

  test('none of them is a problem', () => {
    expect(at('')).toMatchObject({ item: 'problem', detail: 'Transaction: It has neither FctvSttlmDt nor TradDt.' });
  });
});

describe('the reference of a movement', () => {
  const names = ['AcctSvcrTxId', 'AcctOwnrTxId', 'MktInfrstrctrTxId', 'PrcrTxId', 'CmonId'];
  const withIds = (ids: string, rest = '') => movementText({ rest }).replace(/<AcctOwnrTxId>.*<\/AcctSvcrTxId>/, ids);
  const readIds = (...texts: readonly string[]) =>
    readStatement(semt017(`<FinInstrmDtls>${isin}${texts.join('')}</FinInstrmDtls>`));

  test('is the first that says something, the one of the custodian before others', () => {
    for (const [index, name] of names.entries()) {
      const others = names.slice(index + 1).map((other) => `<${other}>later</${other}>`);
      const before = names.slice(0, index).map((other) => `<${other}>NONREF</${other}>`);
      expect(readIds(withIds([...others, `<${name}>own</${name}>`, ...before].join('')))).toMatchObject([
        { reference: 'own' },
      ]);
    }
  });

  test('is missing where none is stated, and a reversal then takes back what is the same', () => {
    const [plain, reversal] = readIds(withIds(''), withIds('', '<RvslInd>1</RvslInd>'));
    for (const item of [plain, reversal]) expect(item).not.toHaveProperty('reference');
    expect(plain).not.toHaveProperty('cancels');
    expect(reversal).toMatchObject({ cancels: 'same-content' });
  });

  test('is told apart where movements share it', () => {
    expect(readIds(movementText(), movementText())).toMatchObject([{ reference: 'TX-1' }, { reference: 'TX-1#2' }]);
  });
});

describe('the instrument', () => {
  const own = '<FinInstrmId><ISIN>US0378331005</ISIN></FinInstrmId>';

  test('that a movement names itself goes before that of its block', () => {
    expect(movement({ rest: own })).toMatchObject({ instrument: { isin: 'US0378331005' } });
  });

  test.each([
    ['a movement', movementText(), 'Transaction'],
    ['a closing balance', '<ClsgBal><Qty><Unit>1</Unit></Qty></ClsgBal>', 'Closing balance'],
  ])('of %s must be named', (_, text, record) => {
    const detail = `${record}: The instrument is missing or has no identifier.`;
    for (const id of ['', '<FinInstrmId><Sctr>x</Sctr></FinInstrmId>'])
      expect(firstOf(semt017(`<FinInstrmDtls>${id}${text}</FinInstrmDtls>`))).toMatchObject({
        item: 'problem',
        detail,
      });
  });

  test('of one block is not that of the next', () => {
    const items = readStatement(
      semt017(
        `<FinInstrmDtls>${isin}${movementText()}</FinInstrmDtls><FinInstrmDtls>${movementText()}</FinInstrmDtls>`,
      ),
    );
    expect(items).toMatchObject([{ item: 'entry' }, { item: 'problem', place: { field: 'FinInstrmId' } }]);
  });

  const other = (id: string, type: string) => `<OthrId><Id>${id}</Id><Tp>${type}</Tp></OthrId>`;
  test.each([
    ['a lower-case ISIN', '<ISIN>ch0012032048</ISIN>', { isin: 'CH0012032048' }],
    ['an ISIN in Id', '<Id><ISIN>CH0012032048</ISIN></Id>', { isin: 'CH0012032048' }],
    ['a CUSIP', other('037833100', '<Cd>CUSP</Cd>'), { cusip: '037833100' }],
    ['a CUSIP by country', other('037833100', '<Prtry>US</Prtry>'), { cusip: '037833100' }],
    ['a SEDOL', other('0540528', '<Cd>SEDL</Cd>'), { sedol: '0540528' }],
    ['a SEDOL by country', other('0540528', '<Prtry>GB</Prtry>'), { sedol: '0540528' }],
    ['a ticker', other('AAPL', '<Cd>TIKR</Cd>'), { ticker: 'AAPL' }],
    ['a ticker of older messages', other('AAPL', '<Prtry>TS</Prtry>'), { ticker: 'AAPL' }],
    ['a Reuters code', other('AAPL.O', '<Cd>RICC</Cd>'), { ticker: 'AAPL.O' }],
    ['a code of any other type', other('1203204', '<Prtry>VALOR</Prtry>'), { custodianCode: '1203204' }],
    ['a code without a type', '<OthrId><Id>1203204</Id></OthrId>', { custodianCode: '1203204' }],
    ['a proprietary word', '<Prtry>1203204</Prtry>', { custodianCode: '1203204' }],
    ['the first of two codes', other('A', '<Cd>X</Cd>') + other('B', '<Cd>Y</Cd>'), { custodianCode: 'A' }],
    ['a description', '<Desc>Roche</Desc>', { name: 'Roche' }],
    ['a description beside an empty code', '<OthrId></OthrId><Desc>Roche</Desc>', { name: 'Roche' }],
    ['the first code that is not empty', `<Prtry></Prtry>${other('B', '')}`, { custodianCode: 'B' }],
  ])('has %s', (_, id, instrument) => {
    expect((holding({ id }) as { instrument: object }).instrument).toEqual(instrument);
  });

  test.each([
    ['ESVUFR', 'stock'],
    ['EUOIES', 'fund'],
    ['CIOIES', 'fund'],
    ['DBFTFB', 'bond'],
    ['OCASPS', 'option'],
    ['HCAXXX', 'option'],
    ['FFICSX', 'other'],
    ['ESVUF', undefined],
    ['esvufr', undefined],
  ])('classified as %s is of the type %s', (code, type) => {
    for (const classified of [
      `<ClssfctnFinInstrm>${code}</ClssfctnFinInstrm>`,
      `<AltrnClssfctn><Id>${code}</Id></AltrnClssfctn>`,
    ]) {
      const item = holding({ terms: `<ClssfctnTp>${classified}</ClssfctnTp>` });
      expect((item as { instrument: { type?: string } }).instrument.type).toBe(type);
    }
  });
});

describe('units', () => {
  test.each(['Unit', 'FaceAmt', 'DgtlTknUnit', 'AmtsdVal', 'CurFaceAmt'])('are %s', (name) => {
    expect(holding({ quantity: `<${name}>7</${name}>` })).toMatchObject({ quantity: '7' });
  });

  test('may stand in Qty alone', () => {
    const text = holdingText().replace(/<Qty>.*<\/Qty>/, '<Qty>7</Qty>');
    expect(firstOf(semt002(`<BalForAcct>${text}</BalForAcct>`))).toMatchObject({ quantity: '7' });
  });

  test.each([
    ['<AggtBal><ShrtLngInd>SHOR</ShrtLngInd><Qty><Unit>7</Unit></Qty></AggtBal>', '-7'],
    ['<AggtBal><Qty><ShrtLngInd>SHOR</ShrtLngInd><Qty><Unit>7</Unit></Qty></Qty></AggtBal>', '-7'],
    ['<AggtBal><Qty><Unit>7</Unit></Qty></AggtBal>', '7'],
  ])('are short or long: %s', (balance, quantity) => {
    const text = holdingText().replace(/<AggtBal>.*<\/AggtBal>/, balance);
    expect(firstOf(semt002(`<BalForAcct>${text}</BalForAcct>`))).toMatchObject({ quantity });
  });

  test('that are not stated are a problem', () => {
    const text = holdingText().replace(/<AggtBal>.*<\/AggtBal>/, '');
    expect(firstOf(semt002(`<BalForAcct>${text}</BalForAcct>`))).toMatchObject({
      item: 'problem',
      place: { line: 6, field: 'BalForAcct/AggtBal' },
      detail: 'Holding: AggtBal is missing.',
    });
  });
});

describe('the price of a holding', () => {
  const price = (type: string, value: string, day = '2024-03-28') =>
    `<PricDtls><Tp><Cd>${type}</Cd></Tp><Val>${value}</Val><QtnDt><Dt>${day}</Dt></QtnDt></PricDtls>`;
  const amount = (value: string) => `<Amt Ccy="CHF">${value}</Amt>`;
  const terms = '<DnmtnCcy>USD</DnmtnCcy>';

  test.each([
    [
      'that of the market goes before an indicative one',
      price('INDC', amount('1')) + price('MRKT', amount('2'), '2024-03-27'),
      { price: '2', priceDate: '2024-03-27', currency: 'CHF' },
    ],
    ['an indicative one', price('INDC', amount('1')), { price: '1', currency: 'CHF' }],
    ['a rate', price('MRKT', '<Rate>98.5</Rate>'), { price: '98.5', currency: 'USD' }],
    ['a percentage', price('MRKT', '<PctgRate>98.5</PctgRate>'), { price: '98.5', currency: 'USD' }],
    ['an amount goes before a rate', price('MRKT', `<Rate>98.5</Rate>${amount('3')}`), { price: '3', currency: 'CHF' }],
  ])('%s', (_, rest, expected) => {
    expect(holding({ terms, rest })).toMatchObject(expected);
  });

  test('is not what the units cost on average, and has no day without itself', () => {
    for (const rest of [price('AVER', amount('1')), price('MRKT', '')]) {
      const item = holding({ terms, rest });
      expect(item).toMatchObject({ item: 'position', currency: 'USD' });
      for (const name of ['price', 'priceDate']) expect(item).not.toHaveProperty(name);
    }
  });
});

describe('the value of a holding', () => {
  const amounts = (name: string, content: string) => `<${name}>${content}</${name}>`;
  const held = (value: string, currency: string, sign = '') =>
    `<HldgVal><Amt Ccy="${currency}">${value}</Amt>${sign}</HldgVal>`;

  test.each([
    ['positive by 1', held('5', 'CHF', '<Sgn>1</Sgn>'), '5'],
    ['positive by nothing', held('5', 'CHF'), '5'],
    ['negative by 0', held('5', 'CHF', '<Sgn>0</Sgn>'), '-5'],
  ])('is %s', (_, content, value) => {
    expect(holding({ rest: amounts('AcctBaseCcyAmts', content) })).toMatchObject({ value, valueCurrency: 'CHF' });
  });

  test('is in the currency of the account where that of the instrument is not stated, and the cost then too', () => {
    const cost = '<BookVal><Amt Ccy="USD">4</Amt></BookVal>';
    const rest = amounts('InstrmCcyAmts', cost) + amounts('AcctBaseCcyAmts', held('5', 'CHF'));
    expect(holding({ rest })).toMatchObject({ value: '5', valueCurrency: 'CHF', cost: '4' });
    expect(holding({ rest: amounts('AcctBaseCcyAmts', '<HldgVal></HldgVal>') })).not.toHaveProperty('value');
  });
});

describe('cash', () => {
  const marked = (type: string) => `<OthrId><Id>ABC1</Id></OthrId><OthrId><Id>USD</Id><Tp>${type}</Tp></OthrId>`;
  test.each(['<Prtry>CCY</Prtry>', '<Prtry>CASH</Prtry>', '<Cd>CURR</Cd>', '<Prtry>CUR</Prtry>'])(
    'is marked by %s',
    (type) => {
      expect(holding({ id: marked(type) })).toMatchObject({ item: 'balance', currency: 'USD' });
    },
  );

  const currencyClass = '<ClssfctnTp><ClssfctnFinInstrm>TCXXXX</ClssfctnFinInstrm></ClssfctnTp>';
  test('is classified as a currency, which is its denomination or else its identifier', () => {
    const id = '<OthrId><Id>GBP</Id></OthrId>';
    expect(holding({ id, terms: `${currencyClass}<DnmtnCcy>EUR</DnmtnCcy>` })).toMatchObject({
      item: 'balance',
      currency: 'EUR',
    });
    expect(holding({ id, terms: currencyClass })).toMatchObject({ item: 'balance', currency: 'GBP' });
  });

  test('is not what only looks like it', () => {
    expect(holding({ id: '<OthrId><Id>USD</Id><Tp><Cd>TIKR</Cd></Tp></OthrId>' })).toMatchObject({ item: 'position' });
    expect(holding({ id: '<OthrId><Id>USD1</Id><Tp><Prtry>CCY</Prtry></Tp></OthrId>' })).toMatchObject({
      item: 'position',
    });
    expect(holding({ id: '<Desc>Cash</Desc>', terms: currencyClass })).toMatchObject({ item: 'position' });
  });
});

describe('the heading', () => {
  const general = (text: string, content: string) =>
    readStatement(text.replace(/<StmtGnlDtls>.*<\/StmtGnlDtls>/, `<StmtGnlDtls>${content}</StmtGnlDtls>`))[0];
  const balance = `<BalForAcct>${holdingText({ id: '<OthrId><Id>USD</Id><Tp><Prtry>CCY</Prtry></Tp></OthrId>' })}</BalForAcct>`;

  test.each([
    ['a day', '<StmtDtTm><Dt>2024-03-29</Dt></StmtDtTm>'],
    ['a moment', '<StmtDtTm><DtTm>2024-03-29T22:00:00Z</DtTm></StmtDtTm>'],
    [
      'the end of a period of days',
      '<StmtPrd><FrDtToDt><FrDt>2024-03-01</FrDt><ToDt>2024-03-29</ToDt></FrDtToDt></StmtPrd>',
    ],
    [
      'the end of a period of moments',
      '<StmtPrd><FrDtTmToDtTm><FrDtTm>2024-03-01T00:00:00</FrDtTm><ToDtTm>2024-03-29T23:59:59</ToDtTm></FrDtTmToDtTm></StmtPrd>',
    ],
    ['the end of a period without a form', '<StmtPrd><FrDt>2024-03-01</FrDt><ToDt>2024-03-29</ToDt></StmtPrd>'],
    [
      'the end of a range of moments',
      '<StmtPrd><DtTmRg><FrDtTm>2024-03-01T00:00:00</FrDtTm><ToDtTm>2024-03-29T23:59:59</ToDtTm></DtTmRg></StmtPrd>',
    ],
  ])('says the day of the holdings as %s', (_, content) => {
    expect(general(semt002(balance), content)).toMatchObject({ item: 'balance', date: '2024-03-29' });
  });

  test('that says no day makes problems of what it is of', () => {
    expect(general(semt002(balance), '<StmtId>H-9</StmtId>')).toMatchObject({
      item: 'problem',
      place: { line: 4, field: 'StmtGnlDtls' },
      detail: 'Holding: The statement does not say of which day it is.',
    });
  });

  test('that is missing makes a problem of what is held, at the beginning of the file', () => {
    const items = readStatement(semt002(balance).replace(/<StmtGnlDtls>.*<\/StmtGnlDtls>/, ''));
    expect(items).toMatchObject([
      {
        item: 'problem',
        place: { line: 1, field: 'StmtGnlDtls' },
        detail: 'Holding: The statement does not say of which day it is.',
      },
    ]);
  });

  test('that names neither account nor statement leaves a movement without both', () => {
    const text = semt017(`<FinInstrmDtls>${isin}${movementText()}</FinInstrmDtls>`).replace(
      /<SfkpgAcct>.*<\/SfkpgAcct>/,
      '',
    );
    const statementOf = (content: string) => {
      const entry = general(text, content);
      expect(entry).toMatchObject({ item: 'entry', reference: 'TX-1' });
      expect(entry).not.toHaveProperty('account');
      return (entry as { statement?: string }).statement;
    };
    expect(statementOf('<StmtId>T-9</StmtId>')).toBe('T-9');
    expect(statementOf('')).toBeUndefined();
  });

  const day = '<StmtDtTm><Dt>2024-03-29</Dt></StmtDtTm>';
  test.each([
    ['its own number', `<RptNb>7</RptNb><StmtId>H-9</StmtId>${day}`, 'DEP-77/USD/H-9'],
    ['the number of the report', `<RptNb>7</RptNb>${day}`, 'DEP-77/USD/7'],
    ['nothing', day, 'DEP-77/USD'],
  ])('names the statement by %s', (_, content, statement) => {
    expect(general(semt002(balance), content)).toMatchObject({ statement });
  });

  test.each([
    [
      'the moment of the statement',
      '<StmtDtTm><DtTm>2024-03-29T22:00:00+01:00</DtTm></StmtDtTm><CreDtTm>2024-04-01T00:00:00Z</CreDtTm>',
      '2024-03-29T21:00:00.000Z',
    ],
    ['when it was made', `${day}<CreDtTm>2024-04-01T06:00:00</CreDtTm>`, '2024-04-01T06:00:00.000Z'],
  ])('says when it was stated: %s', (_, content, statedAt) => {
    expect(general(semt002(balance), content)).toMatchObject({ statedAt });
  });

  test.each([
    ['<Id><AnyBIC>UBSWCHZH80A</AnyBIC></Id>', 'UBSWCHZH80A'],
    ['<Id><BICOrBEI>UBSWCHZH80A</BICOrBEI></Id>', 'UBSWCHZH80A'],
    ['<AnyBIC>UBSWCHZH80A</AnyBIC>', 'UBSWCHZH80A'],
    ['<Id><PrtryId><Id>230</Id></PrtryId></Id>', '230'],
    ['<Id><NmAndAdr><Nm>UBS</Nm></NmAndAdr></Id>', 'UBS'],
  ])('says who keeps the account: %s', (content, institution) => {
    const text = semt002(balance).replace(/<AcctSvcr>.*<\/AcctSvcr>/, `<AcctSvcr>${content}</AcctSvcr>`);
    expect(readStatement(text)[0]).toMatchObject({ account: { number: 'DEP-77', institution } });
  });

  test('says which account: its number, or another identifier', () => {
    const account = '<SfkpgAcct><Id><Othr><Id>DEP-78</Id></Othr></Id></SfkpgAcct>';
    expect(readStatement(semt002(balance, account))[0]).toMatchObject({ account: { number: 'DEP-78' } });
  });
});

describe('what is where it does not belong', () => {
  test('a record outside of any report ends the file with a fault', () => {
    const outside = semt002('')
      .replace(/<SctiesBalCtdyRpt>/, '<SctiesBalCtdyRpt></SctiesBalCtdyRpt><Other>')
      .replace('</SctiesBalCtdyRpt></Document>', `<BalForAcct/></Other></Document>`);
    expect(() => readStatement(outside)).toThrow('BalForAcct is in no report, so that its account is unknown.');
  });

  test('a file without a report is refused', () => {
    const empty = semt002('<!-- <SctiesBalCtdyRpt> -->').replaceAll(/(<\/?)SctiesBalCtdyRpt>(?! -->)/g, '$1Other>');
    expect(() => readStatement(empty)).toThrow('The file has no report (SctiesBalCtdyRpt, SctiesTxPstngRpt).');
  });

  test('an unknown element is a problem, and those that say nothing about wealth are none', () => {
    expect(readStatement(semt002('<Holdings/>'))).toMatchObject([
      { item: 'problem', place: { line: 6, field: 'Holdings' } },
    ]);
    const silent = [
      'AcctOwnr',
      'BlckChainAdrOrWllt',
      'IntrmyInf',
      'AcctBaseCcyTtlAmts',
      'AltrnRptgCcyTtlAmts',
      'SplmtryData',
      'XtnsnRptInf',
    ];
    expect(readStatement(semt002(silent.map((name) => `<${name}/>`).join('')))).toEqual([]);
    const ofInstrument = ['InvstmtFndsFinInstrmAttrbts', 'FinInstrmAttrbts', 'PricDtls', 'SfkpgPlc', 'OpngBal'];
    expect(
      readStatement(semt017(`<FinInstrmDtls>${ofInstrument.map((name) => `<${name}/>`).join('')}</FinInstrmDtls>`)),
    ).toEqual([]);
  });
});
