// The invented market of the sandbox: the instruments that its clients trade, their prices and income, and exchange rates, for any day.

import { defined } from '../../../kit/assert.ts';
import { civilFromDay, type Day } from '../../../kit/day.ts';
import { keysOf } from '../../../kit/keys.ts';
import { isinOf } from '../../../model/instrument/security-code.ts';
import type { SandboxCurrency } from '../../../model/sandbox/persona.ts';
import { Walk, type WalkTerms } from './walk.ts';

interface Listing extends Omit<WalkTerms, 'seed'> {
  readonly name: string;
  readonly type: 'stock-instrument' | 'bond-instrument' | 'mutual-fund-instrument';
  readonly currency: SandboxCurrency;
  /** The names of its class, from the root of the default classes down. */
  readonly path: string;
  readonly terms: Readonly<Record<string, unknown>>;
  /** What it pays in a year, in ten-thousandths of its price, and the months on whose tenth day it pays. */
  readonly dividend?: { readonly yield: number; readonly months: readonly number[] };
  /** The coupon of a bond in ten-thousandths of the nominal, paid on this day of every year. */
  readonly coupon?: { readonly rate: number; readonly month: number; readonly day: number };
}

const developed = 'Equities/Developed markets';

function share(
  name: string,
  ticker: string,
  { currency, country, ...path }: { currency: SandboxCurrency; country: string } & Omit<WalkTerms, 'seed'>,
): Listing {
  return {
    name,
    type: 'stock-instrument',
    currency,
    path: developed,
    terms: { ticker, issuerCountry: country, listingCurrency: currency },
    dividend: { yield: 220, months: [5] },
    ...path,
  };
}

interface BondPlan {
  readonly currency: SandboxCurrency;
  readonly country: string;
  readonly path: string;
  readonly rate: number;
  readonly month: number;
  readonly maturity: number;
}

/** Coupons are paid on the fifteenth, and days are counted as 30E/360. */
function couponBond(name: string, { currency, country, path, rate, month, maturity }: BondPlan): Listing {
  const monthDay = `${String(month).padStart(2, '0')}-15`;
  return {
    name,
    type: 'bond-instrument',
    currency,
    path,
    terms: {
      issuerCountry: country,
      coupon: `0.${String(rate).padStart(4, '0')}`,
      datedDate: `2009-${monthDay}`,
      maturity: `${maturity}-${monthDay}`,
      dayCountConvention: '30E/360',
    },
    coupon: { rate, month, day: 15 },
    start: 10_050,
    drift: 0,
    sway: 320,
    pull: 2_500,
  };
}

function fund(
  name: string,
  currency: SandboxCurrency,
  path: string,
  values: Omit<WalkTerms, 'seed'> & { readonly yield: number },
): Listing {
  const { yield: paid, ...walk } = values;
  return {
    name,
    type: 'mutual-fund-instrument',
    currency,
    path,
    terms: { domicile: 'IE' },
    dividend: { yield: paid, months: [3, 6, 9, 12] },
    ...walk,
  };
}

/** New ones go to the end: the place gives an instrument its ISIN and its prices. */
export const listings = {
  'world-fund': fund('Meridian World Equity ETF', 'USD', 'Funds/Equity funds', {
    start: 4_200,
    drift: 750,
    sway: 1_450,
    yield: 160,
  }),
  'emerging-fund': fund('Meridian Emerging Markets ETF', 'USD', 'Funds/Equity funds', {
    start: 2_600,
    drift: 550,
    sway: 1_900,
    yield: 240,
  }),
  'bond-fund': fund('Meridian Global Aggregate Bond ETF', 'USD', 'Funds/Bond funds', {
    start: 5_000,
    drift: 120,
    sway: 450,
    yield: 260,
  }),
  chips: share('Northgate Semiconductors Inc.', 'NGSX', {
    currency: 'USD',
    country: 'US',
    start: 3_100,
    drift: 1_250,
    sway: 3_100,
  }),
  retailer: share('Harvest Lane Stores Inc.', 'HLSX', {
    currency: 'USD',
    country: 'US',
    start: 5_400,
    drift: 450,
    sway: 1_900,
  }),
  carmaker: share('Adler Motorenwerke AG', 'ADMX', {
    currency: 'EUR',
    country: 'DE',
    start: 6_200,
    drift: 250,
    sway: 2_600,
  }),
  utility: share('Loire Énergie SA', 'LOEX', {
    currency: 'EUR',
    country: 'FR',
    start: 2_850,
    drift: 350,
    sway: 1_500,
  }),
  insurer: share('Säntis Versicherungen AG', 'SAVX', {
    currency: 'CHF',
    country: 'CH',
    start: 11_400,
    drift: 500,
    sway: 1_700,
  }),
  miner: share('Tamar Resources plc', 'TAMX', {
    currency: 'GBP',
    country: 'GB',
    start: 1_450,
    drift: 300,
    sway: 2_800,
  }),
  brewer: share('Old Ferry Breweries plc', 'OFBX', {
    currency: 'GBP',
    country: 'GB',
    start: 2_100,
    drift: 350,
    sway: 1_600,
  }),
  'euro-government': couponBond('Bund der Länder 2.5 % 2046', {
    currency: 'EUR',
    country: 'DE',
    path: 'Fixed income/Government',
    rate: 250,
    month: 7,
    maturity: 2046,
  }),
  'euro-corporate': couponBond('Loire Énergie 3.4 % 2041', {
    currency: 'EUR',
    country: 'FR',
    path: 'Fixed income/Corporate',
    rate: 340,
    month: 10,
    maturity: 2041,
  }),
  'dollar-corporate': couponBond('Harvest Lane Stores 4.2 % 2043', {
    currency: 'USD',
    country: 'US',
    path: 'Fixed income/Corporate',
    rate: 420,
    month: 4,
    maturity: 2043,
  }),
} as const satisfies Readonly<Record<string, Listing>>;

