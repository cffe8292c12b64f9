// Explains one term of a value, with the numbers that its kind needs.

import type { Day } from '../../kit/day.ts';
import { multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import type { InterestRate } from '../instruments/accrued-interest.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { UnitChange } from '../instruments/unit-change-span.ts';
import type { Point } from '../amounts/series.ts';
import { isAccruedPart } from '../valuation/base-value.ts';
import type { PrepaidAmount, UploadedValue, Valuation, ValuePart } from '../valuation/valuation.ts';
import { explainAccretion, explainAccrual, indexFactors } from './accrual.ts';
import { convertedFigure, rateFactors } from './conversion.ts';
import { amountFigure, countFigure, formula, halfEven, joinOperands, sumOperands } from './figure.ts';
import type { Figure, Formula, FigureSource } from './figure.ts';

/** What is known about a position beyond the value itself; looked up only if a term needs it. */
export interface ValueSources {
  readonly rate?: InterestRate | undefined;
  /** The whole upload, of which the position may have a share. */
  findUpload?(day: Day): UploadedValue | undefined;
  /** What was paid, in the instrument's currency. */
  explainCost?(): Figure;
  /** Of money: what it was before its last change, and what changed it. */
  explainBalance?(): Figure;
  /** The row of a private fund's flow. */
  flowSource?(flow: Point): FigureSource;
}

type PartOfKind<Kind extends ValuePart['kind']> = Extract<ValuePart, { kind: Kind }>;

interface PartContext {
  readonly valuation: Valuation;
  readonly sources: ValueSources;
}

export function explainPart(part: ValuePart, context: PartContext): Figure {
  const { currency: unit } = context.valuation;
  const { amount } = part;
  switch (part.kind) {
    case 'quoted':
      return quotedFigure(part, context);
    case 'uploaded':
      return uploadedFigure(part, context);
    case 'implied':
      return impliedFigure(part, context);
    case 'cost':
      return context.sources.explainCost?.() ?? amountFigure('cost', amount, { unit });
    case 'balance':
      return context.sources.explainBalance?.() ?? amountFigure('balance', amount, { unit });
    case 'par':
      return parFigure(part, context);
    case 'accretion':
      return explainAccretion(part.accretion, unit);
    case 'principal':
      return amountFigure('principal', amount, { unit, ...formula`${amountFigure('nominal', amount, { unit })}` });
    case 'accrued':
    case 'coupon':
      return accruedFigure(part, context);
    case 'prepaid-coupon':
      return prepaidFigure(part, context);
    case 'carried':
      return carriedFigure(part, context);
    case 'bought-interest':
      return boughtInterestFigure(part, context);
    case 'flow':
      return flowFigure(part, context);
    case 'beyond-value':
      return beyondValueFigure(part, context);
    case 'fund-share':
      return fundShareFigure(part, context);
    case 'paid-elsewhere':
      return amountFigure('paid-at-other-place', amount, { unit, day: part.day });
    case 'moved-share': {
      const stayed = amountFigure('value-without-move', part.stayed, { unit });
      const moved = formula`${stayed} − ${amountFigure('value-after-move', part.left, { unit })}`;
      return amountFigure('moved-value', amount, { unit, ...moved });
    }
    case 'leg':
      return legFigure(part);
  }
}

/** The step of the running total of all places, so that they add up to the net asset value. */
function fundShareFigure(part: PartOfKind<'fund-share'>, context: PartContext): Figure {
  const { currency: unit } = context.valuation;
  const { amount, quoted, before, paidIn, all, departures } = part;
  const { figure: nav, value: shared } = navThatStayed(quoted, departures, context);
  const total = amountFigure('paid-in-by-all', all, { unit });
  const upTo = (paid: Fixed): Figure => {
    const share = formula`${nav} × ${amountFigure('paid-in-so-far', paid, { unit })} ÷ ${total}`;
    const value = multiplyDivide(shared, paid, all);
    return amountFigure('value-so-far', value, { unit, ...share, rounding: halfEven });
  };
  if (before === 0n) {
    const share = formula`${nav} × ${amountFigure('paid-in', paidIn, { unit })} ÷ ${total}`;
    return amountFigure('share-of-net-asset-value', amount, { unit, ...share, rounding: halfEven });
  }
  return amountFigure('share-of-net-asset-value', amount, {
    unit,
    ...formula`${upTo(before + paidIn)} − ${upTo(before)}`,
  });
}

/** Each stake that left before the day of the net asset value takes its part of it. */
function navThatStayed(
  quoted: PartOfKind<'quoted'>,
  departures: PartOfKind<'fund-share'>['departures'],
  context: PartContext,
) {
  const { currency: unit } = context.valuation;
  const start = { figure: quotedFigure(quoted, context), value: quoted.amount };
  return departures.reduce(({ figure, value: before }, { day, left, stayed }) => {
    const parts = {
      stayed: amountFigure('stake-that-stayed', stayed, { day }),
      left: amountFigure('stake-that-left', left, { day }),
    };
    const value = multiplyDivide(before, stayed, stayed + left);
    const share = formula`${figure} × ${parts.stayed} ÷ (${parts.stayed} + ${parts.left})`;
    return {
      figure: amountFigure('net-asset-value-that-stayed', value, { unit, ...share, rounding: halfEven }),
      value,
    };
  }, start);
}

function quotedFigure({ amount, quantity, quote, priceUnit, index }: PartOfKind<'quoted'>, { valuation }: PartContext) {
  const units = amountFigure('units', quantity, { unit: 'units' });
  return quotedUnitsFigure({ amount, units, quote, priceUnit, index }, valuation);
}

interface QuotedUnits extends Pick<PartOfKind<'quoted'>, 'amount' | 'quote' | 'priceUnit'> {
  readonly units: Figure;
  readonly index?: PartOfKind<'quoted'>['index'];
}

/** Units at a price. */
export function quotedUnitsFigure(
  { amount, units, quote, priceUnit, index }: QuotedUnits,
  { currency: unit, source: series }: Pick<Valuation, 'currency' | 'source'>,
): Figure {
  const { day } = quote.point;
  const notes = quote.isStale ? ['stale'] : [];
  const price = amountFigure(series, quote.point.value, { unit, day, source: { kind: 'point', series, day }, notes });
  const per = priceUnit === '1' ? formula`` : formula` ÷ 100`;
  const whole = formula`${units} × ${price}${changeFactors(quote.changes)}${per}${indexFactors(index)}`;
  return amountFigure('quoted-value', amount, { unit, ...whole, rounding: halfEven });
}

/** A point from before a split is for old units. */
function changeFactors(changes: readonly UnitChange[]): Formula {
  const factors = changes.map(({ exDay: day, ratio }) => {
    const before = countFigure('units-before', ratio.denominator, { unit: 'units', day });
    return formula` × ${before} ÷ ${countFigure('units-after', ratio.numerator, { unit: 'units', day })}`;
  });
  return joinOperands(factors, '');
}

function uploadedFigure({ amount, upload }: PartOfKind<'uploaded'>, context: PartContext): Figure {
  const marketValue = uploadedAmount('marketValue', upload, context);
  const accrued = uploadedAmount('accrued', upload, context);
  const whole = formula`(${marketValue} + ${accrued}) × ${uploadedRate(upload)}`;
  return amountFigure('uploaded-value', amount, { unit: upload.reportingCurrency, ...whole, rounding: halfEven });
}

function uploadedRate({ rate, currency, reportingCurrency, day }: UploadedValue): Figure {
  return amountFigure('uploaded-rate', rate, {
    unit: `${reportingCurrency}/${currency}`,
    day,
    source: { kind: 'upload', day },
  });
}

const uploadedNames = { marketValue: 'uploaded-market-value', accrued: 'uploaded-accrued-interest' } as const;

/** If accounts share a depository, the position has a share of the upload, by its units. */
function uploadedAmount(field: keyof typeof uploadedNames, upload: UploadedValue, { sources }: PartContext): Figure {
  const { day, currency: unit } = upload;
  const source: FigureSource = { kind: 'upload', day };
  const name = uploadedNames[field];
  const whole = sources.findUpload?.(day);
  if (whole === undefined || whole.quantity === upload.quantity || whole.quantity === 0n) {
    return amountFigure(name, upload[field], { unit, day, source });
  }
  const statedFigure = amountFigure(name, whole[field], { unit, day, source });
  const units = amountFigure('units', upload.quantity, { unit: 'units', day });
  const share = formula`${statedFigure} × ${units} ÷ ${amountFigure('uploaded-units', whole.quantity, { unit: 'units', source })}`;
  return amountFigure(`share-of-${name}`, upload[field], { unit, day, ...share, rounding: halfEven });
}

function impliedFigure({ amount, quantity, upload, changes }: PartOfKind<'implied'>, context: PartContext): Figure {
  const { day } = upload;
  const units = amountFigure('units', quantity, { unit: 'units' });
  if (upload.pricedOn !== undefined) {
    const source = { kind: 'rows', day } as const;
    const joined = amountFigure('units-after-move', upload.quantity, { unit: 'units', day, source });
    const worth = amountFigure('value-after-move', upload.marketValue, { unit: upload.currency, day, source });
    const whole = formula`${units} × ${worth} ÷ ${joined}${changeFactors(changes)}`;
    return amountFigure('implied-value', amount, { unit: upload.currency, ...whole, rounding: halfEven });
  }
  const statedFigure = amountFigure('uploaded-units', upload.quantity, {
    unit: 'units',
    day,
    source: { kind: 'upload', day },
  });
  const value = uploadedAmount('marketValue', upload, context);
  const whole = formula`${units} × ${value} ÷ ${statedFigure}${changeFactors(changes)}`;
  return amountFigure('implied-value', amount, { unit: upload.currency, ...whole, rounding: halfEven });
}

function parFigure({ amount, nominal, index }: PartOfKind<'par'>, { valuation }: PartContext): Figure {
  const { currency: unit } = valuation;
  const whole = formula`${amountFigure('nominal', nominal, { unit })}${indexFactors(index)}`;
  return amountFigure('par', amount, { unit, ...whole, rounding: index && halfEven });
}

function accruedFigure(part: PartOfKind<'accrued' | 'coupon'>, { valuation, sources }: PartContext): Figure {
  const { amount, accrual, conversion } = part;
  const unit = conversion?.from ?? valuation.currency;
  const [name, day] = part.kind === 'coupon' ? (['due-coupon', part.couponDate] as const) : ['accrued-interest'];
  const original = explainAccrual(accrual, { unit, rate: sources.rate });
  const facets = day === undefined ? {} : { day };
  return convertedFigure(name, amount, { original: { ...original, ...facets }, conversion, facets });
}

/** What was paid early counts against the interest that has accrued. */
function prepaidFigure(part: PartOfKind<'prepaid-coupon'>, { valuation, sources }: PartContext): Figure {
  const { amount, paid, couponDate: day, conversion } = part;
  const unit = conversion?.from ?? valuation.currency;
  const coupon =
    paid.by === 'row' ? paidCouponFigure(paid, unit) : explainAccrual(paid.accrual, { unit, rate: sources.rate });
  const original = amountFigure('prepaid-coupon', -paid.amount, { unit, day, ...formula`0 − ${coupon}` });
  return convertedFigure('prepaid-coupon', amount, { original, conversion, facets: { day } });
}

function paidCouponFigure(
  { amount, day, gross, remaining, nominal }: Extract<PrepaidAmount, { by: 'row' }>,
  unit: IsoCurrency,
): Figure {
  const source = { kind: 'rows', day } as const;
  if (remaining === nominal) return amountFigure('paid-coupon', amount, { unit, day, source });
  const paid = amountFigure('paid-coupon', gross, { unit, day, source });
  const [held, all] = [
    amountFigure('units', remaining, { unit: 'units' }),
    amountFigure('paid-units', nominal, { unit: 'units', day }),
  ];
  return amountFigure('paid-coupon', amount, { unit, day, ...formula`${paid} × ${held} ÷ ${all}`, rounding: halfEven });
}

function carriedFigure({ amount, uploaded, conversion }: PartOfKind<'carried'>, { valuation }: PartContext): Figure {
  const original = amountFigure('uploaded-accrued-interest', uploaded, {
    unit: conversion?.from ?? valuation.currency,
  });
  return convertedFigure('carried-accrued-interest', amount, { original, conversion });
}

function boughtInterestFigure(part: PartOfKind<'bought-interest'>, { valuation }: PartContext): Figure {
  const { amount, bought, conversion } = part;
  const unit = conversion?.from ?? valuation.currency;
  const terms = bought.map(
    ({ day, value }) =>
      formula`${amountFigure('traded-accrued-interest', value, { unit, day, source: { kind: 'rows', day } })}`,
  );
  const total = bought.reduce((sum, { value }) => sum + value, 0n);
  const original = amountFigure('bought-accrued-interest', total, { unit, ...sumOperands(terms) });
  return convertedFigure('bought-accrued-interest', amount, { original, conversion });
}

function flowFigure(part: PartOfKind<'flow'>, { valuation, sources }: PartContext): Figure {
  const { amount, flow, conversion } = part;
  const source = sources.flowSource?.(flow) ?? { kind: 'rows', day: flow.day };
  const unit = conversion?.from ?? valuation.currency;
  const original = amountFigure('fund-flow', flow.value, { unit, day: flow.day, source });
  return convertedFigure('fund-flow', amount, { original, conversion, facets: { day: flow.day } });
}

/** It was earned without a net asset value that says so, and keeps the value from falling below zero. */
function beyondValueFigure({ amount, paid, available, day }: PartOfKind<'beyond-value'>, { valuation }: PartContext) {
  const { currency: unit } = valuation;
  const distribution = amountFigure('distribution', paid, { unit, day });
  const whole = formula`${distribution} − ${amountFigure('value-before-distribution', available, { unit, day })}`;
  return amountFigure('paid-out-beyond-value', amount, { unit, day, ...whole });
}

function legFigure({ amount, quantity, leg, conversion }: PartOfKind<'leg'>): Figure {
  const { day } = leg;
  const paid = amountFigure('leg-amount', leg.amount, { unit: leg.currency, day, source: { kind: 'terms' } });
  const contracts = amountFigure('contracts', quantity, { unit: 'units' });
  const whole = formula`${paid} × ${contracts}${rateFactors(conversion)}`;
  return amountFigure('forward-leg', amount, { unit: conversion.to, day, ...whole, rounding: halfEven });
}

/** The accrued part of a term; undefined for any other term. */
export function explainAccruedPart(part: ValuePart, context: PartContext): Figure | undefined {
  if (isAccruedPart(part)) return explainPart(part, context);
  if (part.kind !== 'uploaded') return undefined;
  const accrued: Fixed = part.accruedAmount;
  const whole = formula`${uploadedAmount('accrued', part.upload, context)} × ${uploadedRate(part.upload)}`;
  return amountFigure('uploaded-accrued-interest', accrued, {
    unit: part.upload.reportingCurrency,
    ...whole,
    rounding: halfEven,
  });
}
