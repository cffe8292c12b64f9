// Values plain positions, cash and flows on each day of a window in another currency, straight from columns of doubles: exactly
// as with big integers.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { AmountColumn } from '../amounts/amount-column.ts';
import type { AmountParts } from '../amounts/amount-parts.ts';
import { SparseAmounts } from '../amounts/sparse-amounts.ts';
import { highPart, lowPart } from '../amounts/amount-parts.ts';
import type { DailyRates, DayWindow } from './daily-rates.ts';
import { convertedAmount } from '../currencies/exchange-rates.ts';
import { findValueScale, type PricedDays } from './converted-value.ts';
import { windowLength } from './daily-points.ts';
import { dailyValues, findMaxAbs, fixedAt, type DatedColumn } from './dated-column.ts';
import { convertedFlows, type FlowConversionRequest } from './converted-flows.ts';
import { powersOfTen } from '../amounts/powers-of-ten.ts';
import { constantRun } from './scaled-units.ts';
import { writeValuesAndGain } from './rate-gain.ts';
import { writeDailyValues, writeRun, type DailyValueRequest } from './daily-value-writer.ts';
import { quotedValue } from '../instruments/quote.ts';
import { lastOnOrBefore } from '../amounts/series.ts';

export type { DatedColumn, FlowConversionRequest as FlowRequest, DailyValueRequest as ValueRequest };

interface QuickValuation {
  /** From the first to the last day with units but no point. They are written as zero and must be valued in another way. */
  readonly unpricedDays: DayWindow | undefined;
  /**
   * What the rates brought, if it was asked for and could be summed on the way: the value of each day but the last at the rate of the
   * next day, less that value.
   */
  readonly rateGain?: Fixed | undefined;
}

/**
 * Writes convertedAmount(quotedValue(units, quote), conversion) for each day into an empty column. Returns undefined, and writes
 * nothing, if units do not fit. Throws for a missing rate from the first day that has a value.
 */
export function quickValues(
  request: DailyValueRequest & { readonly sumsRateGain?: boolean },
  column: AmountColumn,
): QuickValuation | undefined {
  const { units, prices, rates, sumsRateGain = false } = request;
  checkWindow(request, column);
  const unitMaxAbs = findMaxAbs(units);
  if (unitMaxAbs === undefined) return undefined;
  if (unitMaxAbs === 0) return { unpricedDays: undefined };
  const parts = partsForMaxAbs(valueMaxAbs(prices, rates, unitMaxAbs / powersOfTen[units.scale]!), column);
  const skipped: number[] = [];
  const plain = { values: prices.values, maxAbs: prices.maxAbs };
  const unpricedDays = findUnpriced(request);
  const gain = sumsRateGain && !unpricedDays ? writeValuesAndGain(request, unitMaxAbs, { parts, skipped }) : undefined;
  if (gain === undefined) writeDailyValues(request, unitMaxAbs, { prices: plain, rates, parts, skipped });
  for (const at of skipped) column.set(at, exactValue(request, rates.window.first + at));
  return { unpricedDays, ...gain };
}

function checkWindow({ prices, rates }: DailyValueRequest, column: AmountColumn): void {
  const { first, last } = rates.window;
  const isSame = prices.window.first === first && prices.window.last === last;
  if (!isSame) throw new RangeError('Prices and rates are not of the same days.');
  checkColumn(rates, column);
}

function checkColumn({ window }: DailyRates, column: AmountColumn): void {
  if (column.length !== windowLength(window)) throw new RangeError('Rates and values are not of the same days.');
  if (!column.isEmpty) throw new RangeError('The values have already been computed.');
}

/** In ten-thousandths: values further from zero are written one by one. */
const partsMaxAbs = 2 ** 50 + 2;

/** Returns a bound on values, in ten-thousandths: two more than the product, to allow for rounding. */
function valueMaxAbs(prices: PricedDays & { scale: number }, rates: DailyRates, units: number): number {
  const product = units * prices.maxAbs * rates.split(0).maxAbs;
  return Math.min(partsMaxAbs, Math.ceil((product * 1e4) / powersOfTen[prices.scale]!) + 2);
}

