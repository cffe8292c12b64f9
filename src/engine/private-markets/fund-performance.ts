// Computes the performance of private-market funds as of a day: paid-in, distributed, commitment, multiples and IRR, for one fund
// in its own currency or for all in the reference currency.

import type { Day } from '../../kit/day.ts';
import { divideRounded, fixedPlaces, type Fixed } from '../../kit/fixed.ts';
import type { DatedFlow } from '../returns/money-weighted/net-flows.ts';
import { xirr, type MoneyWeightedReturn } from '../returns/money-weighted/xirr.ts';
import type { FundFlow } from './fund-flow.ts';
import type { ComparedFlow } from './public-market-equivalent.ts';

/** An investment in one fund, in the fund's currency. */
export interface FundInvestment {
  /** Null if nothing was committed. */
  readonly commitment: Fixed | null;
  readonly flows: readonly FundFlow[];
  /** The value on the as-of day. */
  readonly residualValue: Fixed;
  /** By day: what buyers and others took of the unfunded commitment together with their stake. */
  readonly transfers?: readonly CommitmentTransfer[];
}

export interface CommitmentTransfer {
  readonly day: Day;
  readonly amount: Fixed;
}

/** 1 of the fund's currency is numerator / denominator of the reference currency. */
interface RateFraction {
  readonly numerator: Fixed;
  readonly denominator: Fixed;
}

export interface RatedFundInvestment extends FundInvestment {
  /** The flows in the reference currency, each by its own row's money. */
  readonly referenceFlows: readonly FundFlow[];
  readonly asOfRate: RateFraction;
}

export interface Commitment {
  readonly total: Fixed;
  /** How much of it was called. */
  readonly called: Fixed;
  readonly recallable: Fixed;
  /** What went over to others together with a stake. */
  readonly transferred: Fixed;
  /** total − called + recallable − transferred; negative if more was called than committed. */
  readonly uncalled: Fixed;
  /** What was paid in, at the same rate, for PIC. */
  readonly paidIn: Fixed;
}

/** Null if nothing was paid in. */
export interface PaidInMultiples {
  readonly dpi: Fixed | null;
  readonly rvpi: Fixed | null;
  readonly tvpi: Fixed | null;
}

export interface Multiples extends PaidInMultiples {
  /** Paid-in ÷ commitment; null without a commitment. */
  readonly pic: Fixed | null;
}

export interface FundTotals {
  readonly paidIn: Fixed;
  readonly distributed: Fixed;
  /** The part of the distributions that may be called again. */
  readonly recallable: Fixed;
  readonly residualValue: Fixed;
}

export interface PrivateMarketPerformance extends FundTotals {
  readonly commitment: Commitment | null;
  readonly multiples: Multiples;
  readonly irr: MoneyWeightedReturn;
  /** The flows from the investor's side, without the residual value. */
  readonly investorFlows: readonly ComparedFlow[];
  /** The flows of the IRR: calls negative, distributions positive, the residual value last. */
  readonly irrFlows: readonly DatedFlow[];
}

export function fundPerformance(investment: FundInvestment, asOf: Day): PrivateMarketPerformance {
  const asOfDay = withFlowsUpTo(investment, asOf);
  return computePerformance(asOfDay, asOf, fundCommitment(asOfDay));
}

/**
 * Paid-in, distributed and the flows of the IRR are those of the rows; the residual value and the commitment are converted at the
 * as-of rate. All parts of the commitment use one rate, because it is a future payment and its parts must add up.
 */
export function combinedFundPerformance(
  investments: readonly RatedFundInvestment[],
  asOf: Day,
): PrivateMarketPerformance {
  const asOfDay = investments.map((investment) => ({
    ...withFlowsUpTo(investment, asOf),
    referenceFlows: flowsUpTo(investment.referenceFlows, asOf),
  }));
  const whole: FundInvestment = {
    commitment: null,
    flows: asOfDay.flatMap(({ referenceFlows }) => referenceFlows),
    residualValue: sum(asOfDay.map(({ residualValue, asOfRate }) => convertAtRate(residualValue, asOfRate))),
  };
  return computePerformance(whole, asOf, combinedCommitment(asOfDay));
}

function withFlowsUpTo<Investment extends FundInvestment>(investment: Investment, asOf: Day): Investment {
  const { flows, transfers = [] } = investment;
  return { ...investment, flows: flowsUpTo(flows, asOf), transfers: transfers.filter(({ day }) => day <= asOf) };
}

