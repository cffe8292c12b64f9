// The figures of performance that reports give: of a day, of a whole window, and what stands beside them. A surface puts its own
// shape together from these.

import { amount, anyText, date, instant, nullable, oneOf, ratio } from '../../kit/field.ts';
import { listOf, member } from '../../kit/structured-field.ts';
import { ledgerVersionMember } from './holding.ts';
import { warningShape } from './warning.ts';

/** `daily`: money comes in at the start of a day and leaves at its end. `modified-dietz`: it counts for half the day. */
export const returnMethods = ['daily', 'modified-dietz'] as const;
export type ReturnMethodName = (typeof returnMethods)[number];

export const feeTreatments = ['net', 'gross'] as const;

/** The figures of one day of a segment. */
export const pointMembers = {
  date: member(date, 'The day.'),
  marketValue: member(amount, "The value at the day's end."),
  netCashFlow: member(amount, 'What flowed in that day, less what flowed out.'),
  dailyReturn: member(amount, 'What the day earned, as an amount: the change in value without the flow.'),
  dailyTwr: member(ratio, 'What the day earned, as a fraction.'),
  cumulativeTwr: member(ratio, 'What all days so far earned, as a fraction: the product of (1 + daily) less 1.'),
};

export type PointFigure = keyof typeof pointMembers;

export const headlineMembers = {
  annualised: member(nullable(ratio), 'The cumulative return as one for 365 days; null below a year.'),
  maxDrawdown: member(ratio, 'The deepest fall from a peak, as a positive fraction.'),
  volatility: member(
    nullable(ratio),
    'The standard deviation of the daily returns of weekdays × √252; null below two of them.',
  ),
};

/** The window that the figures are of, and how they were computed. */
export const windowMembers = {
  currency: member(anyText, 'The currency of all amounts.'),
  fromDate: member(date, 'The first day.'),
  toDate: member(date, 'The last day: what was asked for, or the latest day with data.'),
  method: member(oneOf(returnMethods), 'How the return of a day with flows was computed.'),
};

export const performanceWarnings = member(listOf(warningShape), 'What to look at before trusting the figures.');

/** What stands beside the figures of every report. */
export const reportMembers = {
  asOf: member(instant, 'The moment of the figures: the end of the last day in the zone of the workspace.'),
  ledgerVersion: ledgerVersionMember,
};

/** The amounts of a window, for the whole or one segment. */
export const windowFigures = {
  beginMarketValue: member(amount, 'The value before the first day.'),
  endMarketValue: member(amount, 'The value at the end of the last day.'),
  netCashFlow: member(amount, 'What flowed in, less what flowed out.'),
};

export const incomeAndFees = {
  income: member(amount, 'Dividends, coupons and interest, accrued interest bought and sold included.'),
  fees: member(amount, 'What was charged.'),
};
