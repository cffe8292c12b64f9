// Lists what was paid into a private-market fund and came back from it as figures, each with its row, in the fund's currency or converted.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import { convertedAmount, type IsoCurrency } from '../currencies/exchange-rates.ts';
import type { History } from '../history/history.ts';
import { coveredPositions, type Coverage } from '../history/holdings.ts';
import { listFundFlows, type FundFlow, type SourcedFundFlow } from '../private-markets/fund-flow.ts';
import { convertedFigure } from './conversion.ts';
import { amountFigure, type Figure, type FigureSource } from './figure.ts';
import { legSource } from './position-sources.ts';

export interface FundsRequest {
  readonly day: Day;
  readonly covers: Coverage;
}

/** The totals that rows add to; `called` is what calls take from the commitment. */
export type FlowTotal = 'paid-in' | 'distributed' | 'recallable' | 'called';

interface FundFlowRequest extends FundsRequest {
  readonly instrument: string;
  readonly currency: IsoCurrency;
  readonly name: FlowTotal;
}

/** Converts at the rate of each flow's own day if another currency is wanted. */
export function fundFlowFigures(
  history: History,
  request: FundFlowRequest,
  to: IsoCurrency = request.currency,
): readonly Figure[] {
  const { currency: from, name, day: until } = request;
  return listFundFlows(history, { positions: fundPositions(history, request), day: until }).flatMap((sourced) => {
    const { flow } = sourced;
    const { day } = flow;
    const amount = amountIn(flow, name);
    if (amount === 0n) return [];
    const figure = flow.kind === 'drawing' ? 'capital-call' : 'distribution';
    const conversion = history.facts.rates.get({ from, to, day });
    const original = amountFigure(figure, amount, { unit: from, day, source: sourceOf(history, sourced) });
    return [convertedFigure(figure, convertedAmount(amount, conversion), { original, conversion, facets: { day } })];
  });
}

function sourceOf(history: History, { source }: SourcedFundFlow): FigureSource {
  return source.kind === 'row' ? source : legSource(history, source.leg);
}

/** What a flow adds to a total. */
function amountIn(flow: FundFlow, name: FlowTotal): Fixed {
  const [paidIn, called] = flow.kind === 'drawing' ? [flow.amount, flow.effectOnUnfunded] : [0n, 0n];
  const [distributed, recallable] = flow.kind === 'distribution' ? [flow.amount, flow.recallableAmount] : [0n, 0n];
  return { 'paid-in': paidIn, called, distributed, recallable }[name];
}

export function fundPositions(history: History, { covers, instrument }: FundsRequest & { instrument: string }) {
  return coveredPositions(history, covers).filter((position) => history.key(position).instrument === instrument);
}
