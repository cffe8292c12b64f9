// The thirteen transaction types on v1: amounts that can be left out are calculated, and some fields exist only on v1.

import { declareTransactionVariants } from '../../../model/ledger/transaction-variants.ts';

export const v1TransactionVariants = declareTransactionVariants({
  resourceTypes: 'one-per-type',
  optional: ['source', 'reversesTransaction'],
  answered: ['createdAt', 'client'],
  byType: {
    buy: { optional: ['amount'] },
    sell: { optional: ['amount'] },
    deposit: { optional: ['counterDepository', 'acquired'] },
    withdrawal: { optional: ['counterDepository'] },
    coupon: { optional: ['periodStart', 'periodEnd', 'trade'] },
    interest: { optional: ['rate', 'periodStart', 'periodEnd'] },
    'corporate-action': {
      optional: ['account'],
      description:
        'An action of an issuer on the units held. It can be booked without an account, once for all holders.',
    },
    maturity: { optional: ['amount'] },
  },
});
