// Turns a missing exchange rate into a refusal that says which rate to send.

import { fromDayNumber } from '../../kit/calendar-date.ts';
import { Refusal } from '../../kit/refusal.ts';
import { MissingRateError } from '../../engine/currencies/exchange-rates.ts';

/** Runs a task; a missing rate becomes a refusal that names the currency pair and the day. */
export async function refuseMissingRates<T>(task: () => Promise<T> | T): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof MissingRateError)) throw error;
    const { from, to, day } = error.exchange;
    const detail = `There is no exchange rate from ${from} to ${to} on or before ${fromDayNumber(day)}.`;
    throw new Refusal('fx-rate-missing', detail, { cause: error });
  }
}
