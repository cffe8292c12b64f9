// Declares the stock: a listed equity, valued by its price.

import { text } from '../../kit/field.ts';
import { currencyCode } from '../currency.ts';
import { marketCode } from './security-code.ts';
import { sharedAttributes, sharedDeclaration, isinField, optional, sedolField } from './instrument-fields.ts';
import { declareInstrumentType, pricedPerUnit } from './instrument-traits.ts';

const type = 'stock-instrument';

export const stock = declareInstrumentType({
  ...sharedDeclaration,
  type,
  plural: 'stock-instruments',
  description: 'A stock, or anything else that is listed and traded by the unit.',
  only: { type: [type] },
  traits: {
    termFamily: 'listed',
    isBond: false,
    canBeBenchmark: true,
    series: ['price'],
    priceUnit: pricedPerUnit,
    dayCount: null,
    checks: [],
  },
  attributes: {
    ...sharedAttributes(type, 'Novartis AG'),
    ticker: {
      ...optional(text({ lengthMax: 32 }), { description: 'Its ticker symbol on the exchange.', example: 'NOVN' }),
      filter: true,
    },
    exchange: optional(marketCode, {
      description: 'ISO 10383 code of the market it is listed on.',
      example: 'XSWX',
    }),
    isin: { ...isinField, example: 'CH0012005267' },
    sedol: sedolField,
    listingCurrency: optional(currencyCode, {
      description: 'ISO 4217 code of the currency it is listed in.',
      example: 'CHF',
    }),
  },
});
