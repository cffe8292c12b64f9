// Computes the returns of all days of a set from its columns, bit for bit the same as `dailyReturn` of each day, and what each
// day contributed to a whole.

import type { AmountColumn } from '../../amounts/amount-column.ts';
import type { AmountParts } from '../../amounts/amount-parts.ts';
import { amountAsDouble } from '../../amounts/amount-parts.ts';
import { dailyReturn, flowWeight, weightedFlow, type DailyReturn, type ReturnMethod } from '../daily-return.ts';

/** By end of day, starting with the day before the first; the flow of that day does not count. */
export interface ReturnColumns {
  readonly values: AmountColumn;
  readonly flows: AmountColumn;
  /** The part of both that nobody invested: forwards. */
  readonly uninvested?: ReturnColumns | undefined;
}

/** Receives each day's figures. A day is one index further back in the columns. */
export interface DayFigures {
  readonly ratios: Float64Array;
  /** Indexes in `dayFlags`. */
  readonly flags: Uint8Array;
  /** × 10^18. */
  readonly bases: Float64Array;
  /** What the day contributed to the whole. */
  readonly terms: Float64Array;
}

/** The whole that the set contributes to. */
export interface WholeDays {
  readonly bases: Float64Array;
  /** Π (1 + r) up to the day before. */
  readonly growthBefore: Float64Array;
}

interface DailyReturnsInput {
  readonly columns: ReturnColumns;
  readonly method: ReturnMethod;
  readonly wholeDays: WholeDays;
}

export const dayFlags = [null, 'zero-base', 'negative-base', 'loss-exceeds-base', 'nothing-invested'] as const;

const [zeroBase, negativeBase, lossExceedsBase, nothingInvested] = [1, 2, 3, 4];

/** Adding and subtracting it rounds a double within ±2^51 to the nearest integer, half to even. */
const roundingMagic = 3 * 2 ** 51;

/** A day without value and flow, and so without gain, gets no flag. */
export function dayReturn(columns: ReturnColumns, method: ReturnMethod, index: number): DailyReturn {
  const { values, flows, uninvested } = columns;
  const amounts = { begin: values.at(index), end: values.at(index + 1), flow: flows.at(index + 1) };
  const isEmpty = amounts.begin === 0n && amounts.end === 0n && amounts.flow === 0n;
  const explained = dailyReturn(method, amounts);
  if (isEmpty) return { ...explained, flag: null };
  if (uninvested === undefined || explained.base <= 0n) return explained;
  const uninvestedBase = uninvested.values.at(index) + weightedFlow(uninvested.flows.at(index + 1), explained.weight);
  return explained.base > uninvestedBase ? explained : { ...explained, ratio: 0, flag: 'nothing-invested' };
}

export function computeDailyReturns({ columns, method, wholeDays }: DailyReturnsInput, figures: DayFigures): void {
  const [values, flows] = [columns.values.findUnnormalisedParts(), columns.flows.findUnnormalisedParts()];
  if (values && flows) computeFromParts({ values, flows, method, wholeDays }, figures);
  else computeFromBigInts({ columns, method, wholeDays }, figures);
  if (columns.uninvested) flagUninvestedDays(columns, columns.uninvested, { method, figures });
}

/** By how much of the whole base the invested part must exceed zero to be certain in doubles. */
const investedShareMin = 1e-9;

/** Nearly every day is decided in doubles; the rest by `dayReturn`. */
function flagUninvestedDays(
  columns: ReturnColumns,
  { values, flows }: ReturnColumns,
  { method, figures }: { readonly method: ReturnMethod; readonly figures: DayFigures },
): void {
  const { ratios, flags, bases } = figures;
  for (let index = 0; index < ratios.length; index++) {
    const base = bases[index]!;
    const uninvested = Math.max(0, values.doubleAt(index)) + Math.max(0, flows.doubleAt(index + 1));
    if (base <= 0 || uninvested === 0 || base - uninvested > base * investedShareMin) continue;
    if (dayReturn(columns, method, index).flag !== 'nothing-invested') continue;
    ratios[index] = 0;
    flags[index] = nothingInvested!;
    bases[index] = 0;
  }
}

function computeFromBigInts(
  { columns, method, wholeDays }: DailyReturnsInput,
  { ratios, flags, bases, terms }: DayFigures,
): void {
  for (let index = 0; index < ratios.length; index++) {
    const { ratio, flag, base, gain } = dayReturn(columns, method, index);
    const wholeBase = wholeDays.bases[index]!;
    ratios[index] = ratio;
    flags[index] = dayFlags.indexOf(flag);
    bases[index] = Number(base);
    terms[index] = wholeBase > 0 ? (Number(gain) / wholeBase) * wholeDays.growthBefore[index]! : 0;
  }
}

