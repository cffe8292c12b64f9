// The types of transactions on JSON:API: the thirteen with their own fields, all of one resource type.

import { declareTransactionVariants } from '../../model/ledger/transaction-variants.ts';

export const jsonApiTransactionVariants = declareTransactionVariants({ resourceTypes: 'one-for-all' });
