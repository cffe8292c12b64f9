import { describe, expect, test } from 'vitest';
import {
  holdingText,
  movementText,
  semt002,
  semt017,
  type HoldingText,
  type MovementText,
} from '../../../tests/setup/statements/semt-text.ts';
import { readStatement } from '../../../tests/setup/statements/read-statement.ts';

const account = { number: 'DEP-77', institution: 'UBSWCHZH80A' };

describe('holdings of semt.002', () => {
  const read = (holding: HoldingText) => readStatement(semt002(`<BalForAcct>${holdingText(holding)}</BalForAcct>`))[0];
  const amounts = (name: string, currency: string) =>
    `<${name}><HldgVal><Amt Ccy="${currency}">990.50</Amt><Sgn>true</Sgn></HldgVal><BookVal><Amt Ccy="${currency}">800</Amt></BookVal></${name}>`;
  const price = (type: string, value: string, rest = '') =>
    `<PricDtls><Tp><Cd>${type}</Cd></Tp><Val>${value}</Val>${rest}</PricDtls>`;

  test('a position has its instrument, units, price with its day, value and cost', () => {
    const rest = `${price('AVER', '<Amt Ccy="CHF">80</Amt>')}${price('MRKT', '<Amt Ccy="CHF">99.05</Amt>', '<QtnDt><Dt>2024-03-28</Dt></QtnDt>')}${amounts('AcctBaseCcyAmts', 'CHF')}`;
    const terms = '<ClssfctnTp><ClssfctnFinInstrm>ESVUFR</ClssfctnFinInstrm></ClssfctnTp><DnmtnCcy>CHF</DnmtnCcy>';
    expect(read({ rest, terms })).toEqual({
      item: 'position',
      place: { line: 6, field: 'BalForAcct' },
      account,
      date: '2024-03-29',
      instrument: { isin: 'CH0012032048', currency: 'CHF', type: 'stock' },
      quantity: '10',
      price: '99.05',
      priceDate: '2024-03-28',
      currency: 'CHF',
      value: '990.5',
      valueCurrency: 'CHF',
      cost: '800',
    });
  });

  test('a bond has a nominal, a price in percent, a maturity and a coupon', () => {
    const terms =
      '<ClssfctnTp><ClssfctnFinInstrm>DBFTFB</ClssfctnFinInstrm></ClssfctnTp><DnmtnCcy>USD</DnmtnCcy><MtrtyDt>2030-05-15</MtrtyDt><IntrstRate>2.5</IntrstRate>';
    expect(
      read({ quantity: '<FaceAmt>100000</FaceAmt>', terms, rest: price('MRKT', '<Rate>98.75</Rate>') }),
    ).toMatchObject({
      quantity: '100000',
      price: '98.75',
      currency: 'USD',
      instrument: { type: 'bond', maturity: '2030-05-15', couponRate: '2.5', currency: 'USD' },
    });
  });

  test('the value in the currency of the instrument goes before that in the currency of the account', () => {
    const rest = amounts('AcctBaseCcyAmts', 'CHF') + amounts('InstrmCcyAmts', 'USD');
    expect(read({ rest })).toMatchObject({ value: '990.5', valueCurrency: 'USD', cost: '800' });
  });

  test('what is sold short is negative, and so is a negative value', () => {
    const rest = '<AcctBaseCcyAmts><HldgVal><Amt Ccy="CHF">5</Amt><Sgn>false</Sgn></HldgVal></AcctBaseCcyAmts>';
    expect(read({ isShort: true, rest })).toMatchObject({ quantity: '-10', value: '-5' });
  });

  test('cash is a closing balance', () => {
    const id = '<OthrId><Id>USD</Id><Tp><Prtry>CCY</Prtry></Tp></OthrId>';
    expect(read({ id, quantity: '<Unit>1234.56</Unit>' })).toEqual({
      item: 'balance',
      place: { line: 6, field: 'BalForAcct' },
      account,
      date: '2024-03-29',
      moment: 'closing',
      amount: '1234.56',
      currency: 'USD',
      statement: 'DEP-77/USD/H-9',
    });
    const terms = '<ClssfctnTp><ClssfctnFinInstrm>TCXXXX</ClssfctnFinInstrm></ClssfctnTp><DnmtnCcy>EUR</DnmtnCcy>';
    expect(read({ id: '<Desc>Cash</Desc>', terms })).toMatchObject({ item: 'balance', currency: 'EUR', amount: '10' });
  });

  test('each sub-account has its own holdings', () => {
    const sub = (number: string) =>
      `<SubAcctDtls><SfkpgAcct><Id>${number}</Id></SfkpgAcct><ActvtyInd>true</ActvtyInd><BalForSubAcct>${holdingText()}</BalForSubAcct></SubAcctDtls>`;
    const items = readStatement(semt002(`${sub('A')}${sub('B')}<BalForAcct>${holdingText()}</BalForAcct>`));
    expect(items.map((item) => item.account?.number)).toEqual(['A', 'B', 'DEP-77']);
  });

  test.each([
    ['no quantity', { quantity: '' }, 'Holding: The quantity has neither Unit, FaceAmt nor AmtsdVal.'],
    ['a wrong quantity', { quantity: '<Unit>ten</Unit>' }, 'Holding: "ten" is not a decimal number.'],
    [
      'no instrument',
      { id: '<Sctr>x</Sctr>' },
      'Holding: The instrument has neither an ISIN nor another identifier nor a name.',
    ],
  ])('%s is a problem', (_, holding, detail) => {
    expect(read(holding)).toMatchObject({ item: 'problem', place: { line: 6 }, detail });
  });

  test('an account without a number is a problem and never the default account', () => {
    const items = readStatement(
      semt002(`<BalForAcct>${holdingText()}</BalForAcct>`, '<SfkpgAcct><Nm>Main</Nm></SfkpgAcct>'),
    );
    expect(items).toMatchObject([{ item: 'problem', place: { field: 'SfkpgAcct/Id' } }]);
  });
});

