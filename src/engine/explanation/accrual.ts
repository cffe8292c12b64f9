// Explains accrued interest and fees: nominal, rate and days of every part.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { Accretion, Accrual, AccrualPart, IndexRatio, InterestRate } from '../instruments/accrued-interest.ts';
import type { FractionTerm } from '../instruments/day-count.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import { amountFigure, countFigure, formula, halfEven, sumOperands, type Figure, type Formula } from './figure.ts';

interface AccrualContext {
  readonly unit: IsoCurrency;
  /** Separates the point of a floating rate from its spread. */
  readonly rate?: InterestRate | undefined;
}

/** Parts are added up before the sum is rounded, so they have no rounded value of their own. */
export function explainAccrual(accrual: Accrual, context: AccrualContext): Figure {
  const { amount, state, parts, index, isEstimated } = accrual;
  const terms = sumOperands(parts.map((part) => partFormula(part, context)));
  const whole = index === undefined ? terms : formula`(${terms})${indexFactors(index)}`;
  const notes = [...(state === 'accruing' ? [] : [state]), ...(isEstimated ? ['estimated'] : [])];
  return amountFigure('accrued-interest', amount, { unit: context.unit, ...whole, rounding: halfEven, notes });
}

function partFormula({ start, end, nominal, rate, rateDay, days, denominator }: AccrualPart, context: AccrualContext) {
  const principal = amountFigure('nominal', nominal, { unit: context.unit, day: start });
  const fraction = fractionFormula({ days, denominator }, end);
  return formula`${principal} × ${rateFigure(rate, rateDay, context)} × ${fraction}`;
}

function rateFigure(rate: Fixed, rateDay: Day | undefined, context: AccrualContext): Figure {
  if (rateDay === undefined) return amountFigure('interest-rate', rate, { source: { kind: 'terms' } });
  const source = { kind: 'point', series: 'interest-rate', day: rateDay } as const;
  if (context.rate === undefined || typeof context.rate === 'bigint') {
    return amountFigure('interest-rate', rate, { day: rateDay, source });
  }
  const { spread } = context.rate;
  const point = amountFigure('reference-rate', rate - spread, { day: rateDay, source });
  const spreadFigure = amountFigure('spread', spread, { source: { kind: 'terms' } });
  return amountFigure('interest-rate', rate, { day: rateDay, ...formula`${point} + ${spreadFigure}` });
}

function fractionFormula({ days, denominator }: FractionTerm, end?: Day): Formula {
  const dayCountFigure = countFigure('days', days, { unit: 'days', day: end });
  return formula`${dayCountFigure} ÷ ${countFigure('days-in-year', denominator, { unit: 'days' })}`;
}

/** The factors by which an index raised the nominal. */
export function indexFactors(index: IndexRatio | undefined): Formula {
  if (index === undefined) return { formula: '', of: [] };
  const factor = amountFigure('index-factor', index.factor);
  return formula` × ${factor} ÷ ${amountFigure('base-factor', index.baseFactor)}`;
}

/** The value of a zero-coupon lot between its cost and par. */
export function explainAccretion(accretion: Accretion, unit: IsoCurrency): Figure {
  const { amount, state, period, elapsed, whole } = accretion;
  const facets = { unit, day: period.start };
  const cost = amountFigure('cost', accretion.cost, facets);
  const par = amountFigure('par', accretion.par, { unit, day: period.end });
  if (state === 'ended') return amountFigure('accreted-value', amount, { ...facets, ...formula`${par}` });
  if (whole.numerator === 0n) return amountFigure('accreted-value', amount, { ...facets, ...formula`${cost}` });
  const fractions = [elapsed, whole].map(({ terms }) => sumOperands(terms.map((term) => fractionFormula(term))));
  const accreted = amountFigure('accretion', amount - accretion.cost, {
    unit,
    ...formula`(${par} − ${cost}) × (${fractions[0]!}) ÷ (${fractions[1]!})`,
    rounding: halfEven,
  });
  return amountFigure('accreted-value', amount, { ...facets, ...formula`${cost} + ${accreted}` });
}
