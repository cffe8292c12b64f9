// Checks the codes of securities and markets: ISIN, CUSIP and SEDOL with their check digits, MIC by its shape only.

import { defined } from '../../kit/assert.ts';
import { FieldFault, type FieldKind } from '../../kit/field.ts';

/** The value of a digit or letter: A is 10. NaN for anything else. */
function characterValue(character: string): number {
  return Number.parseInt(character, 36);
}

/** Sums the digits of every product, as both checks do. */
function digitSum(products: readonly number[]): number {
  return products.reduce((sum, product) => sum + Math.floor(product / 10) + (product % 10), 0);
}

/** ISO 6166: letters become two digits; the Luhn formula is applied to all digits. */
export function isIsin(text: string): boolean {
  if (!/^[A-Z]{2}[A-Z0-9]{9}\d$/.test(text)) return false;
  const digits = [...text].flatMap((character) => [...String(characterValue(character))]).map(Number);
  const products = digits.toReversed().map((digit, index) => (index % 2 === 1 ? digit * 2 : digit));
  return digitSum(products) % 10 === 0;
}

const cusipAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ*@#';

/** ANSI X9.6: every second character counts double; the ninth makes the digit sum a multiple of ten. */
export function isCusip(text: string): boolean {
  if (!/^[A-Z0-9*@#]{8}\d$/.test(text)) return false;
  const products = [...text].map((character, index) => cusipAlphabet.indexOf(character) * (index % 2 === 1 ? 2 : 1));
  return digitSum(products) % 10 === 0;
}

/** The national number in an ISIN of these countries is a CUSIP, with its own check digit. */
export const countriesWithCusips: readonly string[] = ['US', 'CA'];

/** The CUSIP within an ISIN; undefined if its country has none. */
export function cusipOf(isinText: string): string | undefined {
  return countriesWithCusips.includes(isinText.slice(0, 2)) ? isinText.slice(2, 11) : undefined;
}

/** The ISIN of a country's national number of nine characters. */
export function isinOf(country: string, nationalNumber: string): string {
  const digits = Array.from({ length: 10 }, (_, digit) => `${country}${nationalNumber}${digit}`);
  return defined(digits.find(isIsin), 'one of ten digits is the check digit');
}

const sedolWeights = [1, 3, 1, 7, 3, 9, 1] as const;

/** Seven characters without vowels: the weighted sum of their values is a multiple of ten. */
export function isSedol(text: string): boolean {
  if (!/^[0-9B-DF-HJ-NP-TV-Z]{6}\d$/.test(text)) return false;
  const products = sedolWeights.map((weight, index) => weight * characterValue(text.charAt(index)));
  return products.reduce((sum, product) => sum + product, 0) % 10 === 0;
}

/** The national number in an ISIN of these countries is a SEDOL after two zeros. */
const countriesWithSedols: readonly string[] = ['GB', 'IE', 'GG', 'JE', 'IM'];

/** The SEDOL within an ISIN; undefined if it has none. */
export function sedolOf(isinText: string): string | undefined {
  const sedolText = isinText.slice(4, 11);
  const isWithin = countriesWithSedols.includes(isinText.slice(0, 2)) && isinText.slice(2, 4) === '00';
  return isWithin && isSedol(sedolText) ? sedolText : undefined;
}

/** The ISINs that a CUSIP or a SEDOL may be part of. */
export function isinsWith({ cusip, sedol }: { readonly cusip?: string; readonly sedol?: string }): readonly string[] {
  return [
    ...(cusip !== undefined && isCusip(cusip) ? countriesWithCusips.map((country) => isinOf(country, cusip)) : []),
    ...(sedol !== undefined && isSedol(sedol)
      ? countriesWithSedols.map((country) => isinOf(country, `00${sedol}`))
      : []),
  ];
}

function hasWrongCusip(isinText: string): boolean {
  const cusip = cusipOf(isinText);
  return cusip !== undefined && !isCusip(cusip);
}

export const isin: FieldKind<string> = {
  read(value) {
    if (typeof value !== 'string' || !/^[A-Z]{2}[A-Z0-9]{9}\d$/.test(value)) {
      throw new FieldFault('must be an ISIN of 12 characters, such as CH0012032048');
    }
    if (!isIsin(value)) throw new FieldFault('must be an ISIN with a right check digit');
    if (hasWrongCusip(value)) throw new FieldFault('must be an ISIN whose CUSIP has a right check digit');
    return value;
  },
  write: (value) => value,
  schema: () => ({ type: 'string', pattern: '^[A-Z]{2}[A-Z0-9]{9}[0-9]$', examples: ['CH0012032048'] }),
};

export const sedol: FieldKind<string> = {
  read(value) {
    if (typeof value !== 'string' || !/^[0-9B-DF-HJ-NP-TV-Z]{6}\d$/.test(value)) {
      throw new FieldFault('must be a SEDOL of 7 characters without vowels, such as B0YBKJ7');
    }
    if (!isSedol(value)) throw new FieldFault('must be a SEDOL with a right check digit');
    return value;
  },
  write: (value) => value,
  schema: () => ({ type: 'string', pattern: '^[0-9B-DF-HJ-NP-TV-Z]{6}[0-9]$', examples: ['B0YBKJ7'] }),
};

/** ISO 10383. Only the shape is checked, because new markets are added every month. */
export const marketCode: FieldKind<string> = {
  read(value) {
    if (typeof value !== 'string' || !/^[A-Z0-9]{4}$/.test(value)) {
      throw new FieldFault('must be a market identifier code of four letters or digits, such as XSWX');
    }
    return value;
  },
  write: (value) => value,
  schema: () => ({ type: 'string', pattern: '^[A-Z0-9]{4}$', examples: ['XSWX'] }),
};
