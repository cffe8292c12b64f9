// Explains, term by term, what rows and uploads add to a position's flow, income or fees on a day.

import { defined } from '../../kit/assert.ts';
import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import { convertedAmount, type Conversion, type IsoCurrency } from '../currencies/exchange-rates.ts';
import type { History } from '../history/history.ts';
import type { DatedLeg } from '../history/unit-replay.ts';
import type { UnitLeg } from '../ledger/leg.ts';
import type { AmountFlows, AmountUse } from '../returns/performance/amount-flows.ts';
import { lastOnOrBefore } from '../amounts/series.ts';
import { convertedFigure, rateFactors } from './conversion.ts';
import { amountFigure, formula, halfEven, joinOperands, type Figure, type FigureSource } from './figure.ts';
import { legSource, legSources } from './position-sources.ts';
import { explainPaidPart } from './reference-money.ts';
import { explainValuation } from './valuation.ts';

interface TermRequest {
  readonly position: number;
  readonly use: AmountUse;
  readonly day: Day;
  /** What flowed on the day beyond the amounts of rows. */
  readonly legs: readonly DatedLeg[];
}

/** In the reference currency; terms of rows come first, in their order. */
export function explainDayTerms(history: History, amounts: AmountFlows, request: TermRequest): readonly Figure[] {
  const { use, position } = request;
  const terms = Array.from(rowsOn(history, amounts, request)).flatMap((row) => {
    const sign = amounts.sign(use, position, row);
    return sign === 0 ? [] : [amountTerm(history, amounts, { row, sign, request })];
  });
  if (use === 'flow') return [...terms, ...legTerms(history, request)];
  if (use !== 'income') return terms;
  const rowsWithInterest = amounts.accruedRows(position).filter((row) => history.rows.days[row] === request.day);
  return [...terms, ...rowsWithInterest.map((row) => accruedTerm(history, row, request))];
}

function rowsOn({ rows }: History, amounts: AmountFlows, { position, day }: TermRequest): Uint32Array {
  const own = amounts.rowsOf(position);
  const [start, end] = [day - 1, day].map((one) => lastOnOrBefore(own, rows.countUntil(one) - 1) + 1);
  return own.subarray(start, end);
}

interface CountedRow {
  readonly row: number;
  readonly sign: number;
  readonly request: TermRequest;
}

function amountTerm(history: History, amounts: AmountFlows, { row, sign, request }: CountedRow): Figure {
  const money = { amount: history.rows.get('amount', row), currency: amounts.currencyOf(row) };
  return moneyTerm(history, { ...money, sign, source: source(history, row) }, request);
}

function source({ rows }: History, row: number): FigureSource {
  return { kind: 'row', row: rows.numbers[row]! };
}

interface SignedMoney {
  readonly amount: Fixed;
  readonly currency: IsoCurrency;
  /** −1 if what the row's cash gains is what the position gives up. */
  readonly sign: number;
  readonly source: FigureSource;
}

function moneyTerm(
  history: History,
  { amount, currency, sign, source }: SignedMoney,
  { use, day }: TermRequest,
): Figure {
  const { rates, settings } = history.facts;
  const conversion = rates.get({ from: currency, to: settings.referenceCurrency, day });
  const original = amountFigure('amount', amount, { unit: currency, day, source });
  return convertedTerm(use, { amount, sign, original, conversion });
}

interface ConvertedTerm extends Pick<SignedMoney, 'amount' | 'sign'> {
  readonly original: Figure;
  readonly conversion: Conversion;
}

function convertedTerm(use: AmountUse, { amount, sign, original, conversion }: ConvertedTerm): Figure {
  const signed = sign < 0 ? formula`(0 − ${original})` : formula`${original}`;
  const value = convertedAmount(BigInt(sign) * amount, conversion);
  const whole = formula`${signed}${rateFactors(conversion)}`;
  const rounding = conversion.quoted.length === 0 ? undefined : halfEven;
  return amountFigure(use, value, { unit: conversion.to, day: conversion.day, ...whole, rounding });
}

/** Interest bought with a bond is negative income. */
function accruedTerm(history: History, row: number, { position, use, day }: TermRequest): Figure {
  const { rows } = history;
  const context = history.currencyContext(position);
  const accrued = defined(rows.details(row)?.accrued, 'only rows with interest are listed');
  const own = amountFigure('amount', accrued, { unit: context.currency, day, source: source(history, row) });
  const paid = explainPaidPart(rows.transaction(row), accrued, { context, own });
  return convertedTerm(use, { ...paid, sign: rows.get('quantity', row) > 0n ? -1 : 1 });
}

function legTerms(history: History, request: TermRequest): readonly Figure[] {
  return request.legs.map((leg) => {
    const source = legSource(history, leg);
    if (leg.measure === 'units') return unitTerm(history, leg, source);
    const { amount, currency } = leg;
    return moneyTerm(history, { amount, currency, sign: 1, source }, request);
  });
}

/** Units are measured by their share of what the arrived units are worth at the end of the day, without coupons that are owed. */
function unitTerm(history: History, leg: UnitLeg & { readonly day: Day }, source: FigureSource): Figure {
  const { quantity, day } = leg;
  const { valuation, held, amount, conversion, value, valuedPosition: of } = history.values.legValue(leg);
  const { currency: unit } = valuation;
  const valueFigure = explainValuation(valuation, legSources(history, of, day));
  const coupons = valuation.parts.filter(({ kind }) => kind === 'coupon');
  const couponFigures = coupons.map((coupon) => amountFigure('due-coupon', coupon.amount, { unit }));
  const cleanValue =
    couponFigures.length === 0
      ? formula`${valueFigure}`
      : formula`(${joinOperands([valueFigure, ...couponFigures], ' − ')})`;
  const movedUnits = amountFigure('units', quantity, { unit: 'units', day, source });
  const whole = formula`${cleanValue} × ${movedUnits} ÷ ${amountFigure('held-units', held, { unit: 'units' })}`;
  const share = amountFigure('flow', amount, { unit, day, ...whole, rounding: halfEven });
  return { ...convertedFigure('flow', value, { original: share, conversion, facets: { day } }), source };
}
