// Says of trades by how much their amount differs from units and price, and of an import how much that is in all.

import type { Decimal } from '../../kit/decimal.ts';
import { fixedText, fromFixed, magnitude, multiply, toFixed, type Fixed } from '../../kit/fixed.ts';
import type { ImportWarning } from '../../model/custody/import.ts';
import type { StatementEntry } from '../../model/custody/statement.ts';
import type { Reason } from './row-result.ts';

/** How many currencies are told apart. */
const currenciesMax = 20;

interface Total {
  rows: number;
  /** Of magnitudes: differences of opposite signs do not hide each other. */
  sum: Fixed;
  readonly line: number;
}

/** The part of an amount that the ledger could not explain, in the currency of the amount. */
export interface Unexplained {
  readonly amount: Decimal;
  readonly currency: string | null;
}

export class UnexplainedAmounts {
  readonly #totals = new Map<string, Total>();

  /** Why the row is not plain. */
  add({ quantity, price, amount: stated, place }: StatementEntry, { amount, currency }: Unexplained): Reason {
    const code = currency ?? '';
    const size = magnitude(toFixed(amount));
    const total = this.#totals.get(code);
    if (total !== undefined) {
      total.rows++;
      total.sum += size;
    } else if (this.#totals.size < currenciesMax) this.#totals.set(code, { rows: 1, sum: size, line: place.line });
    const worth =
      quantity === undefined || price === undefined
        ? undefined
        : fromFixed(magnitude(multiply(toFixed(quantity), toFixed(price))));
    const figures =
      worth === undefined
        ? ''
        : `${magnitudeText(quantity)} × ${price} = ${worth}, and the amount is ${stated} ${code}. `;
    const detail = `${figures}${fixedText(size)} ${code} is explained by no fee or tax of the row and is booked as cost.`;
    return { code: 'amount-unexplained', detail: detail.replaceAll(/\s+/g, ' ') };
  }

  listWarnings(): ImportWarning[] {
    return [...this.#totals].map(([currency, { rows, sum, line }]) => {
      const what = rows === 1 ? 'The amount of 1 row differs' : `The amounts of ${rows} rows differ`;
      const detail = `${what} from units × price by ${fixedText(sum)} ${currency} in all, which no fee or tax explains; the first is on line ${line}. A column of fees may be missing or not read.`;
      return { code: 'amounts-unexplained', detail };
    });
  }
}

function magnitudeText(value: Decimal | undefined): string {
  return value === undefined ? '' : fromFixed(magnitude(toFixed(value)));
}
