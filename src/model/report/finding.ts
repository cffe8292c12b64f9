// What a person should look at and mend in the facts behind the figures of a reporting entity: each code with how grave it is, what is
// wrong and what would mend it. Knows not how anything is found.

import { amount, anyInteger, anyText, date, nullable, oneOf, type ValueOf } from '../../kit/field.ts';
import { listOf, member, objectOf } from '../../kit/structured-field.ts';
import { warningTexts } from './warning.ts';

/** `error`: figures are refused or leave something out; `warning`: they may be wrong; `notice`: something stands in. */
export const severities = ['error', 'warning', 'notice'] as const;
export type Severity = (typeof severities)[number];

interface FindingDefinition {
  readonly severity: Severity;
  readonly detail: string;
  readonly remedy: string;
}

/** The gravest first. */
export const findingDefinitions = {
  'fx-rate-missing': {
    severity: 'error',
    detail: 'There is no exchange rate of this pair on or before this day: reports that need it are refused.',
    remedy: 'Send a rate of the pair, or of both currencies against a third, for this day or an earlier one.',
  },
  'rate-missing': {
    severity: 'error',
    detail: warningTexts['rate-missing'],
    remedy: 'Send an interest-rate point of the instrument for the start of its interest or earlier.',
  },
  'index-factor-missing': {
    severity: 'error',
    detail: warningTexts['index-factor-missing'],
    remedy: 'Send an index factor of the instrument for this day or an earlier one.',
  },
  unidentified: {
    severity: 'error',
    detail: 'Units were traded and no instrument was named: they are worth what they were traded at.',
    remedy: 'Name the instrument in these transactions.',
  },
  short: {
    severity: 'warning',
    detail: warningTexts.short,
    remedy: 'Book what is missing: a buy, a transfer or an upload from before the units left.',
  },
  'short-opened': {
    severity: 'warning',
    detail: 'This transaction took more units than were held.',
    remedy: 'Book what is missing before it, or correct its quantity, its date or its place.',
  },
  overdrawn: {
    severity: 'warning',
    detail: warningTexts.overdrawn,
    remedy: 'Book the money that came in, or correct amounts; where the account is overdrawn indeed, nothing is wrong.',
  },
  'unexplained-difference': {
    severity: 'warning',
    detail: 'The amount is not what units, price, fees and taxes come to: the difference counts as cost.',
    remedy: 'Send the fees, taxes or accrued interest that explain it, or correct the amount.',
  },
  'settlement-not-booked': {
    severity: 'warning',
    detail: warningTexts['settlement-not-booked'],
    remedy: 'Book the settlement of the contract.',
  },
  'coupon-not-booked': {
    severity: 'warning',
    detail: warningTexts['coupon-not-booked'],
    remedy: 'Book the coupon.',
  },
  matured: { severity: 'warning', detail: warningTexts.matured, remedy: 'Book the redemption.' },
  'paid-out-beyond-value': {
    severity: 'warning',
    detail: warningTexts['paid-out-beyond-value'],
    remedy: 'Send a newer net asset value of the fund.',
  },
  'stale-value': {
    severity: 'warning',
    detail: warningTexts['stale-value'],
    remedy: 'Send a newer point, or let its class allow older ones.',
  },
  'estimated-value': {
    severity: 'warning',
    detail: warningTexts['estimated-value'],
    remedy: 'Send a price or a net asset value for this day or an earlier one.',
  },
  'named-lot-missing': {
    severity: 'warning',
    detail: 'A lot that the sale names was gone or too small: the oldest lots stood in for it.',
    remedy: 'Name lots that are open on the day of the sale.',
  },
  'lots-not-named': {
    severity: 'warning',
    detail: 'The sale names lots for fewer units than it sells: the oldest lots stood in for the rest.',
    remedy: 'Name lots for all units of the sale.',
  },
  'too-much-named': {
    severity: 'warning',
    detail: 'The sale names lots for more units than it sells: what was too much was left alone.',
    remedy: 'Name lots for the units of the sale, and no more.',
  },
  'implied-flow': {
    severity: 'notice',
    detail: warningTexts['implied-flow'],
    remedy: 'Book what moved the units or the cash up to the day of the upload, or correct the upload.',
  },
  'settles-after-upload': {
    severity: 'notice',
    detail: warningTexts['settles-after-upload'],
    remedy: 'Compare the upload with the transaction, and upload what was held with it.',
  },
  'estimated-cost': {
    severity: 'notice',
    detail: 'Nothing tells what units cost: what they were worth when they appeared stands in for it.',
    remedy: 'Book the purchases, or state cost and dates with the transfer.',
  },
  'rate-assumed': {
    severity: 'notice',
    detail: warningTexts['rate-assumed'],
    remedy: 'Send an interest-rate point for the start of the interest or earlier.',
  },
  'index-base-assumed': {
    severity: 'notice',
    detail: warningTexts['index-base-assumed'],
    remedy: 'Send an index factor for the dated date or earlier, or state the base factor.',
  },
} as const satisfies Readonly<Record<string, FindingDefinition>>;

export type FindingCode = keyof typeof findingDefinitions;
export const findingCodes = Object.keys(findingDefinitions) as FindingCode[];

export const findingShape = objectOf({
  code: member(oneOf(findingCodes), 'What it is about.'),
  severity: member(
    oneOf(severities),
    '`error`: figures are refused or leave something out; `warning`: they may be wrong; `notice`: something stands in.',
  ),
  detail: member(anyText, 'What is wrong.'),
  remedy: member(anyText, 'What would mend it.'),
  accountId: member(nullable(anyText), 'Where: the account.'),
  depositoryId: member(nullable(anyText), 'Where: the depository.'),
  instrumentId: member(nullable(anyText), 'Of what: the instrument; `cash:CHF` for cash in francs.'),
  date: member(nullable(date), 'The day it is about, or the day that a value rests on.'),
  quantity: member(nullable(amount), 'How many units, or how much cash.'),
  amount: member(nullable(amount), 'How much money: what is in doubt.'),
  currency: member(nullable(anyText), 'What the amount is in; of a missing rate the currency to convert from.'),
  toCurrency: member(nullable(anyText), 'Of a missing rate the currency to convert into.'),
  transactionIds: member(listOf(anyText), 'The transactions that it is about.'),
  historicalHoldingIds: member(listOf(anyText), 'The uploads that it is about.'),
});

export type ReportedFinding = ValueOf<typeof findingShape>;

export const findingCountShape = objectOf({
  code: member(oneOf(findingCodes), 'The code.'),
  severity: member(oneOf(severities), 'How grave it is.'),
  count: member(anyInteger, 'How many there are.'),
});

export type FindingCount = ValueOf<typeof findingCountShape>;