describe('movements of semt.017', () => {
  const details = (content: string) =>
    `<FinInstrmDtls><FinInstrmId><ISIN>CH0012032048</ISIN></FinInstrmId>${content}</FinInstrmDtls>`;
  const read = (movement: MovementText) => readStatement(semt017(details(movementText(movement))))[0];
  const paid = (amount: string, direction: string) =>
    `<PstngAmt><Amt Ccy="CHF">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd></PstngAmt>`;
  const event = (code: string) =>
    `<SttlmTxOrCorpActnEvtTp><CorpActnEvtTp><Cd>${code}</Cd></CorpActnEvtTp></SttlmTxOrCorpActnEvtTp>`;

  test('units received against payment are a purchase', () => {
    const traded = '<TradDt><Dt><Dt>2024-03-01</Dt></Dt></TradDt>';
    const rest = '<TxAddtlDtls>Order 5</TxAddtlDtls>';
    expect(read({ amount: paid('1000', 'DBIT'), traded, rest })).toEqual({
      item: 'entry',
      place: { line: 6, field: 'Tx' },
      account: { number: 'DEP-77' },
      statement: 'DEP-77/T-9',
      status: 'booked',
      kind: 'trade',
      reference: 'TX-1',
      date: '2024-03-01',
      settlementDate: '2024-03-05',
      instrument: { isin: 'CH0012032048' },
      quantity: '10',
      amount: '-1000',
      currency: 'CHF',
      comment: 'Order 5',
      typeWord: 'SETT/TRAD/RECE/APMT',
    });
  });

  test.each([
    ['a sale', { movement: 'DELI', amount: paid('1000', 'CRDT') }, { kind: 'trade', quantity: '-10', amount: '1000' }],
    [
      'a sale whose cash has no direction',
      { movement: 'DELI', amount: '<PstngAmt><Amt Ccy="CHF">9</Amt></PstngAmt>' },
      { kind: 'trade', amount: '9' },
    ],
    ['a free receipt', { payment: 'FREE' }, { kind: 'flow', quantity: '10' }],
    ['a free delivery', { payment: 'FREE', movement: 'DELI' }, { kind: 'flow', quantity: '-10' }],
    [
      'a redemption',
      { movement: 'DELI', type: event('REDM'), amount: paid('1000', 'CRDT') },
      { kind: 'redemption', quantity: '-10', amount: '1000' },
    ],
    [
      'a dividend',
      { type: event('DVCA'), amount: '<PstngAmt><Amt Ccy="CHF">9</Amt></PstngAmt>' },
      { kind: 'dividend', amount: '9' },
    ],
    [
      'a split',
      { payment: 'FREE', type: event('SPLF') },
      { kind: 'corporate-action', action: 'split', quantity: '10' },
    ],
    [
      'a trade without a known trade date',
      { amount: paid('1', 'DBIT'), traded: '<TradDt><DtCd>UNKN</DtCd></TradDt>' },
      { date: '2024-03-05' },
    ],
  ])('%s', (_, movement, expected) => {
    expect(read(movement)).toMatchObject(expected);
  });

  test('a reversal cancels what has its reference', () => {
    const items = readStatement(
      semt017(details(movementText() + movementText({ movement: 'DELI', rest: '<RvslInd>true</RvslInd>' }))),
    );
    expect(items).toMatchObject([{ reference: 'TX-1' }, { cancels: { reference: 'TX-1' }, quantity: '-10' }]);
    expect(items[1]).not.toHaveProperty('reference');
  });

  test('the closing balance of an instrument is a position at the end of the period', () => {
    const closing = '<ClsgBal><ShrtLngInd>LONG</ShrtLngInd><Qty><Qty><Unit>25</Unit></Qty></Qty></ClsgBal>';
    expect(readStatement(semt017(details(closing + movementText())))).toMatchObject([
      { item: 'position', date: '2024-03-29', quantity: '25', instrument: { isin: 'CH0012032048' } },
      { item: 'entry' },
    ]);
  });

  test.each([
    ['no direction', { movement: 'MOVE' }, 'Transaction: It is neither RECE (received) nor DELI (delivered).'],
    ['a wrong date', { settled: '2024-13-01' }, 'Transaction: "2024-13-01" is not a date.'],
    ['a wrong direction of cash', { amount: paid('1', 'CR') }, 'Transaction: "CR" is neither CRDT nor DBIT.'],
  ])('%s is a problem', (_, movement, detail) => {
    expect(read(movement)).toMatchObject({ item: 'problem', place: { line: 6 }, detail });
  });
});
