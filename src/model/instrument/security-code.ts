// The codes that securities and markets go by: ISIN and CUSIP with their check digits, MIC by its shape.

import { FieldFault, type FieldKind } from '../../kit/field.ts';

/** The value of a digit or letter: A is 10, and what is in neither of them is unknown. */
function characterValue(character: string): number {
  return Number.parseInt(character, 36);
}

/** Sums the digits of every product: what both checks have in common. */
function digitSum(products: readonly number[]): number {
  return products.reduce((sum, product) => sum + Math.floor(product / 10) + (product % 10), 0);
}

/** ISO 6166: letters become two digits, then the formula of Luhn over all of them. */
export function isIsin(text: string): boolean {
  if (!/^[A-Z]{2}[A-Z0-9]{9}\d$/.test(text)) return false;
  const digits = [...text].flatMap((character) => [...String(characterValue(character))]).map(Number);
  const products = digits.toReversed().map((digit, index) => (index % 2 === 1 ? digit * 2 : digit));
  return digitSum(products) % 10 === 0;
}

const cusipAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ*@#';

/** ANSI X9.6: every second character counts double; the ninth makes the sum of digits a multiple of ten. */
export function isCusip(text: string): boolean {
  if (!/^[A-Z0-9*@#]{8}\d$/.test(text)) return false;
  const products = [...text].map((character, index) => cusipAlphabet.indexOf(character) * (index % 2 === 1 ? 2 : 1));
  return digitSum(products) % 10 === 0;
}

/** The national number within an American or Canadian ISIN is a CUSIP, and has a check digit of its own. */
function hasWrongCusip(isin: string): boolean {
  return /^(US|CA)/.test(isin) && !isCusip(isin.slice(2, 11));
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

/** ISO 10383, by its shape: new markets come every month. */
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
