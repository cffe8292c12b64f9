// The activity of a reporting entity: the transactions of its accounts with the names of what they move.

import { anyInteger, anyText, calendarDate, decimal, instant, nullable, oneOf, type ValueOf } from '../../kit/field.ts';
import { member, objectOf } from '../../kit/structured-field.ts';
import { explanationsMember } from './explanation.ts';
import { transactionSources, transactionTypes } from '../ledger/transaction-kind.ts';

const activityMembers = {
  transactionId: member(anyText, 'The transaction.'),
  date: member(calendarDate, 'The economic date: of a trade the trade date, of a dividend the ex-date.'),
  settlementDate: member(nullable(calendarDate), 'When it is settled or paid.'),
  type: member(oneOf(transactionTypes), 'The type of the transaction.'),
  accountId: member(nullable(anyText), 'The account, if the reporting entity has it.'),
  accountName: member(nullable(anyText), 'Its name.'),
  counterAccountId: member(nullable(anyText), 'The account on the other side, if the reporting entity has it too.'),
  counterAccountName: member(nullable(anyText), 'Its name.'),
  instrumentId: member(nullable(anyText), 'The instrument.'),
  instrumentName: member(nullable(anyText), 'Its name.'),
  quantity: member(nullable(decimal), 'Units; of a bond, its nominal value. The type says whether they came or went.'),
  price: member(nullable(decimal), 'The price as traded.'),
  amount: member(
    nullable(decimal),
    'Cash: positive into the account, negative out of it. If only the account on the other side belongs to the reporting entity, what came to that one.',
  ),
  currency: member(nullable(anyText), 'The currency of the amount.'),
  counterAmount: member(nullable(decimal), 'The other cash leg, of an exchange of currencies.'),
  counterCurrency: member(nullable(anyText), 'Its currency.'),
  fees: member(nullable(decimal), 'Fees of the trade, in the currency of the price.'),
  taxes: member(nullable(decimal), 'Taxes.'),
  comment: member(nullable(anyText), 'Free text.'),
  source: member(oneOf(transactionSources), 'Where it comes from.'),
  createdAt: member(instant, 'When it was first booked.'),
  recordedAt: member(instant, 'When this version of it was recorded: later than `created_at` if it was amended.'),
  endedAt: member(nullable(instant), 'When this version was replaced or deleted; null while it is current.'),
};

/** A version of a transaction. */
export const transactionVersionShape = objectOf({
  ...activityMembers,
  cancelledBy: member(
    nullable(
      objectOf({
        importId: member(anyText, 'The import.'),
        fileName: member(nullable(anyText), 'The name of its file.'),
        row: member(anyInteger, 'The position of the row in the file, counted from one.'),
      }),
    ),
    'The row of an imported statement that ended this version: a reversal of the transaction, or its cancellation. The row names the transaction as what it `became`.',
  ),
});

export type ReportedVersion = ValueOf<typeof transactionVersionShape>;

export const explainedActivityFigures = ['quantity', 'price', 'amount', 'counterAmount', 'fees', 'taxes'] as const;

export const activityShape = objectOf({
  ...activityMembers,
  explanations: explanationsMember(explainedActivityFigures),
});

export type ReportedActivity = ValueOf<typeof activityShape>;
