import { describe, expect, test } from 'vitest';
import type { StatementItem } from '../../model/custody/statement.ts';
import {
  flexDocument,
  flexRow,
  flexStatement,
  purchaseRow,
  type FlexAttributes,
} from '../../../tests/setup/statements/flex-text.ts';
import { readStatement } from '../../../tests/setup/statements/read-statement.ts';

const account = { number: 'U1234567', institution: 'Interactive Brokers' };
const statedAt = '2024-03-30T12:00:00.000Z';
const apple = {
  isin: 'US0378331005',
  ticker: 'AAPL',
  mic: 'XNAS',
  custodianCode: '265598',
  name: 'APPLE INC',
  currency: 'USD',
  type: 'stock',
};

const readSection = (name: string, rows: readonly string[]): StatementItem[] =>
  readStatement(flexDocument([flexStatement({ [name]: rows })]));
const trades = (...rows: readonly FlexAttributes[]) =>
  readSection(
    'Trades',
    rows.map((row) => flexRow('Trade', { ...purchaseRow, ...row })),
  );

describe('trades', () => {
  test('a purchase has its instrument, units, price, net cash and commission', () => {
    expect(trades({})).toEqual([
      {
        item: 'entry',
        place: { line: 6, field: 'Trade' },
        account,
        statedAt,
        statement: 'U1234567/2024-01-01/2024-03-29',
        status: 'booked',
        kind: 'trade',
        reference: '5001',
        date: '2024-01-10',
        settlementDate: '2024-01-12',
        instrument: apple,
        quantity: '100',
        price: '150',
        amount: '-15001.5',
        currency: 'USD',
        fees: '1.5',
        comment: 'APPLE INC',
        typeWord: 'STK/ExchTrade/BUY',
      },
    ]);
  });

  test('a sale has units out and cash in, also where the query writes it without a sign', () => {
    const sale = { buySell: 'SELL', proceeds: '15000', netCash: '14998.5', quantity: '-100' };
    expect(trades(sale)).toMatchObject([{ quantity: '-100', amount: '14998.5', fees: '1.5' }]);
    expect(trades({ ...sale, quantity: '100' })).toMatchObject([{ quantity: '-100' }]);
  });

  test('without net cash, it is proceeds, taxes and commission', () => {
    expect(trades({ netCash: '', taxes: '-2.25' })).toMatchObject([{ amount: '-15003.75', taxes: '2.25' }]);
    expect(trades({ netCash: '', proceeds: '' })).toMatchObject([{ amount: '-15001.5' }]);
  });

  test.each([
    ['what it cost', { tradeMoney: '15000' }, '-15000'],
    ['what it cost, with the sign of the cash', { tradeMoney: '-15000' }, '-15000'],
    ['what a sale brought', { tradeMoney: '15000', buySell: 'SELL', quantity: '-100' }, '15000'],
    ['what a sale brought, with the sign of the units', { tradeMoney: '-15000', buySell: 'SELL' }, '15000'],
    ['units × price', {}, '-15000'],
    ['units × price of a sale', { buySell: 'SELL' }, '15000'],
    ['units × price × units of the contract', { assetCategory: 'OPT', multiplier: '100', tradePrice: '2' }, '-20000'],
    ['percent of the nominal of a bond', { assetCategory: 'BOND', tradePrice: '98.125' }, '-98.125'],
    ['percent of the nominal of a bill', { assetCategory: 'BILL', tradePrice: '98.125' }, '-98.125'],
  ])('without net cash and proceeds, it is %s', (_, row, amount) => {
    expect(trades({ netCash: '', proceeds: '', ibCommission: '', ...row })).toMatchObject([{ kind: 'trade', amount }]);
  });

  test('a trade without category, type and side has no word for its type', () => {
    const [trade] = trades({ assetCategory: '', transactionType: '', buySell: '' });
    expect(trade).toMatchObject({ kind: 'trade', quantity: '100', amount: '-15001.5' });
    expect(trade).not.toHaveProperty('typeWord');
  });

  test('a commission in another currency is a fee of its own', () => {
    expect(trades({ ibCommissionCurrency: 'CHF' })).toMatchObject([
      { kind: 'trade', amount: '-15000', currency: 'USD' },
      {
        kind: 'fee',
        amount: '-1.5',
        currency: 'CHF',
        reference: '5001/commission',
        category: 'commission',
        comment: 'Commission: APPLE INC',
      },
    ]);
    expect(trades({ ibCommissionCurrency: 'CHF', description: '' })).toMatchObject([
      {},
      { comment: 'Commission: AAPL' },
    ]);
    expect(trades({ ibCommissionCurrency: 'CHF', description: '', symbol: '' })).toMatchObject([
      {},
      { comment: 'Commission: ' },
    ]);
  });

  test('what a query leaves out has its usual meaning: a stock, one unit a contract, a commission in the same currency', () => {
    expect(trades({ assetCategory: '', multiplier: '', ibCommissionCurrency: '' })).toMatchObject([
      { price: '150', fees: '1.5', typeWord: 'ExchTrade/BUY' },
    ]);
  });

  test('an exchange of currencies has two legs, and its commission is a fee', () => {
    const row = {
      assetCategory: 'CASH',
      symbol: 'EUR.USD',
      quantity: '100',
      proceeds: '-116.95',
      netCash: '0',
      ibCommission: '-2',
    };
    expect(trades(row)).toMatchObject([
      { kind: 'fx', amount: '100', currency: 'EUR', counterAmount: '-116.95', counterCurrency: 'USD' },
      { kind: 'fee', amount: '-2', currency: 'USD' },
    ]);
    expect(trades({ ...row, buySell: 'SELL', quantity: '-100', proceeds: '116.95', ibCommission: '0' })).toMatchObject([
      { kind: 'fx', amount: '-100', counterAmount: '116.95' },
    ]);
  });

  test('a cancelled trade cancels its original', () => {
    const cancelled = {
      tradeID: '5002',
      buySell: 'BUY (Ca.)',
      quantity: '-100',
      proceeds: '15000',
      netCash: '15001.5',
      notes: 'Ca',
    };
    expect(trades(cancelled)).toMatchObject([
      { reference: '5002', cancels: 'same-content', quantity: '-100', amount: '15001.5' },
    ]);
    expect(trades({ ...cancelled, origTradeID: '5001' })).toMatchObject([{ cancels: { reference: '5001' } }]);
    expect(trades({ ...cancelled, origTradeID: '0' })).toMatchObject([{ cancels: 'same-content' }]);
  });

  test.each([
    ['the side', { buySell: 'BUY (Ca.)' }],
    ['a note', { notes: 'P;Ca' }],
    ['the type', { transactionType: 'TradeCancel' }],
  ])('%s alone says that a trade is cancelled', (_, row) => {
    expect(trades(row)).toMatchObject([{ cancels: 'same-content' }]);
  });

  test('the price of a contract of several units does not fit the units', () => {
    const [option] = trades({
      assetCategory: 'OPT',
      multiplier: '100',
      tradePrice: '2',
      quantity: '1',
      proceeds: '-200',
      netCash: '-201',
    });
    expect(option).toMatchObject({ amount: '-201', instrument: { type: 'option' } });
    expect(option).not.toHaveProperty('price');
  });

  test('a future is a problem: its trades move no cash', () => {
    expect(trades({ assetCategory: 'FUT' })).toMatchObject([
      { item: 'problem', place: { line: 6, field: 'Trade/assetCategory' } },
    ]);
  });

  test.each([
    ['20240110;103000', '2024-01-10'],
    ['2024-01-10, 10:30:00', '2024-01-10'],
    ['2024-01-1010:30:00', '2024-01-10'],
    ['20240110103000', '2024-01-10'],
    ['10-Jan-24 20:25:00', '2024-01-10'],
  ])('the moment %s is of %s', (dateTime, date) => {
    expect(trades({ tradeDate: '', dateTime })).toMatchObject([{ date }]);
  });

  test.each(['01/02/2024', '2024-02-30', '20241301', '1234567890', 'soon'])('the date %s is a problem', (tradeDate) => {
    expect(trades({ tradeDate })).toMatchObject([{ item: 'problem', place: { field: 'Trade/tradeDate' } }]);
  });
});

