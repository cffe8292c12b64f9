// Findings on the data behind the figures of a reporting entity: each code with its severity, what is wrong and how to correct it.

import { keysOf } from '../../kit/keys.ts';
import { amount, anyInteger, anyText, date, nullable, oneOf, quantity, type ValueOf } from '../../kit/field.ts';
import { listOf, member, objectOf } from '../../kit/structured-field.ts';
import { explanationsMember } from './explanation.ts';
import { dayCountConventions } from '../instrument/day-count-convention.ts';
import { warningTexts } from './warning.ts';

/** `error`: figures are refused or incomplete; `warning`: they may be wrong; `notice`: they contain an assumption. */
const severities = ['error', 'warning', 'notice'] as const;
type Severity = (typeof severities)[number];

interface FindingDefinition {
  readonly severity: Severity;
  readonly detail: string;
  readonly remedy: string;
}

/** The most severe first. */
export const findingDefinitions = {
  'fx-rate-missing': {
    severity: 'error',
    detail: 'There is no exchange rate of this pair on or before this day, so reports that need it are refused.',
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
    detail: 'Units were traded without naming an instrument. They are valued at the price of the trade.',
    remedy: 'Name the instrument in these transactions.',
  },
  'no-portfolio': {
    severity: 'error',
    detail: 'The reporting entity has no portfolio, so it covers nothing and every figure is zero.',
    remedy: 'Create a portfolio of the reporting entity with the accounts and depositories that belong to it.',
  },
  'break-unknown-instrument': {
    severity: 'error',
    detail:
      'The custodian states units of an instrument that is not in the catalogue, so figures leave them out. The break says how the custodian names it.',
    remedy: 'Create the instrument, or say which instrument these words mean, and import its transactions.',
  },
  'break-missing-trade': {
    severity: 'warning',
    detail:
      'The custodian states other units than the ledger holds, because one of them lacks a transaction. Value and return are wrong by these units.',
    remedy: 'Book the missing transaction, delete one that did not happen, or accept the break with a note.',
  },
  'break-quantity': {
    severity: 'warning',
    detail:
      'The custodian states another quantity than the ledger holds. Value and return are wrong by the difference.',
    remedy: 'Correct the quantity of the transaction, book the corporate action, or accept the break with a note.',
  },
  'break-cash': {
    severity: 'warning',
    detail: 'The custodian states another balance than the ledger has. Value and return are wrong by the difference.',
    remedy: 'Book the missing payment, fee or income, correct its amount, or accept the break with a note.',
  },
  'break-price': {
    severity: 'warning',
    detail:
      'The custodian states another price than the ledger uses. The value of the units depends on which is right.',
    remedy: 'Correct the price, its currency or the price unit of the instrument, or accept the break with a note.',
  },
  'outside-portfolios': {
    severity: 'warning',
    detail: 'The account or depository is in no portfolio, so no reporting entity counts what it holds.',
    remedy: 'Add it to a portfolio, or exclude the account from reporting.',
  },
  unclassified: {
    severity: 'warning',
    detail: 'The instrument has no class, so limits and allocations by class do not know where to count it.',
    remedy: 'Set the class of the instrument, or a default class of its type.',
  },
  short: {
    severity: 'warning',
    detail: warningTexts.short,
    remedy: 'Book what is missing: a purchase, a transfer or an upload from before the units left.',
  },
  'short-opened': {
    severity: 'warning',
    detail: 'The transaction took more units than were held.',
    remedy: 'Book what is missing before it, or correct its quantity, date, account or depository.',
  },
  overdrawn: {
    severity: 'warning',
    detail: warningTexts.overdrawn,
    remedy:
      'Book the missing deposits or correct amounts. If the account really is overdrawn, nothing needs to be done.',
  },
  'unexplained-value-change': {
    severity: 'warning',
    detail: warningTexts['unexplained-value-change'],
    remedy:
      'Correct the quantity, price or upload that is wrong, or send a price for the day. `value_change_bound` of the client sets the bound.',
  },
  'amount-far-from-price': {
    severity: 'warning',
    detail: warningTexts['amount-far-from-price'],
    remedy:
      'Correct the quantity, price or amount of the transaction, or the price unit or currency of the instrument.',
  },
  'accrued-interest-differs': {
    severity: 'warning',
    detail: warningTexts['accrued-interest-differs'],
    remedy:
      'Correct the accrued interest or the nominal of the upload or transaction, or the coupon, coupon dates, ex-dividend days or day count of the bond.',
  },
  'more-than-principal': {
    severity: 'warning',
    detail: warningTexts['more-than-principal'],
    remedy:
      'Loans are held by nominal: correct the quantities (100,000 of a loan of 100,000 is all of it), or the principal.',
  },
  'fund-units-unclear': {
    severity: 'warning',
    detail: warningTexts['fund-units-unclear'],
    remedy:
      'If the net asset value is that of the whole investment, leave units out of calls, purchases and uploads of the fund; if it is that of a unit, state the units of every place.',
  },
  'unexplained-difference': {
    severity: 'warning',
    detail: 'The amount does not match quantity, price, fees and taxes. The difference counts as cost.',
    remedy: 'Send the fees, taxes or accrued interest that explain the difference, or correct the amount.',
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
    remedy:
      'Send a newer value, or let the instrument class or, if the instrument has none, the client (`stale_days_listed` and others) accept older ones.',
  },
  'stale-rate': {
    severity: 'warning',
    detail:
      'The last exchange rate of this pair is too old, and everything that is held in the currency is converted at it.',
    remedy: 'Send a newer rate of the pair, or let the client accept older ones (`stale_days_listed`).',
  },
  'estimated-value': {
    severity: 'warning',
    detail: warningTexts['estimated-value'],
    remedy: 'Send a price or a net asset value for this day or an earlier one.',
  },
  'named-lot-missing': {
    severity: 'warning',
    detail: 'A lot that the sale names was closed or too small. The oldest lots were used instead.',
    remedy: 'Name lots that are open on the day of the sale.',
  },
  'lots-not-named': {
    severity: 'warning',
    detail: 'The sale names lots for fewer units than it sells. The oldest lots were used for the rest.',
    remedy: 'Name lots for all units of the sale.',
  },
  'too-much-named': {
    severity: 'warning',
    detail: 'The sale names lots for more units than it sells. The surplus was ignored.',
    remedy: 'Name lots for exactly the units of the sale.',
  },
  'break-timing': {
    severity: 'notice',
    detail:
      'The custodian and the ledger book these transactions on different days, such as settlement and trade date. The figures are those of the trade date.',
    remedy: 'Nothing, if the difference is gone once the transactions are settled.',
  },
  'implied-flow': {
    severity: 'notice',
    detail: warningTexts['implied-flow'],
    remedy: 'Book the transactions up to the day of the upload that explain the change, or correct the upload.',
  },
  'settles-after-upload': {
    severity: 'notice',
    detail: warningTexts['settles-after-upload'],
    remedy: 'Compare the upload with the transaction, and upload the holdings including it.',
  },
  'estimated-cost': {
    severity: 'notice',
    detail: 'The cost of the units is unknown. Their market value on the day they appeared is used instead.',
    remedy: 'Book the purchases, or send cost and dates with the transfer.',
  },
  'fund-in-several-places': {
    severity: 'notice',
    detail: warningTexts['fund-in-several-places'],
    remedy:
      'If they own other shares of it, book all calls at one account and move its units; else nothing needs to be done.',
  },
  'coupon-paid-early': {
    severity: 'notice',
    detail: warningTexts['coupon-paid-early'],
    remedy:
      'Nothing, if it really was paid early. Otherwise correct the date of the coupon, or the coupon dates of the bond.',
  },
  'rate-assumed': {
    severity: 'notice',
    detail: warningTexts['rate-assumed'],
    remedy: 'Send an interest-rate point for the start of the interest or earlier.',
  },
  'index-base-assumed': {
    severity: 'notice',
    detail: warningTexts['index-base-assumed'],
    remedy: 'Send an index factor for the dated date or earlier, or send the base factor.',
  },
} as const satisfies Readonly<Record<string, FindingDefinition>>;

