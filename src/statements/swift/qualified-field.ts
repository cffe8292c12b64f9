// Reads the fields of ISO 15022 messages: `:93B::AGGR//UNIT/100,` has a qualifier, perhaps an issuer, and values.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { isCurrencyCode } from '../../model/currency.ts';
import { shortened } from '../short-text.ts';
import { negated } from '../stated-values.ts';
import type { SwiftField } from './swift-fields.ts';
import { fieldFault, readLongDate, readSwiftNumber } from './swift-values.ts';

/** One block, from `:16R:` to `:16S:`, with what is in it. */
export interface SwiftBlock {
  readonly name: string;
  readonly line: number;
  readonly fields: SwiftField[];
  readonly blocks: SwiftBlock[];
}

export interface QualifiedField {
  readonly field: SwiftField;
  readonly qualifier: string;
  /** What follows the qualifier and the issuer, lines included. */
  readonly value: string;
}

/** A field of this number, whatever its letter: `98` is `98A` and `98C`. Only those directly in the block. */
export function findQualified(block: SwiftBlock, number: string, qualifier: string): QualifiedField | undefined {
  for (const field of block.fields) {
    // Compared first, since a block is searched for many qualifiers.
    if (!field.tag.startsWith(number) || !field.lines[0]?.startsWith(qualifier, 1)) continue;
    const qualified = qualifiedField(field);
    if (qualified?.qualifier === qualifier) return qualified;
  }
  return undefined;
}

/** The first of several qualifiers, in order of preference. */
export function findFirst(
  block: SwiftBlock,
  number: string,
  qualifiers: readonly string[],
): QualifiedField | undefined {
  for (const qualifier of qualifiers) {
    const found = findQualified(block, number, qualifier);
    if (found !== undefined) return found;
  }
  return undefined;
}

function qualifiedField(field: SwiftField): QualifiedField | undefined {
  const [, qualifier, value] = /^:([A-Z0-9]{4})\/[A-Z0-9]*\/(.*)$/s.exec(field.lines.join('\n')) ?? [];
  return qualifier === undefined || value === undefined ? undefined : { field, qualifier, value };
}

/** `UNIT/100,`, `FAMT/N5000,`: units or nominal; N is negative. */
export function quantityIn({ field, value }: QualifiedField): Decimal {
  const [, sign, digits = ''] = /(?:^|\/)(N?)([\d.,]+)$/.exec(value.trim()) ?? [];
  const quantity = readSwiftNumber(digits);
  if (quantity === undefined) throw fieldFault(field, `"${shortened(value)}" does not say a quantity.`);
  return sign === 'N' ? negated(quantity) : quantity;
}

export interface QualifiedAmount {
  readonly amount: Decimal;
  readonly currency: string;
}

/** `CHF1234,56`, `NCHF1234,56`. */
export function amountIn({ field, value }: QualifiedField): QualifiedAmount {
  const [, sign, currency = '', digits = ''] = /^(N?)([A-Z]{3})([\d.,]+)$/.exec(value.trim()) ?? [];
  const amount = readSwiftNumber(digits);
  if (amount === undefined || !isCurrencyCode(currency))
    throw fieldFault(field, `"${shortened(value)}" is not an amount with its currency.`);
  return { amount: sign === 'N' ? negated(amount) : amount, currency };
}

/** `PRCT/101,5` is a percentage, `ACTU/CHF84,32` has a currency. */
export function priceIn({ field, value }: QualifiedField): { price: Decimal; currency: string | undefined } {
  const [, currency, digits = ''] = /\/(?:N?)([A-Z]{3})?([\d.,]+)$/.exec(value.trim()) ?? [];
  const price = readSwiftNumber(digits);
  if (price === undefined) throw fieldFault(field, `"${shortened(value)}" is not a price.`);
  return { price, currency };
}

export function dateIn({ field, value }: QualifiedField): CalendarDate {
  const date = readLongDate(value.trim());
  if (date === undefined) throw fieldFault(field, `"${shortened(value)}" is not a date in the form YYYYMMDD.`);
  return date;
}