describe('levels of detail that repeat each other count once', () => {
  const order = flexRow('Order', { ...purchaseRow, tradeID: '', ibOrderID: '77', levelOfDetail: 'ORDER' });
  const execution = flexRow('Trade', purchaseRow);
  const lot = flexRow('Lot', { ...purchaseRow, levelOfDetail: 'CLOSED_LOT' });

  test('executions go before orders, and lots are none of their own', () => {
    expect(readSection('Trades', [order, execution, lot, order])).toMatchObject([{ reference: '5001' }]);
  });

  test('orders count where there are no executions', () => {
    expect(readSection('Trades', [order, lot])).toMatchObject([{ reference: '77' }]);
  });

  test('a section of lots alone is a problem', () => {
    expect(readSection('Trades', [lot, lot])).toEqual([
      {
        item: 'problem',
        place: { line: 5, field: 'Trades' },
        detail:
          'The section Trades has only rows that break others down (2). Add executions or summaries to the query.',
      },
    ]);
  });

  test('20,000 orders without an execution are taken to repeat none: one that follows is refused', () => {
    const orders = Array.from({ length: 20_000 }, () => order);
    expect(readSection('Trades', [...orders.slice(1), execution, order])).toMatchObject([{ reference: '5001' }]);
    expect(readSection('Trades', [...orders, order])).toHaveLength(20_001);
    expect(() => readSection('Trades', [...orders, execution])).toThrow(
      'Line 20006: Totals come before the rows that they repeat. Leave the totals out of the query.',
    );
  });
});

