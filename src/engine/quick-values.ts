// The value of plain positions, of cash and of flows on each day of a window in another currency, straight from columns of
// doubles: the same to the last place as with integers of any length. Knows no instrument and no flags.

import type { Day } from '../kit/day.ts';
import { oneFixed, type Fixed } from '../kit/fixed.ts';
import type { AmountColumn, AmountParts } from './amount-column.ts';
import { DailyPrices } from './daily-prices.ts';
import type { DailyRates, DayWindow } from './daily-rates.ts';
import { convertedAmount } from './exchange-rates.ts';
import { dayCount } from './quick-values/daily-points.ts';
import { findReach, fixedAt, type DatedColumn } from './quick-values/dated-column.ts';
import { passFlows, type FlowRequest } from './quick-values/flow-pass.ts';
import { powersOfTen } from './quick-values/powers-of-ten.ts';
import { passDays, type ValueRequest } from './quick-values/value-pass.ts';
import { quotedValue, type Quoted } from './quote.ts';
import { lastOnOrBefore, Series } from './series.ts';

export type { DatedColumn, FlowRequest, ValueRequest };

export interface QuickValuation {
  /** From the first day with units that no point is there for to the last: these stand as zero, to be valued otherwise. */
  readonly noPoint: DayWindow | undefined;
}

/**
 * Puts convertedAmount(quotedValue(units, quote), conversion) on each day into a column in which there is nothing yet. No answer, and
 * nothing is put, where units do not fit. A rate that is missing is a fault from the first day on that has a value.
 */
export function quickValues(request: ValueRequest, column: AmountColumn): QuickValuation | undefined {
  checkWindow(request, column);
  const unitReach = findReach(request.units);
  if (unitReach === undefined) return undefined;
  const parts = partsUpTo(valueReach(request, unitReach), column);
  const left: number[] = [];
  passDays({ ...request, parts, left });
  for (const at of left) column.set(at, exactValue(request, request.rates.window.first + at));
  return { noPoint: findUnpriced(request) };
}

function checkWindow({ prices, rates }: ValueRequest, column: AmountColumn): void {
  const { first, last } = rates.window;
  const isSame =
    prices.window.first === first && prices.window.last === last && column.length === dayCount(rates.window);
  if (!isSame) throw new RangeError('Prices, rates and values are not of the same days.');
  if (!column.isBlank) throw new RangeError('There are values already.');
}

/** Further from zero than this, in ten-thousandths, no value is put but by itself. */
const reachMax = 2 ** 50 + 2;

/** No value is further from zero, in ten-thousandths; two more than the product, for what it and the values are rounded by. */
function valueReach({ units, prices, rates }: ValueRequest, unitReach: number): number {
  const product = unitReach * prices.reach * rates.split(0).reach;
  return Math.min(reachMax, Math.ceil((product * 1e4) / powersOfTen[units.scale + prices.scale]!) + 2);
}

/** To write into. An entry that reaches as far as any will tells the column what to expect; it is taken back at once. */
function partsUpTo(reach: number, column: AmountColumn): AmountParts {
  column.setParts(0, reach, 0);
  const parts = column.findParts()!;
  parts.high[0] = 0;
  return parts;
}

function findUnpriced({ units, prices, rates }: ValueRequest): DayWindow | undefined {
  const last = prices.firstPriced - 1;
  const steps = lastOnOrBefore(units.days, last) + 1;
  for (let step = Math.max(0, lastOnOrBefore(units.days, rates.window.first)); step < steps; step++) {
    const isPassing = step + 1 < steps && units.days[step + 1] === units.days[step];
    if (units.values[step] === 0 || isPassing) continue;
    const first = Math.max(units.days[step]!, rates.window.first);
    return first <= last ? { first, last } : undefined;
  }
  return undefined;
}

/** With integers of any length. Nothing is worth nothing in every currency, whether there is a rate or not. */
function exactValue({ units, prices, rates }: ValueRequest, day: Day): Fixed {
  const held = fixedAt(units, lastOnOrBefore(units.days, day));
  const value = quotedValue(held, prices.get(day), prices.priceUnit);
  return value === 0n ? 0n : convertedAmount(value, rates.get(day));
}

export interface CashRequest {
  /** What the balance is from each day on. */
  readonly balances: DatedColumn;
  readonly rates: DailyRates;
}

/** Puts the balance of each day at its rate. False, and nothing is put, where balances do not fit. */
export function quickCash({ balances, rates }: CashRequest, column: AmountColumn): boolean {
  const prices = new DailyPrices(money, '1', rates.window);
  return quickValues({ units: balances, prices, rates }, column) !== undefined;
}

/** Is worth itself, and has always been. */
const money: Quoted = {
  series: new Series([{ day: -(2 ** 31), value: oneFixed }]),
  changes: [],
  staleness: { daysMax: Infinity },
};

/** Adds the flows of each day at its rate, each rounded by itself. False, and nothing is added, where flows do not fit. */
export function quickFlows(request: FlowRequest, column: AmountColumn): boolean {
  if (findReach(request.flows) === undefined) return false;
  passFlows(request, column);
  return true;
}
