// What a report says about itself: days, values and bookings that a person should look at before trusting its figures. Knows not
// how they are found.

import { anyInteger, anyText, date, nullable, oneOf, type ValueOf } from '../../kit/field.ts';
import { member, objectOf } from '../../kit/structured-field.ts';

/** Each code with what it means. */
export const warningTexts = {
  'nothing-covered':
    'Nothing is covered: no portfolio of the reporting entity holds anything by the end of the window.',
  'begins-before-data': 'The window begins before the first value; until then there is no return.',
  'ends-at-latest-day': 'The window was asked to end later; it ends on the latest day with data.',
  'beyond-latest-day': 'The whole window lies after the latest day with data.',
  'zero-base': 'There was nothing to earn on: the return of the day counts as 0.',
  'negative-base': 'There was less than nothing to earn on: the return of the day counts as 0.',
  'loss-exceeds-base': 'More was lost than there was to lose: the return of the day is below -1.',
  'no-point': 'The benchmark has no point yet: the return of the day counts as 0.',
  'stale-value': 'The value rests on a point that is too old.',
  'estimated-value': 'The value is estimated: a trade, a cost or calls stand in for a point.',
  unidentified: 'No instrument was named when it was booked.',
  short: 'More has left than was held.',
  overdrawn: 'The cash is below zero.',
  'implied-flow': 'An upload changed units or cash and no booking says why: counted as a flow.',
  'settles-after-upload': 'A booking up to the day of an upload settles after it: the upload may not have it.',
  'settlement-not-booked': 'A contract is past its last day and still held.',
  'coupon-not-booked': 'A coupon was due and is not booked: counted as a receivable.',
  matured: 'It is held beyond its maturity: no redemption was booked.',
  'rate-missing': 'A floating rate has no point yet: no interest is counted.',
  'rate-assumed': 'Days before the first point of a floating rate count at that point.',
  'index-factor-missing': 'An index-linked bond has no factor yet: its nominal is not raised.',
  'index-base-assumed': 'An index-linked bond has no factor on or before its dated date: the first of all stands in.',
  'paid-out-beyond-value': 'More was paid out of a private fund since its last net asset value than it was worth.',
} as const;

export type WarningCode = keyof typeof warningTexts;

export const warningCodes = Object.keys(warningTexts) as WarningCode[];

export const warningShape = objectOf({
  code: member(oneOf(warningCodes), 'What it is about.'),
  detail: member(anyText, 'The same in a sentence.'),
  instrumentId: member(nullable(anyText), 'Of which instrument; null where it is about the segment itself.'),
  date: member(nullable(date), 'The first day, or the day that a value rests on.'),
  count: member(anyInteger, 'On how many days, or how many times.'),
});

export type Warning = ValueOf<typeof warningShape>;
