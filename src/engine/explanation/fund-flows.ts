// Lists what was paid into a private-market fund and came back from it as figures, each with its row, in the fund's currency or converted.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { Conversion, IsoCurrency } from '../currencies/exchange-rates.ts';
import type { History } from '../history/history.ts';
import { coveredPositions, type Coverage } from '../history/holdings.ts';
import { listFundFlows, referenceFlow, type FundFlow, type SourcedFundFlow } from '../private-markets/fund-flow.ts';
import { convertedFigure } from './conversion.ts';
import { amountFigure, type Figure, type FigureSource } from './figure.ts';
import { legSource } from './position-sources.ts';
import { explainPaidPart } from './reference-money.ts';

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

/** In the fund's currency, or if another is wanted in the reference currency: by each row's own money, at the rate of its day. */
export function fundFlowFigures(
  history: History,
  request: FundFlowRequest,
  to: IsoCurrency = request.currency,
): readonly Figure[] {
  const { currency, name, day: until } = request;
  const positions = fundPositions(history, request);
  return listFundFlows(history, { positions, day: until }).flatMap((sourced) => {
    const { flow } = sourced;
    const { day } = flow;
    const value = amountIn(to === currency ? flow : referenceFlow(history, sourced), name);
    if (value === 0n) return [];
    const figure = flow.kind === 'drawing' ? 'capital-call' : 'distribution';
    const converted = explainPaid(history, sourced, { figure, name, position: positions[0]!, to });
    return [convertedFigure(figure, value, { ...converted, facets: { day } })];
  });
}

interface PaidRequest extends Pick<FundFlowRequest, 'name'> {
  readonly figure: string;
  /** Any position in the fund. */
  readonly position: number;
  readonly to: IsoCurrency;
}

/** The money of a flow, and what converts it. */
function explainPaid(
  history: History,
  sourced: SourcedFundFlow,
  { figure, name, position, to }: PaidRequest,
): { readonly original: Figure; readonly conversion: Conversion } {
  const { flow, paid } = sourced;
  const { day } = flow;
  const source = sourceOf(history, sourced);
  const context = history.currencyContext(position);
  if (paid.exchanged === undefined) {
    const original = amountFigure(figure, amountIn(paid.flow, name), { unit: paid.currency, day, source });
    return { original, conversion: history.facts.rates.get({ from: paid.currency, to, day }) };
  }
  const amount = amountIn(flow, name);
  const own = amountFigure(figure, amount, { unit: context.currency, day, source });
  if (to === context.currency) return { original: own, conversion: history.facts.rates.get({ from: to, to, day }) };
  return explainPaidPart(paid.exchanged, amount, { context, own });
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