/** Returns parts to write into. Writing and clearing the largest possible entry tells the column what to expect. */
function partsForMaxAbs(maxAbs: number, column: AmountColumn): AmountParts {
  column.setParts(0, maxAbs, 0);
  const parts = column.findParts()!;
  parts.high[0] = 0;
  return parts;
}

function findUnpriced({ units, prices, rates }: DailyValueRequest): DayWindow | undefined {
  const last = prices.firstPricedDay - 1;
  const steps = lastOnOrBefore(units.days, last) + 1;
  for (let step = Math.max(0, lastOnOrBefore(units.days, rates.window.first)); step < steps; step++) {
    const isPassing = step + 1 < steps && units.days[step + 1] === units.days[step];
    if (units.values[step] === 0 || isPassing) continue;
    const first = Math.max(units.days[step]!, rates.window.first);
    return first <= last ? { first, last } : undefined;
  }
  return undefined;
}

/** Computes with big integers. Zero units are worth zero in every currency, with or without a rate. */
function exactValue({ units, prices, rates }: DailyValueRequest, day: Day): Fixed {
  const held = fixedAt(units, lastOnOrBefore(units.days, day));
  const value = quotedValue(held, prices.get(day), prices.priceUnit);
  return value === 0n ? 0n : convertedAmount(value, rates.get(day));
}

interface CashRequest {
  /** The balance from each day on. */
  readonly balances: DatedColumn;
  readonly rates: DailyRates;
}

/** Writes each day's balance at its rate, as quickValues does. Returns false, and writes nothing, if balances do not fit. */
export function quickCash({ balances, rates }: CashRequest, column: AmountColumn): boolean {
  const { first } = rates.window;
  checkColumn(rates, column);
  const maxAbs = findMaxAbs(balances);
  if (maxAbs === undefined) return false;
  const prices = { values: dailyValues(balances, rates.window), maxAbs, scale: balances.scale };
  const parts = partsForMaxAbs(valueMaxAbs(prices, rates, 1), column);
  const skipped: number[] = [];
  const scale = findValueScale(balances.scale)!;
  const run = constantRun({ units: scale.highPerOne, scale }, { start: 0, end: column.length });
  writeRun({ prices, rates, parts, skipped }, run);
  for (const at of skipped) {
    if (prices.values[at] === 0) continue;
    const balance = fixedAt(balances, lastOnOrBefore(balances.days, first + at));
    column.set(at, convertedAmount(balance, rates.get(first + at)));
  }
  return true;
}

/** Converts each day's flows at its rate, each rounded by itself. Returns undefined if flows or converted amounts do not fit. */
export function quickFlows(request: FlowConversionRequest): SparseAmounts | undefined {
  const maxAbs = findMaxAbs(request.flows);
  if (maxAbs === undefined) return undefined;
  const { days, parts, oversized } = convertedFlows(request, maxAbs);
  for (const { index, amount } of oversized) {
    parts.high[index] = highPart(amount);
    parts.low[index] = lowPart(amount);
  }
  return SparseAmounts.find(windowLength(request.rates.window), { indexes: days, high: parts.high, low: parts.low });
}

interface IndexedFlows extends FlowConversionRequest {
  /** The target index of each flow. */
  readonly indexes: Uint32Array;
}

/** Writes each flow at its rate to its own index. Returns false, and writes nothing, if flows do not fit. */
export function quickAmounts(request: IndexedFlows, column: AmountColumn): boolean {
  const maxAbs = findMaxAbs(request.flows);
  if (maxAbs === undefined) return false;
  const { start, days, parts, oversized } = convertedFlows(request, maxAbs);
  const indexes = request.indexes.subarray(start, start + days.length);
  for (let index = 0; index < indexes.length; index++) {
    column.setParts(indexes[index]!, parts.high[index]!, parts.low[index]!);
  }
  for (const { index, amount } of oversized) column.set(indexes[index]!, amount);
  return true;
}
