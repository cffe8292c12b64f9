// The report of realised gains: by lot, and in totals.

import { amount, anyText, date, nullable, oneOf, quantity, type ValueOf } from '../../kit/field.ts';
import { member, objectOf } from '../../kit/structured-field.ts';
import { keysOf } from '../../kit/keys.ts';
import { explanationsMember } from './explanation.ts';
import { currencyMember, segmentMembers } from './holding.ts';
import { positionKeyMembers, gainClassifications } from './lot.ts';

const gainMembers = {
  proceeds: member(
    amount,
    'Proceeds of the units after fees and taxes and without accrued interest, at the exchange rate of the sale.',
  ),
  cost: member(amount, 'Cost of the units including fees and taxes, at the exchange rate of their acquisition.'),
  gain: member(amount, '`proceeds` − `cost`, exactly.'),
  pricePart: member(
    amount,
    'The part of the gain due to the price: `proceeds` − cost at the exchange rate of the sale.',
  ),
  currencyPart: member(
    amount,
    'The part of the gain due to the exchange rate: cost at the exchange rate of the sale − `cost`.',
  ),
} as const;

/** The gain on the units sold from one lot. */
export const realisedGainMembers = {
  transactionId: member(
    nullable(anyText),
    'The transaction that realised the gain: a sale, a redemption, a distribution, a corporate action, or the purchase that closed a short.',
  ),
  lotId: member(
    nullable(anyText),
    'The id of the lot that was sold, as the report of lots gives it. Null where money came in for units that were no longer held.',
  ),
  ...positionKeyMembers,
  date: member(date, 'When the gain was realised.'),
  acquisitionDate: member(date, 'When the units were acquired; for a short, when they were bought back.'),
  saleDate: member(date, 'When they were sold.'),
  quantity: member(quantity, 'Units sold; zero for a return of capital.'),
  ...gainMembers,
  currency: currencyMember,
  gainClassification: member(oneOf(gainClassifications), 'Long term after the first anniversary of acquisition.'),
} as const;
export const realisedGainShape = objectOf(realisedGainMembers);
export type ReportedGain = ValueOf<typeof realisedGainShape>;

export const explainedGainSumFigures = keysOf(gainMembers);

/** A total of gains. */
const gainSumShape = objectOf({ ...gainMembers, explanations: explanationsMember(explainedGainSumFigures) });
export type GainSum = ValueOf<typeof gainSumShape>;

const sumMembers = {
  shortTerm: member(gainSumShape, 'Gains on units sold up to the first anniversary of their acquisition.'),
  longTerm: member(gainSumShape, 'Gains on units sold later.'),
  total: member(gainSumShape, 'All gains.'),
} as const;

export const gainTotalsShape = objectOf(sumMembers);
export type GainTotals = ValueOf<typeof gainTotalsShape>;

export const segmentGainsShape = objectOf({ ...segmentMembers, ...sumMembers });
export type SegmentGains = ValueOf<typeof segmentGainsShape>;
