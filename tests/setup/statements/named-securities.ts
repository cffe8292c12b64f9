// Files of several formats about the same securities, each named by some of the words that custodians use: generated for laws about names.

import fc from 'fast-check';
import { isinOf } from '../../../src/model/instrument/security-code.ts';
import { flexDocument, flexRow, flexStatement } from './flex-text.ts';

/** What a file says of a security. Words that are absent are not written. */
export interface NamedSecurity {
  readonly isin?: string;
  /** With a right or a wrong check digit. */
  readonly cusip?: string;
  readonly code?: string;
  readonly ticker?: string;
  readonly exchange?: 'NASDAQ' | 'SWX';
  readonly name?: string;
  readonly currency: 'USD' | 'CHF';
  readonly type: 'stock' | 'fund' | 'option' | 'other';
}

export interface NamedTrade {
  readonly security: NamedSecurity;
  readonly day: number;
  readonly units: number;
  readonly isReferenced: boolean;
}

const letters = ['A', 'B', 'C', 'D'];

/** A small pool, so that securities share words: two of one ticker in two currencies, a stock and an option on it. */
export const namedSecurity: fc.Arbitrary<NamedSecurity> = fc
  .record(
    {
      number: fc.integer({ min: 0, max: 3 }),
      currency: fc.constantFrom('USD' as const, 'CHF' as const),
      type: fc.constantFrom('stock' as const, 'fund' as const, 'option' as const, 'other' as const),
      exchange: fc.constantFrom(undefined, 'NASDAQ' as const, 'SWX' as const),
      words: fc.subarray(['isin', 'cusip', 'wrong-cusip', 'code', 'ticker', 'name'] as const, { minLength: 1 }),
    },
    { noNullPrototype: true },
  )
  .map(({ number, currency, type, exchange, words }) => {
    const letter = letters[number]!;
    const has = (word: (typeof words)[number]): boolean => words.includes(word);
    const isOption = type === 'option';
    const ticker = isOption ? `${letter}BC  240621C000${number}5000` : `${letter}BC`;
    return {
      ...(has('isin') && !isOption ? { isin: isinOf('US', rightCusip(number)) } : {}),
      ...(has('cusip') && !isOption
        ? { cusip: rightCusip(number) }
        : has('wrong-cusip')
          ? { cusip: `00000${number}AB${currency === 'USD' ? 1 : 2}` }
          : {}),
      ...(has('code') ? { code: `${type}${number}${currency}` } : {}),
      ...(has('ticker') ? { ticker, ...(exchange === undefined || isOption ? {} : { exchange }) } : {}),
      ...(has('name') ? { name: `${letter}bc ${type} ${currency}` } : {}),
      currency,
      type,
    };
  });

function rightCusip(number: number): string {
  return ['037833100', '459200101', '594918104', '023135106'][number]!;
}

export const namedTrade: fc.Arbitrary<NamedTrade> = fc.record(
  {
    security: namedSecurity,
    day: fc.integer({ min: 10, max: 28 }),
    units: fc.integer({ min: 1, max: 9 }),
    isReferenced: fc.boolean(),
  },
  { noNullPrototype: true },
);

const categories = { stock: 'STK', fund: 'FUND', option: 'OPT', other: 'CRYPTO' } as const;

/** What all trades of a security are stated with. */
export function flexFile(trades: readonly NamedTrade[], accountId = 'U1234567'): string {
  const rows = trades.map(({ security, day, units, isReferenced }, index) => {
    const { isin = '', cusip = '', code = '', ticker = '', exchange = '', name = '', currency, type } = security;
    return flexRow('Trade', {
      accountId,
      currency,
      assetCategory: categories[type],
      symbol: ticker,
      description: name,
      conid: code,
      isin,
      cusip,
      listingExchange: exchange,
      multiplier: '1',
      tradeID: isReferenced ? `T${index}` : '',
      tradeDate: `202401${day}`,
      quantity: String(units),
      tradePrice: '10',
      proceeds: String(-10 * units),
      ibCommission: '0',
      netCash: String(-10 * units),
      buySell: 'BUY',
      levelOfDetail: 'EXECUTION',
    });
  });
  return flexDocument([flexStatement({ Trades: rows }, accountId)]);
}

