// The instruments of the demo with their prices and rates since 2016. All of them are invented.

import { defined } from '../../kit/assert.ts';
import type { Day } from '../../kit/day.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { keysOf } from '../../kit/keys.ts';
import { SeededRandom } from './seeded-random.ts';
import { priceDays, datesEachYear } from './demo-days.ts';

export interface DemoInstrument {
  readonly name: string;
  readonly type: 'stock-instrument' | 'bond-instrument' | 'mutual-fund-instrument';
  readonly currency: string;
  /** The names of its class, from the root of the taxonomy down. */
  readonly path: readonly string[];
  readonly terms: object;
  /** The first price in hundredths; yearly drift and volatility in ten-thousandths. */
  readonly start: number;
  readonly drift: number;
  readonly sway: number;
  /** A split of 2 for 1: prices are halved from this day on. */
  readonly splitOn?: Day;
}

const splitDay = defined(datesEachYear([[6, 12]])[4], 'the demo has a fifth year');

const developed = ['Equities', 'Developed markets'] as const;

function stock(
  name: string,
  currency: string,
  country: string,
  path: Pick<DemoInstrument, 'start' | 'drift' | 'sway'>,
) {
  return {
    name,
    type: 'stock-instrument',
    currency,
    path: developed,
    terms: { issuerCountry: country, listingCurrency: currency },
    ...path,
  } as const satisfies DemoInstrument;
}

export const demoInstruments = {
  milk: stock('Alpenmilch AG', 'CHF', 'CH', { start: 7_350, drift: 450, sway: 1_400 }),
  pharma: {
    ...stock('Rhein Pharma AG', 'CHF', 'CH', { start: 8_420, drift: 550, sway: 1_600 }),
    terms: { issuerCountry: 'CH', listingCurrency: 'CHF', tags: ['family-connection'] },
  },
  insurer: stock('Helvetic Rück AG', 'CHF', 'CH', { start: 9_180, drift: 300, sway: 2_000 }),
  luxury: stock('Seine Luxe SA', 'EUR', 'FR', { start: 14_200, drift: 900, sway: 2_200 }),
  software: {
    ...stock('Cascade Software Inc.', 'USD', 'US', { start: 5_490, drift: 2_100, sway: 2_500 }),
    splitOn: splitDay,
  },
  railway: stock('Prairie Rail Corp.', 'USD', 'US', { start: 7_810, drift: 800, sway: 1_700 }),
  water: {
    ...stock('Thames & Severn Water plc', 'GBP', 'GB', { start: 82_000, drift: 150, sway: 1_500 }),
    terms: { issuerCountry: 'GB', listingCurrency: 'GBP', priceUnit: 'hundredths' },
  },
  precision: stock('Sakura Precision K.K.', 'JPY', 'JP', { start: 241_000, drift: 700, sway: 2_000 }),
  confederation: {
    name: 'Eidgenossenschaft 1.25 % 2034',
    type: 'bond-instrument',
    currency: 'CHF',
    path: ['Fixed income', 'Government'],
    terms: {
      issuerCountry: 'CH',
      coupon: '0.0125',
      maturity: '2034-06-11',
      datedDate: '2012-06-11',
      dayCountConvention: '30E/360',
    },
    start: 11_240,
    drift: -60,
    sway: 250,
  },
  corporate: {
    name: 'Seine Luxe 2.5 % 2028',
    type: 'bond-instrument',
    currency: 'EUR',
    path: ['Fixed income', 'Corporate'],
    terms: {
      issuerCountry: 'FR',
      coupon: '0.025',
      maturity: '2028-09-15',
      datedDate: '2015-09-15',
      dayCountConvention: 'ACT/ACT-ICMA',
    },
    start: 10_180,
    drift: -10,
    sway: 350,
  },
  equityFund: {
    name: 'Seefeld Global Equity Fund',
    type: 'mutual-fund-instrument',
    currency: 'EUR',
    path: ['Funds', 'Equity funds'],
    terms: { domicile: 'LU' },
    start: 10_000,
    drift: 750,
    sway: 1_500,
  },
  bondFund: {
    name: 'Matterhorn Bond Fund CHF',
    type: 'mutual-fund-instrument',
    currency: 'CHF',
    path: ['Funds', 'Bond funds'],
    terms: { domicile: 'CH' },
    start: 10_000,
    drift: 80,
    sway: 300,
  },
} as const satisfies Record<string, DemoInstrument>;

