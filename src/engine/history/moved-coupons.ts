// Follows coupons that were paid early: units that move to another own place bring what was paid for them.

import { magnitude, multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import type { BookedCoupon, PaidUnits } from '../valuation/booked-coupon.ts';
import type { Day } from '../../kit/day.ts';
import type { StepFunction } from './step-function.ts';
import type { UnitMove } from './unit-moves.ts';

interface CouponMove {
  readonly move: UnitMove;
  /** Moves out of the same place on the same day, before it. */
  readonly earlier: readonly UnitMove[];
  readonly from: StepFunction;
  readonly to: StepFunction;
}

/** Undefined if none of the units that the coupon was paid for move. */
export function movedCoupon(coupon: BookedCoupon, { move, earlier, from, to }: CouponMove): BookedCoupon | undefined {
  const { day, quantity } = move;
  const { units } = coupon;
  if ((coupon.movedOn ?? coupon.day) > day || units.nominal <= 0n) return undefined;
  const gone = remaining(units, from, Math.max(day - 1, units.since)) - remaining(units, from, day);
  const before = earlier.reduce((sum, one) => sum + one.quantity, 0n);
  const left = gone > before ? gone - before : 0n;
  const nominal = left < quantity ? left : quantity;
  if (nominal === 0n) return undefined;
  const gross = multiplyDivide(coupon.gross, nominal, units.nominal);
  return { ...coupon, gross, movedOn: day, units: { since: day, nominal, held: to.valueOn(day) } };
}

function remaining({ since, nominal, held }: PaidUnits, steps: StepFunction, day: Day): Fixed {
  let least = steps.valueOn(since);
  for (const changed of steps.days) {
    if (changed <= since || changed > day) continue;
    const value = steps.valueOn(changed);
    if (magnitude(value) < magnitude(least)) least = value;
    if (value <= 0n) return 0n;
  }
  return least >= held ? nominal : multiplyDivide(nominal, least, held);
}
