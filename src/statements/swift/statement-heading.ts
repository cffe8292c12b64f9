// Reads the fields around the lines of a customer statement: the account, the balances, and when a report was made.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { isCurrencyCode } from '../../model/currency.ts';
import type { NamedAccount } from '../../model/custody/statement.ts';
import { shortened } from '../short-text.ts';
import { stated } from '../stated-fields.ts';
import { negated } from '../stated-values.ts';
import type { SwiftField } from './swift-fields.ts';
import { fieldFault, readShortDate, readSwiftNumber } from './swift-values.ts';

export interface BalanceField {
  readonly field: SwiftField;
  readonly date: CalendarDate;
  readonly amount: Decimal;
  readonly currency: string;
}

/** `C240131CHF1234,56`. */
export function readBalance(field: SwiftField): BalanceField {
  const [first = ''] = field.lines;
  const [, mark, day = '', currency = '', digits = ''] = /^([CD])(\d{6})([A-Z]{3})([\d.,]+)$/.exec(first.trim()) ?? [];
  const [date, amount] = [readShortDate(day), readSwiftNumber(digits)];
  if (date === undefined || amount === undefined || !isCurrencyCode(currency)) {
    throw fieldFault(field, `"${shortened(first)}" is not a balance: C or D, date, currency and amount.`);
  }
  return { field, date, currency, amount: mark === 'D' ? negated(amount) : amount };
}

/** A number alone, `BANK/number`, or with the BIC on a line of its own (`:25P:`). Some banks put the currency behind the number. */
export function accountIn({ tag, lines }: SwiftField): NamedAccount | undefined {
  const [first = '', second = ''] = lines.map((line) => line.trim());
  const slash = first.indexOf('/');
  const [bank, rest] =
    slash > 0 ? [first.slice(0, slash), first.slice(slash + 1)] : [undefined, first.replace(/^\//, '')];
  const [, number = rest, suffix] = /^(.*\d) ?([A-Z]{3})$/.exec(rest) ?? [];
  const hasCurrency = suffix !== undefined && isCurrencyCode(suffix);
  const named = (hasCurrency ? number : rest).trim();
  if (named === '') return undefined;
  return stated<NamedAccount>({
    number: named,
    currency: hasCurrency ? suffix : undefined,
    institution: (tag === '25P' ? second || bank : bank) || undefined,
  });
}

/** `2401310930+0100`. */
export function momentIn(text: string): string | undefined {
  const [, day = '', hour, minute, sign, offset = ''] = /^(\d{6})(\d{2})(\d{2})([+-])(\d{4})/.exec(text) ?? [];
  const date = readShortDate(day);
  if (date === undefined) return undefined;
  const moment = Date.parse(`${date}T${hour}:${minute}:00${sign}${offset.slice(0, 2)}:${offset.slice(2)}`);
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString();
}