describe('cash transactions', () => {
  const cash = (row: FlexAttributes) =>
    readSection('CashTransactions', [
      flexRow('CashTransaction', {
        currency: 'USD',
        conid: '265598',
        symbol: 'AAPL',
        description: 'AAPL CASH DIVIDEND USD 0.24 PER SHARE',
        type: 'Dividends',
        amount: '24',
        dateTime: '20240215;202000',
        reportDate: '20240216',
        settleDate: '20240215',
        transactionID: '7101',
        levelOfDetail: 'DETAIL',
        ...row,
      }),
    ])[0];

  test('a dividend has its ex-date, if stated, and its instrument', () => {
    expect(cash({ exDate: '20240209' })).toEqual({
      item: 'entry',
      place: { line: 6, field: 'CashTransaction' },
      account,
      statedAt,
      statement: 'U1234567/2024-01-01/2024-03-29',
      status: 'booked',
      kind: 'dividend',
      reference: '7101',
      date: '2024-02-09',
      settlementDate: '2024-02-15',
      amount: '24',
      currency: 'USD',
      instrument: { ticker: 'AAPL', custodianCode: '265598', currency: 'USD' },
      comment: 'AAPL CASH DIVIDEND USD 0.24 PER SHARE',
      typeWord: 'Dividends',
    });
    expect(cash({})).toMatchObject({ date: '2024-02-16' });
  });

  test.each([
    ['Deposits/Withdrawals', '1000', { kind: 'flow' }],
    ['Deposits & Withdrawals', '-1000', { kind: 'flow' }],
    ['Payment In Lieu Of Dividends', '5', { kind: 'dividend' }],
    ['Withholding Tax', '-3.6', { kind: 'fee', category: 'withholding-tax' }],
    ['Withholding Tax', '3.6', { kind: 'fee' }],
    ['Broker Interest Paid', '-3', { kind: 'interest' }],
    ['Broker Interest Received', '3', { kind: 'interest' }],
    ['Bond Interest Received', '3', { kind: 'coupon' }],
    ['Bond Interest Paid', '-3', { kind: 'interest' }],
    ['Other Fees', '-3', { kind: 'fee' }],
    ['Advisor Fees', '-3', { kind: 'fee', category: 'advisory' }],
    ['Client Fees', '-3', { kind: 'fee', byWord: { isKnown: true } }],
    ['Something New', '3', { typeWord: 'Something New', byWord: { isKnown: false, signs: 'stated' } }],
    ['constructor', '3', { byWord: { isKnown: false } }],
  ])('%s of %s', (type, amount, expected) => {
    expect(cash({ type, amount })).toMatchObject({ ...expected, amount });
  });

  test('a reversed dividend cancels the one it repeats', () => {
    expect(cash({ amount: '-24', description: 'AAPL CASH DIVIDEND - REVERSAL' })).toMatchObject({
      kind: 'dividend',
      cancels: 'same-content',
    });
    expect(cash({ amount: '-24', code: 'Re' })).toMatchObject({ cancels: 'same-content' });
  });
});

