// Reads `:35B:` and the attributes beside it: which instrument a statement of securities means.

import { isIsin } from '../../model/instrument/security-code.ts';
import type { NamedInstrument } from '../../model/custody/statement.ts';
import { stated } from '../stated-fields.ts';
import { readDecimal } from '../stated-values.ts';
import { dateIn, findQualified, type SwiftBlock } from './qualified-field.ts';
import { fieldFault } from './swift-values.ts';

/** The places of national numbers: `/US/…` is a CUSIP. Others are the custodian's. */
const nationalCodes: ReadonlyMap<string, 'cusip' | 'sedol' | 'ticker'> = new Map([
  ['US', 'cusip'],
  ['GB', 'sedol'],
  ['TS', 'ticker'],
]);

type Identifiers = Partial<Record<'isin' | 'cusip' | 'sedol' | 'ticker' | 'custodianCode', string>>;

/** Throws if the block names no instrument. */
export function instrumentIn(block: SwiftBlock): NamedInstrument {
  const field = block.fields.find(({ tag }) => tag === '35B');
  if (field === undefined)
    throw fieldFault({ line: block.line, tag: '35B' }, 'The instrument is not named: field 35B is missing.');
  const identifiers: Identifiers = {};
  const names: string[] = [];
  for (const line of field.lines.map((one) => one.trim())) {
    const [, isin] = /^ISIN ?([A-Z0-9]{12})\b/i.exec(line) ?? [];
    const [, scheme = '', code] = /^\/([A-Z]{2})\/(\S+)$/.exec(line) ?? [];
    if (isin !== undefined) identifiers.isin = isin.toUpperCase();
    else if (code !== undefined) identifiers[nationalCodes.get(scheme) ?? 'custodianCode'] ??= code;
    else if (line !== '') names.push(line);
  }
  const { isin } = identifiers;
  if (isin !== undefined && !isIsin(isin)) throw fieldFault(field, `${isin} is not an ISIN: its check digit is wrong.`);
  const name = names.join(' ').replace(/\s+/g, ' ').trim() || undefined;
  if (name === undefined && Object.keys(identifiers).length === 0)
    throw fieldFault(field, 'The field names no instrument: neither an ISIN nor a description.');
  return stated<NamedInstrument>({ ...identifiers, name, ...attributesIn(block) });
}

const typesOfCfi: Readonly<Record<string, NonNullable<NamedInstrument['type']>>> = {
  E: 'stock',
  D: 'bond',
  C: 'fund',
  O: 'option',
};

/** Block `FIA`: class, denomination, market, maturity and coupon. */
function attributesIn(block: SwiftBlock): Partial<NamedInstrument> {
  const attributes = block.blocks.find(({ name }) => name === 'FIA');
  if (attributes === undefined) return {};
  const cfi = findQualified(attributes, '12', 'CLAS')?.value.trim();
  const maturity = findQualified(attributes, '98', 'MATU');
  const rate = findQualified(attributes, '92', 'INTR')?.value.trim();
  const market = findQualified(attributes, '94B', 'PLIS')?.value.trim();
  const currency = findQualified(attributes, '11A', 'DENO')?.value.trim();
  return stated<Partial<NamedInstrument>>({
    type: cfi !== undefined && /^[A-Z]{6}$/.test(cfi) ? typesOfCfi[cfi.charAt(0)] : undefined,
    maturity: maturity && dateIn(maturity),
    couponRate: rate === undefined ? undefined : readDecimal(rate.replace(',', '.')),
    mic: market === undefined ? undefined : /^EXCH\/([A-Z0-9]{4})$/.exec(market)?.[1],
    currency: currency !== undefined && /^[A-Z]{3}$/.test(currency) ? currency : undefined,
  });
}
