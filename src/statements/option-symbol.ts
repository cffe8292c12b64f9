// The symbol of an option contract, in the one form that exchanges and clearing use (OCC): root, expiry, right and strike. Custodians write
// the same contract in several ways, and one of them only by the ticker of what it is on with its terms beside.

import type { CalendarDate } from '../kit/calendar-date.ts';
import type { Decimal } from '../kit/decimal.ts';

export interface OptionTerms {
  readonly expiry: CalendarDate;
  readonly right: 'C' | 'P';
  readonly strike: Decimal;
}

const occForm = /^[A-Z0-9.]{1,6} {0,5}\d{6}[CP]\d{8}$/;
/** `SPY 21JUN24 500.0 C`, as Interactive Brokers writes it in many places. */
const spokenForm = /^([A-Z0-9.]{1,6}) (\d{2})([A-Z]{3})(\d{2}) (\d{1,5}(?:\.\d{1,3})?) ([CP])$/;
const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/**
 * `SPY   240621C00500000` for `SPY` with its terms, and for `SPY 21JUN24 500 C`. Other symbols stay as they are: those of exchanges outside
 * the United States have forms of their own.
 */
export function optionSymbol(
  symbol: string,
  { root, terms }: { root?: string | undefined; terms?: OptionTerms | undefined },
): string {
  const text = symbol.trim().toUpperCase();
  if (occForm.test(text)) return text;
  const [, spokenRoot, day = '', month = '', year = '', spokenStrike = '', spokenRight = ''] =
    spokenForm.exec(text) ?? [];
  const monthNumber = months.indexOf(month) + 1;
  if (spokenRoot !== undefined && monthNumber > 0) {
    const date = `${year}${String(monthNumber).padStart(2, '0')}${day}`;
    return occSymbol(spokenRoot, { date, right: spokenRight, strike: spokenStrike }) ?? symbol;
  }
  const isRoot = /^[A-Z0-9.]{1,6}$/.test(text) && (root === undefined || root.trim().toUpperCase() === text);
  if (terms === undefined || !isRoot) return symbol;
  const { expiry, right, strike } = terms;
  return occSymbol(text, { date: expiry.slice(2).replaceAll('-', ''), right, strike }) ?? symbol;
}

/** Undefined for a strike that the form has no digits for. */
function occSymbol(
  root: string,
  { date, right, strike }: { readonly date: string; readonly right: string; readonly strike: string },
): string | undefined {
  const [, whole = '', part = ''] = /^(\d{1,5})(?:\.(\d{1,3}))?$/.exec(strike) ?? [];
  if (whole === '') return undefined;
  return `${root.padEnd(6)}${date}${right}${whole.padStart(5, '0')}${part.padEnd(3, '0')}`;
}
