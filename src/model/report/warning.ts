// Warnings of a report: days, values and transactions to check before relying on its figures.

import { keysOf } from '../../kit/keys.ts';
import { anyInteger, anyText, date, nullable, oneOf, type ValueOf } from '../../kit/field.ts';
import { member, objectOf } from '../../kit/structured-field.ts';

/** Each code with its meaning. */
export const warningTexts = {
  'nothing-covered': 'Nothing is covered: nothing was held and nothing moved in the window.',
  'nothing-invested':
    'What there was to earn on is nothing that anybody invested: forwards, short positions, or amounts that net to zero. A window of such days has no return as a percentage; such a day among others counts as 0.',
  'begins-before-data': 'The window begins before the first value. The days until then are not in the series.',
  carried:
    'There are no data from this day on: no transaction, upload, price or rate. Values are carried, and only interest and fees accrue.',
  'zero-base': 'The value to earn on was zero, so the return of the day counts as 0.',
  'negative-base': 'The value to earn on was negative, so the return of the day counts as 0.',
  'loss-exceeds-base': 'The loss exceeds the value to earn on, so the return of the day is below -1.',
  'rates-outside-range':
    'Other rates solve the flows of the money-weighted return or IRR too, but lie outside -99.99 % to +1,000,000 % a year. They are left out.',
  'no-point': 'The benchmark has no value yet, so the return of the day counts as 0.',
  'stale-value': 'The value is based on a price that is too old.',
  'stale-rate': 'Values are converted at an exchange rate that is too old.',
  'estimated-value': 'The value is estimated from a trade, from cost or from calls, since there is no price.',
  unidentified: 'The transaction names no instrument.',
  short: 'More units were taken out than were held.',
  overdrawn: 'The cash balance is negative.',
  'unexplained-value-change':
    'On one day the value changed by more than the bound of the client, without a trade, a corporate action or a price that says so.',
  'amount-far-from-price': 'The amount of a trade is more than 5 times, or less than a fifth of, quantity × price.',
  'accrued-interest-differs':
    'An upload or a trade states other accrued interest than the terms of the bond give on the days around it.',
  'fund-in-several-places':
    'Several accounts paid the calls of a private fund. Its net asset value, which is that of the whole investment, is split between them by what each had paid in.',
  'fund-units-unclear':
    'A private fund is held in units at one place, and another place that was only called counts as one unit: its net asset value may count twice.',
  'more-than-principal': 'More of a loan is held than its principal, which is the size of the whole loan.',
  'implied-flow':
    'An upload changed units or cash without a transaction that explains it. The change counts as a flow.',
  'settles-after-upload': 'A transaction before an upload settles after it, so the upload may not include it.',
  'settlement-not-booked': 'A contract is still held after its last day.',
  'coupon-not-booked': 'A coupon was due but is not booked. It counts as a receivable.',
  'coupon-paid-early':
    'A coupon was paid before it is due. It is earned over its period, so until then the amount counts against the value.',
  matured: 'The instrument is still held after its maturity, since no redemption is booked.',
  'rate-missing': 'A floating rate has no value yet, so no interest accrues.',
  'rate-assumed': 'The first value of a floating rate is used for the days before it.',
  'index-factor-missing': 'An index-linked bond has no index factor yet, so its nominal is not adjusted.',
  'index-base-assumed':
    'An index-linked bond has no index factor on or before its dated date, so the first one is used.',
  'paid-out-beyond-value':
    'A private fund has distributed more since its last net asset value than it was worth. The value stays at zero; what exceeds it counts as a gain.',
} as const;

export type WarningCode = keyof typeof warningTexts;

const warningCodes = keysOf(warningTexts);

export const warningShape = objectOf({
  code: member(oneOf(warningCodes), 'The code of the finding.'),
  detail: member(anyText, 'The meaning of the code.'),
  instrumentId: member(nullable(anyText), 'The instrument concerned; null if the warning concerns the whole segment.'),
  date: member(nullable(date), 'The first day concerned, or the day of the value that was used.'),
  count: member(anyInteger, 'The number of days or occurrences.'),
});

export type Warning = ValueOf<typeof warningShape>;
