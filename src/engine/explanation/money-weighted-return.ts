// Explains a money-weighted return: every flow times the factor of its day, which sum to zero.

import { toRatio } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import { exponential } from '../amounts/elementary-functions.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import { daysPerYear, type DiscountedTerm, type ExplainedReturn } from '../returns/money-weighted/xirr.ts';
import { amountFigure, countFigure, dayFigure, formula, ratioFigure, sumOperands } from './figure.ts';
import type { Explanation, Figure } from './figure.ts';

interface MoneyWeightedNames {
  readonly name: string;
  readonly unit: IsoCurrency;
}

/** Uses the growth per day instead of the yearly rate, which has no digits left after a loss of nearly everything. */
export function explainMoneyWeighted(explained: ExplainedReturn, { name, unit }: MoneyWeightedNames): Explanation {
  const { result, referenceDay, terms } = explained;
  if (result.rate === null || referenceDay === null) {
    const flows = terms.map(({ day, amount }) => amountFigure('flow', amount, { unit, day }));
    return { name, value: null, notes: [result.reason!], ...(flows.length > 0 && { of: flows }) };
  }
  const { rate, growthPerDay } = result;
  const daily = { value: growthPerDay, referenceDay };
  const discounted = terms.map((term) => discountedFlow(term as DiscountedTerm, daily, unit));
  const whole = { unit, day: referenceDay, ...sumOperands(discounted), rounding: 'solved' } as const;
  const solved = { operation: 'root', of: [amountFigure('present-value', 0n, whole)] } as const;
  const factor = exponential(growthPerDay * daysPerYear);
  const yearly = growthFactor(factor, {
    growth: ratioFigure('growth-per-day', growthPerDay, solved),
    days: daysInYear,
  });
  return ratioFigure(name, rate, { ...formula`${yearly} − 1`, rounding: 'double' });
}

const daysInYear = countFigure('days', daysPerYear, { unit: 'days' });

/** The growth of one over that many days. */
function growthFactor(value: number, { growth, days }: { growth: Figure; days: Figure }): Figure {
  const whole = { ...formula`${growth} × ${days}`, rounding: 'double' } as const;
  const of = [ratioFigure('growth', Number(growth.value) * Number(days.value), whole)];
  return ratioFigure('growth-factor', value, { operation: 'exponential', of });
}

interface DailyGrowth {
  readonly value: number;
  readonly referenceDay: Day;
}

function discountedFlow({ day, amount, factor }: DiscountedTerm, growth: DailyGrowth, unit: IsoCurrency): Figure {
  const flow = amountFigure('flow', amount, { unit, day });
  const [to, from] = [dayFigure('reference-day', growth.referenceDay), dayFigure('flow-day', day)];
  const days = countFigure('days', growth.referenceDay - day, { unit: 'days', ...formula`${to} − ${from}` });
  const discount = growthFactor(factor, { growth: ratioFigure('growth-per-day', growth.value), days });
  const product = formula`${flow} × ${discount}`;
  return ratioFigure('discounted-flow', toRatio(amount) * factor, { unit, day, ...product, rounding: 'double' });
}