const infos = { stock: 'STOCK', fund: 'MF', option: 'OPT', other: 'OTHER' } as const;

function secId({ isin, cusip, code, ticker, name = '' }: NamedSecurity): string {
  const [id, type] =
    isin !== undefined
      ? [isin, 'ISIN']
      : cusip !== undefined
        ? [cusip, 'CUSIP']
        : code !== undefined
          ? [code, 'OTHER']
          : [ticker ?? name, ticker === undefined ? 'OTHER' : 'TICKER'];
  return `<SECID><UNIQUEID>${id}</UNIQUEID><UNIQUEIDTYPE>${type}</UNIQUEIDTYPE></SECID>`;
}

export function ofxFile(trades: readonly NamedTrade[], accountId = 'U1234567'): string {
  const bought = trades.map(({ security, day, units, isReferenced }, index) => {
    const { type } = security;
    const fitId = isReferenced ? `<FITID>F${index}</FITID>` : '';
    const tag = `BUY${infos[type]}`;
    return `<${tag}><INVBUY><INVTRAN>${fitId}<DTTRADE>202401${day}</DTTRADE></INVTRAN>${secId(security)}<UNITS>${units}</UNITS><UNITPRICE>10</UNITPRICE><TOTAL>-${units * 10}</TOTAL><CURRENCY><CURRATE>1</CURRATE><CURSYM>${security.currency}</CURSYM></CURRENCY></INVBUY></${tag}>`;
  });
  const listed = trades.map(({ security }) => {
    const { type, ticker, name, currency } = security;
    const tag = `${infos[type]}INFO`;
    return `<${tag}><SECINFO>${secId(security)}<SECNAME>${name ?? ''}</SECNAME><TICKER>${ticker ?? ''}</TICKER><CURRENCY><CURRATE>1</CURRATE><CURSYM>${currency}</CURSYM></CURRENCY></SECINFO></${tag}>`;
  });
  return `<?xml version="1.0"?><?OFX OFXHEADER="200" VERSION="211"?>
<OFX><SIGNONMSGSRSV1><SONRS><DTSERVER>20240201083000</DTSERVER></SONRS></SIGNONMSGSRSV1>
<INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><DTASOF>20240131</DTASOF><CURDEF>USD</CURDEF>
<INVACCTFROM><BROKERID>broker</BROKERID><ACCTID>${accountId}</ACCTID></INVACCTFROM>
<INVTRANLIST>
${bought.join('\n')}
</INVTRANLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>
<SECLISTMSGSRSV1><SECLIST>
${listed.join('\n')}
</SECLIST></SECLISTMSGSRSV1></OFX>
`;
}

/** Of the profile `csvProfile`. */
export function csvFile(trades: readonly NamedTrade[], accountId = 'U1234567'): string {
  const lines = trades.map(({ security, day, units, isReferenced }, index) => {
    const { isin = '', cusip = '', code = '', ticker = '', name = '', currency } = security;
    const reference = isReferenced ? `C${index}` : '';
    const codes = [isin, cusip === rightCusip(letters.indexOf(name.charAt(0))) ? cusip : '', code, ticker, name];
    return [`2024-01-${day}`, 'Buy', accountId, ...codes, units, '10', -10 * units, currency, reference].join(';');
  });
  return `Day;What;Account;ISIN;CUSIP;Code;Ticker;Security;Units;Price;Cash;Ccy;Ref\n${lines.join('\n')}\n`;
}

export const csvProfile = {
  name: 'Trades with every word',
  content: 'transactions',
  decimal_mark: 'point',
  date_order: 'year-month-day',
  recognised_by: ['Day', 'What', 'Cash', 'Ccy'],
  columns: {
    date: ['Day'],
    type: ['What'],
    account: ['Account'],
    isin: ['ISIN'],
    cusip: ['CUSIP'],
    code: ['Code'],
    ticker: ['Ticker'],
    instrument_name: ['Security'],
    quantity: ['Units'],
    price: ['Price'],
    amount: ['Cash'],
    currency: ['Ccy'],
    reference: ['Ref'],
  },
  types: [{ word: 'Buy', type: 'buy' }],
} as const;
