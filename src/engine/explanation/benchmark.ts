// Explains a day of a benchmark: the levels at which it began and ended.

import type { BenchmarkDay, BenchmarkLevel } from '../returns/benchmark.ts';
import { convertedFigure } from './conversion.ts';
import { amountFigure, formula, ratioFigure, type Figure } from './figure.ts';

export function explainBenchmarkDay({ day, begin, end, ratio, flag }: BenchmarkDay): Figure {
  const name = 'daily-return';
  if (begin === undefined || end === undefined || flag === 'zero-base' || flag === 'negative-base') {
    return ratioFigure(name, ratio, { day, notes: flag === null ? [] : [flag] });
  }
  const [from, to] = [levelFigure('begin-level', begin), levelFigure('end-level', end)];
  return ratioFigure(name, ratio, {
    day,
    ...formula`(${to} − ${from}) ÷ ${from}`,
    rounding: 'double',
    notes: flag === null ? [] : [flag],
  });
}

function levelFigure(name: string, { point, conversion, amount }: BenchmarkLevel): Figure {
  const source = { kind: 'point', series: 'benchmark', day: point.day } as const;
  const original = amountFigure(name, point.value, { day: point.day, source });
  return convertedFigure(name, amount, { original, conversion: conversion ?? null, facets: { day: conversion?.day } });
}
