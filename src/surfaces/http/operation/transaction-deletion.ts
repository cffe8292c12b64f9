// Deletes a transaction on the frozen APIs, which differ only in their address.

import type { Resource } from '../../../kit/resource.ts';
import { deleteTransaction } from '../../../actions/ledger/transaction.ts';
import { defineOperation, type Operation, type Wire } from './operation.ts';
import { pathParameter } from './path-parameter.ts';

interface TransactionDeletionOptions {
  readonly wire: Wire;
  readonly resource: Resource;
  /** The path of the transactions. */
  readonly path: string;
}

export function transactionDeletionPath({ wire, resource, path }: TransactionDeletionOptions): Operation {
  return defineOperation<void>({
    wire,
    group: 'transactions',
    resource,
    id: `${wire.name}.transaction.delete`,
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a transaction',
    description:
      'Take back a booking that was wrong. Holdings and performance are computed again; the event `calculated_data.created` says when that is done.',
    right: 'write',
    mode: 'write',
    query: {},
    responses: { 204: { description: 'Deleted. Deleting it again answers 404.' } },
    refusals: ['transaction-not-found', 'outside-reach'],
    read: () => undefined,
    async handle({ work, params }) {
      await deleteTransaction(work, pathParameter(params, 'id'));
      return { status: 204 };
    },
  });
}
