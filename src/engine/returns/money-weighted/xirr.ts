// Solves the money-weighted return of dated flows (XIRR): the yearly rate at which they sum to zero, or the reason why there is
// none.

import type { Day } from '../../../kit/day.ts';
import { discountedBalance, discountFactors, logExcess, flowSides } from './discounted-flows.ts';
import type { FlowSides } from './discounted-flows.ts';
import { exponentialMinusOne } from '../../amounts/elementary-functions.ts';
import { netFlows, netFlowsPerDay } from './net-flows.ts';
import type { DatedFlow, NetFlows } from './net-flows.ts';
import { isPureInvestment, rootCount, signChanges } from './xirr-roots.ts';
import type { Root } from './xirr-roots.ts';

/** ACT/365. */
export const daysPerYear = 365;

/**
 * `no-sign-change`: net of each day, nothing was paid in or nothing came back. `no-root`: no rate solves. `several-roots`: more
 * than one does; a double root counts twice. `out-of-range`: the rate exceeds what a double holds.
 */
export type NoRateReason = 'no-sign-change' | 'no-root' | 'several-roots' | 'out-of-range';

/** The rate is effective per 365 days. A loss of all but 2^−54 within a year rounds to −1. */
export type MoneyWeightedReturn =
  | { readonly rate: number; readonly growthPerDay: number; readonly reason: null }
  | { readonly rate: null; readonly growthPerDay: null; readonly reason: NoRateReason };

/** A day's net flow with its discount factor. */
export interface DiscountedTerm extends DatedFlow {
  /** (1 + rate) ^ ((reference day − day) / 365). */
  readonly factor: number;
}

export interface ExplainedReturn {
  readonly result: MoneyWeightedReturn;
  /** All flows are discounted to this day: the first if money grows, the last if it shrinks. */
  readonly referenceDay: Day | null;
  /** Amount × factor sums to zero. Without a rate, only the net flows of each day. */
  readonly terms: readonly (DatedFlow | DiscountedTerm)[];
}

export function xirr(flows: readonly DatedFlow[]): MoneyWeightedReturn {
  return xirrFromNetFlows(netFlows(flows));
}

export function explainXirr(flows: readonly DatedFlow[]): ExplainedReturn {
  const net = netFlowsPerDay(flows);
  const result = xirr(net);
  if (result.rate === null) return { result, referenceDay: null, terms: net };
  const factors = discountFactors(flowSides(netFlows(net)), result.growthPerDay);
  return {
    result,
    referenceDay: net.at(result.growthPerDay < 0 ? -1 : 0)!.day,
    terms: net.map((flow, index) => ({ ...flow, factor: factors[index]! })),
  };
}

export function xirrFromNetFlows(flows: NetFlows): MoneyWeightedReturn {
  const changes = signChanges(flows.amounts);
  if (changes === 0) return noRate('no-sign-change');
  const sides = flowSides(flows);
  if (changes % 2 === 0) return noRate(rootCount(sides) === 'none' ? 'no-root' : 'several-roots');
  const root = solveRoot(sides);
  const isOnly = changes === 1 || isPureInvestment(sides, root) || rootCount(sides) === 'one';
  if (!isOnly) return noRate('several-roots');
  const rate = exponentialMinusOne(root.growth * daysPerYear);
  return rate === Infinity ? noRate('out-of-range') : { rate, growthPerDay: root.growth, reason: null };
}

function noRate(reason: NoRateReason): MoneyWeightedReturn {
  return { rate: null, growthPerDay: null, reason };
}

/**
 * Solves a root of flows whose first and last differ in sign: Newton steps on ln(inflows / outflows), which is nearly linear in
 * the growth, within a bracket that is halved or widened whenever a step does not halve the excess.
 */
function solveRoot(sides: FlowSides): Root {
  const direction = Math.sign(sides.net.amounts[0]!);
  const bracket: Bracket = { low: -Infinity, high: Infinity, wideningStep: 1 / sides.span };
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
