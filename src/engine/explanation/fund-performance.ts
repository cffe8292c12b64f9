// Explains the figures of private-market funds: paid in, distributed, commitment, multiples and IRR, of one fund in its currency
// and of the whole in the reference currency.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import { convertedAmount, type IsoCurrency } from '../currencies/exchange-rates.ts';
import type { History } from '../history/history.ts';
import type {
  Commitment,
  Multiples,
  PaidInMultiples,
  PrivateMarketPerformance,
} from '../private-markets/fund-performance.ts';
import type { FundReport, PrivateMarkets } from '../private-markets/private-markets.ts';
import { explainXirr } from '../returns/money-weighted/xirr.ts';
import { convertedFigure } from './conversion.ts';
import {
  amountFigure,
  formula,
  halfEven,
  joinOperands,
  lazyFigure,
  positionSource,
  sumOperands,
  type Explanation,
  type Facets,
  type Figure,
} from './figure.ts';
import { fundFlowFigures, fundPositions, type FlowTotal, type FundsRequest } from './fund-flows.ts';
import { explainMoneyWeighted } from './money-weighted-return.ts';
import { valueSources } from './position-sources.ts';
import { explainValuation } from './valuation.ts';

type FundAmount = Exclude<FlowTotal, 'called'> | 'residual-value';
type FundCommitment = Exclude<keyof Commitment, 'paidIn'>;
export type FundFigure = FundAmount | FundCommitment | keyof Multiples | 'irr';

/** A fund, or the whole, with the terms of its sums. */
export interface ExplainedFunds {
  readonly performance: PrivateMarketPerformance;
  readonly unit: IsoCurrency;
  readonly facets: Facets;
  terms(name: FundAmount): readonly Figure[];
  /** Undefined if it is not a sum: the fund's terms state it. */
  commitmentTerms(name: Exclude<FundCommitment, 'uncalled'>): readonly Figure[] | undefined;
  /** What was paid in where something was committed, at the rate of the commitment. */
  committedTerms(): readonly Figure[];
}

export function explainedFund(history: History, fund: FundReport, request: FundsRequest): ExplainedFunds {
  const { instrument, currency: unit, performance } = fund;
  const flows = (name: FlowTotal) => fundFlowFigures(history, { ...request, instrument, currency: unit, name });
  return {
    performance,
    unit,
    facets: { unit, day: request.day },
    terms: (name) => (name === 'residual-value' ? residualFigures(history, fund, request) : flows(name)),
    commitmentTerms: (name) => {
      if (name === 'total') return undefined;
      return name === 'transferred' ? transferFigures(fund) : flows(name);
    },
    committedTerms: () => flows('paid-in'),
  };
}

function unitsFigure(name: string, units: Fixed): Figure {
  return amountFigure(name, units, { unit: 'units' });
}

/** Each is the fraction of the unfunded commitment that left with a stake. */
function transferFigures({ transfers, currency: unit }: FundReport): readonly Figure[] {
  return transfers.map(({ amount, unfunded, quantity, held, share, shares, day, number }) => {
    const before = amountFigure('uncalled-before', unfunded, { unit, day });
    const left = formula`${unitsFigure('units', quantity)} ÷ ${unitsFigure('units-before', held)}`;
    const ofPlace = formula`${amountFigure('share-of-place', share)} ÷ ${amountFigure('shares-of-places', shares)}`;
    const whole = share === shares ? formula`${before} × ${left}` : formula`${before} × ${left} × ${ofPlace}`;
    const source = { kind: 'row', row: number } as const;
    return amountFigure('transferred-commitment', amount, { unit, day, source, ...whole, rounding: halfEven });
  });
}

/** For each place that holds it, in the fund's currency. */
function residualFigures(history: History, fund: FundReport, request: FundsRequest): readonly Figure[] {
  const { instrument, currency: to, valuations } = fund;
  const { day } = request;
  const positions = fundPositions(history, { ...request, instrument });
  return valuations.map((valuation, index) => {
    const conversion = history.facts.rates.get({ from: valuation.currency, to, day });
    const basis = explainValuation(valuation, valueSources(history, positions[index]!, day));
    return convertedFigure('position-value', convertedAmount(valuation.value, conversion), {
      original: basis,
      conversion,
    });
  });
}

/** Converts flows at the rates of their own days; values and the commitment at the rate of the day. */
export function explainedWhole(history: History, markets: PrivateMarkets, request: FundsRequest): ExplainedFunds {
  const { whole, funds } = markets;
  const { referenceCurrency: unit } = history.facts.settings;
  return {
    performance: whole,
    unit,
    facets: { unit, day: request.day },
    terms: (name) =>
      funds.flatMap((fund) =>
        name === 'residual-value'
          ? [
              inReferenceCurrency('fund-value', fund, fund.performance.residualValue, () =>
                residualFigures(history, fund, request),
              ),
            ]
          : fundFlowFigures(history, { ...request, ...fund, name }, unit),
      ),
    commitmentTerms: (name) =>
      funds.flatMap((fund) => {
        const { commitment } = fund.performance;
        const own = explainedFund(history, fund, request);
        const of = () => own.commitmentTerms(name);
        return commitment === null ? [] : [inReferenceCurrency(`fund-${name}`, fund, commitment[name], of)];
      }),
    committedTerms: () =>
      funds.flatMap((fund) => {
        const { commitment } = fund.performance;
        if (commitment === null) return [];
        const own = explainedFund(history, fund, request);
        return [inReferenceCurrency('fund-paid-in', fund, commitment.paidIn, () => own.terms('paid-in'))];
      }),
  };
}

