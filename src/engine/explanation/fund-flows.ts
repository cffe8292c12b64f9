// Lists the calls and distributions of a private-market fund as figures, each with its row, in the fund's currency or converted.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import { convertedAmount, type IsoCurrency } from '../currencies/exchange-rates.ts';
import type { History } from '../history/history.ts';
import { coveredPositions, type Coverage } from '../history/holdings.ts';
import type { LedgerTransaction } from '../ledger/transaction.ts';
import { convertedFigure } from './conversion.ts';
import { amountFigure, type Figure } from './figure.ts';

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

/** Converts at the rate of each row's own day if another currency is wanted. */
export function fundFlowFigures(
  history: History,
  request: FundFlowRequest,
  to: IsoCurrency = request.currency,
): readonly Figure[] {
  const { currency: from, name } = request;
  return fundRows(history, request).flatMap((row) => {
    const amount = flowAmount(row, name);
    if (amount === undefined || amount === 0n) return [];
    const conversion = history.facts.rates.get({ from, to, day: row.day });
    const original = amountFigure(row.kind, amount, {
      unit: from,
      day: row.day,
      source: { kind: 'row', row: row.row },
    });
    return [
      convertedFigure(row.kind, convertedAmount(amount, conversion), {
        original,
        conversion,
        facets: { day: row.day },
      }),
    ];
  });
}

function flowAmount({ kind, value, details }: LedgerTransaction, name: FlowTotal): Fixed | undefined {
  if (kind === 'capital-call') {
    if (name === 'paid-in') return value;
    return name === 'called' ? (details?.effectOnUnfunded ?? value) : undefined;
  }
  if (kind !== 'distribution') return undefined;
  if (name === 'distributed') return value;
  return name === 'recallable' ? (details?.recallable ?? 0n) : undefined;
}

export function fundPositions(history: History, { covers, instrument }: FundsRequest & { instrument: string }) {
  return coveredPositions(history, covers).filter((position) => history.key(position).instrument === instrument);
}

function fundRows(history: History, request: FundFlowRequest): readonly LedgerTransaction[] {
  const { rows, byPosition } = history;
  return fundPositions(history, request)
    .flatMap((position) => [...byPosition.rowsOf(position)])
    .filter((row) => rows.days[row]! <= request.day)
    .map((row) => rows.transaction(row));
}
