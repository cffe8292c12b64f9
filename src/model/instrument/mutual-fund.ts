// The mutual fund: units of a pool, valued by their net asset value.

import { declareResource } from '../../kit/resource.ts';
import { countryCode } from '../country.ts';
import { sharedAttributes, sharedDeclaration, isinField, optional } from './instrument-fields.ts';

const type = 'mutual-fund-instrument';

export const mutualFund = declareResource({
  ...sharedDeclaration,
  type,
  plural: 'mutual-fund-instruments',
  description: 'A mutual fund, valued by the net asset value of its units.',
  only: { type: [type] },
  attributes: {
    ...sharedAttributes(type, 'Seefeld Global Equity Fund'),
    isin: { ...isinField, example: 'LU0323577923' },
    domicile: optional(countryCode, {
      description: 'ISO 3166-1 code of the country whose law it is under.',
      example: 'LU',
    }),
  },
});
