// Follows units that move between own places where uploads imply different prices: they keep what they are worth, so the place they come to
// has an average price from then on, and moving them makes no return.

import { leastOf } from '../../kit/memory/long-list.ts';
import type { Day } from '../../kit/day.ts';
import { oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { InstrumentTerms } from '../instruments/instrument.ts';
import type { BaseValue } from './base-value.ts';
import { fallbackBaseValue } from './fallback-value.ts';
import type { UploadedValue, ValuationSubject } from './position-state.ts';
import { findMarketBaseValue } from './quoted.ts';

interface MovedUnits {
  readonly from: number;
  readonly to: number;
  readonly day: Day;
  readonly quantity: Fixed;
}

interface CarriedPriceSource {
  readonly moves: readonly MovedUnits[];
  /** Units of the receiving place just before a move. */
  heldBefore(move: MovedUnits, earlier: readonly MovedUnits[]): Fixed;
  /** That many units of a position on the day of a move, as they were before any upload of the day. */
  subject(
    position: number,
    day: Day,
    units: { readonly quantity: Fixed; readonly carriedPrice: UploadedValue | null },
  ): ValuationSubject;
}

export interface CarriedPrices {
  /** Empty if the units of the position are worth what its own points and uploads say. */
  of(position: number): readonly UploadedValue[];
  /** Whether units that moved on a day were worth another price where they came from. */
  hasDifference(move: Omit<MovedUnits, 'quantity'>): boolean;
}

/** Types whose value is units × a price, perhaps with interest. */
export function isPricedByUnit(terms: InstrumentTerms): boolean {
  const isBond = terms.type === 'bond' && terms.index === undefined;
  return isBond || terms.type === 'listed' || terms.type === 'fund' || terms.type === 'other';
}

export function carriedPrices({ moves, heldBefore, subject }: CarriedPriceSource): CarriedPrices {
  const prices = new Map<number, UploadedValue[]>();
  const differing = new Set<string>();
  const pricesOf = (position: number): UploadedValue[] => prices.get(position) ?? [];
  const worth = (position: number, day: Day, quantity: Fixed): BaseValue => {
    const carriedPrice = pricesOf(position).at(-1) ?? null;
    const units = subject(position, day, { quantity, carriedPrice });
    return findMarketBaseValue(units) ?? fallbackBaseValue(units);
  };
  for (const [index, move] of moves.entries()) {
    const { from, to, day, quantity } = move;
    const [left, arrived] = [worth(from, day, quantity), worth(to, day, quantity)];
    const isPriced = left.source !== 'cost' && arrived.source !== 'cost';
    if (!isPriced || amountOf(left) === amountOf(arrived)) continue;
    differing.add(moveKey(move));
    const held = heldBefore(move, moves.slice(0, index));
    if (held < 0n) continue;
    const joined = held === 0n ? [left] : [left, worth(to, day, held)];
    const marketValue = joined.reduce((sum, base) => sum + amountOf(base), 0n);
    const pricedOn = leastOf(joined.map((base) => base.day ?? day));
    const { currency } = left;
    const average = { day, pricedOn, quantity: held + quantity, marketValue, accrued: 0n };
    prices.set(to, [...pricesOf(to), { ...average, currency, rate: oneFixed, reportingCurrency: currency }]);
  }
  return { of: pricesOf, hasDifference: (move) => differing.has(moveKey(move)) };
}

function amountOf({ parts }: BaseValue): Fixed {
  return parts.reduce((sum, part) => sum + part.amount, 0n);
}

function moveKey({ from, to, day }: Omit<MovedUnits, 'quantity'>): string {
  return `${from} ${to} ${day}`;
}
