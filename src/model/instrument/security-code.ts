// Checks the codes of securities and markets: ISIN and CUSIP with their check digits, MIC by its shape only.

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

/** The ISIN of a CUSIP in one of the countries that have them. */
export function isinOf(country: string, cusip: string): string {
  const digits = Array.from({ length: 10 }, (_, digit) => `${country}${cusip}${digit}`);
  return defined(digits.find(isIsin), 'one of ten digits is the check digit');
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