export type FindingCode = keyof typeof findingDefinitions;
export const findingCodes = keysOf(findingDefinitions);

/** The orders of a list of findings. */
export const findingOrders = ['severity', 'effect'] as const;
export type FindingOrder = (typeof findingOrders)[number];

const findingMembers = {
  code: member(oneOf(findingCodes), 'The code of the finding.'),
  severity: member(
    oneOf(severities),
    '`error`: figures are refused or incomplete; `warning`: they may be wrong; `notice`: they contain an assumption.',
  ),
  detail: member(anyText, 'What is wrong.'),
  remedy: member(anyText, 'How to correct it.'),
  accountId: member(nullable(anyText), 'The account concerned.'),
  depositoryId: member(nullable(anyText), 'The depository concerned.'),
  instrumentId: member(nullable(anyText), 'The instrument concerned; cash is one too.'),
  date: member(nullable(date), 'The day concerned, or the day of the value that was used.'),
  quantity: member(nullable(quantity), 'How many units, or how much cash.'),
  amount: { ...member(nullable(amount), 'The amount of money in doubt.'), unit: 'currency' },
  accruedInterest: {
    ...member(
      nullable(
        objectOf({
          stated: member(amount, 'As the upload or the transaction states it.'),
          expected: member(amount, 'What the terms of the bond give for the units.'),
          accruedTo: member(date, 'The day to which that is: of the upload, or of the settlement of the trade.'),
          dayCount: member(oneOf(dayCountConventions), 'The day count of the bond.'),
        }),
      ),
      'For accrued interest that the terms of the bond contradict: both figures, in `currency`; `amount` is the difference.',
    ),
    unit: 'currency',
  },
  effect: member(
    nullable(amount),
    'How much money correcting it could move, never negative, in the `currency` of the answer at the rates of the day: the amount in doubt; what is held of the instrument at the place; the units in question at the value of one; what was booked; or all that an uncovered place holds. Null if that cannot be said.',
  ),
  currency: member(
    nullable(anyText),
    'The currency of the amount; for a missing or old rate the currency to convert from.',
  ),
  toCurrency: member(nullable(anyText), 'For a missing or old rate the currency to convert into.'),
  transactionIds: member(listOf(anyText), 'The transactions concerned.'),
  historicalHoldingIds: member(listOf(anyText), 'The uploads concerned.'),
} as const;

const findingShape = objectOf(findingMembers);

export type ReportedFinding = ValueOf<typeof findingShape>;

export const explainedFindingFigures = ['quantity', 'amount', 'stated', 'expected', 'effect'] as const;

export const explainedFindingShape = objectOf({
  ...findingMembers,
  explanations: explanationsMember(explainedFindingFigures),
});

export const findingCountShape = objectOf({
  code: member(oneOf(findingCodes), 'The code.'),
  severity: member(oneOf(severities), 'The severity.'),
  count: member(anyInteger, 'How many there are.'),
});

export type FindingCount = ValueOf<typeof findingCountShape>;
