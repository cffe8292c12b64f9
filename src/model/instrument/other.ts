// Declares instruments of no other type: their owner describes them in free metadata.

import { openObject } from '../../kit/structured-field.ts';
import { sharedAttributes, sharedDeclaration, optional } from './instrument-fields.ts';
import { declareInstrumentType, pricedPerUnit } from './instrument-traits.ts';
import { seriesKinds } from './series-point.ts';

const type = 'other-instrument';

export const otherInstrument = declareInstrumentType({
  ...sharedDeclaration,
  type,
  plural: 'other-instruments',
  description: 'Everything of no other type: art, claims, participations. Valued by its latest price, else at cost.',
  only: { type: [type] },
  traits: {
    termFamily: 'other',
    isBond: false,
    canBeBenchmark: true,
    series: seriesKinds,
    priceUnit: pricedPerUnit,
    dayCount: null,
    checks: [],
  },
  attributes: {
    ...sharedAttributes(type, 'Lindqvist Bau AG, registered shares'),
    metadata: optional(openObject({ charactersMax: 16_384 }), {
      description: 'Any JSON object of at most 16,384 characters; numbers keep all their digits.',
    }),
  },
});
