// What a persona is: a structure, and what happens on each day, which depends on its seed and on the days before alone.

import { civilFromDay, dayFromCivil, daysInMonth, type Day } from '../../../kit/day.ts';
import type { SandboxCurrency } from '../../../model/sandbox/persona.ts';
import { isWeekday, randomOf } from '../market/walk.ts';
import type { PersonaBook } from './persona-book.ts';

export interface PlannedAccount {
  readonly key: string;
  readonly name: string;
  readonly currency: SandboxCurrency;
  readonly legalEntity: string;
  readonly institution: string;
  /** The key of the depository that keeps its units. */
  readonly depository?: string;
}

export interface PlannedReportingEntity {
  readonly key: string;
  readonly name: string;
  readonly portfolios: readonly { readonly key: string; readonly name: string; readonly accounts: readonly string[] }[];
}

export interface PlannedLimit {
  readonly key: string;
  /** The listed instrument that it is about, whose id goes into its filter. */
  readonly instrument?: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface PersonaStructure {
  readonly legalEntities: readonly { readonly key: string; readonly name: string }[];
  readonly depositories: readonly { readonly key: string; readonly name: string; readonly legalEntity: string }[];
  readonly accounts: readonly PlannedAccount[];
  /** The first covers everything, and has the private instruments. */
  readonly reportingEntities: readonly PlannedReportingEntity[];
  readonly limits: readonly PlannedLimit[];
}

export interface Life {
  readonly home: SandboxCurrency;
  readonly seed: number;
  /** The first weekday. */
  readonly opening: Day;
}

export interface Persona {
  structure(home: SandboxCurrency): PersonaStructure;
  /** Books what happens on a day. Called for every day in order, from the opening on. */
  live(book: PersonaBook, day: Day, life: Life): void;
}

/** A whole number from 0 up to, but not including, `end`: the same for the same seed, subject and day. */
export function chance({ seed }: Life, subject: number, day: Day, end: number): number {
  return randomOf(seed * 131 + subject * 17 + 7, day).integerBelow(end);
}

/** How rich the client is, in percent: from 80 to 120. */
export function scaleOf(life: Life): number {
  return 80 + chance(life, 1, 0, 41);
}

export function nextWeekday(day: Day): Day {
  let next = day;
  while (!isWeekday(next)) next++;
  return next;
}

/** Whether it is this day of the month, or the first weekday after it where that is at a weekend. */
export function isMonthly(day: Day, dayOfMonth: number): boolean {
  const { day: today } = civilFromDay(day);
  // A weekend has two days.
  if (today < dayOfMonth || today > dayOfMonth + 2) return false;
  return day === nextWeekday(day - (today - dayOfMonth));
}

export function isYearly(day: Day, month: number, dayOfMonth: number): boolean {
  return civilFromDay(day).month === month && isMonthly(day, dayOfMonth);
}

export function isQuarterEnd(day: Day): boolean {
  const { year, month, day: dayOfMonth } = civilFromDay(day);
  return month % 3 === 0 && dayOfMonth === daysInMonth(year, month);
}

/** The last end of a quarter before the day. */
export function previousQuarterEnd(day: Day): Day {
  const { year, month } = civilFromDay(day);
  return dayFromCivil({ year, month: month - ((month - 1) % 3), day: 1 }) - 1;
}

/** Counts quarters: that of a day one year later is 4 more. */
export function quarterOf(day: Day): number {
  const { year, month } = civilFromDay(day);
  return year * 4 + Math.trunc((month - 1) / 3);
}

/** Whether it is this day of the first, second or third month of a quarter, or the first weekday after it. */
export function isQuarterly(day: Day, monthOfQuarter: 1 | 2 | 3, dayOfMonth: number): boolean {
  return (civilFromDay(day).month - 1) % 3 === monthOfQuarter - 1 && isMonthly(day, dayOfMonth);
}

export function inClass(...path: readonly string[]): object {
  return { kind: 'condition', field: 'instrument_class.path', operator: 'starts_with', value: path };
}

export function percentOf(amount: number, percent: number): number {
  return Math.trunc((amount * percent) / 100);
}
