// An amount in another currency, explained: the pairs that were quoted and which way each was read. Knows not what the amount is.

import type { Fixed } from '../../kit/fixed.ts';
import type { Conversion } from '../currencies/exchange-rates.ts';
import { amountFigure, formula, halfEven, joined, type Facets, type Figure, type Formula } from './figure.ts';

/** What an amount is multiplied and divided by: nothing where it is one currency. */
export function rateFactors({ from, quoted }: Conversion): Formula {
  let currency = from;
  const factors = quoted.map(({ base, quote, day, rate }) => {
    const figure = amountFigure('exchange-rate', rate, {
      unit: `${quote}/${base}`,
      day,
      source: { kind: 'rate', base, quote, day },
    });
    const isInverse = base !== currency;
    currency = isInverse ? base : quote;
    return isInverse ? formula` ÷ ${figure}` : formula` × ${figure}`;
  });
  return joined(factors, '');
}

export interface ConvertedFigure {
  readonly of: Figure;
  /** None where there is nothing to convert: then it is the figure itself under its new name. */
  readonly conversion: Conversion | null;
  readonly facets?: Facets;
}

export function convertedFigure(name: string, value: Fixed, { of, conversion, facets }: ConvertedFigure): Figure {
  if (conversion === null || conversion.quoted.length === 0) return { ...of, name };
  const converted = formula`${of}${rateFactors(conversion)}`;
  return amountFigure(name, value, { unit: conversion.to, ...facets, ...converted, rounding: halfEven });
}
