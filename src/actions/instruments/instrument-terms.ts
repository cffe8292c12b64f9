// Whether the terms of an instrument fit each other: what no single field can tell. Knows no wire and no table.

import { toFixed } from '../../kit/fixed.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { Fault } from '../../kit/refusal.ts';
import type { Instrument, InstrumentType } from '../../model/instrument/instrument.ts';

/** As they would be stored: what was not sent is missing or null. */
export type TermsInput = Partial<Instrument> & { readonly type: InstrumentType };

type Check = (terms: TermsInput) => readonly (Fault | false)[];

function invalidField(field: keyof Instrument, detail: string): Fault {
  return { code: 'invalid-attribute', detail, field };
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

type DateField = 'maturity' | 'datedDate' | 'firstCouponDate' | 'startDate' | 'settlementDate';

/** Dates sort as texts; where one is missing there is nothing to compare. */
function isBefore(one: string | null | undefined, other: string | null | undefined): boolean {
  return !isMissing(one) && !isMissing(other) && one! < other!;
}

function mustFollow(terms: TermsInput, later: DateField, earlier: DateField, detail: string): Fault | false {
  const [one, other] = [terms[later], terms[earlier]];
  return !isMissing(one) && !isMissing(other) && !isBefore(other, one) && invalidField(later, detail);
}

const isQuotedPerHundred: Check = ({ priceUnit }) => [
  priceUnit !== 'per 100' &&
    invalidField('priceUnit', 'Bonds are quoted per 100 of nominal: send `per 100` or nothing.'),
];

/** Interest is fixed or follows a rate; it cannot do both, or neither. */
function interestCheck(fixed: 'coupon' | 'interestRate', label: string): Check {
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
        invalidField('referenceRate', `There is ${label.toLowerCase()} or a reference rate, not both.`),
      !isMissing(terms.spread) &&
        !hasReference &&
        invalidField('spread', 'A spread is added to a reference rate, and there is none.'),
    ];
  };
}

const couponDates: Check = (terms) => [
  mustFollow(terms, 'maturity', 'datedDate', 'The maturity must be after the dated date.'),
  mustFollow(terms, 'firstCouponDate', 'datedDate', 'The first coupon must be after the dated date.'),
  isBefore(terms.maturity, terms.firstCouponDate) &&
    invalidField('firstCouponDate', 'The first coupon must not be after the maturity.'),
];

const loanDates: Check = (terms) => [
  mustFollow(terms, 'maturity', 'startDate', 'The maturity must be after the start date.'),
];

function signOf(amount: Decimal): number {
  const value = toFixed(amount);
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}

const forwardLegs: Check = ({ nearLeg, farLeg, settlementDate }) => {
  if (!nearLeg || !farLeg) return [];
  const areOpposite = signOf(nearLeg.amount) * signOf(farLeg.amount) < 0;
  return [
    nearLeg.ccyCode === farLeg.ccyCode && invalidField('farLeg', 'The two legs must be in different currencies.'),
    !areOpposite && invalidField('farLeg', 'One leg is received and positive, the other is paid and negative.'),
    isBefore(farLeg.date, nearLeg.date) && invalidField('farLeg', 'The far leg must not be before the near leg.'),
    isBefore(settlementDate, nearLeg.date) &&
      invalidField('settlementDate', 'The settlement must not be before the near leg.'),
  ];
};

const couponBond = [isQuotedPerHundred, interestCheck('coupon', 'A coupon'), couponDates];

const checks: { readonly [T in InstrumentType]?: readonly Check[] } = {
  'bond-instrument': couponBond,
  'index-linked-bond-instrument': couponBond,
  'zero-coupon-bond-instrument': [isQuotedPerHundred, couponDates],
  'loan-instrument': [interestCheck('interestRate', 'An interest rate'), loanDates],
  'fx-forward-cash-settlement-contract': [forwardLegs],
  'fx-forward-physical-delivery-contract': [forwardLegs],
};

/** Everything that does not fit. */
export function listTermFaults(terms: TermsInput): readonly Fault[] {
  const found = (checks[terms.type] ?? []).flatMap((check) => check(terms));
  return found.filter((one): one is Fault => one !== false);
}

/** What a new instrument has where nothing was sent. */
export function defaultTerms(terms: TermsInput): Partial<Instrument> {
  const isBond = terms.type.endsWith('bond-instrument');
  return {
    tags: [],
    priceUnit: isBond ? 'per 100' : '1',
    ...(isBond ? { dayCountConvention: 'ACT/ACT-ICMA' as const } : {}),
    ...(terms.type === 'loan-instrument' ? { dayCountConvention: 'ACT/365' as const } : {}),
    ...(terms.listingCurrency ? { ccyCode: terms.listingCurrency } : {}),
    ...(terms.farLeg ? { settlementDate: terms.farLeg.date } : {}),
  };
}
