// Calendar days as numbers of days since 1970-01-01, with Gregorian calendar arithmetic.

/** A whole number of days since 1970-01-01. */
export type Day = number;

export interface CivilDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

// Howard Hinnant's days_from_civil and civil_from_days: years begin in March, so that the leap day is the last of its year, and
// every era of 400 years has the same number of days. For positive years only, where truncation equals floor.
const daysPerEra = 146_097;
const daysFromMarchOfYear0 = 719_468;

export function dayFromCivil({ year, month, day }: CivilDate): Day {
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.trunc(marchYear / 400);
  const yearOfEra = marchYear % 400;
  const dayOfYear = Math.trunc((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const leapDays = Math.trunc(yearOfEra / 4) - Math.trunc(yearOfEra / 100);
  return era * daysPerEra + yearOfEra * 365 + leapDays + dayOfYear - daysFromMarchOfYear0;
}

export function civilFromDay(dayNumber: Day): CivilDate {
  const days = dayNumber + daysFromMarchOfYear0;
  const era = Math.trunc(days / daysPerEra);
  const dayOfEra = days % daysPerEra;
  const leapDays = Math.trunc(dayOfEra / 1_460) - Math.trunc(dayOfEra / 36_524) + Math.trunc(dayOfEra / 146_096);
  const yearOfEra = Math.trunc((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.trunc(yearOfEra / 4) - Math.trunc(yearOfEra / 100));
  const monthFromMarch = Math.trunc((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.trunc((153 * monthFromMarch + 2) / 5) + 1;
  const month = ((monthFromMarch + 2) % 12) + 1;
  return { year: era * 400 + yearOfEra + (month > 2 ? 0 : 1), month, day };
}

/** Adds months. The result is the given day of that month, or the last one if the month is shorter. */
export function addMonths(from: Day, months: number, dayOfMonth: number = civilFromDay(from).day): Day {
  const { year, month } = civilFromDay(from);
  const count = year * 12 + (month - 1) + months;
  const target = { year: Math.floor(count / 12), month: (((count % 12) + 12) % 12) + 1 };
  return dayFromCivil({ ...target, day: Math.min(dayOfMonth, daysInMonth(target.year, target.month)) });
}

export function isEndOfMonth(day: Day): boolean {
  const civilDate = civilFromDay(day);
  return civilDate.day === daysInMonth(civilDate.year, civilDate.month);
}

/** Monday is 1, Sunday 7. */
export function weekdayOf(day: Day): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}
