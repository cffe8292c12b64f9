// Checks that span several terms of an instrument: dates in order, interest either fixed or floating, legs that oppose.

import { toFixed } from '../../kit/fixed.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { Fault } from '../../kit/refusal.ts';
import { maturityDayCount, type DayCountConvention } from './day-count-convention.ts';
import type { InstrumentPriceUnit } from './instrument-fields.ts';

interface LegTerms {
  readonly ccyCode: string;
  readonly amount: Decimal;
  readonly date: CalendarDate;
}

/** The terms that checks read, as they would be stored: a term that was not sent is missing or null. */
type CheckedTerms = Readonly<
  { priceUnit?: InstrumentPriceUnit; dayCountConvention?: DayCountConvention | null } & Partial<
    Record<DateTerm, CalendarDate | null>
  > &
    Partial<Record<RateTerm, Decimal | null>> & {
      referenceRate?: string | null;
      nearLeg?: LegTerms | null;
      farLeg?: LegTerms | null;
    }
>;

type DateTerm = 'maturity' | 'datedDate' | 'firstCouponDate' | 'startDate' | 'settlementDate';
type RateTerm = 'coupon' | 'interestRate' | 'spread';

/** Lists what does not fit; `false` stands for a check that passed. */
export type TermCheck = (terms: CheckedTerms) => readonly (Fault | false)[];

function invalidTerm(field: keyof CheckedTerms, detail: string): Fault {
  return { code: 'invalid-attribute', detail, field };
}

function isMissing<T>(value: T | null | undefined): value is null | undefined {
  return value === undefined || value === null;
}

/** Dates sort as texts. A missing one is before and after nothing. */
function isBefore(one: CalendarDate | null | undefined, other: CalendarDate | null | undefined): boolean {
  return !isMissing(one) && !isMissing(other) && one < other;
}

function mustFollow(terms: CheckedTerms, later: DateTerm, earlier: DateTerm, detail: string): Fault | false {
  const [one, other] = [terms[later], terms[earlier]];
  return !isMissing(one) && !isMissing(other) && !isBefore(other, one) && invalidTerm(later, detail);
}

export const isQuotedPerHundred: TermCheck = ({ priceUnit }) => [
  priceUnit !== 'per 100' &&
    invalidTerm('priceUnit', 'Bonds are quoted per 100 of nominal: send `per 100` or nothing.'),
];

/** Interest is either fixed or follows a reference rate. */
export function interestCheck(fixed: 'coupon' | 'interestRate', label: string): TermCheck {
  return (terms) => {
    const [hasFixed, hasReference] = [!isMissing(terms[fixed]), !isMissing(terms.referenceRate)];
    return [
      !hasFixed &&
        !hasReference && {
          code: 'missing-attribute',
          detail: `${label} or a reference rate is required.`,
          field: fixed,
        },
      hasFixed &&
        hasReference &&
        invalidTerm('referenceRate', `There is ${label.toLowerCase()} or a reference rate, not both.`),
      !isMissing(terms.spread) &&
        !hasReference &&
        invalidTerm('spread', 'A spread is added to a reference rate, and there is none.'),
    ];
  };
}

export const couponDates: TermCheck = (terms) => [
  mustFollow(terms, 'maturity', 'datedDate', 'The maturity must be after the dated date.'),
  mustFollow(terms, 'firstCouponDate', 'datedDate', 'The first coupon must be after the dated date.'),
  isBefore(terms.maturity, terms.firstCouponDate) &&
    invalidTerm('firstCouponDate', 'The first coupon must not be after the maturity.'),
];

export const loanDates: TermCheck = (terms) => [
  mustFollow(terms, 'maturity', 'startDate', 'The maturity must be after the start date.'),
];

/** Open-ended loans have no maturity. */
export const hasDayCountMaturity: TermCheck = ({ dayCountConvention, maturity }) => [
  dayCountConvention === maturityDayCount &&
    isMissing(maturity) && {
      code: 'missing-attribute',
      detail: `A maturity is required: ${maturityDayCount} counts the days up to it.`,
      field: 'maturity',
    },
];

function signOf(amount: Decimal): number {
  const value = toFixed(amount);
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}

export const forwardLegs: TermCheck = ({ nearLeg, farLeg, settlementDate }) => {
  if (!nearLeg || !farLeg) return [];
  const areOpposite = signOf(nearLeg.amount) * signOf(farLeg.amount) < 0;
  return [
    nearLeg.ccyCode === farLeg.ccyCode && invalidTerm('farLeg', 'The two legs must be in different currencies.'),
    !areOpposite && invalidTerm('farLeg', 'One leg is received and positive, the other is paid and negative.'),
    isBefore(farLeg.date, nearLeg.date) && invalidTerm('farLeg', 'The far leg must not be before the near leg.'),
    isBefore(settlementDate, nearLeg.date) &&
      invalidTerm('settlementDate', 'The settlement must not be before the near leg.'),
  ];
};
