// The query parameter for the day of a report: a date, or a moment of that day.

import { calendarDate, FieldFault, instant, type FieldKind } from '../../../kit/field.ts';
import type { AsOf } from '../../../actions/reports/day-report.ts';
import type { Parameter } from '../operation/operation.ts';

const asOf: FieldKind<AsOf> = {
  read(value) {
    if (typeof value !== 'string') throw new FieldFault('must be a string');
    return /t/i.test(value) ? instant.read(value) : calendarDate.read(value);
  },
  write: (value, style) => (typeof value === 'number' ? instant.write(value, style) : value),
  schema: () => ({ type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] }),
};

export const asOfParameter = {
  as_of: {
    kind: asOf,
    description:
      'The day of the report: a date, or a moment of that day in the time zone of the workspace. The report covers everything up to the end of the day. The default is the latest day, up to today, with data of what the report covers: its transactions and uploads, and the prices and rates that it needs. `as_of` in the answer is the moment.',
  },
} as const satisfies Record<string, Parameter<AsOf>>;
