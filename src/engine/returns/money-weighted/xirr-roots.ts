// Finds the rates that bring dated flows to zero: counts them within and outside a range, with multiplicity, and isolates each of
// several within the range.

import { greatestOf } from '../../../kit/memory/long-list.ts';
import { discountedBalance, discountFactors, logExcess } from './discounted-flows.ts';
import type { DiscountedBalance, DiscountedSide, FlowSides } from './discounted-flows.ts';

export type RootCount = 'none' | 'one' | 'several';

const unitRoundoff = 2 ** -53;

/** A rate at which the flows sum to zero, and the slope of ln(inflows / outflows) there. */
export interface Root {
  readonly growth: number;
  readonly slope: number;
}

/** Descartes' rule: there are at most that many roots, and the difference is even. */
export function signChanges(amounts: Float64Array): number {
  let changes = 0;
  for (let index = 1; index < amounts.length; index++) {
    if (amounts[index]! > 0 !== amounts[index - 1]! > 0) changes++;
  }
  return changes;
}

/**
 * Whether the money invested, carried at the root, is never fully paid back before the end. Then the root is simple and the only
 * one (Laguerre: a polynomial has no more roots below a point than its partial sums there change sign).
 */
export function isPureInvestment(sides: FlowSides, { growth, slope }: Root): boolean {
  if (Math.abs(slope) < sides.span * slopeShareMin) return false;
  const { amounts } = sides.net;
  const factors = discountFactors(sides, growth);
  const sign = Math.sign(amounts[0]!);
  let sum = 0;
  let turnover = 0;
  for (let index = 0; index < amounts.length - 1; index++) {
    const term = amounts[index]! * factors[index]! * sign;
    sum += term;
    turnover += Math.abs(term);
    if (sum <= turnover * balanceShareMin) return false;
  }
  return true;
}

/** How steep a root, and how large a balance compared with all that moved, must be to rule out rounding. */
const slopeShareMin = 1e-3;
const balanceShareMin = 1e-8;

/** An interval of rates, and what is known of the excess on it. */
interface RateInterval {
  readonly left: DiscountedBalance;
  readonly right: DiscountedBalance;
  /** `monotone`: at most one root. A sign: no root. */
  readonly verdict: 'monotone' | 1 | -1 | 'undecided';
}

/** Growths per day from which to which roots are looked for. */
export interface GrowthRange {
  readonly low: number;
  readonly high: number;
}

export interface RangeRoots {
  readonly inside: RootCount;
  /** Where the roots inside are, in ascending order, if there are several. */
  readonly places: readonly RootPlace[];
  readonly isAnyOutside: boolean;
  /** The sign of the excess at the upper end; at the lower end it is the opposite if there is one root inside. */
  readonly highSign: number;
}

export function rootsOfRange(sides: FlowSides, range: GrowthRange): RangeRoots {
  const points = [...leftPoints(sides), ...rightPoints(sides)];
  const [low, high] = [certainEnd(sides, range.low), certainEnd(sides, range.high)];
  const [lowest, highest] = [Math.sign(sides.net.amounts.at(-1)!), Math.sign(sides.net.amounts[0]!)];
  const [lowSign, highSign] = [Math.sign(logExcess(low)), Math.sign(logExcess(high))];
  const below = points.filter(({ growth }) => growth < low.growth);
  const between = points.filter(({ growth }) => growth > low.growth && growth < high.growth);
  const above = points.filter(({ growth }) => growth > high.growth);
  const section = { from: lowSign, points: [low, ...between, high], to: highSign };
  const inside = rootCount(sides, section);
  const isAnyOutside =
    rootCount(sides, { from: lowest, points: [...below, low], to: lowSign }) !== 'none' ||
    rootCount(sides, { from: highSign, points: [high, ...above], to: highest }) !== 'none';
  const places = inside === 'several' ? isolateRoots(sides, section) : [];
  return { inside, places, isAnyOutside, highSign };
}

/**
 * Widens the end of a range until rounding cannot hide on which side of zero it is. So a root at the end counts as inside. An end
 * that stays uncertain lies at a multiple root, which no side can claim.
 */
function certainEnd(sides: FlowSides, growth: number): DiscountedBalance {
  let share = endTolerance;
  for (;;) {
    const balance = discountedBalance(sides, growth * (1 + share));
    if (!isWithinRounding(sides, balance) || share > 2 ** -10) return balance;
    share *= 2;
  }
}

/** By what share a growth may exceed a range and still be inside: rounding of the rate that states the range. */
export const endTolerance = 2 ** -40;

/** Neighbouring rates, and the signs of the excess beyond them. */
interface RateSection {
  readonly from: number;
  readonly points: readonly DiscountedBalance[];
  readonly to: number;
}

/**
 * Divides a section of rates, ever finer, into intervals without a root and intervals on which the excess is monotone. Each of
 * the first kind has a certain sign, and so has each end of the section: a root is a change between neighbours.
 */
