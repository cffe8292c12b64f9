// The figures of performance reports: of a day, of a window, and what accompanies them. Each surface composes its answers from these.

import { amount, anyText, date, instant, nullable, oneOf, ratio } from '../../kit/field.ts';
import { listOf, member } from '../../kit/structured-field.ts';
import { ledgerVersionMember } from './holding.ts';
import { warningShape } from './warning.ts';

/** `daily`: money comes in at the start of a day and leaves at its end. `modified-dietz`: it counts for half the day. */
export const returnMethods = ['daily', 'modified-dietz'] as const;
export type ReturnMethodName = (typeof returnMethods)[number];

export const feeTreatments = ['net', 'gross'] as const;

export const noReturnText = 'Null where nothing was held or invested: see `warnings`.';

export const noReturnReasons = ['nothing-covered', 'nothing-invested'] as const;

/** The figures of one day of a segment. */
export const pointMembers = {
  date: member(date, 'The day.'),
  marketValue: member(amount, "The value at the day's end."),
  netCashFlow: member(amount, 'Inflows less outflows of the day.'),
  dailyReturn: member(amount, 'The gain of the day: the change in value less the net cash flow.'),
  dailyTwr: member(nullable(ratio), `The return of the day, as a fraction. ${noReturnText}`),
  cumulativeTwr: member(
    nullable(ratio),
    `The cumulative return up to this day, as a fraction: the product of (1 + daily return) less 1. ${noReturnText}`,
  ),
};

export type PointFigure = keyof typeof pointMembers;

export const headlineMembers = {
  annualised: member(
    nullable(ratio),
    `The cumulative return annualised to 365 days; null for less than a year. ${noReturnText}`,
  ),
  maxDrawdown: member(nullable(ratio), `The largest fall from a peak, as a positive fraction. ${noReturnText}`),
  volatility: member(
    nullable(ratio),
    `The standard deviation of the returns of weekdays × the square root of the client's \`volatility_days\` (252 by default); null for fewer than two. Returns of a weekend are linked into the next weekday. ${noReturnText}`,
  ),
};

/** The window of the figures, and how they were computed. */
export const windowMembers = {
  currency: member(anyText, 'The currency of all amounts.'),
  fromDate: member(date, 'The first day.'),
  toDate: member(date, 'The last day: as requested, or today.'),
  method: member(oneOf(returnMethods), 'How the return of a day with flows was computed.'),
};

export const performanceWarnings = member(listOf(warningShape), 'What to check before relying on the figures.');

/** What accompanies the figures of every performance report. */
export const reportMembers = {
  asOf: member(instant, 'The moment of the figures: the end of the last day in the time zone of the workspace.'),
  ledgerVersion: ledgerVersionMember,
};

/** The amounts of a window, for the whole or one segment. */
export const windowFigures = {
  beginMarketValue: member(amount, 'The value before the first day.'),
  endMarketValue: member(amount, 'The value at the end of the last day.'),
  netCashFlow: member(amount, 'Inflows less outflows.'),
};

export const incomeAndFees = {
  income: member(amount, 'Dividends, coupons and interest, including accrued interest bought and sold.'),
  fees: member(amount, 'What was charged.'),
};
