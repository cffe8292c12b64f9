// Explains a money-weighted return: every flow times the factor of its day, which sum to zero.

import { defined } from '../../kit/assert.ts';
import { toRatio } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import { exponential } from '../amounts/elementary-functions.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { WindowReturn } from '../returns/money-weighted/window-return.ts';
import { daysPerYear, type DiscountedTerm, type ExplainedReturn } from '../returns/money-weighted/xirr.ts';
import { amountFigure, countFigure, dayFigure, formula, ratioFigure, sumOperands } from './figure.ts';
import type { Explanation, Figure } from './figure.ts';

interface MoneyWeightedNames {
  readonly name: string;
  readonly unit: IsoCurrency;
}

/** Explains the yearly rate. */
export function explainMoneyWeighted(explained: ExplainedReturn, { name, unit }: MoneyWeightedNames): Explanation {
  const { rate } = explained.result;
  return rate === null
    ? explainNoRate(explained, { name, unit })
    : explainRateOver(daysInYear, { explained, name, unit, rate });
}

/** Explains the rate of the window itself, which is not annualised. */
export function explainWindowRate(
  explained: ExplainedReturn<WindowReturn>,
  { name, unit }: MoneyWeightedNames,
): Explanation {
  const { windowRate: rate, days } = explained.result;
  if (rate === null) return explainNoRate(explained, { name, unit });
  return explainRateOver(countFigure('days', days, { unit: 'days' }), { explained, name, unit, rate });
}

/** Explains the yearly rate of a window; it has one from a year on. */
export function explainYearlyRate(
  explained: ExplainedReturn<WindowReturn>,
  { name, unit }: MoneyWeightedNames,
): Explanation {
  const { windowRate, yearlyRate } = explained.result;
  if (windowRate === null || yearlyRate !== null) return explainMoneyWeighted(explained, { name, unit });
  const own = explainWindowRate(explained, { name: 'money-weighted-return', unit }) as Figure;
  return { name, value: null, notes: ['under-one-year'], of: [own] };
}

function explainNoRate({ result, terms }: ExplainedReturn, { name, unit }: MoneyWeightedNames): Explanation {
  const flows = terms.map(({ day, amount }) => amountFigure('flow', amount, { unit, day }));
  return { name, value: null, notes: [result.reason!], ...(flows.length > 0 && { of: flows }) };
}

interface ExplainedRate extends MoneyWeightedNames {
  readonly explained: ExplainedReturn;
  readonly rate: number;
}

/** Uses the growth per day instead of the yearly rate, which has no digits left after a loss of nearly everything. */
function explainRateOver(days: Figure, { explained, name, unit, rate }: ExplainedRate): Figure {
  const { result, terms } = explained;
  const growthPerDay = defined(result.growthPerDay, 'a rate has a growth per day');
  const referenceDay = defined(explained.referenceDay, 'a rate has a reference day');
  const daily = { value: growthPerDay, referenceDay };
  const discounted = terms.map((term) => discountedFlow(term as DiscountedTerm, daily, unit));
  const whole = { unit, day: referenceDay, ...sumOperands(discounted), rounding: 'solved' } as const;
  const solved = { operation: 'root', of: [amountFigure('present-value', 0n, whole)] } as const;
  const factor = exponential(growthPerDay * Number(days.value));
  const growth = growthFactor(factor, { growth: ratioFigure('growth-per-day', growthPerDay, solved), days });
  const notes = result.hasRootsOutside ? [rootsOutsideNote] : [];
  return ratioFigure(name, rate, { ...formula`${growth} − 1`, rounding: 'double', notes });
}

/** Other rates solve the flows too, but lie outside the range of rates that count. */
const rootsOutsideNote = 'rates-outside-range';

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