function rootCount(sides: FlowSides, { from, points, to }: RateSection): RootCount {
  let intervals = points.slice(1).map((right, index) => classifyInterval(sides, points[index]!, right));
  for (;;) {
    const changes = countCertainSignChanges(from, intervals, to);
    if (changes > 1) return 'several';
    if (intervals.every(({ verdict }) => verdict !== 'undecided')) return changes === 0 ? 'none' : 'one';
    const halves = bisectUndecided(sides, intervals);
    if (!halves) return 'several';
    intervals = halves;
  }
}

/** A bracket of one simple root, or growths that rounding cannot tell from a multiple root. */
export type RootPlace =
  | { readonly kind: 'bracket'; readonly low: number; readonly high: number; readonly highSign: number }
  | { readonly kind: 'multiple'; readonly left: DiscountedBalance; readonly right: DiscountedBalance };

/** Divides a section of rates that has several roots until every root has a place of its own. */
function isolateRoots(sides: FlowSides, section: RateSection): RootPlace[] {
  return rootPlaces(sides, section, isolatedIntervals(sides, section.points));
}

/** Neighbouring intervals, divided until no undecided interval can be divided further. */
function isolatedIntervals(sides: FlowSides, points: readonly DiscountedBalance[]): RateInterval[] {
  const open = points.slice(1).map((right, index) => classifyInterval(sides, points[index]!, right));
  open.reverse();
  const isolated: RateInterval[] = [];
  let halvings = 0;
  for (let interval = open.pop(); interval !== undefined; interval = open.pop()) {
    const { left, right, verdict } = interval;
    if (verdict !== 'undecided' || isTooNarrow(sides, interval) || halvings === halvingMax) {
      isolated.push(interval);
      continue;
    }
    halvings++;
    const middle = discountedBalance(sides, left.growth + (right.growth - left.growth) / 2);
    if ([left, middle, right].every((point) => isFlatZero(sides, point))) isolated.push(interval);
    else open.push(classifyInterval(sides, middle, right), classifyInterval(sides, left, middle));
  }
  return isolated;
}

/** Flows of the size of a private fund need about a hundred. */
const halvingMax = 4_096;

/**
 * Neighbouring monotone intervals are monotone together: they have a root if the sign at their ends differs. Neighbouring undecided
 * intervals have a multiple root, or roots too close to be told apart.
 */
function rootPlaces(sides: FlowSides, { from, to }: RateSection, intervals: readonly RateInterval[]): RootPlace[] {
  const places: RootPlace[] = [];
  for (let first = 0; first < intervals.length;) {
    const { left, verdict } = intervals[first]!;
    let last = first;
    while (intervals[last + 1]?.verdict === verdict) last++;
    const { right } = intervals[last]!;
    if (verdict === 'undecided') places.push({ kind: 'multiple', left, right });
    if (verdict === 'monotone') {
      const lowSign = first === 0 ? from : certainPointSign(sides, left);
      const highSign = last === intervals.length - 1 ? to : certainPointSign(sides, right);
      if (lowSign * highSign < 0) places.push({ kind: 'bracket', low: left.growth, high: right.growth, highSign });
    }
    first = last + 1;
  }
  return places;
}

/** Zero if rounding can hide the sign. */
function certainPointSign(sides: FlowSides, point: DiscountedBalance): number {
  return isWithinRounding(sides, point) ? 0 : Math.sign(logExcess(point));
}

/** Whether rounding cannot tell the excess from zero. */
export function isWithinRounding(sides: FlowSides, point: DiscountedBalance): boolean {
  return Math.abs(logExcess(point)) <= roundingBound(sides, [point]);
}

/** The slope of ln(inflows / outflows). */
export function excessSlope({ inflow, outflow }: DiscountedBalance): number {
  return outflow.meanTime - inflow.meanTime;
}

function countCertainSignChanges(from: number, intervals: readonly RateInterval[], to: number): number {
  let [changes, sign] = [0, from];
  for (const next of [...intervals.map(({ verdict }) => verdict), to]) {
    if (typeof next !== 'number' || next === sign) continue;
    changes++;
    sign = next;
  }
  return changes;
}

/** Halves everything undecided; returns undefined if doubles cannot tell it from a multiple root. */
function bisectUndecided(sides: FlowSides, intervals: readonly RateInterval[]): RateInterval[] | undefined {
  const halves: RateInterval[] = [];
  for (const interval of intervals) {
    const { left, right, verdict } = interval;
    if (verdict === 'undecided') {
      const middle = discountedBalance(sides, left.growth + (right.growth - left.growth) / 2);
      if (isTooNarrow(sides, interval) || isFlatZero(sides, middle)) return undefined;
      halves.push(classifyInterval(sides, left, middle), classifyInterval(sides, middle, right));
    } else halves.push(interval);
  }
  return halves;
}

