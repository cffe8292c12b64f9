// Evaluates a limit: compares the value of the matching holdings, or their share of the total, with its bounds.

import { divide, oneFixed, type Fixed } from '../../kit/fixed.ts';
import { isMatch, isUnclassified, looksAtClasses, type HoldingFacts, type LimitFilter } from './limit-filter.ts';

/** Amounts in the reference currency for `absolute`, fractions of the total for `proportional`. */
export interface LimitRule {
  readonly kind: 'proportional' | 'absolute';
  readonly min: Fixed | null;
  readonly max: Fixed | null;
  readonly filter: LimitFilter;
}

export interface ValuedHolding extends HoldingFacts {
  /** In the reference currency. */
  readonly marketValue: Fixed;
  /** Its number in the history that it was valued by. */
  readonly position?: number;
  /** Its number among the parts of the position that are in several currencies. */
  readonly part?: number;
}

type LimitCompliance = 'compliant' | 'breached' | 'not_evaluable';

export interface LimitStatus {
  readonly state: LimitCompliance;
  /** Why it cannot be evaluated. */
  readonly reason: 'no-value' | null;
  /** An amount, or a fraction; null if the limit cannot be evaluated. */
  readonly currentValue: Fixed | null;
  /** The distance to the bound: negative if it is broken, null if the limit has no such bound. */
  readonly headroomToMin: Fixed | null;
  readonly headroomToMax: Fixed | null;
  /** The smaller of the two. */
  readonly headroom: Fixed | null;
  /** What has no class, as an amount or a fraction; null if the filter looks at no class, or cannot be evaluated. */
  readonly unclassifiedValue: Fixed | null;
  readonly parts: LimitParts;
}

/** The inputs of the figures. */
interface LimitParts {
  readonly matching: Fixed;
  readonly total: Fixed;
  readonly matched: readonly ValuedHolding[];
  /** The value of the holdings without a class. */
  readonly unclassified: Fixed;
}

const noHeadroom = { headroomToMin: null, headroomToMax: null, headroom: null } as const;

export function evaluateLimit(limit: LimitRule, holdings: readonly ValuedHolding[]): LimitStatus {
  const matched = holdings.filter((holding) => isMatch(limit.filter, holding));
  const unclassified = totalMarketValue(holdings.filter(isUnclassified));
  const parts = { matching: totalMarketValue(matched), total: totalMarketValue(holdings), matched, unclassified };
  // A share of a total that is zero or negative has no meaning.
  if (limit.kind === 'proportional' && parts.total <= 0n) {
    const noFigures = { currentValue: null, ...noHeadroom, unclassifiedValue: null };
    return { state: 'not_evaluable', reason: 'no-value', ...noFigures, parts };
  }
  const measured = (amount: Fixed): Fixed => (limit.kind === 'absolute' ? amount : divide(amount, parts.total));
  const currentValue = measured(parts.matching);
  const unclassifiedValue = looksAtClasses(limit.filter) ? measured(unclassified) : null;
  const headroomToMin = limit.min === null ? null : currentValue - limit.min;
  const headroomToMax = limit.max === null ? null : limit.max - currentValue;
  const headrooms = [headroomToMin, headroomToMax].filter((one) => one !== null);
  const headroom = headrooms.reduce<Fixed | null>((least, one) => (least === null || one < least ? one : least), null);
  const state = isWithinBounds(limit, parts) ? 'compliant' : 'breached';
  return { state, reason: null, currentValue, headroomToMin, headroomToMax, headroom, unclassifiedValue, parts };
}

/** Compared without rounding: matching / total against the bound, both sides times the total. */
function isWithinBounds({ kind, min, max }: LimitRule, { matching, total }: LimitParts): boolean {
  const value = matching * oneFixed;
  const whole = kind === 'absolute' ? oneFixed : total;
  return (min === null || value >= min * whole) && (max === null || value <= max * whole);
}

function totalMarketValue(holdings: readonly ValuedHolding[]): Fixed {
  return holdings.reduce((sum, { marketValue }) => sum + marketValue, 0n);
}
