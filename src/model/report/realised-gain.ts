// What was gained when units were sold, lot by lot and in sums, as reports answer it. Knows no wire.

import { amount, anyText, date, nullable, oneOf, type ValueOf } from '../../kit/field.ts';
import { member, objectOf } from '../../kit/structured-field.ts';
import { currencyMember, segmentMembers } from './holding.ts';
import { positionKeyMembers, gainClassifications } from './lot.ts';

const gainMembers = {
  proceeds: member(
    amount,
    'What the units brought, after fees and taxes and without accrued interest, at the rate of the sale.',
  ),
  cost: member(amount, 'What the units had cost, fees and taxes included, at the rate of their acquisition.'),
  gain: member(amount, '`proceeds` − `cost`, exactly.'),
  pricePart: member(amount, 'The part of the gain that the price made: `proceeds` − cost at the rate of the sale.'),
  currencyPart: member(amount, 'The part that the exchange rate made: cost at the rate of the sale − `cost`.'),
} as const;

/** What one lot gave up. */
export const realisedGainShape = objectOf({
  transactionId: member(
    nullable(anyText),
    'The transaction that realised the gain: a sell, a redemption, a distribution, a corporate action; the buy that closed a short.',
  ),
  lotId: member(
    nullable(anyText),
    'The id of the lot that was sold, as the report of lots gives it. Null where money came in for units that were no longer held.',
  ),
  ...positionKeyMembers,
  date: member(date, 'When the gain was realised.'),
  acquisitionDate: member(date, 'When the units were acquired; of a short, when they were bought back.'),
  saleDate: member(date, 'When they were sold.'),
  quantity: member(amount, 'Units given up; zero where capital was returned.'),
  ...gainMembers,
  currency: currencyMember,
  gainClassification: member(oneOf(gainClassifications), 'Long term after the first anniversary of acquisition.'),
});
export type ReportedGain = ValueOf<typeof realisedGainShape>;

/** A sum of gains. */
export const gainSumShape = objectOf(gainMembers);
export type GainSum = ValueOf<typeof gainSumShape>;

const sumMembers = {
  shortTerm: member(gainSumShape, 'Of units sold up to the first anniversary of their acquisition.'),
  longTerm: member(gainSumShape, 'Of units sold later.'),
  total: member(gainSumShape, 'Both together.'),
} as const;

export const gainTotalsShape = objectOf(sumMembers);
export type GainTotals = ValueOf<typeof gainTotalsShape>;

export const segmentGainsShape = objectOf({ ...segmentMembers, ...sumMembers });
export type SegmentGains = ValueOf<typeof segmentGainsShape>;
