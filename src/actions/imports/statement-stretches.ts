// From which balance to which the statements of an import lead. Where one ends, another may go on on the same day.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { fixedText, toFixed } from '../../kit/fixed.ts';
import { ownText } from '../../kit/memory/own-text.ts';
import type { StatementBalance } from '../../model/custody/statement.ts';

interface Bound {
  readonly date: CalendarDate;
  readonly amount: Decimal;
}

/** What a statement, or a line that says the balance after it, covers, as far as that is known. */
export interface Stretch {
  readonly opening?: Bound;
  readonly closing?: Bound;
}

/** An entry with what says where it belongs. */
export interface StretchOwner {
  readonly statement: string | undefined;
  /** The account in the words of its file. */
  readonly account: string | undefined;
  readonly currency: string | undefined;
}

/** How many statements of an import are looked at. A file has few at a time. */
const statementsMax = 100_000;

const placeOf = ({ date, amount }: Bound, currency: string): string => `${currency} ${date} ${amount}`;

export class StatementStretches {
  readonly #stretches = new Map<string, { -readonly [Name in keyof Stretch]: Stretch[Name] }>();
  readonly #openings = new Set<string>();
  readonly #closings = new Set<string>();

  /** Of a statement on several pages, the first opening balance and the last closing balance count. */
  add({ account, currency, statement, moment, date, amount }: StatementBalance): void {
    const key = ownText(keyOf(account?.number, currency, statement));
    if (this.#stretches.size >= statementsMax && !this.#stretches.has(key)) return;
    const stretch = this.#stretches.getOrInsert(key, {});
    const bound = { date: ownText(date) as CalendarDate, amount: ownText(amount) as Decimal };
    if (moment === 'closing') stretch.closing = bound;
    else if (stretch.opening === undefined || date < stretch.opening.date) stretch.opening = bound;
    (moment === 'closing' ? this.#closings : this.#openings).add(placeOf(bound, currency));
  }

  of({ account, currency, statement }: StretchOwner): Stretch {
    if (this.#stretches.size === 0 || statement === undefined || currency === undefined) return {};
    return this.#stretches.get(keyOf(account, currency, statement)) ?? {};
  }

  /** Leaves out statements by their names. */
  without(statements: ReadonlySet<string>): void {
    for (const key of this.#stretches.keys()) {
      const [, , ...words] = key.split(' ');
      if (statements.has(words.join(' '))) this.#stretches.delete(key);
    }
  }

  /** Whether a statement here ends where the stretch begins, or begins where it ends, on this day. */
  mayTouch({ opening, closing }: Stretch, currency: string, date: CalendarDate): boolean {
    if (opening?.date === date && this.#closings.has(placeOf(opening, currency))) return true;
    return closing?.date === date && this.#openings.has(placeOf(closing, currency));
  }
}

function keyOf(account: string | undefined, currency: string, statement: string): string {
  return `${account?.replaceAll(' ', '').toUpperCase() ?? ''} ${currency} ${statement}`;
}

/** What a line covers that says the balance after it. */
export function stretchOfLine(line: {
  readonly date: CalendarDate;
  readonly amount: Decimal | undefined;
  readonly balance: Decimal | undefined;
}): Stretch {
  const { date, amount, balance } = line;
  if (amount === undefined || balance === undefined) return {};
  const before = fixedText(toFixed(balance) - toFixed(amount)) as Decimal;
  return { opening: { date, amount: before }, closing: { date, amount: balance } };
}