/** Of one fund, in its own currency and converted at the rate of the day. */
function inReferenceCurrency(
  name: string,
  { instrument, currency, conversion }: Pick<FundReport, 'instrument' | 'currency' | 'conversion'>,
  amount: bigint,
  terms: () => readonly Figure[] | undefined,
): Figure {
  const { day } = conversion;
  const source = positionSource({ account: null, depository: null, instrument });
  const basis = lazyFigure(name, amount, { unit: currency, day, source }, () => {
    const of = terms();
    return of === undefined ? {} : sumOperands(of);
  });
  const converted = convertedFigure(name, convertedAmount(amount, conversion), { original: basis, conversion });
  return { ...converted, source };
}

export function explainFundFigure(funds: ExplainedFunds, name: FundFigure): Explanation {
  switch (name) {
    case 'paid-in':
    case 'distributed':
    case 'recallable':
    case 'residual-value':
      return totalFigure(funds, name);
    case 'dpi':
    case 'rvpi':
    case 'tvpi':
      return multipleFigure(funds, name);
    case 'pic':
      return explainPaidInToCommitment(funds);
    case 'irr':
      return explainMoneyWeighted(explainXirr(funds.performance.irrFlows), {
        name,
        unit: funds.unit,
        flowFacets: (day) => fundFlowFacets(funds, day),
      });
    default:
      return commitmentFigure(funds, name);
  }
}

/** What was called is paid in; what was distributed, and at the end what is left, comes back. */
export function fundFlowFacets({ terms, facets }: ExplainedFunds, day: Day): Facets {
  const onDay = (name: FundAmount): readonly Figure[] => terms(name).filter((term) => term.day === day);
  const [calls, distributions] = [onDay('paid-in'), onDay('distributed')];
  const residual = day === facets.day ? terms('residual-value') : [];
  const received = sumOperands([...distributions, ...residual]);
  return calls.length === 0 ? received : formula`${received} − ${joinOperands(calls, ' − ')}`;
}

/** The residual value of a fund in the reference currency, at the rate of the day. */
export function explainFundValue(funds: ExplainedFunds, { marketValue, conversion }: FundReport): Figure {
  const original = totalFigure(funds, 'residual-value');
  const { day } = funds.facets;
  return convertedFigure('fund-market-value', marketValue, { original, conversion, facets: { day } });
}

/** What came back so far, less what was paid in. */
export function explainFundBalance(funds: ExplainedFunds): Figure {
  const { distributed, paidIn } = funds.performance;
  const whole = formula`${totalFigure(funds, 'distributed')} − ${totalFigure(funds, 'paid-in')}`;
  return amountFigure('net-cash-flow', distributed - paidIn, { ...funds.facets, ...whole });
}

const performanceFields = {
  'paid-in': 'paidIn',
  distributed: 'distributed',
  recallable: 'recallable',
  'residual-value': 'residualValue',
} as const;

function totalFigure({ performance, facets, terms }: ExplainedFunds, name: FundAmount): Figure {
  return amountFigure(name, performance[performanceFields[name]], { ...facets, ...sumOperands(terms(name)) });
}

/** What was paid into funds with a commitment, ÷ the commitment. Both at the rate of the day: a change of the rate pays nothing in. */
function explainPaidInToCommitment(funds: ExplainedFunds): Explanation {
  const { commitment, multiples } = funds.performance;
  if (commitment === null || multiples.pic === null) return { name: 'pic', value: null, notes: ['no-commitment'] };
  const paidIn = amountFigure('paid-in', commitment.paidIn, {
    ...funds.facets,
    ...sumOperands(funds.committedTerms()),
  });
  const whole = formula`${paidIn} ÷ ${commitmentFigure(funds, 'total') as Figure}`;
  return amountFigure('pic', multiples.pic, { day: funds.facets.day, ...whole, rounding: halfEven });
}

function multipleFigure(funds: ExplainedFunds, name: keyof PaidInMultiples): Explanation {
  const value = funds.performance.multiples[name];
  if (value === null) return { name, value, notes: ['nothing-paid-in'] };
  const { day } = funds.facets;
  if (name === 'tvpi') {
    const parts = (['dpi', 'rvpi'] as const).map((one) => multipleFigure(funds, one) as Figure);
    return amountFigure(name, value, { day, ...sumOperands(parts) });
  }
  const received = totalFigure(funds, name === 'dpi' ? 'distributed' : 'residual-value');
  const whole = formula`${received} ÷ ${totalFigure(funds, 'paid-in')}`;
  return amountFigure(name, value, { day, ...whole, rounding: halfEven });
}

function commitmentFigure(funds: ExplainedFunds, name: FundCommitment): Explanation {
  const { performance, facets } = funds;
  const { commitment } = performance;
  if (commitment === null) return { name, value: null, notes: ['no-commitment'] };
  const part = (one: Exclude<FundCommitment, 'uncalled'>): Figure => {
    const terms = funds.commitmentTerms(one);
    const basis = terms === undefined ? { source: { kind: 'terms' } as const } : sumOperands(terms);
    return amountFigure(one, commitment[one], { ...facets, ...basis });
  };
  if (name !== 'uncalled') return part(name);
  const kept = formula`${part('total')} − ${part('called')} + ${part('recallable')}`;
  const whole = commitment.transferred === 0n ? kept : formula`${kept} − ${part('transferred')}`;
  return amountFigure(name, commitment.uncalled, { ...facets, ...whole });
}