function classifyInterval(sides: FlowSides, left: DiscountedBalance, right: DiscountedBalance): RateInterval {
  if (isMonotone(sides, left, right)) return { left, right, verdict: 'monotone' };
  return { left, right, verdict: certainSign(sides, left, right) };
}

/**
 * On an interval this narrow, or with a slope this small compared with the days between flows, the excess bends by no more than
 * rounding.
 */
const shareMin = 2 ** -24;

function isTooNarrow({ span }: FlowSides, { left, right }: RateInterval): boolean {
  const scale = Math.max(Math.abs(left.growth), Math.abs(right.growth), 1 / span);
  return right.growth - left.growth < shareMin * scale;
}

function isFlatZero(sides: FlowSides, balance: DiscountedBalance): boolean {
  return Math.abs(excessSlope(balance)) < shareMin * sides.span && isWithinRounding(sides, balance);
}

/** From the point below which the excess is monotone up to the first below zero. */
function leftPoints(sides: FlowSides): DiscountedBalance[] {
  const points: DiscountedBalance[] = [];
  const [inflowLast, outflowLast] = [sides.inflows.times.at(-1)!, sides.outflows.times.at(-1)!];
  for (let growth = -1 / sides.span; ; growth *= 2) {
    const point = discountedBalance(sides, growth);
    points.unshift(point);
    if (isAbove(sides, point.outflow.meanTime, inflowLast)) return points;
    if (isAbove(sides, point.inflow.meanTime, outflowLast)) return points;
  }
}

/** From the first above zero up to the point above which the excess is monotone. */
function rightPoints(sides: FlowSides): DiscountedBalance[] {
  const points: DiscountedBalance[] = [];
  const [inflowFirst, outflowFirst] = [sides.inflows.times[0]!, sides.outflows.times[0]!];
  for (let growth = 1 / sides.span; ; growth *= 2) {
    const point = discountedBalance(sides, growth);
    points.push(point);
    if (isAbove(sides, outflowFirst, point.inflow.meanTime)) return points;
    if (isAbove(sides, inflowFirst, point.outflow.meanTime)) return points;
  }
}

/** Whether one mean time exceeds another by more than rounding explains. */
function isAbove({ net, span }: FlowSides, one: number, other: number): boolean {
  return one - other > 4 * (net.times.length + 256) * unitRoundoff * span;
}

/** The slope of the excess is mean outflow time − mean inflow time, and both mean times fall from left to right. */
function isMonotone(sides: FlowSides, left: DiscountedBalance, right: DiscountedBalance): boolean {
  return (
    isAbove(sides, right.outflow.meanTime, left.inflow.meanTime) ||
    isAbove(sides, right.inflow.meanTime, left.outflow.meanTime)
  );
}

function certainSign(sides: FlowSides, left: DiscountedBalance, right: DiscountedBalance): 1 | -1 | 'undecided' {
  const width = right.growth - left.growth;
  const rounding = roundingBound(sides, [left, right]);
  const [leftExcess, rightExcess] = [logExcess(left), logExcess(right)];
  const [inflows, outflows] = [[left.inflow, right.inflow] as const, [left.outflow, right.outflow] as const];
  if (leftExcess > rounding && rightExcess > rounding) {
    return gap({ above: inflows, below: outflows, width }) > rounding ? 1 : 'undecided';
  }
  if (leftExcess < -rounding && rightExcess < -rounding) {
    return gap({ above: outflows, below: inflows, width }) > rounding ? -1 : 'undecided';
  }
  return 'undecided';
}

/** How far the excess at such points may be off: one unit for every flow and every step of an exponential. */
function roundingBound({ net, span }: FlowSides, points: readonly DiscountedBalance[]): number {
  const logarithms = points.flatMap(({ inflow, outflow }) => [inflow.logarithm, outflow.logarithm]);
  const width = points.at(-1)!.growth - points[0]!.growth;
  const units = 4 * (net.times.length + 256) * (1 + span * width) + 16 * greatestOf(logarithms.map(Math.abs));
  return units * unitRoundoff;
}

interface Curves {
  readonly above: readonly [DiscountedSide, DiscountedSide];
  readonly below: readonly [DiscountedSide, DiscountedSide];
  readonly width: number;
}

/**
 * A lower bound on the gap between two convex curves known at both ends of an interval: the upper stays above its two tangents,
 * the lower below its chord, and these bounds are closest where the tangents meet.
 */
function gap({ above: [left, right], below: [lowerLeft, lowerRight], width }: Curves): number {
  const bend = left.meanTime - right.meanTime;
  if (bend <= 0) return Infinity;
  const along = (left.logarithm - right.logarithm - right.meanTime * width) / bend;
  const at = Math.min(Math.max(along, 0), width);
  const chord = lowerLeft.logarithm + (lowerRight.logarithm - lowerLeft.logarithm) * (at / width);
  return left.logarithm - left.meanTime * at - chord;
}
