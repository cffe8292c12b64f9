// Declares the points of an instrument's time series: price, net asset value, interest rate and index factor, all stored alike.

import { decimal, decimalWithin, type FieldKind } from '../../kit/field.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { declareResource, type RecordOf } from '../../kit/resource.ts';
import { dateField, knownFrom, sourceField } from './dated-value-fields.ts';

export const seriesKinds = ['price', 'net-asset-value', 'interest-rate', 'index-factor'] as const;
export type SeriesKind = (typeof seriesKinds)[number];

interface SeriesValue {
  readonly kind: FieldKind<Decimal>;
  readonly description: string;
  readonly example: string;
}

function declareSeries<const K extends SeriesKind>(type: K, description: string, value: SeriesValue) {
  return declareResource({
    type,
    plural: `${type}s`,
    description,
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
  'A price: the close of a day, in the currency the instrument is quoted in.',
  {
    kind: decimal,
    description: 'The price, in the instrument’s price unit.',
    example: '104.35',
  },
);

export const netAssetValue = declareSeries(
  'net-asset-value',
  'A net asset value: of one unit of a fund, or the latest published valuation of a private vehicle.',
  { kind: decimal, description: 'The net asset value, in the currency of the fund.', example: '1187.4402' },
);

export const interestRate = declareSeries(
  'interest-rate',
  'An interest rate: the rate at which cash, loans and floating bonds accrue from this day on.',
  {
    kind: decimalWithin({ min: '-1', max: '2' }, 'must be a decimal fraction from -1 to 2: 4.25 % is 0.0425'),
    description: 'The rate as a decimal fraction, not a percentage: 4.25 % is 0.0425.',
    example: '0.0425',
  },
);

export const indexFactor = declareSeries(
  'index-factor',
  'An index factor: the level of the index of an index-linked bond, or of your own benchmark.',
  {
    kind: decimalWithin({ above: '0' }, 'must be greater than 0'),
    description: 'The factor. Returns and index ratios are quotients of two factors.',
    example: '1.0325',
  },
);

export const seriesPoints = [price, netAssetValue, interestRate, indexFactor] as const;

export type SeriesPoint = RecordOf<(typeof seriesPoints)[number]>;
