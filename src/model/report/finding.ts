// What a person should look at and mend in the facts behind the figures of a reporting entity: each code with how grave it is, what is
// wrong and what would mend it. Knows not how anything is found.

import {
  amount,
  count,
  date,
  listOf,
  member,
  nullable,
  objectOf,
  oneOfWords,
  word,
  type Shaped,
} from '../../kit/shape.ts';
import { warnings } from './warning.ts';

/** `error`: figures are refused or leave something out; `warning`: they may be wrong; `notice`: something stands in. */
export const severities = ['error', 'warning', 'notice'] as const;
export type Severity = (typeof severities)[number];

interface FindingTerms {
  readonly severity: Severity;
  readonly detail: string;
  readonly remedy: string;
}

/** The gravest first. */
export const findingTerms = {
  'fx-rate-missing': {
    severity: 'error',
    detail: 'There is no exchange rate of this pair on or before this day: reports that need it are refused.',
    remedy: 'Send a rate of the pair, or of both currencies against a third, for this day or an earlier one.',
  },
  'rate-missing': {
    severity: 'error',
    detail: warnings['rate-missing'],
    remedy: 'Send an interest-rate point of the instrument for the start of its interest or earlier.',
  },
  'index-factor-missing': {
    severity: 'error',
    detail: warnings['index-factor-missing'],
    remedy: 'Send an index factor of the instrument for this day or an earlier one.',
  },
  unidentified: {
    severity: 'error',
    detail: 'Units were traded and no instrument was named: they are worth what they were traded at.',
    remedy: 'Name the instrument in these transactions.',
  },
  short: {
    severity: 'warning',
    detail: warnings.short,
    remedy: 'Book what is missing: a buy, a transfer or an upload from before the units left.',
  },
  'short-opened': {
    severity: 'warning',
    detail: 'This transaction took more units than were held.',
    remedy: 'Book what is missing before it, or correct its quantity, its date or its place.',
  },
  overdrawn: {
    severity: 'warning',
    detail: warnings.overdrawn,
    remedy: 'Book the money that came in, or correct amounts; where the account is overdrawn indeed, nothing is wrong.',
  },
  'unexplained-difference': {
    severity: 'warning',
    detail: 'The amount is not what units, price, fees and taxes come to: the difference counts as cost.',
    remedy: 'Send the fees, taxes or accrued interest that explain it, or correct the amount.',
  },
  'settlement-not-booked': {
    severity: 'warning',
    detail: warnings['settlement-not-booked'],
    remedy: 'Book the settlement of the contract.',
  },
  'coupon-not-booked': {
    severity: 'warning',
    detail: warnings['coupon-not-booked'],
    remedy: 'Book the coupon.',
  },
  matured: { severity: 'warning', detail: warnings.matured, remedy: 'Book the redemption.' },
  'paid-out-beyond-value': {
    severity: 'warning',
    detail: warnings['paid-out-beyond-value'],
    remedy: 'Send a newer net asset value of the fund.',
  },
  'stale-value': {
    severity: 'warning',
    detail: warnings['stale-value'],
    remedy: 'Send a newer point, or let its class allow older ones.',
  },
  'estimated-value': {
    severity: 'warning',
    detail: warnings['estimated-value'],
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
    detail: warnings['implied-flow'],
    remedy: 'Book what moved the units or the cash up to the day of the upload, or correct the upload.',
  },
  'settles-after-upload': {
    severity: 'notice',
    detail: warnings['settles-after-upload'],
    remedy: 'Compare the upload with the transaction, and upload what was held with it.',
  },
  'estimated-cost': {
    severity: 'notice',
    detail: 'Nothing tells what units cost: what they were worth when they appeared stands in for it.',
    remedy: 'Book the purchases, or state cost and dates with the transfer.',
  },
  'rate-assumed': {
    severity: 'notice',
    detail: warnings['rate-assumed'],
    remedy: 'Send an interest-rate point for the start of the interest or earlier.',
  },
  'index-base-assumed': {
    severity: 'notice',
    detail: warnings['index-base-assumed'],
    remedy: 'Send an index factor for the dated date or earlier, or state the base factor.',
  },
} as const satisfies Readonly<Record<string, FindingTerms>>;

export type FindingCode = keyof typeof findingTerms;
export const findingCodes = Object.keys(findingTerms) as FindingCode[];

export const finding = objectOf({
  code: member(oneOfWords(findingCodes), 'What it is about.'),
  severity: member(
    oneOfWords(severities),
    '`error`: figures are refused or leave something out; `warning`: they may be wrong; `notice`: something stands in.',
  ),
  detail: member(word, 'What is wrong.'),
  remedy: member(word, 'What would mend it.'),
  accountId: member(nullable(word), 'Where: the account.'),
  depositoryId: member(nullable(word), 'Where: the depository.'),
  instrumentId: member(nullable(word), 'Of what: the instrument; `cash:CHF` for cash in francs.'),
  date: member(nullable(date), 'The day it is about, or the day that a value rests on.'),
  quantity: member(nullable(amount), 'How many units, or how much cash.'),
  amount: member(nullable(amount), 'How much money: what is in doubt.'),
  currency: member(nullable(word), 'What the amount is in; of a missing rate the currency to convert from.'),
  toCurrency: member(nullable(word), 'Of a missing rate the currency to convert into.'),
  transactionIds: member(listOf(word), 'The transactions that it is about.'),
  historicalHoldingIds: member(listOf(word), 'The uploads that it is about.'),
});

export type ReportedFinding = Shaped<typeof finding>;

export const findingCount = objectOf({
  code: member(oneOfWords(findingCodes), 'The code.'),
  severity: member(oneOfWords(severities), 'How grave it is.'),
  count: member(count, 'How many there are.'),
});

export type FindingCount = Shaped<typeof findingCount>;
