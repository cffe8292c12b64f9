// Where figures need a rate that nobody has sent, the caller is told which one. Knows no figure.

import { fromDayNumber } from '../../kit/calendar-date.ts';
import { Refusal } from '../../kit/refusal.ts';
import { MissingRateError } from '../../engine/currencies/exchange-rates.ts';

/** Does what needs rates; one that is missing becomes a refusal that names the pair and the day. */
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