export type ListedKey = keyof typeof listings;
export const listedKeys: readonly ListedKey[] = keysOf(listings);

export function listingOf(key: ListedKey): Listing {
  return listings[key];
}

/** XX is the code of no country: no security of the real world has such an ISIN. */
export function sandboxIsin(key: ListedKey): string {
  return isinOf('XX', `SBX${String(listedKeys.indexOf(key) + 1).padStart(6, '0')}`);
}

const prices = new Map<ListedKey, Walk>(
  listedKeys.map((key, index) => [key, new Walk({ seed: index + 1, ...listingOf(key) })]),
);

/** In hundredths. */
export function priceOn(key: ListedKey, day: Day): number {
  return defined(prices.get(key), 'every listing has prices').valueOn(day);
}

/** 1 euro in each of these on the first day, in ten-thousandths. */
const rateStarts = { USD: 11_400, CHF: 10_400, GBP: 8_600 } as const;
export const ratedCurrencies = ['USD', 'CHF', 'GBP'] as const satisfies readonly SandboxCurrency[];
export type RatedCurrency = (typeof ratedCurrencies)[number];

const rates = new Map<SandboxCurrency, Walk>(
  ratedCurrencies.map((currency, index) => {
    const start = rateStarts[currency];
    return [currency, new Walk({ seed: 500 + index, start, drift: 0, sway: 650, pull: 1_200 })];
  }),
);

/** 1 euro in the currency, in ten-thousandths. */
export function rateOn(currency: SandboxCurrency, day: Day): number {
  return rates.get(currency)?.valueOn(day) ?? 10_000;
}

/** Converts hundredths of one currency to those of another, rounded down. */
export function convert(amount: number, pair: { from: SandboxCurrency; to: SandboxCurrency }, day: Day): number {
  if (pair.from === pair.to) return amount;
  return Math.trunc((amount * rateOn(pair.to, day)) / rateOn(pair.from, day));
}

/** What one unit pays on the day, in hundredths and fractions of them; 0 on other days. */
export function dividendOn(key: ListedKey, day: Day): number {
  const { dividend } = listingOf(key);
  const civil = civilFromDay(day);
  if (dividend === undefined || civil.day !== 10 || !dividend.months.includes(civil.month)) return 0;
  return (priceOn(key, day) * dividend.yield) / 10_000 / dividend.months.length;
}

export function paysCouponOn(key: ListedKey, day: Day): boolean {
  const { coupon } = listingOf(key);
  const civil = civilFromDay(day);
  return coupon !== undefined && civil.month === coupon.month && civil.day === coupon.day;
}

/** The days since the last coupon, as 30E/360 counts them. */
export function couponDaysOn(key: ListedKey, day: Day): number {
  const { coupon } = listingOf(key);
  if (coupon === undefined) return 0;
  const { year, month, day: dayOfMonth } = civilFromDay(day);
  const isBefore = month < coupon.month || (month === coupon.month && dayOfMonth < coupon.day);
  const lastYear = isBefore ? year - 1 : year;
  return (year - lastYear) * 360 + (month - coupon.month) * 30 + Math.min(dayOfMonth, 30) - coupon.day;
}
