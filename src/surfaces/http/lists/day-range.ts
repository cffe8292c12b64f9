// An inclusive range of days in a query, with the parameter names of each wire.

import type { CalendarDate } from '../../../kit/calendar-date.ts';
import { defined } from '../../../kit/assert.ts';
import { calendarDate } from '../../../kit/field.ts';
import type { Parameter, ParsedRequest } from '../operation/operation.ts';
import { invalidParameter } from '../operation/query-parameters.ts';

export interface DayRange {
  readonly from?: CalendarDate;
  readonly to?: CalendarDate;
}

/** A range whose ends are both required. */
type RequiredDayRange = Required<DayRange>;

/** The parameter names of a wire. */
type DayRangeNames = Readonly<Record<'from' | 'to', string>>;

const firstDay = 'The first day, inclusive.';
const lastDay = 'The last day, inclusive.';

export function dayRangeParameters(
  { from, to }: DayRangeNames,
  example?: Readonly<Record<'from' | 'to', string>>,
): Record<string, Parameter<CalendarDate>> {
  const parameter = (description: string, day: string | undefined): Parameter<CalendarDate> => ({
    kind: calendarDate,
    description,
    ...(day === undefined ? {} : { example: day }),
  });
  return {
    [from]: parameter(firstDay, example?.from),
    [to]: parameter(lastDay, example?.to),
  };
}

/** The parameters of a range whose ends are both required. */
export function requiredDayRangeParameters({ from, to }: DayRangeNames): Record<string, Parameter<CalendarDate>> {
  const required = (description: string, example: string): Parameter<CalendarDate> => ({
    kind: calendarDate,
    description,
    required: true,
    example,
  });
  return {
    [from]: required(firstDay, '2019-01-01'),
    [to]: required(lastDay, '2019-06-30'),
  };
}

export function readDayRange({ query }: Pick<ParsedRequest, 'query'>, names: DayRangeNames): DayRange {
  const { [names.from]: from, [names.to]: to } = query as Readonly<Record<string, CalendarDate | undefined>>;
  if (from !== undefined && to !== undefined && from > to) {
    throw invalidParameter(names.to, `${names.to} must not be before ${names.from}.`);
  }
  return { ...(from ? { from } : {}), ...(to ? { to } : {}) };
}

export function readRequiredDayRange(parsed: Pick<ParsedRequest, 'query'>, names: DayRangeNames): RequiredDayRange {
  const { from, to } = readDayRange(parsed, names);
  return { from: defined(from, 'the range is required'), to: defined(to, 'the range is required') };
}
