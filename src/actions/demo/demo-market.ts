// What the demo's families hold and what it has cost since 2016: companies, bonds, funds and rates that do not exist. Knows no
// client and no store.

import type { Day } from '../../kit/day.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { SeededRandom } from './seeded-random.ts';
import { priceDays, datesEachYear } from './demo-days.ts';

export interface DemoInstrument {
  readonly name: string;
  readonly type: 'stock-instrument' | 'bond-instrument' | 'mutual-fund-instrument';
  readonly currency: string;
  /** From the root of the taxonomy down. */
  readonly path: readonly string[];
  readonly terms: object;
  /** Where its path begins, in hundredths; how much it rises and sways a year, in ten-thousandths. */
  readonly start: number;
  readonly drift: number;
  readonly sway: number;
  /** A split of 2 for 1: prices are halved from this day on. */
  readonly splitOn?: Day;
}

const [splitDay] = datesEachYear([[6, 12]]).slice(4);

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
    splitOn: splitDay!,
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

/** Whole numbers from step to step: a drift, and a sway that is as often up as down. */
function randomWalk(seed: number, { start, drift, sway }: { start: number; drift: number; sway: number }): number[] {
  const random = new SeededRandom(seed);
  let value = start * 1_000;
  let before: Day | undefined;
  return priceDays.map((day) => {
    const days = before === undefined ? 0 : day - before;
    before = day;
    // A year's sway is spread over its steps by the square root, which 52 weeks are about 7 of and 260 days 16.
    const swingMax = days >= 7 ? Math.trunc(sway / 7) : Math.trunc(sway / 16);
    const swing = random.integerBelow(2 * swingMax + 1) - swingMax + random.integerBelow(2 * swingMax + 1) - swingMax;
    if (days > 0) value += Math.trunc((value * (Math.trunc((drift * days) / 365) + swing)) / 10_000);
    return Math.max(1, Math.trunc(value / 1_000));
  });
}

export interface DemoPoint {
  readonly day: Day;
  /** In hundredths; of rates in ten-thousandths. */
  readonly value: number;
}

type Path = Pick<DemoInstrument, 'start' | 'drift' | 'sway' | 'splitOn'>;

/** In steps of so many hundredths. */
function pricePath(seed: number, one: Path, step = 1): DemoPoint[] {
  return randomWalk(seed, one).map((walkedValue, index) => {
    const day = priceDays[index]!;
    const value = one.splitOn !== undefined && day >= one.splitOn ? Math.trunc(walkedValue / 2) : walkedValue;
    return { day, value: Math.max(step, value - (value % step)) };
  });
}

/** Yen and pence have nothing below them. */
function priceStep({ currency, terms }: DemoInstrument): number {
  return currency === 'JPY' || 'priceUnit' in terms ? 100 : 1;
}

const names = Object.keys(demoInstruments) as ListedName[];

export const demoPrices: ReadonlyMap<ListedName, readonly DemoPoint[]> = new Map(
  names.map((name, index) => [name, pricePath(index + 1, demoInstruments[name], priceStep(demoInstruments[name]))]),
);

export const demoRates: ReadonlyMap<keyof typeof rateStarts, readonly DemoPoint[]> = new Map(
  (Object.keys(rateStarts) as (keyof typeof rateStarts)[]).map((currency, index) => [
    currency,
    pricePath(100 + index, { start: rateStarts[currency], drift: rateDrifts[currency], sway: 500 }),
  ]),
);

/** The latest on or before the day. */
export function valueOn(points: readonly DemoPoint[], day: Day): number {
  return points.findLast((point) => point.day <= day)!.value;
}

/** A whole number with so many of its digits after the point. */
export function decimalOf(digits: number, places: number): Decimal {
  const text = String(Math.abs(digits)).padStart(places + 1, '0');
  const sign = digits < 0 ? '-' : '';
  const part = text.slice(text.length - places).replace(/0+$/, '');
  return `${sign}${text.slice(0, text.length - places)}${part === '' ? '' : `.${part}`}` as Decimal;
}