describe('transfers and corporate actions', () => {
  const transfer = (row: FlexAttributes) =>
    readSection('Transfers', [flexRow('Transfer', { currency: 'USD', date: '20240201', transactionID: '8', ...row })]);
  const action = (row: FlexAttributes) =>
    readSection('CorporateActions', [
      flexRow('CorporateAction', {
        currency: 'USD',
        symbol: 'AAPL',
        isin: 'US0378331005',
        dateTime: '20240201;202500',
        transactionID: '9',
        ...row,
      }),
    ])[0];

  test('units come in kind, cash as cash', () => {
    expect(
      transfer({ assetCategory: 'STK', symbol: 'AAPL', direction: 'OUT', quantity: '22', cashTransfer: '0' }),
    ).toMatchObject([{ kind: 'flow', quantity: '-22', instrument: { ticker: 'AAPL' }, reference: '8' }]);
    expect(transfer({ assetCategory: 'CASH', symbol: '--', direction: 'IN', cashTransfer: '250.00' })).toMatchObject([
      { kind: 'flow', amount: '250', currency: 'USD' },
    ]);
    expect(transfer({ direction: 'IN' })).toMatchObject([
      { item: 'problem', detail: 'The transfer moves neither cash nor units.' },
    ]);
  });

  test.each([
    [
      'FS',
      'AAPL(US0378331005) SPLIT 4 FOR 1 (AAPL, APPLE INC, US0378331005)',
      { quantity: '300' },
      { action: 'split', ratio: '4:1' },
    ],
    ['RS', 'AAPL(US0378331005) SPLIT 1 FOR 10', { quantity: '-90' }, { action: 'reverse-split', ratio: '1:10' }],
    [
      'SD',
      'AAPL(US0378331005) STOCK DIVIDEND 1 FOR 20',
      { quantity: '5' },
      { action: 'stock-dividend', ratio: '21:20' },
    ],
    [
      'BM',
      '(US91282CEG24) BOND MATURITY',
      { quantity: '-25000', proceeds: '25000' },
      { kind: 'redemption', amount: '25000', quantity: '-25000' },
    ],
    [
      'TC',
      'X MERGED(Acquisition) FOR USD 54.20 PER SHARE',
      { quantity: '-10', proceeds: '542' },
      { kind: 'trade', amount: '542', quantity: '-10' },
    ],
    [
      'TC',
      'X MERGED(Acquisition) WITH US0378331005 1 FOR 2',
      { quantity: '-10' },
      { kind: 'corporate-action', action: 'merger', ratio: '1:2' },
    ],
    ['IC', 'X CUSIP/ISIN CHANGE', { quantity: '0' }, { kind: 'corporate-action', action: 'symbol-change' }],
    ['XX', 'Something new', { quantity: '1' }, { kind: 'corporate-action', typeWord: 'XX' }],
    ['BM', 'Without money', { quantity: '-25000' }, { kind: 'corporate-action', quantity: '-25000' }],
    [
      'BM',
      'Units that come',
      { quantity: '25000', proceeds: '-25000' },
      { kind: 'corporate-action', amount: '-25000' },
    ],
    ['FS', 'Named by its action', { transactionID: '', actionID: '7' }, { reference: '7/US0378331005' }],
    ['FS', 'Named by its action and contract', { transactionID: '', actionID: '7', conid: '8' }, { reference: '7/8' }],
  ])('%s: %s', (type, actionDescription, row, expected) => {
    expect(action({ type, actionDescription, ...row })).toMatchObject({
      kind: 'corporate-action',
      date: '2024-02-01',
      ...expected,
    });
  });

  test('a corporate action without words has no comment', () => {
    expect(action({ type: 'IC', quantity: '0' })).toEqual({
      item: 'entry',
      place: { line: 6, field: 'CorporateAction' },
      account,
      statedAt,
      statement: 'U1234567/2024-01-01/2024-03-29',
      status: 'booked',
      reference: '9',
      date: '2024-02-01',
      instrument: { isin: 'US0378331005', ticker: 'AAPL', currency: 'USD' },
      typeWord: 'IC',
      kind: 'corporate-action',
      action: 'symbol-change',
    });
  });

  test.each(['OLD(CH0012032048) SPINOFF 1 FOR 5 (AAPL)', 'CH0012032048 SPINOFF 1 FOR 5 (US0378331005)'])(
    'a spin-off names what it comes from and what is new: %s',
    (actionDescription) => {
      expect(action({ type: 'SO', actionDescription, quantity: '20' })).toMatchObject({
        action: 'spin-off',
        instrument: { isin: 'CH0012032048' },
        targetInstrument: { isin: 'US0378331005' },
      });
    },
  );
});

