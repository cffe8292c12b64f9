// Turns a missing exchange rate into a refusal, or a reason, that says which rate to send. Of several, it is always the same one that is named.

import { fromDayNumber } from '../../kit/calendar-date.ts';
import { Refusal } from '../../kit/refusal.ts';
import { compareConversions, MissingRateError, type ConversionKey } from '../../engine/currencies/exchange-rates.ts';
import { RateGapRecorder } from '../../engine/currencies/rate-gap-recorder.ts';
import type { ReportMoment } from './report-basis.ts';

/** Passed on to whatever loads the basis of the report. */
type RatesOption = Pick<ReportMoment, 'replaceRates'>;

/** Runs a task; a missing rate becomes a refusal that names the currency pair and the day. */
export async function refuseMissingRates<T>(task: (rates: RatesOption) => Promise<T>): Promise<T> {
  const outcome = await orMissingRate(task);
  if ('missing' in outcome) throw new Refusal('fx-rate-missing', outcome.missing, { cause: outcome.cause });
  return outcome.result;
}

interface MissingRate {
  /** Names the currency pair and the day. */
  readonly missing: string;
  readonly cause: MissingRateError;
}

/**
 * Runs a task. If a rate is missing, runs it again to find all rates that it needs and does not have, and names the first by day and
 * pair: which one is found first depends on the order of positions and on what was computed before.
 */
export async function orMissingRate<T>(
  task: (rates: RatesOption) => Promise<T>,
): Promise<{ readonly result: T } | MissingRate> {
  try {
    return { result: await task({}) };
  } catch (error) {
    if (!(error instanceof MissingRateError)) throw error;
    const [first = error.exchange] = await listMissingRates(task);
    return { missing: missingRateDetail(first), cause: error };
  }
}

/** In a fixed order. */
async function listMissingRates(task: (rates: RatesOption) => Promise<unknown>): Promise<readonly ConversionKey[]> {
  const recorders: RateGapRecorder[] = [];
  const replaceRates: ReportMoment['replaceRates'] = (known) => {
    const recorder = new RateGapRecorder(known);
    recorders.push(recorder);
    return recorder;
  };
  await task({ replaceRates });
  return recorders.flatMap((one) => one.listMissing()).toSorted(compareConversions);
}

export function missingRateDetail({ from, to, day }: ConversionKey): string {
  return `There is no exchange rate from ${from} to ${to} on or before ${fromDayNumber(day)}.`;
}