interface PartsInput {
  readonly values: AmountParts;
  readonly flows: AmountParts;
  readonly method: ReturnMethod;
  readonly wholeDays: WholeDays;
}

/**
 * Loops with few branches take half the time: computes all days as if nothing flowed, then again those on which something did.
 */
function computeFromParts(input: PartsInput, figures: DayFigures): void {
  computeDaysWithoutFlow(input, figures);
  computeDaysWithFlow(input, figures);
}

/** Rounds each value to a double once; it is also the next day's base. */
function computeDaysWithoutFlow({ values, wholeDays }: PartsInput, { ratios, flags, bases, terms }: DayFigures): void {
  const { high: highs, low: lows } = values;
  const { bases: wholeBases, growthBefore } = wholeDays;
  const count = ratios.length;
  let high = highs[0]!;
  let low = lows[0]!;
  let end = amountAsDouble(high, low);
  for (let index = 0; index < count; index++) {
    const base = end;
    const baseHigh = high;
    const baseLow = low;
    high = highs[index + 1]!;
    low = lows[index + 1]!;
    end = amountAsDouble(high, low);
    const gain = amountAsDouble(high - baseHigh, low - baseLow);
    const wholeBase = wholeBases[index]!;
    ratios[index] = base > 0 ? gain / base : 0;
    bases[index] = base;
    terms[index] = wholeBase > 0 ? (gain / wholeBase) * growthBefore[index]! : 0;
    flags[index] = base > 0 && end >= 0 ? 0 : flagWithoutFlow(base, end);
  }
}

function flagWithoutFlow(base: number, end: number): number {
  if (base > 0) return lossExceedsBase;
  if (base < 0) return negativeBase;
  return end === 0 ? 0 : zeroBase;
}

/** The index of a day's weight in the table, by its signs. */
function weightIndex(begin: number, end: number, flow: number): number {
  return 13 + 9 * Math.sign(begin) + 3 * Math.sign(end) + Math.sign(flow);
}

function buildWeightTable(method: ReturnMethod): Float64Array {
  const weights = new Float64Array(27);
  const signs = [-1, 0, 1];
  for (const begin of signs)
    for (const end of signs)
      for (const flow of signs) weights[weightIndex(begin, end, flow)] = flowWeight(method, { begin, end, flow });
  return weights;
}

const weightTables: Readonly<Record<ReturnMethod, Float64Array>> = {
  'start-end-of-day': buildWeightTable('start-end-of-day'),
  'modified-dietz': buildWeightTable('modified-dietz'),
};

/** The bases are the values of the days before. */
function computeDaysWithFlow(
  { values, flows, method, wholeDays }: PartsInput,
  { ratios, flags, bases, terms }: DayFigures,
): void {
  const { high: highs, low: lows } = values;
  const { high: flowHighs, low: flowLows } = flows;
  const { bases: wholeBases, growthBefore } = wholeDays;
  const weights = weightTables[method];
  const count = ratios.length;
  for (let index = 0; index < count; index++) {
    const flowHigh = flowHighs[index + 1]!;
    const flowLow = flowLows[index + 1]!;
    if (flowHigh === 0 && flowLow === 0) continue;
    const flow = amountAsDouble(flowHigh, flowLow);
    if (flow === 0) continue;
    const high = highs[index + 1]!;
    const low = lows[index + 1]!;
    let baseHigh = highs[index]!;
    let baseLow = lows[index]!;
    let base = bases[index]!;
    const gainHigh = high - baseHigh - flowHigh;
    const gainLow = low - baseLow - flowLow;
    const gain = amountAsDouble(gainHigh, gainLow);
    const weight = weights[weightIndex(base, amountAsDouble(high, low), flow)]!;
    if (weight !== 0) {
      // Half of an odd low is rounded half-even, as the last place of the amount is; half of an odd high is exact.
      baseHigh += flowHigh * weight;
      baseLow += flowLow * weight + roundingMagic - roundingMagic;
      base = amountAsDouble(baseHigh, baseLow);
    }
    const isLossBeyondBase = gain <= -base && amountAsDouble(gainHigh + baseHigh, gainLow + baseLow) < 0;
    const wholeBase = wholeBases[index]!;
    ratios[index] = base > 0 ? gain / base : 0;
    flags[index] = base > 0 ? (isLossBeyondBase ? lossExceedsBase : 0) : base < 0 ? negativeBase : zeroBase;
    bases[index] = base;
    terms[index] = wholeBase > 0 ? (gain / wholeBase) * growthBefore[index]! : 0;
  }
}
