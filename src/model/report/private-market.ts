// The figures of private-market funds as reports answer them: what was committed, called, paid out, and what it came to. Knows not
// how they are computed.

import {
  amountShape,
  dateShape,
  booleanShape,
  arrayShape,
  shapeMember,
  nullableShape,
  objectShape,
  enumShape,
  ratioShape,
  textShape,
  type ShapeValue,
} from '../../kit/shape.ts';
import { warningShape } from './warning.ts';

const noRateReasons = ['no-sign-change', 'no-root', 'several-roots', 'out-of-range'] as const;

const figureMembers = {
  date: shapeMember(dateShape, 'The day of the figures.'),
  nav: shapeMember(
    amountShape,
    'The residual value in the currency of the fund: the last net asset value, with what was called and paid out since.',
  ),
  navDate: shapeMember(
    nullableShape(dateShape),
    'The day of that net asset value; null for the whole, and where there is none.',
  ),
  marketValue: shapeMember(amountShape, 'The residual value in the reporting currency, at the rate of the day.'),
  ccyCode: shapeMember(textShape, "The fund's currency; for the whole the reporting currency."),
  reportingCcyCode: shapeMember(textShape, 'The reference currency of the client.'),
  commitment: shapeMember(
    nullableShape(
      objectShape({
        total: shapeMember(amountShape, 'What was committed.'),
        called: shapeMember(amountShape, 'What calls have taken of it.'),
        recallable: shapeMember(amountShape, 'What was paid out and may be called again.'),
        uncalled: shapeMember(amountShape, 'What may still be called: total less called plus recallable.'),
      }),
    ),
    'Null where nothing was committed.',
  ),
  cashflow: shapeMember(
    objectShape({
      drawdowns: shapeMember(amountShape, 'What was paid in.'),
      distributions: shapeMember(amountShape, 'What was paid out.'),
    }),
    'At the rates of their own days.',
  ),
  multiplier: shapeMember(
    objectShape({
      tvpi: shapeMember(nullableShape(amountShape), 'Total value to paid-in: DPI plus RVPI.'),
      dpi: shapeMember(nullableShape(amountShape), 'Distributions to paid-in.'),
      rvpi: shapeMember(nullableShape(amountShape), 'Residual value to paid-in.'),
    }),
    'Null where nothing was paid in.',
  ),
  irr: shapeMember(nullableShape(ratioShape), 'The internal rate of return (XIRR, ACT/365), the residual value last.'),
  irrReason: shapeMember(nullableShape(enumShape(noRateReasons)), 'Why there is no rate; null where there is one.'),
  warnings: shapeMember(arrayShape(warningShape), 'What to look at before trusting the figures.'),
};

export const privateMarketShape = objectShape(figureMembers);

export type PrivateMarketFigures = ShapeValue<typeof privateMarketShape>;

/** A stake beside the same flows into and out of an index. */
export const marketEquivalentShape = objectShape({
  reason: shapeMember(
    nullableShape(enumShape(['index-missing'])),
    'Why there is none: the index has no level on or before a day that needs one.',
  ),
  missingOn: shapeMember(nullableShape(dateShape), 'The first such day.'),
  ksPme: shapeMember(nullableShape(amountShape), 'Kaplan and Schoar: above 1 the stake beat the index.'),
  lnPmeIrr: shapeMember(
    nullableShape(ratioShape),
    'Long and Nickels: the rate of return of the same flows into and out of the index.',
  ),
  lnPmeReason: shapeMember(
    nullableShape(enumShape([...noRateReasons, 'short-position'])),
    'Why there is no such rate; null where there is one.',
  ),
  lnPmeValue: shapeMember(nullableShape(amountShape), 'What the position in the index would be worth.'),
  directAlpha: shapeMember(nullableShape(ratioShape), 'Direct alpha: what was earned above the index, a year.'),
  directAlphaReason: shapeMember(
    nullableShape(enumShape(noRateReasons)),
    'Why there is none; null where there is one.',
  ),
});

export type ReportedMarketEquivalent = ShapeValue<typeof marketEquivalentShape>;

export const fundKeyMembers = {
  instrumentId: shapeMember(nullableShape(textShape), 'The fund; null for the whole.'),
  isTotal: shapeMember(booleanShape, 'Whether this is the whole.'),
};

export const plainPrivateMarketShape = objectShape({ ...fundKeyMembers, ...figureMembers });

const { ccyCode, reportingCcyCode, ...otherFigures } = figureMembers;

export const v1PrivateMarketShape = objectShape({
  ...fundKeyMembers,
  currency: ccyCode,
  reportingCurrency: reportingCcyCode,
  ...otherFigures,
  publicMarketEquivalent: shapeMember(
    nullableShape(marketEquivalentShape),
    'With `index`: the same flows into and out of the index. Null without it.',
  ),
});
