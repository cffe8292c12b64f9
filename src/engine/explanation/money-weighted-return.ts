// Explains a money-weighted return: every flow times the factor of its day, which sum to zero.

import { defined } from '../../kit/assert.ts';
import { toRatio } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import { exponential, exponentialMinusOne } from '../amounts/elementary-functions.ts';
import { exactRatioText, onePlus } from '../amounts/ratio-text.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { WindowReturn } from '../returns/money-weighted/window-return.ts';
import {
  daysPerYear,
  type DiscountedTerm,
  type ExplainedReturn,
  type RootCheck,
} from '../returns/money-weighted/xirr.ts';
import { countFigure, dayFigure, formula, lazyFigure, lazyRatio } from './figure.ts';
import { ratioFigure, sumOperands, type Explanation, type Facets, type Figure } from './figure.ts';
import type { DatedFlow } from '../returns/money-weighted/net-flows.ts';

interface MoneyWeightedNames {
  readonly name: string;
  readonly unit: IsoCurrency;
  /** How a day's flow came about. */
  flowFacets?(day: Day): Facets;
}

/** Explains the yearly rate. */
export function explainMoneyWeighted(explained: ExplainedReturn, names: MoneyWeightedNames): Explanation {
  const { rate } = explained.result;
  if (rate === null) return explainNoRate(explained, names, daysInYear);
  return explainRateOver(daysInYear, { ...names, rate, notes: rateNotes(explained), check: rateCheck(explained) });
}

/** Explains the rate of the window itself, which is not annualised. */
export function explainWindowRate(explained: ExplainedReturn<WindowReturn>, names: MoneyWeightedNames): Explanation {
  const { windowRate: rate, days: count } = explained.result;
  const days = countFigure('days', count, { unit: 'days' });
  if (rate === null) return explainNoRate(explained, names, days);
  return explainRateOver(days, { ...names, rate, notes: rateNotes(explained), check: rateCheck(explained) });
}

/** Explains the yearly rate of a window; it has one from a year on. */
export function explainYearlyRate(explained: ExplainedReturn<WindowReturn>, names: MoneyWeightedNames): Explanation {
  const { windowRate, yearlyRate } = explained.result;
  if (windowRate === null || yearlyRate !== null) return explainMoneyWeighted(explained, names);
  const own = explainWindowRate(explained, { ...names, name: 'money-weighted-return' }) as Figure;
  return { name: names.name, value: null, notes: ['under-one-year'], of: [own] };
}

/** With each of several rates that solve the flows. */
function explainNoRate(
  { result, terms, rootChecks }: ExplainedReturn,
  names: MoneyWeightedNames,
  days: Figure,
): Explanation {
  const flows = terms.map((term) => flowFigure(term, names));
  const roots = rootChecks.map((check) => {
    const rate = exponentialMinusOne(check.growthPerDay * Number(days.value));
    return explainRateOver(days, { name: 'rate-that-fits', unit: names.unit, rate, notes: [], check });
  });
  const of = [...flows, ...roots];
  return { name: names.name, value: null, notes: [result.reason!], ...(of.length > 0 && { of }) };
}

interface ExplainedRate extends MoneyWeightedNames {
  readonly check: RootCheck;
  readonly rate: number;
  readonly notes: readonly string[];
}

function rateNotes({ result }: ExplainedReturn): readonly string[] {
  return result.hasRootsOutside ? [rootsOutsideNote] : [];
}

function rateCheck({ result, referenceDay, terms }: ExplainedReturn): RootCheck {
  return {
    growthPerDay: defined(result.growthPerDay, 'a rate has a growth per day'),
    referenceDay: defined(referenceDay, 'a rate has a reference day'),
    terms: terms as readonly DiscountedTerm[],
  };
}

/** Uses the growth per day instead of the yearly rate, which has no digits left after a loss of nearly everything. */
function explainRateOver(days: Figure, { check, rate, notes, ...names }: ExplainedRate): Figure {
  const { name, unit } = names;
  const { growthPerDay, referenceDay, terms } = check;
  const daily = { value: growthPerDay, referenceDay };
  const presentValue = lazyFigure('present-value', 0n, { unit, day: referenceDay }, () => {
    const discounted = terms.map((term) => discountedFlow(term, daily, names));
    return { ...sumOperands(discounted), rounding: 'solved' };
  });
  const solved = { operation: 'root', of: [presentValue] } as const;
  const growth = { growth: ratioFigure('growth-per-day', growthPerDay, solved), days };
  // With all digits of the rate, so that nothing is lost by the subtraction; after a great loss, with all digits of the factor.
  if (rate > -0.5) {
    return ratioFigure(name, rate, { ...formula`${growthFactor(onePlus(exactRatioText(rate)), growth)} − 1`, notes });
  }
  const factor = exactRatioText(exponential(growthPerDay * Number(days.value)));
  return ratioFigure(name, rate, { ...formula`${growthFactor(factor, growth)} − 1`, rounding: 'double', notes });
}

/** Other rates solve the flows too, but lie outside the range of rates that count. */
const rootsOutsideNote = 'rates-outside-range';

const daysInYear = countFigure('days', daysPerYear, { unit: 'days' });

/** The growth of one over that many days. */
function growthFactor(value: string, { growth, days }: { growth: Figure; days: Figure }): Figure {
  const whole = { ...formula`${growth} × ${days}`, rounding: 'double' } as const;
  const of = [ratioFigure('growth', Number(growth.value) * Number(days.value), whole)];
  return { name: 'growth-factor', value, operation: 'exponential', of };
}

function flowFigure({ day, amount }: DatedFlow, { unit, flowFacets }: MoneyWeightedNames): Figure {
  return lazyFigure('flow', amount, { unit, day }, () => flowFacets?.(day) ?? {});
}

interface DailyGrowth {
  readonly value: number;
  readonly referenceDay: Day;
}

function discountedFlow(term: DiscountedTerm, growth: DailyGrowth, names: MoneyWeightedNames): Figure {
  const { day, amount, factor } = term;
  const { unit } = names;
  return lazyRatio('discounted-flow', toRatio(amount) * factor, { unit, day }, () => {
    const [to, from] = [dayFigure('reference-day', growth.referenceDay), dayFigure('flow-day', day)];
    const days = countFigure('days', growth.referenceDay - day, { unit: 'days', ...formula`${to} − ${from}` });
    const perDay = ratioFigure('growth-per-day', growth.value);
    const discount = growthFactor(exactRatioText(factor), { growth: perDay, days });
    return { ...formula`${flowFigure(term, names)} × ${discount}`, rounding: 'double' };
  });
}
