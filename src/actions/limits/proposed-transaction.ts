// Turns a proposed trade or cash move into a transaction of the engine, at the day's price and rate unless others are given.

import { defined } from '../../kit/assert.ts';
import { fromDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { divideRounded, FixedFault, fromFixed, oneFixed, toFixed, type Fixed } from '../../kit/fixed.ts';
import { refusalForFaults } from '../../kit/refusal.ts';
import { accruedInterest, type IndexRatio } from '../../engine/instruments/accrued-interest.ts';
import { conversionRate } from '../../engine/currencies/exchange-rates.ts';
import type { History } from '../../engine/history/history.ts';
import type { ValuedInstrument as EngineInstrument } from '../../engine/instruments/instrument.ts';
import { quoteFromPoint, unitsPerPrice, type Quote } from '../../engine/instruments/quote.ts';
import type { LedgerTransaction } from '../../engine/ledger/transaction.ts';
import { indexRatioOn } from '../../engine/valuation/index-ratio.ts';
import { findPoint } from '../../engine/valuation/quoted.ts';
import type { Instrument } from '../../model/instrument/instrument.ts';
import type { ProposedCashMove, ProposedTrade } from '../../model/limit/limit-check-proposal.ts';
import type { TransactionInput } from '../ledger/transaction-input.ts';
import { transactionMoney } from '../ledger/transaction-money.ts';

interface ProposalContext {
  readonly history: History;
  readonly day: Day;
  readonly accountCurrency: string;
}

interface TradeContext extends ProposalContext {
  readonly instrument: Instrument;
  readonly facts: EngineInstrument;
}

/** `row` orders it among the booked transactions. Refuses a trade whose price, rate or interest is too long to be booked. */
export function proposedTransaction(trade: ProposedTrade, context: TradeContext, row: number): LedgerTransaction {
  try {
    return tradeRow(trade, context, row);
  } catch (error) {
    if (!(error instanceof FixedFault)) throw error;
    return refuse(
      'invalid-attribute',
      'instrument',
      'Its price, rate or interest has more than 20 digits before the point.',
    );
  }
}

function tradeRow(trade: ProposedTrade, context: TradeContext, row: number): LedgerTransaction {
  const { day, accountCurrency, instrument, facts } = context;
  const { ratio: index } = facts.terms.type === 'bond' ? indexRatioOn(facts.terms, facts.indexFactors, day) : noIndex;
  const price = trade.price ?? priceOn(context);
  const units = trade.quantity ?? unitsFor(trade, { price, index, priceUnit: facts.priceUnit });
  const quantity = trade.side === 'sell' ? (`-${units}` as Decimal) : units;
  const input: TransactionInput = {
    kind: 'trade',
    date: fromDayNumber(day),
    quantity,
    price,
    fees: trade.fees ?? null,
    accruedInterest: trade.accruedInterest ?? accruedOn(toFixed(units), context),
    exchangeRate: trade.exchangeRate ?? rateOn(context),
  };
  const money = transactionMoney(input, {
    client: null,
    accountCurrency,
    counterAccountCurrency: null,
    instrument,
    targetInstrument: null,
    index,
    instrumentClass: null,
    accountingMethod: null,
  });
  const accrued = money.accruedInterest === null ? null : { accrued: toFixed(money.accruedInterest) };
  return {
    ...rowFrame(day, row),
    kind: 'trade',
    account: trade.account,
    depository: trade.depository ?? null,
    instrument: instrument.id,
    quantity: toFixed(quantity),
    amount: toFixed(defined(money.amount, 'a trade has an amount')),
    currency: defined(money.currency, 'a trade has a currency'),
    price: toFixed(price),
    value: toFixed(money.value),
    details: accrued,
  };
}

const noIndex = { ratio: undefined } as const;

interface UnitPrice {
  readonly price: Decimal;
  readonly index: IndexRatio | undefined;
  readonly priceUnit: EngineInstrument['priceUnit'];
}

/** As many units as the amount buys or sells at the price, fractions included. */
function unitsFor({ amount }: ProposedTrade, { price, index, priceUnit }: UnitPrice): Decimal {
  const { factor, baseFactor } = index ?? { factor: 1n, baseFactor: 1n };
  const perUnit = toFixed(price) * factor;
  if (perUnit === 0n) refuse('invalid-attribute', 'amount', 'At a price of zero no number of units gives an amount.');
  const worth = toFixed(defined(amount, 'a trade without a quantity has an amount'));
  try {
    return fromFixed(divideRounded(worth * oneFixed * unitsPerPrice[priceUnit] * baseFactor, perUnit, 'down'));
  } catch (error) {
    if (!(error instanceof FixedFault)) throw error;
    return refuse('invalid-attribute', 'amount', 'The number of units has more than 20 digits before the point.');
  }
}

export function proposedFlow(move: ProposedCashMove, context: ProposalContext, row: number): LedgerTransaction {
  return {
    ...rowFrame(context.day, row),
    kind: 'flow',
    account: move.account,
    depository: null,
    instrument: null,
    quantity: 0n,
    amount: toFixed(move.amount),
    currency: move.currency ?? context.accountCurrency,
    price: null,
    value: 0n,
    details: null,
  };
}

function rowFrame(day: Day, row: number): Pick<LedgerTransaction, 'row' | 'day' | 'time' | 'settlement'> {
  return { row, day, time: null, settlement: null };
}

function refuse(code: string, field: string, detail: string): never {
  throw refusalForFaults('invalid-document', [{ code, field, detail }]);
}

/** The price at which the instrument is valued on the day: its latest point, else its last trade; a loan counts in full. */
function priceOn(context: TradeContext): Decimal {
  const { terms, priceUnit } = context.facts;
  const quote = quotedByPoint(context) ?? (terms.type === 'loan' ? undefined : quotedByTrade(context));
  if (quote === undefined && terms.type === 'loan') return fromFixed(unitsPerPrice[priceUnit] * oneFixed);
  if (quote === undefined) refuse('missing-attribute', 'price', 'A price is required: this instrument has none yet.');
  return fromFixed(divideRounded(quote.numerator, quote.denominator));
}

function positionsOf({ history, facts }: TradeContext): readonly number[] {
  return history.table.positions.flatMap(({ instrument }, position) => (instrument === facts.id ? [position] : []));
}

function quotedByPoint(context: TradeContext): Quote | undefined {
  const { history, facts, day } = context;
  const [position] = positionsOf(context);
  const found = findPoint(facts, { day, after: -Infinity });
  const changes = position === undefined ? [] : history.changes(position);
  return found && quoteFromPoint(found.point, changes, { day, staleness: { daysMax: Infinity } });
}

function quotedByTrade(context: TradeContext): Quote | undefined {
  const { history, day } = context;
  const [position] = positionsOf(context);
  if (position === undefined) return undefined;
  const trade = history.values.trades.of(position).findLast((one) => one.day <= day);
  return trade && quoteFromPoint(trade, history.changes(position), { day, staleness: { daysMax: Infinity } });
}

function accruedOn(nominal: Fixed, { facts, day }: TradeContext): Decimal | null {
  const { terms, indexFactors } = facts;
  if (terms.type !== 'bond') return null;
  const { ratio: index } = indexRatioOn(terms, indexFactors, day);
  return fromFixed(accruedInterest(terms, { nominal, day, index }).amount);
}

/** Null if both are in the same currency. */
function rateOn({ history, facts, day, accountCurrency: to }: TradeContext): Decimal | null {
  const { currency: from } = facts;
  if (from === to) return null;
  const found = history.facts.rates.find({ from, to, day });
  if (found === undefined) {
    refuse('missing-attribute', 'exchangeRate', `An exchange rate is required: there is none from ${from} to ${to}.`);
  }
  return fromFixed(conversionRate(found));
}
