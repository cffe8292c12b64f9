// Explains a holding's value, cost and unrealised gain.

import type { Day } from '../../kit/day.ts';
import { multiply, type Fixed } from '../../kit/fixed.ts';
import type { History } from '../history/history.ts';
import type { Holding } from '../history/holdings.ts';
import { findSyntheticInstrument } from '../ledger/position-key.ts';
import { accruedInReferenceCurrency, unrealisedParts } from '../returns/unrealised-parts.ts';
import { convertedFigure } from './conversion.ts';
import { explainLots } from './lots/cost.ts';
import { amountFigure, formula, halfEven, lazyFigure, positionSource, type Figure } from './figure.ts';
import { valueSources } from './position-sources.ts';
import { explainAccrued, explainConvertedValue } from './valuation.ts';

/** In the reference currency, accrued interest included. */
export function explainMarketValue(history: History, holding: Holding): Figure {
  const { position, valuation, conversion, marketValue: value } = holding;
  const sources = valueSources(history, position, conversion.day);
  return { ...explainConvertedValue({ valuation, value, conversion }, sources), source: positionSource(holding) };
}

/** The same of a position, whether or not it is held. */
export function explainPositionValue(history: History, position: number, day: Day): Figure {
  const converted = history.value(position, day);
  const explained = explainConvertedValue(converted, valueSources(history, position, day));
  return { ...explained, source: positionSource(history.key(position)) };
}

/** The same, derived when it is first read. */
export function lazyMarketValue(history: History, holding: Holding): Figure {
  const { marketValue, conversion } = holding;
  const facets = { unit: conversion.to, day: conversion.day, source: positionSource(holding) };
  return lazyFigure('market-value', marketValue, facets, () => explainMarketValue(history, holding));
}

/** The accrued part of the value, in the reference currency. */
export function explainAccruedInterest(history: History, holding: Holding): Figure {
  const { position, valuation, conversion } = holding;
  const original = explainAccrued(valuation, valueSources(history, position, conversion.day));
  const value = accruedInReferenceCurrency(holding);
  const facets = { day: conversion.day, source: positionSource(holding) };
  return convertedFigure('accrued-interest', value, { original, conversion, facets });
}

/** In the reference currency. Money costs what it is worth. */
export function explainCost(history: History, holding: Holding): Figure {
  const { position, instrument, conversion } = holding;
  if (findSyntheticInstrument(instrument) !== undefined)
    return { ...explainMarketValue(history, holding), name: 'reference-cost' };
  const { day } = conversion;
  return explainLots(history, { position, day, field: 'referenceCost' }, { day, source: positionSource(holding) });
}

export function explainUnrealised(history: History, holding: Holding): Figure {
  const { unrealised, conversion } = holding;
  const difference = formula`${explainMarketValue(history, holding)} − ${explainCost(history, holding)}`;
  const facets = { unit: conversion.to, day: conversion.day, source: positionSource(holding) };
  return amountFigure('unrealised', unrealised, { ...facets, ...difference });
}

/** What the currency brought: cost × rate of the day − cost at the rates of the acquisitions. */
export function explainUnrealisedCurrency(history: History, holding: Holding): Figure {
  const { position, instrument, conversion, referenceCost } = holding;
  const { currency } = unrealisedParts(history, holding);
  const facets = { unit: conversion.to, day: conversion.day, source: positionSource(holding) };
  if (findSyntheticInstrument(instrument) !== undefined) return amountFigure('currency-part', currency, facets);
  const cost = explainLots(history, { position, day: conversion.day, field: 'cost' });
  const amount = history.quantityAndCost(position, conversion.day).cost;
  const atRate = explainCostAtRate(history, holding, { cost, amount, value: currency + referenceCost });
  return amountFigure('currency-part', currency, {
    ...facets,
    ...formula`${atRate} − ${explainCost(history, holding)}`,
  });
}

interface CostAtRate {
  /** In the instrument's currency, and its amount. */
  readonly cost: Figure;
  readonly amount: Fixed;
  /** In the reference currency. */
  readonly value: Fixed;
}

/** A cost at the rate that the value of the day was converted by. */
export function explainCostAtRate(
  history: History,
  { position, valuation, conversion }: Holding,
  { cost, amount: ownAmount, value }: CostAtRate,
): Figure {
  const name = 'cost-at-rate';
  const { currency: from } = history.instrument(position);
  const [part] = valuation.parts;
  if (value === 0n) return { ...cost, name };
  if (part?.kind === 'uploaded') {
    const { rate, reportingCurrency: unit } = part.upload;
    const whole = formula`${cost} × ${amountFigure('uploaded-rate', rate)}`;
    const amount = multiply(ownAmount, rate);
    const original = amountFigure('cost-at-uploaded-rate', amount, { unit, ...whole, rounding: halfEven });
    return convertedFigure(name, value, { original, conversion });
  }
  const own = valuation.currency === from ? conversion : history.facts.rates.find({ ...conversion, from });
  if (own === undefined) return amountFigure(name, value, { unit: conversion.to, notes: ['rate-missing'] });
  return convertedFigure(name, value, { original: cost, conversion: own });
}

/** What the price brought: the unrealised gain less what the currency brought. */
export function explainUnrealisedPrice(history: History, holding: Holding): Figure {
  const { conversion } = holding;
  const { price } = unrealisedParts(history, holding);
  const facets = { unit: conversion.to, day: conversion.day, source: positionSource(holding) };
  const [whole, currency] = [explainUnrealised(history, holding), explainUnrealisedCurrency(history, holding)];
  return amountFigure('price-part', price, { ...facets, ...formula`${whole} − ${currency}` });
}
