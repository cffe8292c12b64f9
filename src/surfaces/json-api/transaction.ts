// Transactions on JSON:API: booked by hand, listed and deleted, in thirteen types with different attributes and relationships.

import { defined } from '../../kit/assert.ts';
import { id } from '../../kit/field.ts';
import { dayRangeParameters, readDayRange, type DayRange } from '../http/lists/day-range.ts';
import { isJsonObject, type Json } from '../../kit/json.ts';
import type { Resource } from '../../kit/resource.ts';
import { ledgerQuantity, unsignedQuantity } from '../../model/ledger/transaction-variants.ts';
import type { TransactionInput } from '../../actions/ledger/transaction-input.ts';
import {
  bookTransaction,
  countTransactions,
  listTransactions,
  transactionRefusals,
} from '../../actions/ledger/transaction.ts';
import type { LedgerQuery, LedgerRow } from '../../store/ledger/ledger-reader.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { cappedListSchema, cappedRows } from '../http/lists/row-cap.ts';
import { transactionDeletionPath } from '../http/operation/transaction-deletion.ts';
import { documentExample, documentSchema, responseDocumentSchema, resourceSchema } from './document-schema.ts';
import { readDocument, renderResource } from './document.ts';
import { jsonApiTransactionVariants } from './transaction-variants.ts';
import { jsonApi } from './wire.ts';

const { variants: forms, resource } = jsonApiTransactionVariants;

/** The declaration for documents of an unknown type: all fields of all types, none required. */
const { variants: _variants, ...untyped } = resource;

function typeWord(body: Json | undefined): string | undefined {
  const data = isJsonObject(body) ? body['data'] : undefined;
  const attributes = isJsonObject(data) ? data['attributes'] : undefined;
  const word = isJsonObject(attributes) ? attributes['type'] : undefined;
  return typeof word === 'string' ? word : undefined;
}

export function fromJsonApiTransaction(body: Json | undefined): TransactionInput {
  const form = forms.get(typeWord(body) ?? '');
  const input = readDocument(form?.resource ?? untyped, body, { purpose: 'create' });
  const { type: _type, quantity, ...fields } = input as Omit<TransactionInput, 'kind'> & { type: unknown };
  const { kind, typeName } = defined(form, 'a document without faults has a declared type');
  return {
    ...fields,
    kind,
    quantity: quantity == null ? null : ledgerQuantity(typeName, { quantity, amount: fields.amount }),
  };
}

function toJsonApiTransaction(row: LedgerRow): unknown {
  const { resource: own } = defined(forms.get(row.type), 'every stored type is declared');
  return renderResource(own, { ...row, quantity: unsignedQuantity(row.quantity) });
}

const operationBase = { wire: jsonApi, group: 'transactions', resource: resource as Resource } as const;

const days = { from: 'fromDate', to: 'toDate' } as const;

const listPath = defineOperation<DayRange>({
  ...operationBase,
  id: 'json-api.transaction.list',
  method: 'GET',
  path: '/api/v2/transactions',
  summary: 'List transactions',
  description:
    'Look up what was booked, by date, and within a day in the order in which they were booked. A transaction between two own accounts is listed under either. Pass `accountId` or `depositoryId` to keep the answer short.',
  right: 'read',
  mode: 'read',
  heavy: true,
  query: {
    ...dayRangeParameters(days),
    accountId: { kind: id, description: 'Only those that move this account.' },
    depositoryId: { kind: id, description: 'Only those that name this depository.' },
  },
  responses: {
    200: { description: 'The transactions the token sees.', schema: cappedListSchema(resourceSchema(resource)) },
  },
  refusals: ['account-not-found', 'depository-not-found'],
  read: (parsed) => readDayRange(parsed, days),
  async handle({ work, query }, range) {
    const input: LedgerQuery = {
      ...range,
      account: query['accountId'],
      depository: query['depositoryId'],
    };
    const rows = {
      list: (limit: number) => listTransactions(work, { ...input, limit }),
      count: () => countTransactions(work, input),
    };
    return { status: 200, body: await cappedRows(rows, (row) => toJsonApiTransaction(row as unknown as LedgerRow)) };
  },
});

const settable = { purpose: 'create', parent: undefined } as const;

const createPath = defineOperation<TransactionInput>({
  ...operationBase,
  id: 'json-api.transaction.create',
  method: 'POST',
  path: '/api/v2/transactions',
  summary: 'Book a transaction by hand',
  description:
    'Book what no custodian supplies: an event that also arrives by feed would be booked twice. The attribute `type` decides which others there are.',
  right: 'write',
  mode: 'write',
  query: {},
  body: { schema: documentSchema(resource, settable), example: documentExample(resource, settable) },
  responses: {
    200: {
      description: 'The transaction that has this external reference already, amended where something else was sent.',
      schema: responseDocumentSchema(resource),
    },
    201: {
      description: 'The new transaction.',
      schema: responseDocumentSchema(resource),
      headers: { Location: 'Its address.' },
    },
  },
  refusals: ['type-mismatch', 'client-generated-id', ...transactionRefusals],
  read: ({ body }) => fromJsonApiTransaction(body),
  async handle({ work }, input) {
    const { row, outcome } = await bookTransaction(work, input);
    const body = { data: toJsonApiTransaction(row) };
    if (outcome !== 'booked') return { status: 200, body };
    const location = `${work.context.addresses.legacyUrl}/api/v2/transactions/${row.id}`;
    return { status: 201, headers: { location }, body };
  },
});

const deletePath = transactionDeletionPath({ wire: jsonApi, resource, path: '/api/v2/transactions' });

export const jsonApiTransactionPaths = [listPath, createPath, deletePath];
