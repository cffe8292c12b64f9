// Explains a holding's value, cost and unrealised gain.

import type { History } from '../history/history.ts';
import type { Holding } from '../history/holdings.ts';
import { findSyntheticInstrument } from '../ledger/position-key.ts';
import { explainLots } from './cost.ts';
import { amountFigure, formula, type Figure } from './figure.ts';
import { positionSource, valueSources } from './position-sources.ts';
import { explainAccrued, explainConvertedValue } from './valuation.ts';

/** In the reference currency, accrued interest included. */
export function explainMarketValue(history: History, holding: Holding): Figure {
  const { position, valuation, conversion, marketValue: value } = holding;
  const sources = valueSources(history, position, conversion.day);
  return { ...explainConvertedValue({ valuation, value, conversion }, sources), source: positionSource(holding) };
}

/** The accrued part of the value, in the currency of the valuation. */
export function explainAccruedInterest(history: History, { position, valuation, conversion }: Holding): Figure {
  return explainAccrued(valuation, valueSources(history, position, conversion.day));
}

/** In the reference currency. Money costs what it is worth. */
export function explainCost(history: History, holding: Holding): Figure {
  const { position, instrument, conversion } = holding;
  if (findSyntheticInstrument(instrument) !== undefined)
    return { ...explainMarketValue(history, holding), name: 'reference-cost' };
  const { referenceCurrency: unit } = history.facts.settings;
  const lots = explainLots(history.lots(position, conversion.day), { unit, field: 'referenceCost' });
  return { ...lots, day: conversion.day, source: positionSource(holding) };
}

export function explainUnrealised(history: History, holding: Holding): Figure {
  const { unrealised, conversion } = holding;
  const difference = formula`${explainMarketValue(history, holding)} − ${explainCost(history, holding)}`;
  const facets = { unit: conversion.to, day: conversion.day, source: positionSource(holding) };
  return amountFigure('unrealised', unrealised, { ...facets, ...difference });
}
