// The mutual fund: units of a pool, valued by their net asset value.

import { declareResource } from '../../kit/resource.ts';
import { countryCode } from '../country.ts';
import { attributesOfAll, frameOfAll, isinOf, optional } from './instrument-fields.ts';

const type = 'mutual-fund-instrument';

export const mutualFund = declareResource({
  ...frameOfAll,
  type,
  plural: 'mutual-fund-instruments',
  description: 'A mutual fund, valued by the net asset value of its units.',
  only: { type: [type] },
  attributes: {
    ...attributesOfAll(type, 'Seefeld Global Equity Fund'),
    isin: { ...isinOf, example: 'LU0323577923' },
    domicile: optional(countryCode, {
      description: 'ISO 3166-1 code of the country whose law it is under.',
      example: 'LU',
    }),
  },
});
