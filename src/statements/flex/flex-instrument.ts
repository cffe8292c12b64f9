// The instrument of a row of a Flex query. IB's own contract id (`conid`) is the custodian's code.

import type { NamedInstrument } from '../../model/custody/statement.ts';
import { stated } from '../stated-fields.ts';
import type { FlexRow } from './flex-row.ts';

/** IB's names of exchanges, where they are not the market identifier code. */
const marketCodes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    NYSE: 'XNYS',
    NASDAQ: 'XNAS',
    ARCA: 'ARCX',
    AMEX: 'XASE',
    BATS: 'BATS',
    TSE: 'XTSE',
    LSE: 'XLON',
    LSEETF: 'XLON',
    IBIS: 'XETR',
    IBIS2: 'XETR',
    FWB: 'XFRA',
    SWB: 'XSTU',
    EBS: 'XSWX',
    SWX: 'XSWX',
    AEB: 'XAMS',
    SBF: 'XPAR',
    'ENEXT.BE': 'XBRU',
    BVL: 'XLIS',
    BVME: 'XMIL',
    'BVME.ETF': 'XMIL',
    BM: 'XMAD',
    VSE: 'XWBO',
    SFB: 'XSTO',
    OSE: 'XOSL',
    CPH: 'XCSE',
    HEX: 'XHEL',
    TSEJ: 'XTKS',
    SEHK: 'XHKG',
    ASX: 'XASX',
    SGX: 'XSES',
  }),
);

const types: ReadonlyMap<string, NamedInstrument['type']> = new Map<string, NamedInstrument['type']>([
  ['STK', 'stock'],
  ['BOND', 'bond'],
  ['BILL', 'bond'],
  ['FUND', 'fund'],
  ['OPT', 'option'],
  ['WAR', 'option'],
  ['IOPT', 'option'],
]);

/** `description` is the name of the instrument in some sections and what happened in others. */
export function flexInstrument(row: FlexRow, description: 'name' | 'event'): NamedInstrument | undefined {
  const idType = row.text('securityIDType')?.toUpperCase();
  const named = (type: string) => (idType === type ? row.text('securityID') : undefined);
  const ticker = row.text('symbol');
  const instrument = stated<NamedInstrument>({
    isin: (row.text('isin') ?? named('ISIN'))?.toUpperCase(),
    cusip: row.text('cusip') ?? named('CUSIP'),
    sedol: row.text('sedol') ?? named('SEDOL'),
    ticker,
    custodianCode: row.text('conid'),
  });
  if (Object.keys(instrument).length === 0) return undefined;
  const category = row.text('assetCategory');
  return stated<NamedInstrument>({
    ...instrument,
    mic: ticker && marketCodes.get(row.text('listingExchange')?.toUpperCase() ?? ''),
    name: description === 'name' ? row.text('description') : row.text('issuer'),
    currency: row.text('currency'),
    type: category === undefined ? undefined : (types.get(category) ?? 'other'),
    country: row.text('issuerCountryCode'),
    maturity: row.date('maturity'),
    couponRate: row.amount('couponRate', 'coupon'),
  });
}

export function requiredInstrument(row: FlexRow, description: 'name' | 'event'): NamedInstrument {
  const instrument = flexInstrument(row, description);
  if (instrument === undefined)
    throw row.fault('conid', 'The row names no instrument: neither isin, cusip, conid nor symbol is stated.');
  return instrument;
}
