// Finds out whether a file writes 31/12/2025 or 12/31/2025. One value cannot tell, but the values of a file are written alike: a single
// one that is a day in one order only decides for all of them.

import { parseCalendarDate, type CalendarDate } from '../kit/calendar-date.ts';

export const dateOrders = ['year-month-day', 'day-month-year', 'month-day-year'] as const;
export type DateOrder = (typeof dateOrders)[number];

/** A date of three numbers, as it is written. */
interface WrittenDate {
  readonly parts: readonly [string, string, string];
  /** Only these orders are possible by the digits of the year alone. */
  readonly orders: readonly DateOrder[];
}

const yearFirst: readonly DateOrder[] = ['year-month-day'];
const yearLast: readonly DateOrder[] = ['day-month-year', 'month-day-year'];

/** `31/12/2025`, `31.12.25`, `12-31-2025 10:00`, `2025/12/31`. Undefined for everything else, such as months with names. */
function writtenDate(text: string): WrittenDate | undefined {
  const [, first = '', second = '', third = ''] =
    /^\s{0,9}(\d{4}|\d{1,2})[./\s-]{1,3}(\d{1,2})[./\s-]{1,3}(\d{4}|\d{1,2})(?!\d)/.exec(text) ?? [];
  if (first === '') return undefined;
  const parts = [first, second, third] as const;
  if (first.length === 4) return { parts, orders: third.length === 4 ? [] : yearFirst };
  if (third.length === 4) return { parts, orders: yearLast };
  const orders = dateOrders.filter((order) => (order === 'year-month-day' ? first : third).length === 2);
  return { parts, orders };
}

function dayOf({ parts: [first, second, third], orders }: WrittenDate, order: DateOrder): CalendarDate | undefined {
  if (!orders.includes(order)) return undefined;
  switch (order) {
    case 'year-month-day':
      return existingDay(first, second, third);
    case 'day-month-year':
      return existingDay(third, second, first);
    case 'month-day-year':
      return existingDay(third, first, second);
  }
}

/** Years of two digits from 80 on are those of the last century. Undefined if there is no such day. */
export function existingDay(year: string, month: string, day: string): CalendarDate | undefined {
  const whole = year.length === 2 ? `${Number(year) >= 80 ? '19' : '20'}${year}` : year;
  try {
    return parseCalendarDate(`${whole}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
  } catch {
    return undefined;
  }
}

/** The day that a date of three numbers is in this order. A year of four digits that comes first says its order itself. */
export function readOrderedDate(text: string, order: DateOrder): CalendarDate | undefined {
  const written = writtenDate(text);
  if (written === undefined) return undefined;
  return dayOf(written, written.orders === yearFirst ? 'year-month-day' : order);
}

export type OrderFinding =
  /** All values seen so far are the same days in each order that is still possible. */
  | { readonly outcome: 'certain'; readonly order: DateOrder }
  /** Values such as 03/04/2025 are different days in these orders. Somebody has to say which is meant. */
  | { readonly outcome: 'open'; readonly orders: readonly DateOrder[]; readonly example: string }
  /** No order fits all values. */
  | { readonly outcome: 'contradictory'; readonly line: number; readonly detail: string }
  /** No value of the file depends on the order. */
  | { readonly outcome: 'none' };

interface Proof {
  readonly text: string;
  readonly line: number;
}

export interface OrderCandidates {
  /** The orders that the format knows. All of them if it is not given. */
  readonly orders?: readonly DateOrder[];
  /** No date that is added can be later: an order that reads it so is excluded. Years of two digits can hardly be told from days without. */
  readonly latest?: CalendarDate;
}

/**
 * Collects what the dates of a file say about their order. Give it the dates only, not other texts that contain some. It keeps
 * one value for each order that it excludes, however long the file is.
 */
export class DateOrderEvidence {
  readonly #candidates: readonly DateOrder[];
  readonly #latest: CalendarDate | undefined;
  /** The first value that is no day in the order. */
  readonly #excluded = new Map<DateOrder, Proof>();
  /** For each pair of orders, the first value that they read as different days. */
  readonly #doubtful: { readonly pair: readonly [DateOrder, DateOrder]; readonly text: string }[] = [];
  #contradiction: { readonly line: number; readonly detail: string } | undefined;
  #hasValues = false;

  constructor({ orders = dateOrders, latest }: OrderCandidates = {}) {
    this.#candidates = orders;
    this.#latest = latest;
  }

  /** A text that is a date in no order says nothing: its row is refused for itself. */
  add(text: string, line: number): void {
    const written = writtenDate(text);
    if (written === undefined || written.orders === yearFirst || this.#contradiction !== undefined) return;
    const days = new Map(this.#candidates.map((order) => [order, this.#dayOf(written, order)]));
    const fitting = this.#candidates.filter((order) => days.get(order) !== undefined);
    const [first] = fitting;
    if (first === undefined) return;
    this.#hasValues = true;
    const shown = text.trim().slice(0, 40);
    for (const order of this.#candidates)
      if (!fitting.includes(order)) this.#excluded.getOrInsert(order, { text: shown, line });
    if (this.possible.length === 0) {
      const detail = `"${shown}" can only be ${wordsOf(first)}, but "${this.#excluded.get(first)?.text}" in line ${this.#excluded.get(first)?.line} cannot be: the file writes its dates in two orders.`;
      this.#contradiction = { line, detail };
    }
    this.#noteDoubts(shown, days);
  }

  #dayOf(written: WrittenDate, order: DateOrder): CalendarDate | undefined {
    const day = dayOf(written, order);
    return day !== undefined && this.#latest !== undefined && day > this.#latest ? undefined : day;
  }

  #noteDoubts(text: string, days: ReadonlyMap<DateOrder, CalendarDate | undefined>): void {
    for (const pair of orderPairs) {
      const [one, other] = pair.map((order) => days.get(order));
      const isNew = !this.#doubtful.some((doubt) => doubt.pair === pair);
      if (isNew && one !== undefined && other !== undefined && one !== other) this.#doubtful.push({ pair, text });
    }
  }

  /** The orders in which all values so far are days. */
  get possible(): readonly DateOrder[] {
    return this.#candidates.filter((order) => !this.#excluded.has(order));
  }

  get finding(): OrderFinding {
    if (this.#contradiction !== undefined) return { outcome: 'contradictory', ...this.#contradiction };
    const orders = this.possible;
    const [order] = orders;
    if (!this.#hasValues || order === undefined) return { outcome: 'none' };
    const doubt = this.#doubtful.find(({ pair }) => pair.every((one) => orders.includes(one)));
    return doubt === undefined ? { outcome: 'certain', order } : { outcome: 'open', orders, example: doubt.text };
  }
}

const orderPairs = [
  ['year-month-day', 'day-month-year'],
  ['year-month-day', 'month-day-year'],
  ['day-month-year', 'month-day-year'],
] as const;

/** For people: `day, month, year`. */
export function wordsOf(order: DateOrder): string {
  return order.replaceAll('-', ', ');
}
