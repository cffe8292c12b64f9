// The returns of all days of a set from its columns, the same to the bit as `dailyReturn` of each day, and what the days
// contributed to a whole. Knows no dates and no axes.

import type { AmountColumn, AmountParts } from '../amount-column.ts';
import { roundedAmount } from '../amount-parts.ts';
import { dailyReturn, flowWeight, type DailyReturn, type ReturnMethod } from '../daily-return.ts';

/** By day's end, the one before the first day in front; the flow of that one does not count. */
export interface ReturnColumns {
  readonly values: AmountColumn;
  readonly flows: AmountColumn;
}

/** Where each day's figures go. A day stands one place further back in the columns. */
export interface DayFigures {
  readonly ratios: Float64Array;
  /** Places in `dayFlags`. */
  readonly flags: Uint8Array;
  /** × 10^18. */
  readonly bases: Float64Array;
  /** What the day contributed to the whole. */
  readonly terms: Float64Array;
}

/** The whole to which is contributed. */
export interface DayFrame {
  readonly bases: Float64Array;
  /** Π (1 + r) up to the day before. */
  readonly growthBefore: Float64Array;
}

export interface DayPass {
  readonly columns: ReturnColumns;
  readonly method: ReturnMethod;
  readonly frame: DayFrame;
}

export const dayFlags = [null, 'zero-base', 'negative-base', 'loss-exceeds-base'] as const;

const [zeroBase, negativeBase, lossExceedsBase] = [1, 2, 3];

/** Added and taken away again, it rounds what lies within ±2^51 to the nearest integer, and a half to the even one. */
const integerMagnet = 3 * 2 ** 51;

/** A day without value and flow, and so without gain, is nothing to be flagged. */
export function explainedDay({ values, flows }: ReturnColumns, method: ReturnMethod, index: number): DailyReturn {
  const amounts = { begin: values.at(index), end: values.at(index + 1), flow: flows.at(index + 1) };
  const isEmpty = amounts.begin === 0n && amounts.end === 0n && amounts.flow === 0n;
  const explained = dailyReturn(method, amounts);
  return isEmpty ? { ...explained, flag: null } : explained;
}

export function passDays({ columns, method, frame }: DayPass, figures: DayFigures): void {
  const [values, flows] = [columns.values.findParts(), columns.flows.findParts()];
  if (values && flows) passParts({ values, flows, method, frame }, figures);
  else passIntegers({ columns, method, frame }, figures);
}

function passIntegers({ columns, method, frame }: DayPass, { ratios, flags, bases, terms }: DayFigures): void {
  for (let index = 0; index < ratios.length; index++) {
    const { ratio, flag, base, gain } = explainedDay(columns, method, index);
    const frameBase = frame.bases[index]!;
    ratios[index] = ratio;
    flags[index] = dayFlags.indexOf(flag);
    bases[index] = Number(base);
    terms[index] = frameBase > 0 ? (Number(gain) / frameBase) * frame.growthBefore[index]! : 0;
  }
}

interface PartsPass {
  readonly values: AmountParts;
  readonly flows: AmountParts;
  readonly method: ReturnMethod;
  readonly frame: DayFrame;
}

/** Each value is rounded to a double once, and is the next day's base where nothing flows. */
function passParts({ values, flows, method, frame }: PartsPass, { ratios, flags, bases, terms }: DayFigures): void {
  const { high: highs, low: lows } = values;
  const { high: flowHighs, low: flowLows } = flows;
  const { bases: frameBases, growthBefore } = frame;
  let high = highs[0]!;
  let low = lows[0]!;
  let end = roundedAmount(high, low);
  for (let index = 0; index < ratios.length; index++) {
    const begin = end;
    let base = begin;
    let baseHigh = high;
    let baseLow = low;
    high = highs[index + 1]!;
    low = lows[index + 1]!;
    end = roundedAmount(high, low);
    const flowHigh = flowHighs[index + 1]!;
    const flowLow = flowLows[index + 1]!;
    const gainHigh = high - baseHigh - flowHigh;
    const gainLow = low - baseLow - flowLow;
    const gain = roundedAmount(gainHigh, gainLow);
    const hasFlow = flowHigh !== 0 || flowLow !== 0;
    if (hasFlow) {
      const weight = flowWeight(method, { begin, end, flow: roundedAmount(flowHigh, flowLow) });
      // Half of an odd low is rounded half-even, as the last place of the amount is; half of an odd high is no fraction of it.
      baseHigh += flowHigh * weight;
      baseLow += flowLow * weight + integerMagnet - integerMagnet;
      base = roundedAmount(baseHigh, baseLow);
    }
    let flag = 0;
    if (base < 0) flag = negativeBase;
    else if (base === 0) flag = hasFlow || begin !== 0 || end !== 0 ? zeroBase : 0;
    else if (gain <= -base && roundedAmount(gainHigh + baseHigh, gainLow + baseLow) < 0) flag = lossExceedsBase;
    ratios[index] = base > 0 ? gain / base : 0;
    flags[index] = flag;
    bases[index] = base;
    const frameBase = frameBases[index]!;
    terms[index] = frameBase > 0 ? (gain / frameBase) * growthBefore[index]! : 0;
  }
}
