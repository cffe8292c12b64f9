// Computes the gain when units are sold: by price and by currency, short or long term.

import { addMonths, type Day } from '../../kit/day.ts';
import { multiply, multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import type { HoldingPeriod, Realisation, HoldingTerm } from './lot.ts';
import { gapMember } from './cost-gap.ts';
import type { LotMatch } from './lot-match.ts';

export const oneYearHoldingPeriod: HoldingPeriod = { unit: 'months', count: 12 };

/**
 * Long term starts the day after the anniversary. Units bought on 29 February have theirs on the 28th in years without a 29th.
 */
export function holdingTerm(
  { acquired, sold }: { acquired: Day; sold: Day },
  { unit, count }: HoldingPeriod,
): HoldingTerm {
  const last = unit === 'months' ? addMonths(acquired, count) : acquired + count;
  return sold > last ? 'long_term' : 'short_term';
}

/**
 * currency part = cost × (rate at sale − rate at acquisition). Cost × rate at acquisition is the reference cost, whatever rate
 * the trade had, so the part is cost × rate at sale (rounded once) − reference cost. The price part is the rest of the gain. They
 * add up exactly, and so do the parts of several matches.
 */
export function realisation(match: LotMatch, longAfter: HoldingPeriod): Realisation {
  const { row, day, lot, held, acquired, sold, quantity, cost, referenceCost, proceeds, referenceProceeds } = match;
  const costAtSaleRate = costConvertedAtSale(match);
  return {
    row,
    day,
    lot: lot && { row: lot.row, ordinal: lot.ordinal },
    acquired,
    sold,
    term: holdingTerm({ acquired, sold }, longAfter),
    quantity,
    held: { quantity: held.quantity, cost: held.cost, referenceCost: held.referenceCost },
    cost,
    proceeds,
    gain: proceeds - cost,
    referenceCost,
    referenceProceeds,
    referenceGain: referenceProceeds - referenceCost,
    costAtSaleRate,
    pricePart: referenceProceeds - costAtSaleRate,
    currencyPart: costAtSaleRate - referenceCost,
    ...gapMember(match.gap),
  };
}

/** Without a rate, uses the one that the proceeds imply. A sale for nothing implies none: its loss is all price. */
function costConvertedAtSale({ cost, referenceCost, proceeds, referenceProceeds, rate }: LotMatch): Fixed {
  if (rate !== undefined) return multiply(cost, rate);
  return proceeds === 0n ? referenceCost : multiplyDivide(cost, referenceProceeds, proceeds);
}
