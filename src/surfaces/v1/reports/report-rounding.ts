// The parameter `round` of v1 reports: amounts of money rounded for people to read, in the coin of their currency or to a number of digits.

import { fixedPlaces } from '../../../kit/fixed.ts';
import { FieldFault, type AmountRounding, type FieldKind, type WritingStyle } from '../../../kit/field.ts';
import { currencies } from '../../../model/iso-4217.ts';
import type { Parameter, RequestContext } from '../../http/operation/operation.ts';
import { v1 } from '../wire.ts';

/** How amounts are rounded: not at all, to the coin of their currency, or to a number of digits. */
type RoundingChoice = 'none' | 'minor' | number;

const digitsPattern = /^(0|[1-9]\d?)$/;

const roundingKind: FieldKind<RoundingChoice> = {
  read(value) {
    if (value === 'none' || value === 'minor') return value;
    const digits = typeof value === 'string' && digitsPattern.test(value) ? Number(value) : fixedPlaces + 1;
    if (digits > fixedPlaces)
      throw new FieldFault(`must be none, minor, or a number of digits from 0 to ${fixedPlaces}`);
    return digits;
  },
  write: (value) => String(value),
  schema: () => ({ type: 'string', pattern: '^(none|minor|[0-9]|1[0-8])$' }),
};

export const roundParameter = {
  round: {
    kind: roundingKind,
    description: `Rounds amounts of money, half to even: \`minor\` to the coin of their currency (two digits for EUR, none for JPY, three for KWD), a number from 0 to ${fixedPlaces} to that many digits; \`none\` leaves all digits. Every figure, sums included, is computed exactly and rounded once, so rounded rows may differ from their rounded total by a coin. Quantities, prices, rates, multiples and ratios keep all digits. The default is \`none\`, and \`minor\` for CSV; the header \`Rounding\` says what was done.`,
  },
} as const satisfies Record<string, Parameter>;

export type RoundedFormat = 'csv' | 'json';

/** What the request asks for. A file for spreadsheets is rounded by default. */
export function roundingChoice({ query }: Pick<RequestContext, 'query'>, format: RoundedFormat): RoundingChoice {
  return query['round'] ?? (format === 'csv' ? 'minor' : 'none');
}

/** The style of a report whose amounts are in this currency, except where a row names another one. */
export function reportStyle(request: RequestContext, currency: string, format: RoundedFormat = 'json'): WritingStyle {
  const choice = roundingChoice(request, format);
  if (choice === 'none') return v1.style;
  return { ...v1.style, rounding: choice === 'minor' ? minorRounding(currency) : toDigits(choice) };
}

function toDigits(digits: number): AmountRounding {
  const rounding: AmountRounding = { digits, in: () => rounding };
  return rounding;
}

/** Metals and units of account have no coin: their amounts keep all digits. */
function minorRounding(currency: string): AmountRounding {
  return { digits: currencies.get(currency)?.digits ?? null, in: minorRounding };
}
