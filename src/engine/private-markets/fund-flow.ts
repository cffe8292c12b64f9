// Lists what was paid into a private-market fund and what came back from it: money, and stakes that changed hands without any.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import { convertedAmount, type IsoCurrency } from '../currencies/exchange-rates.ts';
import type { History } from '../history/history.ts';
import type { DatedLeg } from '../history/unit-replay.ts';
import type { LedgerTransaction } from '../ledger/transaction.ts';
import type { DatedQuantityAndCost } from '../lots/lot.ts';

export interface Drawing {
  readonly kind: 'drawing';
  readonly day: Day;
  readonly amount: Fixed;
  /** By how much the call lowers the unfunded commitment: its amount, a part of it, or nothing. */
  readonly effectOnUnfunded: Fixed;
}

export interface Distribution {
  readonly kind: 'distribution';
  readonly day: Day;
  readonly amount: Fixed;
  /** The part that may be called again. */
  readonly recallableAmount: Fixed;
}

export type FundFlow = Drawing | Distribution;

/** A flow with what it came from: a transaction, or an upload of its day. */
export interface SourcedFundFlow {
  readonly flow: FundFlow;
  readonly source: FundFlowSource;
}

export type FundFlowSource =
  | { readonly kind: 'row'; readonly row: number }
  | { readonly kind: 'leg'; readonly leg: DatedLeg };

interface FundFlowRequest {
  /** All covered positions in the fund. */
  readonly positions: readonly number[];
  /** The last day. */
  readonly day: Day;
}

/** By day. */
export function listFundFlows(history: History, { positions, day }: FundFlowRequest): readonly SourcedFundFlow[] {
  const covered = new Set<number | undefined>(positions);
  const isInside = (leg: DatedLeg): boolean =>
    leg.measure === 'units' ? covered.has(leg.movedFrom) && covered.has(leg.valuedPosition) : covered.has(leg.other);
  const flows = positions.flatMap((position) => {
    const legs = history.legs(position).filter((leg) => !isInside(leg));
    const stated = legs.length === 0 ? noLots : statedLots(history, position);
    return [...rowFlows(history, position), ...legs.flatMap((leg) => legFlows(history, leg, stated))];
  });
  return flows
    .filter(({ flow, source }) => flow.amount !== 0n && (source.kind === 'leg' ? source.leg.day : flow.day) <= day)
    .toSorted((one, other) => one.flow.day - other.flow.day);
}

function rowFlows(history: History, position: number): SourcedFundFlow[] {
  const { currency: to } = history.instrument(position);
  return [...history.byPosition.rowsOf(position)].flatMap((index) => {
    const transaction = history.rows.transaction(index);
    const { amount, currency: from, day } = transaction;
    const flow = findRowFlow(transaction, () => convertedAmount(amount, history.facts.rates.get({ from, to, day })));
    return flow === undefined ? [] : [{ flow, source: { kind: 'row', row: transaction.row } }];
  });
}

/**
 * A stake that was bought from or sold to another investor counts like a call or a distribution, and so do income, fees and other money
 * of the fund, but the commitment stays as it is.
 */
function findRowFlow(
  { kind, day, quantity, value: amount, details }: LedgerTransaction,
  getCash: () => Fixed,
): FundFlow | undefined {
  switch (kind) {
    case 'capital-call':
      return { kind: 'drawing', day, amount, effectOnUnfunded: details?.effectOnUnfunded ?? amount };
    case 'distribution':
      return { kind: 'distribution', day, amount, recallableAmount: details?.recallable ?? 0n };
    case 'trade':
    case 'redemption':
      return quantity > 0n ? drawingOf(day, amount) : distributionOf(day, amount);
    case 'dividend':
    case 'coupon':
    case 'interest':
    case 'fee':
    case 'corporate-action':
      return cashFlow(day, getCash());
    default:
      return undefined;
  }
}

/**
 * A stake that came without money counts as what it cost where that is stated (and can be converted), else at its value of the day; one
 * that left at its value.
 */
function legFlows(history: History, leg: DatedLeg, lots: StatedLots): SourcedFundFlow[] {
  const source = { kind: 'leg', leg } as const;
  const stated = findStatedLots(leg, lots);
  if (stated !== undefined) {
    return stated.map((lot) => ({ flow: drawingOf(lot.acquired, lot.cost), source }));
  }
  return [{ flow: cashFlow(leg.day, -amountOf(history, leg)), source }];
}

/** By day and quantity; of equal rows, the first. */
type StatedLots = ReadonlyMap<string, readonly DatedQuantityAndCost[]>;

const noLots: StatedLots = new Map();

/** The lots that rows of a position state. */
function statedLots({ rows, byPosition }: History, position: number): StatedLots {
  const found = new Map<string, readonly DatedQuantityAndCost[]>();
  for (const row of byPosition.rowsOf(position)) {
    const lots = rows.details(row)?.lots;
    if (lots) found.getOrInsert(`${rows.days[row]} ${rows.get('quantity', row)}`, lots);
  }
  return found;
}

function findStatedLots(leg: DatedLeg, stated: StatedLots): readonly DatedQuantityAndCost[] | undefined {
  if (leg.measure !== 'units' || leg.movedFrom !== undefined || leg.quantity < 0n) return undefined;
  const lots = stated.get(`${leg.day} ${leg.quantity}`);
  return lots?.some(({ gap }) => gap !== undefined) ? undefined : lots;
}

/** In the fund's currency. */
function amountOf(history: History, leg: DatedLeg): Fixed {
  const [amount, from] = leg.measure === 'cash' ? [leg.amount, leg.currency] : unitsAmount(history, leg);
  const { currency: to } = history.instrument(leg.position);
  return convertedAmount(amount, history.facts.rates.get({ from, to, day: leg.day }));
}

function unitsAmount(history: History, leg: Extract<DatedLeg, { measure: 'units' }>): readonly [Fixed, IsoCurrency] {
  const { amount, valuation } = history.values.legValue(leg);
  return [amount, valuation.currency];
}

/** Money that came from the fund, or negative what was paid to it. */
function cashFlow(day: Day, amount: Fixed): FundFlow {
  return amount < 0n ? drawingOf(day, -amount) : distributionOf(day, amount);
}

function drawingOf(day: Day, amount: Fixed): Drawing {
  return { kind: 'drawing', day, amount, effectOnUnfunded: 0n };
}

function distributionOf(day: Day, amount: Fixed): Distribution {
  return { kind: 'distribution', day, amount, recallableAmount: 0n };
}