function flowsUpTo(flows: readonly FundFlow[], asOf: Day): readonly FundFlow[] {
  return flows.filter(({ day }) => day <= asOf);
}

function computePerformance(
  investment: FundInvestment,
  asOf: Day,
  commitment: Commitment | null,
): PrivateMarketPerformance {
  const { flows, residualValue } = investment;
  const paidIn = paidInTotal(flows);
  const distributed = sum(flows.map((flow) => (flow.kind === 'distribution' ? flow.amount : 0n)));
  const totals = { paidIn, distributed, recallable: recallableTotal(flows), residualValue };
  const investorFlows = flows.map((flow) => investorFlow(flow));
  const irrFlows = [...investorFlows.map(({ day, amount }) => ({ day, amount })), { day: asOf, amount: residualValue }];
  const multiples = { ...fundMultiples(totals), pic: paidInToCommitment(commitment) };
  return { ...totals, commitment, multiples, irr: xirr(irrFlows), investorFlows, irrFlows };
}

/** A fund's flow from the investor's side: calls are negative. */
function investorFlow({ kind, day, amount }: FundFlow): ComparedFlow {
  return { kind, day, amount: kind === 'drawing' ? -amount : amount };
}

/**
 * TVPI is the sum of the two rounded quotients, so that TVPI = DPI + RVPI to the last digit at any number of places. It differs
 * by at most one unit of the last place from (distributed + residual) ÷ paid-in.
 */
export function fundMultiples(totals: FundTotals, places: number = fixedPlaces): PaidInMultiples {
  const { paidIn, distributed, residualValue } = totals;
  if (paidIn <= 0n) return { dpi: null, rvpi: null, tvpi: null };
  const dpi = quotient(distributed, paidIn, places);
  const rvpi = quotient(residualValue, paidIn, places);
  return { dpi, rvpi, tvpi: dpi + rvpi };
}

/** PIC: of the whole, without the funds that state no commitment. */
function paidInToCommitment(commitment: Commitment | null): Fixed | null {
  if (commitment === null || commitment.total <= 0n) return null;
  return quotient(commitment.paidIn, commitment.total, fixedPlaces);
}

/** Rounds once, to the given number of places. */
function quotient(dividend: Fixed, divisor: Fixed, places: number): Fixed {
  const step = 10n ** BigInt(fixedPlaces - places);
  return divideRounded(dividend * 10n ** BigInt(places), divisor) * step;
}

function fundCommitment({ commitment, flows, transfers = [] }: FundInvestment): Commitment | null {
  if (commitment === null) return null;
  const [paidIn, called] = [paidInTotal(flows), calledTotal(flows)];
  const recallable = recallableTotal(flows);
  const transferred = sum(transfers.map(({ amount }) => amount));
  return withUncalled({ total: commitment, called, recallable, transferred, paidIn });
}

function withUncalled(parts: Omit<Commitment, 'uncalled'>): Commitment {
  return { ...parts, uncalled: parts.total - parts.called + parts.recallable - parts.transferred };
}

function combinedCommitment(investments: readonly RatedFundInvestment[]): Commitment | null {
  const commitments = investments.flatMap((investment) => {
    const commitment = fundCommitment(investment);
    return commitment === null ? [] : [{ commitment, rate: investment.asOfRate }];
  });
  if (commitments.length === 0) return null;
  const totalOf = (name: Exclude<keyof Commitment, 'uncalled'>): Fixed =>
    sum(commitments.map(({ commitment, rate }) => convertAtRate(commitment[name], rate)));
  return withUncalled({
    total: totalOf('total'),
    called: totalOf('called'),
    recallable: totalOf('recallable'),
    transferred: totalOf('transferred'),
    paidIn: totalOf('paidIn'),
  });
}

function paidInTotal(flows: readonly FundFlow[]): Fixed {
  return sum(flows.map((flow) => (flow.kind === 'drawing' ? flow.amount : 0n)));
}

function calledTotal(flows: readonly FundFlow[]): Fixed {
  return sum(flows.map((flow) => (flow.kind === 'drawing' ? flow.effectOnUnfunded : 0n)));
}

function recallableTotal(flows: readonly FundFlow[]): Fixed {
  return sum(flows.map((flow) => (flow.kind === 'distribution' ? flow.recallableAmount : 0n)));
}

function convertAtRate(amount: Fixed, { numerator, denominator }: RateFraction): Fixed {
  return divideRounded(amount * numerator, denominator);
}

function sum(amounts: readonly Fixed[]): Fixed {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
