// Reads `:61:`, the statement line of MT940 and MT942: dates, direction, amount, type and references.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { shortened } from '../short-text.ts';
import { negated } from '../stated-values.ts';
import { referenceIn } from '../used-references.ts';
import type { SwiftField } from './swift-fields.ts';
import { fieldFault, nearestDate, readShortDate, readSwiftNumber } from './swift-values.ts';

export interface StatementLine {
  readonly valueDate: CalendarDate;
  readonly entryDate: CalendarDate | undefined;
  /** In is positive. */
  readonly amount: Decimal;
  readonly isReversal: boolean;
  /** Announced, not booked. */
  readonly isExpected: boolean;
  /** `NTRF`. */
  readonly type: string;
  /** For the account owner. */
  readonly customerReference: string | undefined;
  /** The bank's own. */
  readonly bankReference: string | undefined;
  readonly details: string;
}

const pattern = /^(\d{6})(\d{4})?(R[CD]|E[CD]|[CD])([A-Z]?)(\d+(?:[.,]\d*)?)([A-Z][A-Z0-9]{3})(.*)$/;

export function readStatementLine(field: SwiftField): StatementLine {
  const [first = '', ...others] = field.lines;
  const match = pattern.exec(first.trim());
  if (match === null) {
    throw fieldFault(
      field,
      `"${shortened(first)}" is not a statement line: date, direction (C, D, RC, RD), amount, type and reference.`,
    );
  }
  const [, value = '', entry, mark = '', , digits = '', type = '', rest = ''] = match;
  const valueDate = readShortDate(value);
  if (valueDate === undefined) throw fieldFault(field, `"${value}" is not a date in the form YYMMDD.`);
  const entryDate = entry === undefined ? undefined : nearestDate(entry, valueDate);
  if (entry !== undefined && entryDate === undefined)
    throw fieldFault(field, `"${entry}" is not a day in the form MMDD.`);
  const amount = readSwiftNumber(digits);
  if (amount === undefined) throw fieldFault(field, `"${shortened(digits)}" is not an amount.`);
  const [customerReference, bankReference] = referencesIn(rest);
  const isIn = mark === 'C' || mark === 'RD' || mark === 'EC';
  return {
    valueDate,
    entryDate,
    amount: isIn ? amount : negated(amount),
    isReversal: mark.startsWith('R'),
    isExpected: mark.startsWith('E'),
    type,
    customerReference,
    bankReference,
    details: others.join(' ').trim(),
  };
}

function referencesIn(rest: string): [customer: string | undefined, bank: string | undefined] {
  const at = rest.indexOf('//');
  return at < 0 ? [referenceIn(rest), undefined] : [referenceIn(rest.slice(0, at)), referenceIn(rest.slice(at + 2))];
}
