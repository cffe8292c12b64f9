// The cash balance of an account in one currency.

import { amount, anyText, type ValueOf } from '../../kit/field.ts';
import { member, objectOf } from '../../kit/structured-field.ts';

export const accountBalanceShape = objectOf({
  currency: member(anyText, 'The currency of both balances. An account normally has one.'),
  balance: { ...member(amount, 'Every row counts from its trade date, as in holdings.'), unit: 'currency' },
  settledBalance: {
    ...member(
      amount,
      'Without rows that are booked by then and settle later. A row without a settlement date settles on its trade date.',
    ),
    unit: 'currency',
  },
});

export type AccountBalance = ValueOf<typeof accountBalanceShape>;
