// The parameters of lists of dated values: an inclusive range of days, and a source.

import type { CalendarDate } from '../../../kit/calendar-date.ts';
import { calendarDate, oneOf } from '../../../kit/field.ts';
import { dataSources, type DataSource } from '../../../model/instrument/dated-value-fields.ts';
import type { Parameter, ParsedRequest } from '../operation/operation.ts';
import { invalidParameter } from '../operation/query-parameters.ts';

export const rangeParameters = {
  start: { kind: calendarDate, description: 'The first day, inclusive.' },
  end: { kind: calendarDate, description: 'The last day, inclusive.' },
} as const satisfies Record<string, Parameter>;

export const sourceParameter = {
  source: {
    kind: oneOf(dataSources),
    description: 'Only values of this source. Without it, the value of each day that takes precedence.',
  },
} as const satisfies Record<string, Parameter>;

export interface DatedRange {
  readonly start?: CalendarDate;
  readonly end?: CalendarDate;
  readonly source?: DataSource;
}

export function readDatedRange({ query }: ParsedRequest): DatedRange {
  const { start, end, source } = query as DatedRange;
  if (start !== undefined && end !== undefined && start > end) {
    throw invalidParameter('end', 'end must not be before start.');
  }
  return { ...(start ? { start } : {}), ...(end ? { end } : {}), ...(source ? { source } : {}) };
}
