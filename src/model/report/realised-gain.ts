// What was gained when units were sold, lot by lot and in sums, as reports answer it. Knows no wire.

import {
  amountShape,
  dateShape,
  shapeMember,
  nullableShape,
  objectShape,
  enumShape,
  textShape,
  type ShapeValue,
} from '../../kit/shape.ts';
import { currencyMember, segmentMembers } from './holding.ts';
import { positionKeyMembers, gainClassifications } from './lot.ts';

const gainMembers = {
  proceeds: shapeMember(
    amountShape,
    'What the units brought, after fees and taxes and without accrued interest, at the rate of the sale.',
  ),
  cost: shapeMember(amountShape, 'What the units had cost, fees and taxes included, at the rate of their acquisition.'),
  gain: shapeMember(amountShape, '`proceeds` − `cost`, exactly.'),
  pricePart: shapeMember(
    amountShape,
    'The part of the gain that the price made: `proceeds` − cost at the rate of the sale.',
  ),
  currencyPart: shapeMember(
    amountShape,
    'The part that the exchange rate made: cost at the rate of the sale − `cost`.',
  ),
} as const;

/** What one lot gave up. */
export const realisedGainShape = objectShape({
  transactionId: shapeMember(
    nullableShape(textShape),
    'The transaction that realised the gain: a sell, a redemption, a distribution, a corporate action; the buy that closed a short.',
  ),
  lotId: shapeMember(
    nullableShape(textShape),
    'The lot that was given up, as `GET /v1/lots` names it. None where money came for units that were no longer held.',
  ),
  ...positionKeyMembers,
  date: shapeMember(dateShape, 'When the gain was realised.'),
  acquisitionDate: shapeMember(dateShape, 'When the units were acquired; of a short, when they were bought back.'),
  saleDate: shapeMember(dateShape, 'When they were sold.'),
  quantity: shapeMember(amountShape, 'Units given up; zero where capital was returned.'),
  ...gainMembers,
  currency: currencyMember,
  gainClassification: shapeMember(
    enumShape(gainClassifications),
    'Long term after the first anniversary of acquisition.',
  ),
});
export type ReportedGain = ShapeValue<typeof realisedGainShape>;

/** A sum of gains. */
export const gainSumShape = objectShape(gainMembers);
export type GainSum = ShapeValue<typeof gainSumShape>;

const sumMembers = {
  shortTerm: shapeMember(gainSumShape, 'Of units sold up to the first anniversary of their acquisition.'),
  longTerm: shapeMember(gainSumShape, 'Of units sold later.'),
  total: shapeMember(gainSumShape, 'Both together.'),
} as const;

export const gainTotalsShape = objectShape(sumMembers);
export type GainTotals = ShapeValue<typeof gainTotalsShape>;

export const segmentGainsShape = objectShape({ ...segmentMembers, ...sumMembers });
export type SegmentGains = ShapeValue<typeof segmentGainsShape>;
