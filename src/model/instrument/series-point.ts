// Declares the points of an instrument's time series: price, net asset value, interest rate and index factor, all stored alike.

import { decimal, decimalWithin, type FieldKind } from '../../kit/field.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { declareResource, type RecordOf, type ResourceUsage } from '../../kit/resource.ts';
import { dateField, knownFrom, sourceField } from './dated-value-fields.ts';

export const seriesKinds = ['price', 'net-asset-value', 'interest-rate', 'index-factor'] as const;
export type SeriesKind = (typeof seriesKinds)[number];

interface SeriesValue {
  readonly kind: FieldKind<Decimal>;
  readonly description: string;
  readonly example: string;
}

function usageOf(type: SeriesKind, purpose: string): ResourceUsage {
  const words = type.replaceAll('-', ' ');
  return {
    purpose,
    list: `Check which ${words}s reports are computed with, and from which source each comes. ${purpose}`,
    read: `Look up one ${words}: its day, its source, and since when it is known.`,
    create: `Send the ${words} of a day that no feed delivers, or correct one. ${purpose}`,
    bulk: `Load the ${words}s of many days at once: a history for a new instrument, or what a data vendor delivers.`,
    delete: `Take back the ${words} of a day that was wrong. Reports go on with those that remain.`,
  };
}

function declareSeries<const K extends SeriesKind>(
  type: K,
  { description, purpose }: { description: string; purpose: string },
  value: SeriesValue,
) {
  return declareResource({
    type,
    plural: `${type}s`,
    description,
    usage: usageOf(type, purpose),
    table: 'series_point',
    only: { kind: [type] },
    owner: { relation: 'client', from: 'instrument', shared: true },
    versions: { key: ['instrument', 'date', 'source'] },
    attributes: {
      date: dateField,
      value: { ...value, writable: 'always', required: true },
      source: sourceField,
      knownFrom,
    },
    relations: {
      instrument: {
        to: 'instrument',
        description: 'The instrument of the series.',
        writable: 'at-creation',
        required: true,
      },
      client: {
        to: 'client',
        description: 'The client of its instrument; null for the catalogue that all clients share.',
        writable: 'never',
      },
    },
  });
}

export const price = declareSeries(
  'price',
  {
    description: 'A price: the close of a day, in the currency the instrument is quoted in.',
    purpose: 'Stocks and bonds are valued with the price of a day, or the latest one before it.',
  },
  {
    kind: decimal,
    description: 'The price, in the instrument’s price unit.',
    example: '104.35',
  },
);

export const netAssetValue = declareSeries(
  'net-asset-value',
  {
    description: 'A net asset value: of one unit of a fund, or the latest published valuation of a private vehicle.',
    purpose: 'Funds are valued with the latest one on or before a day.',
  },
  { kind: decimal, description: 'The net asset value, in the currency of the fund.', example: '1187.4402' },
);

export const interestRate = declareSeries(
  'interest-rate',
  {
    description: 'An interest rate: the rate at which cash, loans and floating bonds accrue from this day on.',
    purpose: 'A rate counts until the day of the next one.',
  },
  {
    kind: decimalWithin({ min: '-1', max: '2' }, 'must be a decimal fraction from -1 to 2: 4.25 % is 0.0425'),
    description: 'The rate as a decimal fraction, not a percentage: 4.25 % is 0.0425.',
    example: '0.0425',
  },
);

export const indexFactor = declareSeries(
  'index-factor',
  {
    description: 'An index factor: the level of the index of an index-linked bond, or of your own benchmark.',
    purpose:
      'Index-linked bonds are valued with the factor of a day against their base, and benchmarks with two factors.',
  },
  {
    kind: decimalWithin({ above: '0' }, 'must be greater than 0'),
    description: 'The factor. Returns and index ratios are quotients of two factors.',
    example: '1.0325',
  },
);

export const seriesPoints = [price, netAssetValue, interestRate, indexFactor] as const;

export type SeriesPoint = RecordOf<(typeof seriesPoints)[number]>;
