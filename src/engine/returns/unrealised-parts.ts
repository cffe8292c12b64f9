// Splits the unrealised gain of a holding into what its price and what its currency brought, as realised gains are split.

import { multiply, type Fixed } from '../../kit/fixed.ts';
import { convertedAmount } from '../currencies/exchange-rates.ts';
import type { History } from '../history/history.ts';
import type { Holding } from '../history/holdings.ts';
import type { OpenLot } from '../lots/lot.ts';

/** In the reference currency. The two parts add up to the unrealised gain exactly. */
export interface UnrealisedParts {
  readonly price: Fixed;
  /** Cost × (rate of the day − rate of the acquisition). */
  readonly currency: Fixed;
}

export function unrealisedParts(history: History, holding: Holding): UnrealisedParts {
  const currency = unrealisedCurrencyPart(history, holding);
  return { price: holding.unrealised - currency, currency };
}

/** Money costs what it is worth, and what is quoted in the reference currency has no other. */
export function unrealisedCurrencyPart(history: History, holding: Holding): Fixed {
  const { isMoney, cost, referenceCost, conversion, valuation } = holding;
  const isQuotedInReference =
    cost === referenceCost && conversion.from === conversion.to && valuation.parts[0]?.kind === 'quoted';
  return isMoney || isQuotedInReference ? 0n : costAtDayRate(history, holding, holding) - referenceCost;
}

/**
 * The cost in the instrument's currency at the rate that the value was converted by: on the day of an upload the uploaded rate,
 * else the day's. Without any such rate the gain is all price.
 */
function costAtDayRate(
  history: History,
  { position, valuation, conversion }: Holding,
  { cost, referenceCost }: Pick<Holding, 'cost' | 'referenceCost'>,
): Fixed {
  const { currency: from } = history.instrument(position);
  if (cost === 0n) return 0n;
  const [part] = valuation.parts;
  if (part?.kind === 'uploaded') return convertedAmount(multiply(cost, part.upload.rate), conversion);
  const own = valuation.currency === from ? conversion : history.facts.rates.find({ ...conversion, from });
  return own === undefined ? referenceCost : convertedAmount(cost, own);
}

/**
 * The cost of each lot at the rate of the day, as a step of the running total, so that the lots' parts add up to those of the
 * holding.
 */
export function lotCostsAtDayRate(history: History, holding: Holding, lots: readonly OpenLot[]): readonly Fixed[] {
  let [cost, referenceCost, before] = [0n, 0n, 0n];
  return lots.map((lot) => {
    cost += lot.cost;
    referenceCost += lot.referenceCost;
    const total = costAtDayRate(history, holding, { cost, referenceCost });
    const step = total - before;
    before = total;
    return step;
  });
}

/** The part of the market value that is accrued interest or, of a fee instrument, an accrued fee. */
export function accruedInReferenceCurrency({ valuation, conversion }: Holding): Fixed {
  return convertedAmount(valuation.accrued, conversion);
}
