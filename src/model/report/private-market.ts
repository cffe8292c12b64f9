// The figures of private-market funds: commitments, calls, distributions, multiples and returns.

import { amount, anyText, boolean, date, nullable, oneOf, quantity, ratio, type ValueOf } from '../../kit/field.ts';
import { listOf, member, objectOf } from '../../kit/structured-field.ts';
import { explanationsMember } from './explanation.ts';
import { noRateReasons, rateRangeText, rootsText } from './no-rate-reason.ts';
import { warningShape } from './warning.ts';

const commitmentMembers = {
  total: member(amount, 'The commitment.'),
  called: member(amount, 'The part that was called.'),
  recallable: member(amount, 'Distributions that can be called again.'),
  uncalled: member(
    amount,
    'What can still be called: total less called plus recallable, less what went over to the buyer of a part of the stake.',
  ),
};

const commitmentText = 'Null if there is no commitment.';

const multiplierMembers = {
  tvpi: member(nullable(quantity), 'Total value to paid-in: DPI plus RVPI.'),
  dpi: member(nullable(quantity), 'Distributions to paid-in.'),
  rvpi: member(nullable(quantity), 'Residual value to paid-in.'),
};

const multiplierText = 'Null if nothing was paid in.';

export const fundFigureMembers = {
  date: member(date, 'The day of the figures.'),
  nav: member(
    amount,
    'The residual value in the currency of the fund: the last net asset value plus calls and less distributions since.',
  ),
  navDate: member(nullable(date), 'The day of that net asset value; null for the total, and if there is none.'),
  marketValue: {
    ...member(amount, 'The residual value in the reporting currency, at the exchange rate of the day.'),
    unit: 'reportingCurrency',
  },
  ccyCode: member(anyText, "The fund's currency; for the total the reporting currency."),
  reportingCcyCode: member(anyText, 'The reference currency of the client.'),
  commitment: member(nullable(objectOf(commitmentMembers)), commitmentText),
  cashflow: member(
    objectOf({
      drawdowns: member(amount, 'Paid-in capital.'),
      distributions: member(amount, 'Distributions.'),
    }),
    'Converted at the exchange rate of the transaction if it has its own, else at that of its day.',
  ),
  multiplier: member(objectOf(multiplierMembers), multiplierText),
  irr: member(
    nullable(ratio),
    'The internal rate of return (XIRR, ACT/365), with the residual value as the last flow.',
  ),
  irrReason: member(nullable(oneOf(noRateReasons)), `Why there is no rate; null if there is one. ${rateRangeText}`),
  warnings: member(listOf(warningShape), 'What to check before relying on the figures.'),
};

export const privateMarketShape = objectOf(fundFigureMembers);

/** Also what the tracks that are frozen do not show. */
export const allFundFigureMembers = {
  ...fundFigureMembers,
  commitment: member(
    nullable(
      objectOf({
        ...commitmentMembers,
        transferred: member(
          amount,
          'What went over to others together with a stake that was sold or given away: the same fraction of what could still be called on that day.',
        ),
      }),
    ),
    commitmentText,
  ),
  multiplier: member(
    objectOf({
      ...multiplierMembers,
      pic: member(
        nullable(quantity),
        'Paid-in to committed capital; null without a commitment. Of the total, both at the exchange rate of the day, and without funds that state no commitment.',
      ),
    }),
    `${multiplierText} PIC does not depend on that.`,
  ),
  irrRoots: member(listOf(ratio), rootsText),
};

const allFigures = objectOf(allFundFigureMembers);

export type PrivateMarketFigures = ValueOf<typeof allFigures>;

export const explainedFundPeriodFigures = ['drawdowns', 'distributions', 'netCashFlow', 'nav'] as const;

/** The fund at the end of a calendar period: the points of a J-curve. */
export const fundPeriodShape = objectOf({
  date: member(date, 'The last day of the period, or of the report.'),
  drawdowns: member(amount, 'Paid in up to this day.'),
  distributions: member(amount, 'Distributed up to this day.'),
  netCashFlow: member(amount, '`distributions` − `drawdowns`: negative while more was paid in than came back.'),
  nav: member(amount, 'The residual value on this day.'),
  explanations: explanationsMember(explainedFundPeriodFigures),
});

export type FundPeriod = ValueOf<typeof fundPeriodShape>;

/** The public market equivalent: the flows of the fund, invested in an index instead. */
export const marketEquivalentShape = objectOf({
  reason: member(
    nullable(oneOf(['index-missing'])),
    'Why there is no equivalent: the index has no level on or before a day that needs one.',
  ),
  missingOn: member(nullable(date), 'The first such day.'),
  ksPme: member(nullable(quantity), 'Kaplan and Schoar: above 1 the fund outperformed the index.'),
  lnPmeIrr: member(
    nullable(ratio),
    'Long and Nickels: the internal rate of return of the same flows into and out of the index.',
  ),
  lnPmeReason: member(
    nullable(oneOf([...noRateReasons, 'short-position'])),
    'Why there is no such rate; null if there is one.',
  ),
  lnPmeRoots: member(listOf(ratio), rootsText),
  lnPmeValue: member(nullable(amount), 'The value of the position in the index.'),
  directAlpha: member(nullable(ratio), 'Direct alpha: the annual return in excess of the index.'),
  directAlphaReason: member(nullable(oneOf(noRateReasons)), 'Why there is no direct alpha; null if there is one.'),
  directAlphaRoots: member(listOf(ratio), rootsText),
});

export type ReportedMarketEquivalent = ValueOf<typeof marketEquivalentShape>;

export const fundKeyMembers = {
  instrumentId: member(nullable(anyText), 'The fund; null for the total of all funds.'),
  isTotal: member(boolean, 'Whether this is the total of all funds.'),
};
