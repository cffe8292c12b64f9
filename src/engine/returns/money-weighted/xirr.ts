// Solves the money-weighted return of dated flows (XIRR): the yearly rate at which they sum to zero, or the reason why there is
// none. Rates are looked for in a range; those outside it are noted and decide nothing.

import type { Day } from '../../../kit/day.ts';
import { discountedBalance, discountFactors, logExcess, flowSides } from './discounted-flows.ts';
import type { FlowSides } from './discounted-flows.ts';
import { exponentialMinusOne, logarithm } from '../../amounts/elementary-functions.ts';
import { netFlows, netFlowsPerDay } from './net-flows.ts';
import type { DatedFlow, NetFlows } from './net-flows.ts';
import {
  endTolerance,
  excessSlope,
  isPureInvestment,
  isWithinRounding,
  rootsOfRange,
  signChanges,
} from './xirr-roots.ts';
import type { GrowthRange, Root, RootPlace } from './xirr-roots.ts';

/** ACT/365. */
export const daysPerYear = 365;

/** The lowest and the highest rate that count as an answer: −99.99 % and +1,000,000 %. */
const [rateMin, rateMax] = [-0.9999, 10_000];

/** The growths per day that make these rates over so many days. */
export function growthRange(days: number): GrowthRange {
  return { low: logarithm(1 + rateMin) / days, high: logarithm(1 + rateMax) / days };
}

const yearlyRange = growthRange(daysPerYear);

/**
 * `no-sign-change`: net of each day, nothing was paid in or nothing came back. `no-root`: no rate solves. `several-roots`: more
 * than one within the range does; a double root counts twice. `out-of-range`: only rates outside the range do.
 */
export type NoRateReason = 'no-sign-change' | 'no-root' | 'several-roots' | 'out-of-range';

/** A rate that solves the flows beside others. */
export interface FoundRoot {
  readonly rate: number;
  readonly growthPerDay: number;
}

/** The rate is effective per 365 days. */
export type MoneyWeightedReturn =
  | {
      readonly rate: number;
      readonly growthPerDay: number;
      readonly reason: null;
      readonly roots: readonly [];
      /** Whether rates outside the range solve the flows too. */
      readonly hasRootsOutside: boolean;
    }
  | {
      readonly rate: null;
      readonly growthPerDay: null;
      readonly reason: NoRateReason;
      /**
       * With `several-roots`, the rates within the range that solve, ascending: at most the ten lowest. Rates that rounding cannot
       * tell apart are one.
       */
      readonly roots: readonly FoundRoot[];
      readonly hasRootsOutside: boolean;
    };

/** What an explanation needs of a rate, or of the reason why there is none. */
export interface SolvedRate {
  readonly rate: number | null;
  readonly growthPerDay: number | null;
  readonly reason: string | null;
  readonly roots: readonly FoundRoot[];
  readonly hasRootsOutside: boolean;
}

/** A day's net flow with its discount factor. */
export interface DiscountedTerm extends DatedFlow {
  /** (1 + rate) ^ ((reference day − day) / 365). */
  readonly factor: number;
}

/** The flows, discounted at a rate that solves them. */
export interface RootCheck {
  readonly growthPerDay: number;
  readonly referenceDay: Day;
  /** Amount × factor sums to zero. */
  readonly terms: readonly DiscountedTerm[];
}

export interface ExplainedReturn<Result extends SolvedRate = SolvedRate> {
  readonly result: Result;
  /** Each of several roots. */
  readonly rootChecks: readonly RootCheck[];
  /** All flows are discounted to this day: the first if money grows, the last if it shrinks. */
  readonly referenceDay: Day | null;
  /** Amount × factor sums to zero. Without a rate, only the net flows of each day. */
  readonly terms: readonly (DatedFlow | DiscountedTerm)[];
}

export function xirr(flows: readonly DatedFlow[]): MoneyWeightedReturn {
  return xirrFromNetFlows(netFlows(flows));
}

export function explainXirr(flows: readonly DatedFlow[]): ExplainedReturn {
  return explainRate(flows, (net) => xirrFromNetFlows(net));
}

export function explainRate<Result extends SolvedRate>(
  flows: readonly DatedFlow[],
  solve: (net: NetFlows) => Result,
): ExplainedReturn<Result> {
  const net = netFlowsPerDay(flows);
  const columns = netFlows(net);
  const result = solve(columns);
  const check = (growthPerDay: number): RootCheck => {
    const factors = discountFactors(flowSides(columns), growthPerDay);
    return {
      growthPerDay,
      referenceDay: net.at(growthPerDay < 0 ? -1 : 0)!.day,
      terms: net.map((flow, index) => ({ ...flow, factor: factors[index]! })),
    };
  };
  const rootChecks = result.roots.map(({ growthPerDay }) => check(growthPerDay));
  if (result.growthPerDay === null) return { result, rootChecks, referenceDay: null, terms: net };
  const { referenceDay, terms } = check(result.growthPerDay);
  return { result, rootChecks, referenceDay, terms };
}

export function xirrFromNetFlows(flows: NetFlows, range: GrowthRange = yearlyRange): MoneyWeightedReturn {
  const changes = signChanges(flows.amounts);
  if (changes === 0) return noRate('no-sign-change');
  const sides = flowSides(flows);
  const root = changes % 2 === 0 ? undefined : solveRoot(sides, openBracket(sides));
  if (root !== undefined && (changes === 1 || isPureInvestment(sides, root))) {
    return isWithin(root.growth, range) ? rateOf(root) : noRate('out-of-range', 'has-roots-outside');
  }
  const { inside, places, isAnyOutside, highSign } = rootsOfRange(sides, range);
  const outside = isAnyOutside ? 'has-roots-outside' : 'none-outside';
  if (inside === 'several') return noRate('several-roots', outside, solvePlaces(sides, places));
  if (inside === 'none') return noRate(isAnyOutside ? 'out-of-range' : 'no-root', outside);
  const isSolved = root !== undefined && isWithin(root.growth, range);
  return rateOf(isSolved ? root : solveRoot(sides, { ...range, wideningStep: 0, highSign }), outside);
}

