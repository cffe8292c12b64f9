// The day that a report is about, in a query: as a date, or as a moment of that day. Knows no zone.

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
      'The day of the report: a date, or a moment of that day in the zone of the workspace. Everything up to the end of the day counts. Today when it is not sent, and never later than the last day that anything is known of; `as_of` in the answer names the instant.',
  },
} as const satisfies Record<string, Parameter<AsOf>>;
