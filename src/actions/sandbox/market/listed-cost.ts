// What units of a listed instrument cost on a day, and how many units an amount is worth. Amounts are in hundredths.

import type { Day } from '../../../kit/day.ts';
import { couponDaysOn, listingOf, priceOn, type ListedKey } from './sandbox-market.ts';

/** Bonds are traded in multiples of this nominal. */
function lotOf(key: ListedKey): number {
  return listingOf(key).coupon === undefined ? 1 : 1_000;
}

export function worthOf(key: ListedKey, day: Day, units: number): number {
  const { cost, accrued } = costOf(key, day, Math.abs(units));
  return Math.sign(units) * (cost + accrued);
}

/** How many days after it a trade settles. Accrued interest is paid up to then. */
export const settlementDays = 2;

export function costOf(key: ListedKey, day: Day, units: number): { readonly cost: number; readonly accrued: number } {
  const { coupon } = listingOf(key);
  const price = priceOn(key, day);
  if (coupon === undefined) return { cost: units * price, accrued: 0 };
  return {
    cost: Math.trunc((units * price) / 100),
    accrued: Math.trunc((units * coupon.rate * couponDaysOn(key, day + settlementDays)) / 36_000),
  };
}

/** Five hundredths of a percent, and at least 9. */
export function feesOf(cost: number): number {
  return Math.max(900, Math.trunc(cost / 2_000));
}

/** The most units, bonds in lots, that an amount pays for with fees. */
export function affordableUnits(key: ListedKey, day: Day, amount: number): number {
  const lot = lotOf(key);
  const { cost, accrued } = costOf(key, day, lot);
  const net = amount - feesOf(amount);
  return net <= 0 ? 0 : Math.trunc(net / (cost + accrued)) * lot;
}

/** The units, bonds in lots, whose value comes nearest to this one from below; negative for a negative value. */
export function unitsWorth(key: ListedKey, day: Day, value: number): number {
  const lot = lotOf(key);
  const { cost, accrued } = costOf(key, day, lot);
  return Math.trunc(value / (cost + accrued)) * lot;
}
