// The code of a currency as a field.

import { FieldFault, type FieldKind } from '../kit/field.ts';
import { currencies, currentCurrencies, type CurrencyInfo } from './iso-4217.ts';

export type CurrencyCode = string & { readonly __brand: 'CurrencyCode' };

export function isCurrencyCode(text: string): text is CurrencyCode {
  return currencies.has(text);
}

function readCode(value: unknown, known: ReadonlyMap<string, CurrencyInfo>): CurrencyCode {
  if (typeof value === 'string' && known.has(value)) return value as CurrencyCode;
  const withdrawn = typeof value === 'string' ? currencies.get(value)?.withdrawn : undefined;
  throw new FieldFault(
    withdrawn === undefined
      ? 'must be an ISO 4217 currency code, such as EUR'
      : `must be a currency of today: ${value} was withdrawn in ${withdrawn}`,
  );
}

const code = {
  write: (value: CurrencyCode) => value,
  schema: () => ({ type: 'string', pattern: '^[A-Z]{3}$', examples: ['EUR'] }),
} as const;

/** Of what happened, in any currency that there was at the time. */
export const currencyCode: FieldKind<CurrencyCode> = { ...code, read: (value) => readCode(value, currencies) };

/** Of what is reported from now on. */
export const currentCurrencyCode: FieldKind<CurrencyCode> = {
  ...code,
  read: (value) => readCode(value, currentCurrencies),
};
