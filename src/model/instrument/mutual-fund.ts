// Declares the mutual fund: units of a pool, valued by their net asset value.

import { countryCode } from '../country.ts';
import { sharedAttributes, sharedDeclaration, isinField, optional, sedolField } from './instrument-fields.ts';
import { declareInstrumentType, pricedPerUnit } from './instrument-traits.ts';

const type = 'mutual-fund-instrument';

export const mutualFund = declareInstrumentType({
  ...sharedDeclaration,
  type,
  plural: 'mutual-fund-instruments',
  description: 'A mutual fund, valued by the net asset value of its units.',
  only: { type: [type] },
  traits: {
    termFamily: 'fund',
    isBond: false,
    canBeBenchmark: true,
    series: ['price', 'net-asset-value'],
    priceUnit: pricedPerUnit,
    dayCount: null,
    checks: [],
  },
  attributes: {
    ...sharedAttributes(type, 'Seefeld Global Equity Fund'),
    isin: { ...isinField, example: 'LU0323577923' },
    sedol: sedolField,
    domicile: optional(countryCode, {
      description: 'ISO 3166-1 code of the country whose law governs it.',
      example: 'LU',
    }),
  },
});
