// Explains an amount in another currency: the quoted pairs and the direction in which each was used.

import type { Fixed } from '../../kit/fixed.ts';
import type { Conversion } from '../currencies/exchange-rates.ts';
import { amountFigure, formula, halfEven, joinOperands, type Facets, type Figure, type Formula } from './figure.ts';

/** What an amount is multiplied and divided by; empty for one currency. */
export function rateFactors({ from, quoted }: Conversion): Formula {
  let currency = from;
  const factors = quoted.map(({ base, quote, day, rate, isStale }) => {
    const figure = amountFigure('exchange-rate', rate, {
      unit: `${quote}/${base}`,
      day,
      source: { kind: 'rate', base, quote, day },
      notes: isStale ? ['stale'] : [],
    });
    const isInverse = base !== currency;
    currency = isInverse ? base : quote;
    return isInverse ? formula` ÷ ${figure}` : formula` × ${figure}`;
  });
  return joinOperands(factors, '');
}

interface ConvertedFigure {
  readonly original: Figure;
  /** Null if there is nothing to convert: the figure keeps its value under a new name. */
  readonly conversion: Conversion | null;
  readonly facets?: Facets;
}

export function convertedFigure(name: string, value: Fixed, { original, conversion, facets }: ConvertedFigure): Figure {
  if (conversion === null || conversion.quoted.length === 0) return { ...original, name };
  const converted = formula`${original}${rateFactors(conversion)}`;
  return amountFigure(name, value, { unit: conversion.to, ...facets, ...converted, rounding: halfEven });
}