describe('what is held, rates and instruments', () => {
  test('a position has its price, value and cost; lots are none of their own', () => {
    const row = {
      currency: 'USD',
      symbol: 'AAPL',
      position: '100',
      markPrice: '171.48',
      positionValue: '17148',
      costBasisMoney: '15001.5',
      reportDate: '20240329',
    };
    const lot = flexRow('OpenPosition', { ...row, levelOfDetail: 'LOT' });
    expect(readSection('OpenPositions', [flexRow('OpenPosition', { ...row, levelOfDetail: 'SUMMARY' }), lot])).toEqual([
      {
        item: 'position',
        place: { line: 6, field: 'OpenPosition' },
        account,
        statedAt,
        date: '2024-03-29',
        instrument: { ticker: 'AAPL', currency: 'USD' },
        quantity: '100',
        price: '171.48',
        priceDate: '2024-03-29',
        currency: 'USD',
        value: '17148',
        valueCurrency: 'USD',
        cost: '15001.5',
      },
    ]);
    expect(readSection('OpenPositions', [flexRow('OpenPosition', { ...row, side: 'Short' })])).toMatchObject([
      { quantity: '-100' },
    ]);
  });

  test('the cash report has a balance for each currency, and its sum is none', () => {
    const row = (currency: string) =>
      flexRow('CashReportCurrency', {
        currency,
        startingCash: '10',
        endingCash: '-2.5',
        fromDate: '20240101',
        toDate: '20240329',
      });
    const balance = { item: 'balance', account, currency: 'USD', statement: 'U1234567/2024-01-01/2024-03-29' };
    expect(readSection('CashReport', [row('BASE_SUMMARY'), row('USD')])).toMatchObject([
      { ...balance, moment: 'opening', date: '2024-01-01', amount: '10' },
      { ...balance, moment: 'closing', date: '2024-03-29', amount: '-2.5' },
    ]);
  });

  test('conversion rates and instruments', () => {
    const rate = { reportDate: '20240329', fromCurrency: 'EUR', toCurrency: 'USD', rate: '1.0789' };
    expect(
      readSection('ConversionRates', [
        flexRow('ConversionRate', rate),
        flexRow('ConversionRate', { ...rate, rate: '-1' }),
      ]),
    ).toMatchObject([
      { item: 'fx-rate', base: 'EUR', quote: 'USD', date: '2024-03-29', rate: '1.0789' },
      { item: 'problem', detail: 'The rate is not available.' },
    ]);
    const security = {
      assetCategory: 'BOND',
      isin: 'US91282CEG24',
      description: 'T 2 1/4 03/31/24',
      maturity: '20240331',
      issuerCountryCode: 'US',
    };
    expect(readSection('SecuritiesInfo', [flexRow('SecurityInfo', security)])).toMatchObject([
      {
        item: 'instrument',
        instrument: {
          isin: 'US91282CEG24',
          type: 'bond',
          maturity: '2024-03-31',
          country: 'US',
          name: 'T 2 1/4 03/31/24',
        },
      },
    ]);
  });
});

