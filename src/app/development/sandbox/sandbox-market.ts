// Prices and exchange rates of the sandbox, on from the last day of the seeded demo. Its markets are open on every calendar day, and what
// a day brings follows from the instrument and the day alone.

import { defined } from '../../../kit/assert.ts';
import type { Day } from '../../../kit/day.ts';
import { lastDay } from '../../../actions/demo/demo-days.ts';
import {
  demoInstruments,
  demoRates,
  priceOn,
  priceStep,
  valueOn,
  type ListedName,
} from '../../../actions/demo/demo-market.ts';
import { keysOf } from '../../../kit/keys.ts';
import { SeededRandom } from '../../../actions/demo/seeded-random.ts';

export const listedNames = keysOf(demoInstruments);
export const ratedCurrencies = [...demoRates.keys()];

/** The numbers of a day for one subject, the same whenever asked for. */
export function randomOf(subject: number, day: Day): SeededRandom {
  const random = new SeededRandom(subject * 100_003 + day);
  // Neighbouring seeds begin alike.
  for (let step = 0; step < 4; step++) random.integerBelow(2);
  return random;
}

interface Walk {
  readonly subject: number;
  /** At the end of the last day of the demo. */
  readonly start: number;
  /** Per year, in ten-thousandths. */
  readonly drift: number;
  readonly sway: number;
  readonly step: number;
}

/** One value for each day after the last of the demo, each from the one before. */
class WalkedSeries {
  readonly #walk: Walk;
  /** In thousandths of what is shown. */
  readonly #values: number[];

  constructor(walk: Walk) {
    this.#walk = walk;
    this.#values = [walk.start * 1_000];
  }

  valueOn(day: Day): number {
    const { start, step } = this.#walk;
    if (day <= lastDay) return start;
    while (this.#values.length <= day - lastDay) this.#values.push(this.#next());
    const value = Math.trunc(defined(this.#values[day - lastDay], 'the walk has come this far') / 1_000);
    return Math.max(step, value - (value % step));
  }

  #next(): number {
    const { subject, drift, sway } = this.#walk;
    const before = defined(this.#values.at(-1), 'a walk has a first value');
    const random = randomOf(subject, lastDay + this.#values.length);
    const swingMax = Math.trunc(sway / 16);
    const swing = random.integerBelow(2 * swingMax + 1) - swingMax + random.integerBelow(2 * swingMax + 1) - swingMax;
    return Math.max(1_000, before + Math.trunc((before * (Math.trunc(drift / 365) + swing)) / 10_000));
  }
}

const prices = new Map<ListedName, WalkedSeries>(
  listedNames.map((name, index) => {
    const { drift, sway } = demoInstruments[name];
    const step = priceStep(demoInstruments[name]);
    return [name, new WalkedSeries({ subject: index + 1, start: priceOn(name, lastDay), drift, sway, step })];
  }),
);

const rates = new Map<string, WalkedSeries>(
  [...demoRates].map(([currency, points], index) => {
    const start = valueOn(points, lastDay);
    return [currency, new WalkedSeries({ subject: 100 + index, start, drift: 0, sway: 500, step: 1 })];
  }),
);

/** In hundredths. */
export function sandboxPrice(name: ListedName, day: Day): number {
  return defined(prices.get(name), 'every instrument of the demo has prices').valueOn(day);
}

/** 1 euro in the currency, in ten-thousandths. */
export function sandboxRate(currency: string, day: Day): number {
  return currency === 'EUR' ? 10_000 : defined(rates.get(currency), 'the currency has a rate').valueOn(day);
}