/** How many of several roots are named. */
const namedRootMax = 10;

function solvePlaces(sides: FlowSides, places: readonly RootPlace[]): FoundRoot[] {
  const roots: FoundRoot[] = [];
  for (const place of places) {
    if (roots.length === namedRootMax) break;
    const growthPerDay = solvePlace(sides, place);
    if (growthPerDay === undefined || growthPerDay <= (roots.at(-1)?.growthPerDay ?? -Infinity)) continue;
    roots.push({ rate: exponentialMinusOne(growthPerDay * daysPerYear), growthPerDay });
  }
  return roots;
}

/** Undefined if the present value does not reach zero there. */
function solvePlace(sides: FlowSides, place: RootPlace): number | undefined {
  switch (place.kind) {
    case 'bracket': {
      const { low, high, highSign } = place;
      return solveRoot(sides, { low, high, highSign, wideningStep: 0 }, low + (high - low) / 2).growth;
    }
    case 'multiple': {
      const growth = multipleRoot(sides, place);
      return isWithinRounding(sides, discountedBalance(sides, growth)) ? growth : undefined;
    }
  }
}

/** Halves the interval by the sign of the slope if the excess turns there, else by the sign of the excess. */
function multipleRoot(sides: FlowSides, { left, right }: Extract<RootPlace, { kind: 'multiple' }>): number {
  const isTurn = excessSlope(left) * excessSlope(right) < 0;
  const measure = isTurn ? excessSlope : logExcess;
  const bracket = { low: left.growth, high: right.growth, wideningStep: 0, highSign: Math.sign(measure(right)) };
  while (!isBracketConverged(bracket, sides)) {
    const middle = bracket.low + (bracket.high - bracket.low) / 2;
    if (measure(discountedBalance(sides, middle)) * bracket.highSign < 0) bracket.low = middle;
    else bracket.high = middle;
  }
  return bracket.low + (bracket.high - bracket.low) / 2;
}

function isWithin(growth: number, { low, high }: GrowthRange): boolean {
  return growth >= low * (1 + endTolerance) && growth <= high * (1 + endTolerance);
}

type RootsOutside = 'has-roots-outside' | 'none-outside';

function rateOf({ growth }: Root, outside: RootsOutside = 'none-outside'): MoneyWeightedReturn {
  const rate = exponentialMinusOne(growth * daysPerYear);
  return { rate, growthPerDay: growth, reason: null, roots: [], hasRootsOutside: outside === 'has-roots-outside' };
}

function noRate(
  reason: NoRateReason,
  outside: RootsOutside = 'none-outside',
  roots: readonly FoundRoot[] = [],
): MoneyWeightedReturn {
  return { rate: null, growthPerDay: null, reason, roots, hasRootsOutside: outside === 'has-roots-outside' };
}

/** All rates, for flows whose first and last differ in sign. */
function openBracket({ net, span }: FlowSides): Bracket {
  return { low: -Infinity, high: Infinity, wideningStep: 1 / span, highSign: Math.sign(net.amounts[0]!) };
}

/**
 * Solves a root between two growths at which the excess differs in sign: Newton steps on ln(inflows / outflows), which is nearly
 * linear in the growth, within a bracket that is halved or widened whenever a step does not halve the excess.
 */
function solveRoot(sides: FlowSides, bracket: Bracket, start = 0): Root {
  const direction = bracket.highSign;
  let growth = start;
  let smallestExcess = Infinity;
  for (;;) {
    const balance = discountedBalance(sides, growth);
    const excess = logExcess(balance) * direction;
    const slope = (balance.outflow.meanTime - balance.inflow.meanTime) * direction;
    const next = growth - excess / slope;
    if (isLastStep(next - growth, { growth, slope }, sides)) return { growth: next, slope };
    if (excess < 0) bracket.low = growth;
    else bracket.high = growth;
    if (isBracketConverged(bracket, sides)) return { growth, slope };
    const isGood = slope > 0 && Math.abs(excess) <= smallestExcess / 2 && next > bracket.low && next < bracket.high;
    smallestExcess = Math.min(smallestExcess, Math.abs(excess));
    growth = isGood ? next : nextTrialGrowth(bracket);
  }
}

/**
 * Whether a Newton step, uphill, leaves only rounding: the slope changes by at most span² / 4 per unit of growth, and the step is
 * off by half of that times its square over the slope.
 */
function isLastStep(step: number, { growth, slope }: Root, { span }: FlowSides): boolean {
  const change = step * span;
  return change * change <= 2 ** -52 * slope * Math.max(Math.abs(growth), 1 / span);
}

/** At `low` the excess has its sign at −∞, at `high` its sign at ∞. */
interface Bracket {
  low: number;
  high: number;
  /** How far the next widening goes. */
  wideningStep: number;
  readonly highSign: number;
}

function isBracketConverged({ low, high }: Bracket, { span }: FlowSides): boolean {
  return high - low !== Infinity && high - low <= 2 ** -50 * Math.max(Math.abs(low), Math.abs(high), 1 / span);
}

function nextTrialGrowth(bracket: Bracket): number {
  const { low, high, wideningStep } = bracket;
  if (low !== -Infinity && high !== Infinity) return low + (high - low) / 2;
  bracket.wideningStep *= 4;
  return low === -Infinity ? high - wideningStep : low + wideningStep;
}
