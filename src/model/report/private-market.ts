// The figures of private-market funds as reports answer them: what was committed, called, paid out, and what it came to. Knows not
// how they are computed.

import { amount, anyText, boolean, date, nullable, oneOf, ratio, type ValueOf } from '../../kit/field.ts';
import { listOf, member, objectOf } from '../../kit/structured-field.ts';
import { warningShape } from './warning.ts';

const noRateReasons = ['no-sign-change', 'no-root', 'several-roots', 'out-of-range'] as const;

export const fundFigureMembers = {
  date: member(date, 'The day of the figures.'),
  nav: member(
    amount,
    'The residual value in the currency of the fund: the last net asset value, with what was called and paid out since.',
  ),
  navDate: member(nullable(date), 'The day of that net asset value; null for the whole, and where there is none.'),
  marketValue: member(amount, 'The residual value in the reporting currency, at the rate of the day.'),
  ccyCode: member(anyText, "The fund's currency; for the whole the reporting currency."),
  reportingCcyCode: member(anyText, 'The reference currency of the client.'),
  commitment: member(
    nullable(
      objectOf({
        total: member(amount, 'What was committed.'),
        called: member(amount, 'What calls have taken of it.'),
        recallable: member(amount, 'What was paid out and may be called again.'),
        uncalled: member(amount, 'What may still be called: total less called plus recallable.'),
      }),
    ),
    'Null where nothing was committed.',
  ),
  cashflow: member(
    objectOf({
      drawdowns: member(amount, 'What was paid in.'),
      distributions: member(amount, 'What was paid out.'),
    }),
    'At the rates of their own days.',
  ),
  multiplier: member(
    objectOf({
      tvpi: member(nullable(amount), 'Total value to paid-in: DPI plus RVPI.'),
      dpi: member(nullable(amount), 'Distributions to paid-in.'),
      rvpi: member(nullable(amount), 'Residual value to paid-in.'),
    }),
    'Null where nothing was paid in.',
  ),
  irr: member(nullable(ratio), 'The internal rate of return (XIRR, ACT/365), the residual value last.'),
  irrReason: member(nullable(oneOf(noRateReasons)), 'Why there is no rate; null where there is one.'),
  warnings: member(listOf(warningShape), 'What to look at before trusting the figures.'),
};

export const privateMarketShape = objectOf(fundFigureMembers);

export type PrivateMarketFigures = ValueOf<typeof privateMarketShape>;

/** A stake beside the same flows into and out of an index. */
export const marketEquivalentShape = objectOf({
  reason: member(
    nullable(oneOf(['index-missing'])),
    'Why there is none: the index has no level on or before a day that needs one.',
  ),
  missingOn: member(nullable(date), 'The first such day.'),
  ksPme: member(nullable(amount), 'Kaplan and Schoar: above 1 the stake beat the index.'),
  lnPmeIrr: member(
    nullable(ratio),
    'Long and Nickels: the rate of return of the same flows into and out of the index.',
  ),
  lnPmeReason: member(
    nullable(oneOf([...noRateReasons, 'short-position'])),
    'Why there is no such rate; null where there is one.',
  ),
  lnPmeValue: member(nullable(amount), 'What the position in the index would be worth.'),
  directAlpha: member(nullable(ratio), 'Direct alpha: what was earned above the index, a year.'),
  directAlphaReason: member(nullable(oneOf(noRateReasons)), 'Why there is none; null where there is one.'),
});

export type ReportedMarketEquivalent = ValueOf<typeof marketEquivalentShape>;

export const fundKeyMembers = {
  instrumentId: member(nullable(anyText), 'The fund; null for the whole.'),
  isTotal: member(boolean, 'Whether this is the whole.'),
};