export type ListedName = keyof typeof demoInstruments;

/** 1 euro in each of these, in ten-thousandths. */
const rateStarts = { CHF: 10_810, USD: 10_860, GBP: 7_340, JPY: 1_307_000 } as const;
const rateDrifts = { CHF: -140, USD: 10, GBP: 120, JPY: 250 } as const;

/** A random walk in whole numbers: a drift, and a symmetric random step. */
function randomWalk(seed: number, { start, drift, sway }: { start: number; drift: number; sway: number }): number[] {
  const random = new SeededRandom(seed);
  let value = start * 1_000;
  let before: Day | undefined;
  return priceDays.map((day) => {
    const days = before === undefined ? 0 : day - before;
    before = day;
    // Volatility scales with the square root of the number of steps: about 7 for 52 weeks, about 16 for 260 days.
    const swingMax = days >= 7 ? Math.trunc(sway / 7) : Math.trunc(sway / 16);
    const swing = random.integerBelow(2 * swingMax + 1) - swingMax + random.integerBelow(2 * swingMax + 1) - swingMax;
    if (days > 0) value += Math.trunc((value * (Math.trunc((drift * days) / 365) + swing)) / 10_000);
    return Math.max(1, Math.trunc(value / 1_000));
  });
}

export interface DemoPoint {
  readonly day: Day;
  /** Prices in hundredths, rates in ten-thousandths. */
  readonly value: number;
}

type Path = Pick<DemoInstrument, 'start' | 'drift' | 'sway' | 'splitOn'>;

/** Prices are multiples of `step` hundredths, and halved from the day of a split on. */
function pricePath(seed: number, path: Path, step = 1): DemoPoint[] {
  return randomWalk(seed, path).map((walkedValue, index) => {
    const day = defined(priceDays[index], 'a walk has a step for every price day');
    const value = path.splitOn !== undefined && day >= path.splitOn ? Math.trunc(walkedValue / 2) : walkedValue;
    return { day, value: Math.max(step, value - (value % step)) };
  });
}

export function isFund(name: ListedName): boolean {
  return demoInstruments[name].type === 'mutual-fund-instrument';
}

export function isShare(name: ListedName): boolean {
  return demoInstruments[name].type === 'stock-instrument';
}

/** Prices in yen and pence have no decimals. */
export function priceStep({ currency, terms }: DemoInstrument): number {
  return currency === 'JPY' || 'priceUnit' in terms ? 100 : 1;
}

const names = keysOf(demoInstruments);

export const demoPrices: ReadonlyMap<ListedName, readonly DemoPoint[]> = new Map(
  names.map((name, index) => [name, pricePath(index + 1, demoInstruments[name], priceStep(demoInstruments[name]))]),
);

export const demoRates: ReadonlyMap<keyof typeof rateStarts, readonly DemoPoint[]> = new Map(
  keysOf(rateStarts).map((currency, index) => [
    currency,
    pricePath(100 + index, { start: rateStarts[currency], drift: rateDrifts[currency], sway: 500 }),
  ]),
);

/** The price of an instrument on a day. */
export function priceOn(name: ListedName, day: Day): number {
  return valueOn(defined(demoPrices.get(name), 'every instrument of the demo has prices'), day);
}

/** The latest value on or before the day. */
export function valueOn(points: readonly DemoPoint[], day: Day): number {
  return defined(
    points.findLast((point) => point.day <= day),
    'the demo asks for no day before its first',
  ).value;
}

/** Writes a whole number as a decimal with this many places. */
export function decimalOf(digits: number, places: number): Decimal {
  const text = String(Math.abs(digits)).padStart(places + 1, '0');
  const sign = digits < 0 ? '-' : '';
  const part = text.slice(text.length - places).replace(/(?<!0)0+$/, '');
  return `${sign}${text.slice(0, text.length - places)}${part === '' ? '' : `.${part}`}` as Decimal;
}
