// The code of a currency as a field.

import { FieldFault, type FieldKind } from '../kit/field.ts';
import { currencies } from './iso-4217.ts';

export type CurrencyCode = string & { readonly __brand: 'CurrencyCode' };

export function isCurrencyCode(text: string): text is CurrencyCode {
  return currencies.has(text);
}

export const currencyCode: FieldKind<CurrencyCode> = {
  read(value) {
    if (typeof value !== 'string' || !isCurrencyCode(value)) {
      throw new FieldFault('must be an ISO 4217 currency code, such as EUR');
    }
    return value;
  },
  write: (value) => value,
  schema: () => ({ type: 'string', pattern: '^[A-Z]{3}$', examples: ['EUR'] }),
};
