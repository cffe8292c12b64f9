// A random walk over weekdays in whole numbers: the same value for the same day, whenever and from wherever it is asked for.

import { defined } from '../../../kit/assert.ts';
import { parseCalendarDate, toDayNumber } from '../../../kit/calendar-date.ts';
import { weekdayOf, type Day } from '../../../kit/day.ts';
import { SeededRandom } from '../../demo/seeded-random.ts';

/** The first day of the market, a Friday: no client of the sandbox begins before it. */
export const marketStart: Day = toDayNumber(parseCalendarDate('2010-01-01'));

export interface WalkTerms {
  readonly seed: number;
  /** On the first day of the market. */
  readonly start: number;
  /** Per year, in ten-thousandths: growth, and volatility. */
  readonly drift: number;
  readonly sway: number;
  /** Part of the distance to the start that is made good in a day, in millionths: for what does not grow, such as rates. */
  readonly pull?: number;
}

/** Numbers for one subject on one day, the same whenever asked for. */
export function randomOf(subject: number, day: Day): SeededRandom {
  const random = new SeededRandom((subject % 1_000_003) * 100_003 + day);
  // Neighbouring seeds begin alike.
  for (let step = 0; step < 4; step++) random.integerBelow(2);
  return random;
}

export function isWeekday(day: Day): boolean {
  return weekdayOf(day) <= 5;
}

/** The value is kept with this many more digits than are shown. */
const fine = 1_000;

export class Walk {
  readonly #terms: WalkTerms;
  readonly #values: number[];

  constructor(terms: WalkTerms) {
    this.#terms = terms;
    this.#values = [terms.start * fine];
  }

  /** At the end of the day; at a weekend, that of Friday. */
  valueOn(day: Day): number {
    const index = Math.max(0, day - marketStart);
    while (this.#values.length <= index) this.#values.push(this.#next());
    return Math.max(1, Math.trunc(defined(this.#values[index], 'the walk has come this far') / fine));
  }

  #next(): number {
    const { seed, start, drift, sway, pull = 0 } = this.#terms;
    const before = defined(this.#values.at(-1), 'a walk has a first value');
    const day = marketStart + this.#values.length;
    if (!isWeekday(day)) return before;
    const random = randomOf(seed, day);
    // In millionths. A sum of two equal steps of at most `most` has a deviation of 0.8 × `most`; 16 is the root of 261 days.
    const most = Math.trunc((sway * 100) / 13);
    const swing = random.integerBelow(2 * most + 1) + random.integerBelow(2 * most + 1) - 2 * most;
    const grown = before + Math.trunc((before * (Math.trunc((drift * 100) / 261) + swing)) / 1_000_000);
    return Math.max(fine, grown + Math.trunc(((start * fine - before) * pull) / 1_000_000));
  }
}
