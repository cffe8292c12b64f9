// Solves the money-weighted return of dated flows (XIRR): the yearly rate at which they sum to zero, or the reason why there is
// none. Rates are looked for in a range; those outside it are noted and decide nothing.

import type { Day } from '../../../kit/day.ts';
import { discountedBalance, discountFactors, logExcess, flowSides } from './discounted-flows.ts';
import type { FlowSides } from './discounted-flows.ts';
import { exponentialMinusOne, logarithm } from '../../amounts/elementary-functions.ts';
import { netFlows, netFlowsPerDay } from './net-flows.ts';
import type { DatedFlow, NetFlows } from './net-flows.ts';
import { endTolerance, isPureInvestment, rootsOfRange, signChanges } from './xirr-roots.ts';
import type { GrowthRange, Root } from './xirr-roots.ts';

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

/** The rate is effective per 365 days. */
export type MoneyWeightedReturn =
  | {
      readonly rate: number;
      readonly growthPerDay: number;
      readonly reason: null;
      /** Whether rates outside the range solve the flows too. */
      readonly hasRootsOutside: boolean;
    }
  | {
      readonly rate: null;
      readonly growthPerDay: null;
      readonly reason: NoRateReason;
      readonly hasRootsOutside: boolean;
    };

/** What an explanation needs of a rate, or of the reason why there is none. */
export interface SolvedRate {
  readonly rate: number | null;
  readonly growthPerDay: number | null;
  readonly reason: string | null;
  readonly hasRootsOutside: boolean;
}

/** A day's net flow with its discount factor. */
export interface DiscountedTerm extends DatedFlow {
  /** (1 + rate) ^ ((reference day − day) / 365). */
  readonly factor: number;
}

export interface ExplainedReturn<Result extends SolvedRate = SolvedRate> {
  readonly result: Result;
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
  if (result.growthPerDay === null) return { result, referenceDay: null, terms: net };
  const { growthPerDay } = result;
  const factors = discountFactors(flowSides(columns), growthPerDay);
  return {
    result,
    referenceDay: net.at(growthPerDay < 0 ? -1 : 0)!.day,
    terms: net.map((flow, index) => ({ ...flow, factor: factors[index]! })),
  };
}

export function xirrFromNetFlows(flows: NetFlows, range: GrowthRange = yearlyRange): MoneyWeightedReturn {
  const changes = signChanges(flows.amounts);
  if (changes === 0) return noRate('no-sign-change');
  const sides = flowSides(flows);
  const root = changes % 2 === 0 ? undefined : solveRoot(sides, openBracket(sides));
  if (root !== undefined && (changes === 1 || isPureInvestment(sides, root))) {
    return isWithin(root.growth, range) ? rateOf(root) : noRate('out-of-range', 'has-roots-outside');
  }
  const { inside, isAnyOutside, highSign } = rootsOfRange(sides, range);
  const outside = isAnyOutside ? 'has-roots-outside' : 'none-outside';
  if (inside === 'several') return noRate('several-roots', outside);
  if (inside === 'none') return noRate(isAnyOutside ? 'out-of-range' : 'no-root', outside);
  const isSolved = root !== undefined && isWithin(root.growth, range);
  return rateOf(isSolved ? root : solveRoot(sides, { ...range, wideningStep: 0, highSign }), outside);
}

function isWithin(growth: number, { low, high }: GrowthRange): boolean {
  return growth >= low * (1 + endTolerance) && growth <= high * (1 + endTolerance);
}

type RootsOutside = 'has-roots-outside' | 'none-outside';

function rateOf({ growth }: Root, outside: RootsOutside = 'none-outside'): MoneyWeightedReturn {
  const rate = exponentialMinusOne(growth * daysPerYear);
  return { rate, growthPerDay: growth, reason: null, hasRootsOutside: outside === 'has-roots-outside' };
}

function noRate(reason: NoRateReason, outside: RootsOutside = 'none-outside'): MoneyWeightedReturn {
  return { rate: null, growthPerDay: null, reason, hasRootsOutside: outside === 'has-roots-outside' };
}

/** All rates, for flows whose first and last differ in sign. */
function openBracket({ net, span }: FlowSides): Bracket {
  return { low: -Infinity, high: Infinity, wideningStep: 1 / span, highSign: Math.sign(net.amounts[0]!) };
}

/**
 * Solves a root between two growths at which the excess differs in sign: Newton steps on ln(inflows / outflows), which is nearly
 * linear in the growth, within a bracket that is halved or widened whenever a step does not halve the excess.
 */
function solveRoot(sides: FlowSides, bracket: Bracket): Root {
  const direction = bracket.highSign;
  let growth = 0;
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
