// The instrument of a row of a Flex query. IB's own contract id (`conid`) is the custodian's code.

import type { NamedInstrument } from '../../model/custody/statement.ts';
import { optionSymbol, type OptionTerms } from '../option-symbol.ts';
import { stated } from '../stated-fields.ts';
import { readDecimal } from '../stated-values.ts';
import { readFlexDate, type FlexRow } from './flex-row.ts';

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
  const category = row.text('assetCategory');
  const type = category === undefined ? undefined : (types.get(category) ?? 'other');
  const ticker = symbolOf(row, type);
  const instrument = stated<NamedInstrument>({
    isin: (row.text('isin') ?? named('ISIN'))?.toUpperCase(),
    cusip: row.text('cusip') ?? named('CUSIP'),
    sedol: row.text('sedol') ?? named('SEDOL'),
    ticker,
    custodianCode: row.text('conid'),
  });
  if (Object.keys(instrument).length === 0) return undefined;
  return stated<NamedInstrument>({
    ...instrument,
    mic: ticker && marketCodes.get(row.text('listingExchange')?.toUpperCase() ?? ''),
    name: description === 'name' ? row.text('description') : row.text('issuer'),
    currency: row.text('currency'),
    type,
    country: row.text('issuerCountryCode'),
    maturity: row.date('maturity'),
    couponRate: row.amount('couponRate', 'coupon'),
  });
}

/** Of an option, the symbol of its contract: some queries state it by the ticker of what it is on and its terms. */
function symbolOf(row: FlexRow, type: NamedInstrument['type']): string | undefined {
  const symbol = row.text('symbol');
  if (symbol === undefined || type !== 'option') return symbol;
  const expiry = readFlexDate(row.text('expiry') ?? '');
  const strike = readDecimal((row.text('strike') ?? '').replaceAll(',', ''));
  const right = row.text('putCall');
  const isStated = expiry !== undefined && strike !== undefined;
  const terms: OptionTerms | undefined =
    isStated && (right === 'C' || right === 'P') ? { expiry, right, strike } : undefined;
  return optionSymbol(symbol, { root: row.text('underlyingSymbol'), terms });
}

export function requiredInstrument(row: FlexRow, description: 'name' | 'event'): NamedInstrument {
  const instrument = flexInstrument(row, description);
  if (instrument === undefined)
    throw row.fault('conid', 'The row names no instrument: neither isin, cusip, conid nor symbol is stated.');
  return instrument;
}
