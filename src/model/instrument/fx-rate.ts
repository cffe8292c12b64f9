// Declares the exchange rate of two currencies on a day, which all clients of a workspace share.

import { decimalWithin } from '../../kit/field.ts';
import { declareResource } from '../../kit/resource.ts';
import { currencyCode } from '../currency.ts';
import { dateField, knownFrom, sourceField } from './dated-value-fields.ts';

export const fxRate = declareResource({
  type: 'fx-rate',
  labels: { one: 'exchange rate', several: 'exchange rates' },
  plural: 'fx-rates',
  description:
    'An exchange rate at the end of a day: 1 of `base` is `rate` of `quote`. All clients of a workspace share them.',
  usage: {
    purpose:
      'Every report that adds up several currencies converts with the rate of the day, or the latest one before it, directly or through other currencies.',
    list: 'Check which rate a report has used, or which are missing.',
    read: 'Look up one rate and where it comes from.',
    create: 'Send a rate that no source delivers, or correct one.',
    bulk: 'Load the rates of many pairs and days at once: the history before the first report, then every day what your bank or a central bank publishes.',
    delete: 'Take back a rate that was wrong. Reports go on with the rates that remain.',
  },
  table: 'fx_rate',
  owner: 'workspace',
  versions: { key: ['base', 'quote', 'date', 'source'] },
  attributes: {
    base: {
      kind: currencyCode,
      description: 'ISO 4217 code of the base currency, of which one unit is priced.',
      writable: 'at-creation',
      required: true,
      filter: true,
      example: 'EUR',
    },
    quote: {
      kind: currencyCode,
      description: 'ISO 4217 code of the currency that the rate is in. It must differ from the base.',
      writable: 'at-creation',
      required: true,
      filter: true,
      example: 'CHF',
    },
    date: dateField,
    rate: {
      kind: decimalWithin({ above: '0' }, 'must be greater than 0'),
      description: 'How many units of `quote` one unit of `base` is worth.',
      writable: 'always',
      required: true,
      example: '0.9385',
    },
    source: sourceField,
    knownFrom,
  },
  relations: {},
});
