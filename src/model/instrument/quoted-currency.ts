// The currencies in which prices are quoted: ISO 4217 codes, and the hundredths that exchanges and data vendors write instead.

import { isCurrencyCode, type CurrencyCode } from '../currency.ts';

export interface QuotedCurrency {
  readonly currency: CurrencyCode;
  /** Whether a price is in hundredths of it, such as pence. */
  readonly isInHundredths: boolean;
}

/** Codes of hundredths: as vendors write them in capitals, and with a small last letter. */
const hundredths: ReadonlyMap<string, string> = new Map([
  ['GBX', 'GBP'],
  ['GBp', 'GBP'],
  ['ZAX', 'ZAR'],
  ['ZAC', 'ZAR'],
  ['ZAc', 'ZAR'],
  ['ILA', 'ILS'],
  ['ILa', 'ILS'],
  ['USX', 'USD'],
  ['USx', 'USD'],
  ['EUX', 'EUR'],
  ['EUc', 'EUR'],
]);

/** Undefined if the word is none. Case counts only where it tells pence from pounds: `GBp` and `GBP`. */
export function quotedCurrency(word: string | undefined): QuotedCurrency | undefined {
  const text = word?.trim() ?? '';
  const main = hundredths.get(text) ?? hundredths.get(text.toUpperCase());
  if (main !== undefined && isCurrencyCode(main)) return { currency: main, isInHundredths: true };
  const code = text.toUpperCase();
  return isCurrencyCode(code) ? { currency: code, isInHundredths: false } : undefined;
}
