// Costs that cannot be told because a rate is missing. Whoever reads one asks for the rate; units and everything else stay known.

import type { MissingConversion } from '../currencies/exchange-rates.ts';

export interface CostGap {
  readonly conversion: MissingConversion;
  /** Whether only the cost in the reference currency is unknown, or also the one in the instrument's currency. */
  readonly lacks: 'reference-cost' | 'both-costs';
}

/** To be spread into what may have a gap. */
export function gapMember(gap: CostGap | undefined): { readonly gap?: CostGap } {
  return gap === undefined ? {} : { gap };
}

const ownFields = ['cost', 'unitCost', 'gain', 'proceeds'];
const referenceFields = [
  'referenceCost',
  'referenceUnitCost',
  'referenceProceeds',
  'referenceGain',
  'costAtSaleRate',
  'pricePart',
  'currencyPart',
];

/** The same; reading a cost, or a gain that depends on it, needs the missing rate. */
export function guardCosts<T extends object>(item: T, gap: CostGap | undefined): T {
  if (gap === undefined) return item;
  const guarded = { ...item };
  for (const field of gap.lacks === 'both-costs' ? [...ownFields, ...referenceFields] : referenceFields) {
    if (!(field in item)) continue;
    const value: unknown = item[field as keyof T];
    const get = (): unknown => {
      gap.conversion.need();
      return value;
    };
    Object.defineProperty(guarded, field, { enumerable: true, get });
  }
  return guarded;
}

/** The first gap among them. */
export function findGap(items: Iterable<{ readonly gap?: CostGap }>): CostGap | undefined {
  for (const { gap } of items) if (gap !== undefined) return gap;
  return undefined;
}
