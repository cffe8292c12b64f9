// Transaction operations on v1: list, book, amend and delete transactions, and list their types.

import { id, oneOf, text } from '../../../kit/field.ts';
import { dayRangeParameters, readDayRange, type DayRange } from '../../http/lists/day-range.ts';
import { writeJson, type Json } from '../../../kit/json.ts';
import { transactionSources, transactionTypes } from '../../../model/ledger/transaction-kind.ts';
import type { TransactionInput } from '../../../actions/ledger/transaction-input.ts';
import { confirmCaller } from '../../../actions/access/authentication.ts';
import {
  amendTransaction,
  bookTransaction,
  deleteTransaction,
  getTransaction,
  listTransactions,
  transactionFilterRefusals,
  transactionRefusals,
  type TransactionGuard,
} from '../../../actions/ledger/transaction.ts';
import type { ResultPage } from '../../../actions/core/resource.ts';
import type { LedgerPosition, LedgerQuery, LedgerRow } from '../../../store/ledger/ledger-reader.ts';
import { snakeCaseBodySchema, snakeCaseExample, snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import {
  transactionTypeEntrySchema,
  listTransactionTypes,
  type TransactionTypeSchema,
} from '../../snake-case/transaction-types.ts';
import { listFromCursor, pageSchema } from '../../http/lists/cursor-page.ts';
import { defineOperation, type RequestContext } from '../../http/operation/operation.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
import { entityTag } from '../../http/negotiation/entity-tag.ts';
import { checkIfMatch } from '../conditional.ts';
import { knownAtParameter, readKnownAt } from '../known-at.ts';
import { pageParameters, pageSizeOf } from '../page.ts';
import { transactionBulkPath } from './transaction-bulk.ts';
import { csvType, exportParameters, exportTransactions, isCsvExport } from './transaction-export.ts';
import { fromV1Amendment, fromV1Transaction, readV1Amendment, toV1Transaction } from './transaction.ts';
import { v1 } from '../wire.ts';
import { v1TransactionVariants } from './transaction-variants.ts';

const { resource } = v1TransactionVariants;
const operationBase = { wire: v1, group: 'transactions', resource } as const;
const collection = '/v1/transactions';
const item = '/v1/transactions/{id}';
const schema = snakeCaseSchema(resource, v1);

function onlyWith(name: string): string {
  return `Only transactions with this \`${name}\`.`;
}

const days = { from: 'from', to: 'to' } as const;

const filters = {
  ...dayRangeParameters(days),
  account_id: { kind: id, description: 'Only transactions that move this account, on either side.' },
  depository_id: { kind: id, description: 'Only transactions that name this depository, on either side.' },
  instrument_id: { kind: id, description: onlyWith('instrument_id') },
  type: { kind: oneOf(transactionTypes), description: onlyWith('type') },
  source: { kind: oneOf(transactionSources), description: onlyWith('source') },
  external_reference: { kind: text({ lengthMax: 200 }), description: onlyWith('external_reference') },
} as const;

function ledgerQuery(request: RequestContext, range: DayRange): LedgerQuery {
  const { query } = request;
  return {
    ...readKnownAt(request),
    ...range,
    account: query['account_id'],
    depository: query['depository_id'],
    instrument: query['instrument_id'],
    type: query['type'],
    source: query['source'],
    externalReference: query['external_reference'],
  };
}

function positionOf({ date, sequence, id: ownId }: LedgerRow): string {
  return [date, sequence, ownId].join(' ');
}

function positionAfter(position: string | undefined): { after?: LedgerPosition } {
  if (position === undefined) return {};
  const [date = '', sequence = '', ownId = ''] = position.split(' ');
  return { after: { date, sequence: Number(sequence), id: ownId } };
}

const listPath = defineOperation<DayRange>({
  ...operationBase,
  id: 'v1.transaction.list',
  method: 'GET',
  path: collection,
  summary: 'List transactions',
  description:
    'Look up what was booked, for one account, instrument or range of days. Ordered by date, and within a day in booking order. A transaction booked once for all holders of an instrument is listed without an account. With `format=csv` or `Accept: text/csv`, all matching transactions are returned as one CSV file without pages.',
  right: 'read',
  mode: 'read',
  query: { ...pageParameters, ...filters, ...knownAtParameter, ...exportParameters },
  responses: {
    200: { description: 'A page of transactions, ordered by date; as CSV, all of them.', schema: pageSchema(schema) },
  },
  alternativeMediaTypes: [csvType],
  refusals: ['cursor-invalid', 'cursor-expired', ...transactionFilterRefusals],
  read: (parsed) => readDayRange(parsed, days),
  async handle(request, range) {
    const input = ledgerQuery(request, range);
    if (isCsvExport(request)) return exportTransactions(request.work, input);
    const page = await listFromCursor(request, {
      queryKey: [collection, input],
      list: (position) =>
        listTransactions(request.work, { ...input, ...positionAfter(position), limit: pageSizeOf(request) }),
      positionOf,
    });
    return { status: 200, body: { ...page, data: page.data.map(toV1Transaction) } };
  },
});

const readPath = defineOperation<void>({
  ...operationBase,
  id: 'v1.transaction.read',
  method: 'GET',
  path: item,
  summary: 'Read one transaction',
  description: 'Look up one booking with all its fields, for example that which an event or an explanation names.',
  right: 'read',
  mode: 'read',
  query: knownAtParameter,
  responses: { 200: { description: 'The transaction.', schema } },
  refusals: ['transaction-not-found'],
  read: () => undefined,
  handle: async (request) => ({
    status: 200,
    body: toV1Transaction(
      await getTransaction(request.work, pathParameter(request.params, 'id'), readKnownAt(request).knownAt),
    ),
  }),
});

const createPath = defineOperation<TransactionInput>({
  ...operationBase,
  id: 'v1.transaction.create',
  method: 'POST',
  path: collection,
  summary: 'Book a transaction',
  description:
    'Book one event of an account, for example what was entered by hand; for a file or a history use `POST /v1/transactions/bulk` or an import. `type` decides which other fields are allowed; `GET /v1/transaction-types` returns a JSON Schema for each type. If the account and source already have a transaction with this `external_reference`, no new one is booked: the existing one is returned, amended where the values differ. A corporate action without an account applies to all holders; to book one, the token must have access to all clients.',
  right: 'write',
  mode: 'write',
  query: {},
  body: { schema: snakeCaseBodySchema(resource, v1, 'create'), example: snakeCaseExample(resource, v1, 'create') },
  responses: {
    200: {
      description: 'The transaction that already has this external reference.',
      schema,
      headers: { ETag: 'Its entity tag.' },
    },
    201: {
      description: 'The new transaction.',
      schema,
      headers: { Location: 'Its address.', ETag: 'Its entity tag.' },
    },
  },
  refusals: [...transactionRefusals, 'transaction-not-found', 'outside-reach'],
  read: ({ body }) => fromV1Transaction(body),
  async handle({ work }, input) {
    const { row, outcome } = await bookTransaction(work, input);
    const body = toV1Transaction(row);
    const etag = entityTag(writeJson(body));
    if (outcome !== 'booked') return { status: 200, headers: { etag }, body };
    return {
      status: 201,
      headers: { location: `${work.context.addresses.baseUrl}${collection}/${row.id}`, etag },
      body,
    };
  },
});

const changePath = defineOperation<{ [member: string]: Json }>({
  ...operationBase,
  id: 'v1.transaction.change',
  method: 'PATCH',
  path: item,
  summary: 'Amend a transaction',
  description:
    'Correct what was booked wrongly. The previous values are kept as a version. A field sent as null is removed; a removed `amount` is calculated again if the type allows it.',
  right: 'write',
  mode: 'write',
  query: {},
  body: { schema: snakeCaseBodySchema(resource, v1, 'change'), example: { comment: 'Confirmed by the bank.' } },
  responses: { 200: { description: 'The amended transaction.', schema, headers: { ETag: 'Its entity tag.' } } },
  refusals: [
    'transaction-not-found',
    'id-mismatch',
    'precondition-failed',
    ...transactionRefusals,
    'external-reference-taken',
    'outside-reach',
  ],
  read: ({ body, params }) => readV1Amendment(body, pathParameter(params, 'id')),
  async handle(request, changes) {
    const { work, params } = request;
    const row = await amendTransaction(
      work,
      pathParameter(params, 'id'),
      (present) => fromV1Amendment(present, changes),
      ifMatchGuard(request),
    );
    const body = toV1Transaction(row);
    return { status: 200, headers: { etag: entityTag(writeJson(body)) }, body };
  },
});

const deletePath = defineOperation<void>({
  ...operationBase,
  id: 'v1.transaction.delete',
  method: 'DELETE',
  path: item,
  summary: 'Delete a transaction',
  description:
    'Take back what never happened. The deleted transaction is kept as a version; holdings and performance are calculated without it.',
  right: 'write',
  mode: 'write',
  query: {},
  responses: { 204: { description: 'The transaction is deleted. Deleting it again returns 404.' } },
  refusals: ['transaction-not-found', 'precondition-failed', 'outside-reach'],
  read: () => undefined,
  async handle(request) {
    await deleteTransaction(request.work, pathParameter(request.params, 'id'), ifMatchGuard(request));
    return { status: 204 };
  },
});

function ifMatchGuard({ headers }: RequestContext): TransactionGuard {
  return (present) => checkIfMatch(headers['if-match'], () => writeJson(toV1Transaction(present)));
}

const typeEntries = listTransactionTypes(v1TransactionVariants, v1);

const typesPath = defineOperation<void>({
  wire: v1,
  group: 'transactions',
  id: 'v1.transaction-type.list',
  method: 'GET',
  path: '/v1/transaction-types',
  summary: 'List transaction types',
  description:
    'Find out which fields a type needs, or build a form for it: every type with a JSON Schema (2020-12) of the body to book a transaction of it.',
  right: 'read',
  mode: 'read',
  query: pageParameters,
  responses: { 200: { description: 'The transaction types.', schema: pageSchema(transactionTypeEntrySchema) } },
  refusals: ['cursor-invalid', 'cursor-expired'],
  read: () => undefined,
  async handle(request) {
    await confirmCaller(request.work);
    const list = async (position: string | undefined): Promise<ResultPage<TransactionTypeSchema>> => {
      const from = typeEntries.findIndex(({ type }) => type === position) + 1;
      const to = from + pageSizeOf(request);
      return { records: typeEntries.slice(from, to), hasMore: to < typeEntries.length };
    };
    const positionOf = ({ type }: TransactionTypeSchema): string => type;
    return {
      status: 200,
      body: await listFromCursor(request, { queryKey: ['/v1/transaction-types'], list, positionOf }),
    };
  },
});

export const v1TransactionPaths = [
  listPath,
  createPath,
  transactionBulkPath,
  readPath,
  changePath,
  deletePath,
  typesPath,
];
