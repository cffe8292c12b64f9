// Lists what was paid into a private-market fund and what came back from it: money, and stakes that changed hands without any.

import { traitsOfKind } from '../../model/ledger/kind-traits.ts';
import type { Day } from '../../kit/day.ts';
import { magnitude, type Fixed } from '../../kit/fixed.ts';
import { convertedAmount, type IsoCurrency } from '../currencies/exchange-rates.ts';
import { paidPart, type CurrencyContext } from '../currencies/reference-money.ts';
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
  /** The flow in its own money, which is converted at the rate of its day. */
  readonly paid: PaidFundFlow;
}

interface PaidFundFlow {
  readonly flow: FundFlow;
  readonly currency: IsoCurrency;
  /** The row that states the flow in the fund's currency, if it has its own exchange rate to the money that was paid. */
  readonly exchanged?: LedgerTransaction;
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
  return [...history.byPosition.rowsOf(position)].flatMap((index) => {
    const transaction = history.rows.transaction(index);
    const flow = findRowFlow(history, position, transaction);
    return flow === undefined ? [] : [{ ...flow, source: { kind: 'row', row: transaction.row } }];
  });
}

/**
 * A stake that was bought from or sold to another investor counts like a call or a distribution, and so do income, fees and other money
 * of the fund, but the commitment stays as it is.
 */
function findRowFlow(
  history: History,
  position: number,
  transaction: LedgerTransaction,
): Omit<SourcedFundFlow, 'source'> | undefined {
  const { kind, day, quantity, amount, value, currency, details } = transaction;
  const stated = (flow: FundFlow) => ({
    flow,
    paid: paidFlow(transaction, flow, history.currencyContext(position)),
  });
  switch (traitsOfKind(kind).fund) {
    case 'call':
      return stated({
        kind: 'drawing',
        day,
        amount: value,
        effectOnUnfunded: withSignOf(value, details?.effectOnUnfunded ?? value),
      });
    case 'distribution':
      return stated({
        kind: 'distribution',
        day,
        amount: value,
        recallableAmount: withSignOf(value, details?.recallable ?? 0n),
      });
    case 'stake':
      return stated(quantity > 0n ? drawingOf(day, value) : distributionOf(day, value));
    case 'action':
      if (hasOwnValue(history, position, transaction)) return stated(cashFlow(day, value));
      return moneyFlow(history, position, { day, amount, currency });
    case 'income':
      return moneyFlow(history, position, { day, amount, currency }, 'distribution');
    case 'charge':
      return moneyFlow(history, position, { day, amount, currency }, 'drawing');
    case 'interest':
      return moneyFlow(history, position, { day, amount, currency });
    case 'none':
      return undefined;
  }
}

/** A returned call raises the commitment by what it states, and a repaid distribution lowers what may be called again. */
function withSignOf(amount: Fixed, stated: Fixed): Fixed {
  return amount < 0n ? -magnitude(stated) : stated;
}

/** Whether the value of a corporate action is in the fund's currency: cash in lieu is in that of the target. */
function hasOwnValue(history: History, position: number, { details }: LedgerTransaction): boolean {
  const action = details?.action;
  if (action?.action !== 'merger' || action.cashInLieu === undefined) return true;
  return history.facts.instruments.get(action.target)?.currency === history.instrument(position).currency;
}

/** In the currency of the row's cash if it has its own exchange rate. */
function paidFlow(transaction: LedgerTransaction, flow: FundFlow, context: CurrencyContext): PaidFundFlow {
  const { currency } = paidPart(transaction, flow.amount, context);
  if (currency === context.currency) return { flow, currency };
  const paid = mapAmounts(flow, (part) => paidPart(transaction, part, context).amount);
  return { flow: paid, currency, exchanged: transaction };
}

function mapAmounts(flow: FundFlow, convert: (amount: Fixed) => Fixed): FundFlow {
  const amount = convert(flow.amount);
  switch (flow.kind) {
    case 'drawing':
      return { ...flow, amount, effectOnUnfunded: convert(flow.effectOnUnfunded) };
    case 'distribution':
      return { ...flow, amount, recallableAmount: convert(flow.recallableAmount) };
  }
}

interface DatedMoney {
  readonly day: Day;
  readonly amount: Fixed;
  readonly currency: IsoCurrency;
}

/**
 * Money that came from the fund, or negative what was paid to it, converted to the fund's currency at the rate of its day. Without a kind, its
 * sign decides: what is taken back of income or refunded of a fee keeps the kind that it takes back.
 */
function moneyFlow(
  history: History,
  position: number,
  { day, amount, currency }: DatedMoney,
  kind: FundFlow['kind'] = amount < 0n ? 'drawing' : 'distribution',
): Pick<SourcedFundFlow, 'flow' | 'paid'> {
  const { currency: to } = history.instrument(position);
  const conversion = history.facts.rates.get({ from: currency, to, day });
  const paid = { flow: kind === 'drawing' ? drawingOf(day, -amount) : distributionOf(day, amount), currency };
  return { flow: mapAmounts(paid.flow, (part) => convertedAmount(part, conversion)), paid };
}

/** The flow in the reference currency: its own money at the rate of its day. */
export function referenceFlow(history: History, { paid: { flow, currency: from } }: SourcedFundFlow): FundFlow {
  const { rates, settings } = history.facts;
  const conversion = rates.get({ from, to: settings.referenceCurrency, day: flow.day });
  return mapAmounts(flow, (part) => convertedAmount(part, conversion));
}

/**
 * A stake that came without money counts as what it cost where that is stated (and can be converted), else at its value of the day; one
 * that left at its value.
 */
function legFlows(history: History, leg: DatedLeg, lots: StatedLots): SourcedFundFlow[] {
  const source = { kind: 'leg', leg } as const;
  const stated = findStatedLots(leg, lots);
  if (stated === undefined) return [{ ...moneyFlow(history, leg.position, legMoney(history, leg)), source }];
  const { currency } = history.instrument(leg.position);
  return stated.map((lot) => {
    const flow = drawingOf(lot.acquired, lot.cost);
    return { flow, source, paid: { flow, currency } };
  });
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

function legMoney(history: History, leg: DatedLeg): DatedMoney {
  const { day } = leg;
  if (leg.measure === 'cash') return { day, amount: -leg.amount, currency: leg.currency };
  const { amount, valuation } = history.values.legValue(leg);
  return { day, amount: -amount, currency: valuation.currency };
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
