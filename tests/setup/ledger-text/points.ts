// Reads dated points of a ledger text: prices, net asset values, index factors, interest rates, exchange rates.

import { ExchangeRates } from '../../../src/engine/currencies/exchange-rates.ts';
import { Series, type Point } from '../../../src/engine/amounts/series.ts';
import type { Words } from './words.ts';

export type PointKind = 'price' | 'nav' | 'index' | 'interest' | 'rate';

export const pointKinds: readonly PointKind[] = ['price', 'nav', 'index', 'interest', 'rate'];

export class Points {
  readonly #points = new Map<string, Point[]>();

  /** `price X 2024-01-02 10`, `rate EUR/USD 2024-01-02 1.10`, `interest EURIBOR 2024-01-02 3%` */
  read(words: Words, kind: PointKind): void {
    const key = `${kind} ${words.next('a name')}`;
    const day = words.date();
    const point = { day, value: kind === 'interest' ? words.fraction() : words.amount() };
    words.end();
    this.#points.set(key, [...(this.#points.get(key) ?? []), point]);
  }

  /** Sorted by day. */
  list(kind: PointKind, name: string): readonly Point[] {
    return (this.#points.get(`${kind} ${name}`) ?? []).toSorted((one, other) => one.day - other.day);
  }

  series(kind: PointKind, name: string): Series {
    return new Series(this.list(kind, name));
  }

  names(kind: PointKind): readonly string[] {
    return [...this.#points.keys()].flatMap((key) => (key.startsWith(`${kind} `) ? [key.slice(kind.length + 1)] : []));
  }

  exchangeRates(): ExchangeRates {
    return new ExchangeRates(
      this.names('rate').map((pair) => {
        const [base, quote] = pair.split('/');
        return { base: base!, quote: quote!, points: this.list('rate', pair) };
      }),
    );
  }
}