describe('a file', () => {
  const long = `X${'Y'.repeat(39)}Z`;
  const notA = (what: string) => `"X${'Y'.repeat(39)}" is not a ${what}`;

  test('may have several accounts, and rows may be of another account than their statement', () => {
    const [own, other] = [
      flexRow('Trade', { ...purchaseRow, accountId: '' }),
      flexRow('Trade', { ...purchaseRow, accountId: 'U3' }),
    ];
    const document = flexDocument([
      flexStatement({ Trades: [own] }, 'U1'),
      flexStatement({ Trades: [own, other] }, 'U2'),
    ]);
    expect(readStatement(document).map((item) => item.account?.number)).toEqual(['U1', 'U2', 'U3']);
  });

  test('a moment without a time is its midnight, and one that is not certain is none', () => {
    const madeAt = (whenGenerated: string) =>
      readStatement(
        flexDocument([flexStatement({ Trades: [flexRow('Trade', purchaseRow)] })]).replace(
          '20240330;120000',
          whenGenerated,
        ),
      ).map((item) => item.statedAt);
    expect(madeAt('2024-03-30')).toEqual(['2024-03-30T00:00:00.000Z']);
    expect(madeAt('20240330;120102 EST')).toEqual(['2024-03-30T12:01:02.000Z']);
    expect(madeAt('03/30/2024')).toEqual([undefined]);
  });

  test('rows say the period of a statement that says none', () => {
    const row = flexRow('Trade', { ...purchaseRow, fromDate: '20240110', toDate: '20240111' });
    const document = flexDocument([flexStatement({ Trades: [row] })]).replace(/fromDate="20240101" toDate="\d+"/, '');
    expect(readStatement(document)).toMatchObject([{ statement: 'U1234567/2024-01-10/2024-01-11' }]);
  });

  test('a file that is cut off, or has no statement, is refused', () => {
    expect(() => readStatement(flexDocument([]))).toThrow('Line 7: The file has no statement (FlexStatement).');
    expect(() => readStatement(flexDocument([flexStatement({})]).replace('</FlexQueryResponse>', ''))).toThrow(
      'Line 9: This is not well-formed XML: it ends before "FlexQueryResponse" is closed.',
    );
  });

  test('a statement whose account is empty names none, and neither do its rows', () => {
    const own = flexRow('Trade', { ...purchaseRow, accountId: '-' });
    const [trade] = readStatement(flexDocument([flexStatement({ Trades: [own] }, ' ')]));
    expect(trade).toMatchObject({ reference: '5001', statement: '2024-01-01/2024-03-29' });
    expect(trade).not.toHaveProperty('account');
  });

  test('sections that explain others are passed over; those that nobody knows are one problem each', () => {
    const accrual = flexRow('InterestAccrualsCurrency', { currency: 'USD' });
    expect(readSection('InterestAccruals', [accrual])).toEqual([]);
    expect(readSection('ClientFees', [flexRow('ClientFee', {}), flexRow('ClientFee', {})])).toEqual([
      {
        item: 'problem',
        place: { line: 5, field: 'ClientFees' },
        detail: 'The section ClientFees is not read (rows: 2). If it moved cash or units, enter them by hand.',
      },
    ]);
  });

  test.each([
    ['a wrong number', { quantity: 'ten' }, 'Trade/quantity', '"ten" is not a decimal number.'],
    [
      'a wrong number, of which 40 characters are repeated',
      { quantity: long },
      'Trade/quantity',
      notA('decimal number.'),
    ],
    ['no currency', { currency: '' }, 'Trade/currency', 'currency is missing.'],
    ['a wrong currency', { currency: long }, 'Trade/currency', notA('currency code of three letters.')],
    [
      'a wrong date',
      { tradeDate: long },
      'Trade/tradeDate',
      notA('date that is certain. Set the query to yyyy-MM-dd or yyyyMMdd.'),
    ],
    [
      'no instrument',
      { symbol: '', isin: '', conid: '' },
      'Trade/conid',
      'The row names no instrument: neither isin, cusip, conid nor symbol is stated.',
    ],
    [
      'a number beyond all bounds',
      { netCash: '', proceeds: '', quantity: '99999999999999999999', tradePrice: '99999999999999999999' },
      'Trade',
      'A number is too large.',
    ],
  ])('%s is a problem of its row', (_, row, field, detail) => {
    expect(trades(row, { tradeID: '6' })).toMatchObject([
      { item: 'problem', place: { line: 6, field }, detail, account },
      { reference: '6' },
    ]);
  });
});
