// Compares a private-market investment with an index: KS-PME, LN-PME and direct alpha. The index is in the currency of the flows.

import { leastOf } from '../../kit/memory/long-list.ts';
import { defined } from '../../kit/assert.ts';
import type { Day } from '../../kit/day.ts';
import { divide, multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import { netFlowsPerDay, type DatedFlow } from '../returns/money-weighted/net-flows.ts';
import type { Series } from '../amounts/series.ts';
import {
  daysPerYear,
  xirr,
  type FoundRoot,
  type MoneyWeightedReturn,
  type NoRateReason,
} from '../returns/money-weighted/xirr.ts';
import type { FundFlow } from './fund-flow.ts';

/** From the investor's side: calls are negative and distributions positive; a returned call is positive, a repaid distribution negative. */
export interface ComparedFlow extends DatedFlow {
  readonly kind: FundFlow['kind'];
}

interface ComparedInvestment {
  readonly flows: readonly ComparedFlow[];
  readonly residualValue: Fixed;
  readonly asOf: Day;
}

/** A flow carried to the as-of day as if invested in the index: amount × level on the as-of day ÷ level on its day. */
export interface CarriedFlow extends ComparedFlow {
  readonly level: Fixed;
  readonly levelDay: Day;
  readonly carried: Fixed;
}

interface LongNickels {
  /** The value of the index position that calls buy and distributions sell. */
  readonly notionalValue: Fixed;
  /** The IRR of the same flows with the notional value last; also null if the position went short. */
  readonly irr: number | null;
  readonly reason: NoRateReason | 'short-position' | null;
  readonly roots: readonly FoundRoot[];
  /** The first day on which distributions had sold more of the index than calls had bought; null if never. */
  readonly shortSince: Day | null;
}

interface DirectAlpha {
  /** The IRR of the carried flows with the residual value last: the yearly return above the index. */
  readonly result: MoneyWeightedReturn;
  /** The same as a continuous rate, ln(1 + rate), as its authors state it. */
  readonly continuous: number | null;
}

export interface PublicMarketEquivalent {
  readonly reason: null;
  /**
   * (carried distributions + residual value) ÷ carried calls. Above 1 the investment beat the index. A returned call lowers the calls, a
   * repaid distribution the distributions. Null if no carried calls remain.
   */
  readonly ksPme: Fixed | null;
  readonly lnPme: LongNickels;
  readonly directAlpha: DirectAlpha;
  readonly asOfLevel: Fixed;
  readonly terms: readonly CarriedFlow[];
}

/** The index has no level above zero on or before a day that needs one. */
export interface IndexMissing {
  readonly reason: 'index-missing';
  readonly day: Day;
}

export function publicMarketEquivalent(
  investment: ComparedInvestment,
  index: Series,
): PublicMarketEquivalent | IndexMissing {
  const { asOf, residualValue } = investment;
  const flows = investment.flows.filter(({ day }) => day <= asOf);
  const missing = [asOf, ...flows.map(({ day }) => day)].filter((day) => !(levelOn(index, day) > 0n));
  if (missing.length > 0) return { reason: 'index-missing', day: leastOf(missing) };
  const asOfLevel = levelOn(index, asOf);
  const terms = flows.map((flow) => carriedFlow(flow, index, asOfLevel));
  return {
    reason: null,
    ksPme: kaplanSchoar(terms, residualValue),
    lnPme: longNickels(terms, asOf),
    directAlpha: computeDirectAlpha(terms, investment),
    asOfLevel,
    terms,
  };
}

function levelOn(index: Series, day: Day): Fixed {
  return index.find(day)?.value ?? 0n;
}

function carriedFlow(flow: ComparedFlow, index: Series, asOfLevel: Fixed): CarriedFlow {
  const { day: levelDay, value: level } = defined(index.find(flow.day), 'missing levels were refused before');
  return { ...flow, level, levelDay, carried: multiplyDivide(flow.amount, asOfLevel, level) };
}

/** Kaplan and Schoar (2005). */
function kaplanSchoar(terms: readonly CarriedFlow[], residualValue: Fixed): Fixed | null {
  let [calls, distributions] = [0n, 0n];
  for (const { kind, carried } of terms) {
    if (kind === 'drawing') calls -= carried;
    else distributions += carried;
  }
  return calls <= 0n ? null : divide(distributions + residualValue, calls);
}

/** Long and Nickels (1996). Nobody could have held a short position in the index, so it has no IRR. */
function longNickels(terms: readonly CarriedFlow[], asOf: Day): LongNickels {
  const notionalValue = -terms.reduce((total, { carried }) => total + carried, 0n);
  const shortSince = findShort(terms);
  if (shortSince !== null) return { notionalValue, irr: null, reason: 'short-position', roots: [], shortSince };
  const { rate, reason, roots } = xirr([...terms, { day: asOf, amount: notionalValue }]);
  return { notionalValue, irr: rate, reason, roots, shortSince };
}

/** Carried flows are rounded by up to half a unit of the last place, so a position that short does not count as short. */
function findShort(terms: readonly CarriedFlow[]): Day | null {
  const tolerance = BigInt(terms.length);
  let position = 0n;
  for (const { day, amount } of netFlowsPerDay(terms.map(({ day, carried }) => ({ day, amount: carried })))) {
    position -= amount;
    if (position < -tolerance) return day;
  }
  return null;
}

/** Gredil, Griffiths and Stucke (2014). */
function computeDirectAlpha(terms: readonly CarriedFlow[], { residualValue, asOf }: ComparedInvestment): DirectAlpha {
  const carried = terms.map(({ day, carried }) => ({ day, amount: carried }));
  const result = xirr([...carried, { day: asOf, amount: residualValue }]);
  return { result, continuous: result.rate === null ? null : result.growthPerDay * daysPerYear };
}
