// Books many transactions on v1: rows of every type in one body, for any accounts that the caller can access. Also accepts the
// CSV that the export writes.

import { defined } from '../../../kit/assert.ts';
import { isJsonObject, JsonFault, parseJson, type Json } from '../../../kit/json.ts';
import type { JsonSchema } from '../../../kit/field.ts';
import { Refusal, refusalForFaults } from '../../../kit/refusal.ts';
import { creatableVariants, exampleIdOfType, variantOf, type Resource } from '../../../kit/resource.ts';
import type { Work } from '../../../actions/core/work.ts';
import { resolveTransactionNames, type NamedTransaction } from '../../../actions/imports/names/named-transactions.ts';
import type { TransactionInput } from '../../../actions/ledger/transaction-input.ts';
import { bookingOutcomes, TransactionBulk } from '../../../actions/ledger/transaction-bulk.ts';
import { transactionRefusals, type BookedTransaction } from '../../../actions/ledger/transaction.ts';
import {
  snakeCaseBodySchema,
  snakeCaseExample,
  snakeCasePointer,
  variantDiscriminator,
} from '../../snake-case/snake-case-object.ts';
import { columnsOf, type CsvDialect } from '../../http/bulk/csv-rows.ts';
import { bulkResultSchema } from '../../http/bulk/bulk-report.ts';
import { bulkParameters, runBulk } from '../../http/bulk/bulk-mode.ts';
import { writeBulk } from '../../http/bulk/write-bulk.ts';
import type { FaultDetail } from '../../http/operation/declared-fields.ts';
import { defineOperation, type RequestContext, type BulkDescription } from '../../http/operation/operation.ts';
import { exportColumns } from './transaction-export.ts';
import { fromV1Transaction } from './transaction.ts';
import {
  accountMembers,
  hasNameMembers,
  instrumentMembers,
  readNamedAccounts,
  readNamedInstrument,
  withNameMembers,
} from '../named-members.ts';
import { v1 } from '../wire.ts';
import { v1TransactionVariants } from './transaction-variants.ts';

const { resource } = v1TransactionVariants;

/** The members by which rows of a type may name records, and the fields that these give. */
function nameMembersOf({ relations }: Pick<Resource, 'relations'>) {
  const { counter_account_number, depository_number, ...own } = accountMembers;
  return {
    ...('account' in relations ? own : {}),
    ...('counterAccount' in relations ? { counter_account_number } : {}),
    ...('depository' in relations ? { depository_number } : {}),
    ...('instrument' in relations ? instrumentMembers : {}),
  };
}

const memberNames = new Map(creatableVariants(resource).map((one) => [one, Object.keys(nameMembersOf(one))] as const));

const noNames: NamedTransaction['names'] = {};

/** A row of each type, as it is booked alone and with the members that name records. */
const row: JsonSchema = {
  oneOf: creatableVariants(resource).map((one) =>
    withNameMembers(snakeCaseBodySchema(one, v1, 'create'), nameMembersOf(one), ['account_id', 'instrument_id']),
  ),
  discriminator: variantDiscriminator(resource),
};
const { known, required } = columnsOf(row);

/** Columns that the export writes but a caller cannot set. */
const readOnlyColumns = new Set(exportColumns.filter((name) => !known.includes(name)));

const exportDialect: CsvDialect = {
  recognises: (header) =>
    header.some((name) => readOnlyColumns.has(name)) &&
    header.every((name) => exportColumns.includes(name)) &&
    new Set(header).size === header.length &&
    required.every((name) => header.includes(name)),
  rowsOf(header, fields) {
    const sent = header.map(
      (name, index) => [name, defined(fields[index], 'a row has a cell for each column')] as const,
    );
    return [Object.fromEntries(sent.filter(([name, value]) => value !== '' && !readOnlyColumns.has(name)))];
  },
};

const example = snakeCaseExample(resource, v1, 'create');
const bulk: BulkDescription = {
  row,
  example: [
    { ...example, external_reference: 'T-1' },
    { type: 'fee', date: '2026-03-31', amount: '-25', category: 'custody', account_id: exampleIdOfType('account') },
  ],
  dialects: [exportDialect],
};

/** Structured fields are written as JSON in a CSV cell. */
const structuredFields = Object.entries(resource.attributes)
  .filter(([, { kind }]) => kind.isStructured)
  .map(([name]) => name);

function readRow({ format }: RequestContext, value: Json, at: string, faultDetail: FaultDetail): NamedTransaction {
  const members = format === 'text/csv' && isJsonObject(value) ? withStructuredCells(value, at) : value;
  if (!hasNameMembers(members)) return { input: fromV1Transaction(members, at, faultDetail), names: noNames };
  const otherMembers = (isJsonObject(members) && memberNames.get(variantOf(resource, members))) || [];
  const instrument = readNamedInstrument(members, at, faultDetail);
  const names = { ...readNamedAccounts(members, at, faultDetail), ...(instrument && { instrument }) };
  const givenElsewhere = Object.keys(names);
  return { input: fromV1Transaction(members, at, faultDetail, { otherMembers, givenElsewhere }), names };
}

/** Rows whose names lead to no record are refused, and the others passed on. */
async function withNamesResolved(
  work: Work,
  rows: readonly NamedTransaction[],
  task: (input: readonly TransactionInput[]) => ReturnType<TransactionBulk['book']>,
): ReturnType<TransactionBulk['book']> {
  const resolved = await resolveTransactionNames(work, rows);
  const places: number[] = [];
  const inputs: TransactionInput[] = [];
  const unnamed: { place: number; refusal: Refusal }[] = [];
  for (const [place, one] of resolved.entries()) {
    if (one instanceof Refusal) unnamed.push({ place, refusal: one });
    else places[inputs.push(one) - 1] = place;
  }
  const { counts: outcomes, refused } = await task(inputs);
  const moved = refused.map(({ place, refusal }) => ({
    place: defined(places[place], 'a refused row is one of those that were passed on'),
    refusal,
  }));
  return { counts: outcomes, refused: [...unnamed, ...moved] };
}

function withStructuredCells(cells: { [column: string]: Json }, at: string): Json {
  const structured = structuredFields.filter((name) => typeof cells[name] === 'string');
  if (structured.length === 0) return cells;
  const values = { ...cells };
  for (const name of structured) values[name] = readCell(String(cells[name]), name, at);
  return values;
}

function readCell(text: string, name: string, at: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const detail = `${name} must be valid JSON in its cell: ${error.message}`;
    throw refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail, pointer: `${at}/${name}` }]);
  }
}

const counts: Readonly<Record<BookedTransaction['outcome'], string>> = {
  booked: 'How many of the accepted rows were booked as new transactions.',
  amended: 'How many had a known external reference and amended its transaction.',
  unchanged: 'How many had a known external reference and the same values.',
};

export const transactionBulkPath = defineOperation<void>({
  wire: v1,
  group: 'transactions',
  resource,
  id: 'v1.transaction.bulk',
  method: 'POST',
  path: '/v1/transactions/bulk',
  summary: 'Book many transactions',
  description: `Bring a history in, or what a system of your own has collected since the last time. Send rows as JSON (\`{"data": […]}\`), as JSON lines or as CSV with a header, up to 256 MiB and within ten minutes. Rows can be of every type and for any account that the token can access. All rows are booked in one transaction and in their order, each as if it were sent alone: a row whose account and source already have its \`external_reference\`, in the ledger or earlier in the body, amends that transaction or changes nothing. So a body whose rows all have references can safely be sent twice; for others, send an \`Idempotency-Key\`.

A CSV has the columns of \`GET /v1/transactions?format=csv\`, or only those that are needed. An exported file can be booked again, and into another account when \`account_id\` is replaced. \`id\`, \`created_at\` and \`client_id\` are ignored; \`lots\` and \`acquired\` are JSON within their cells. Lots and trades are named by ids of the account that they were exported from, so empty these cells when you book into another account.

A row may name its account by \`account_number\` (an IBAN in any spacing) and its instrument by \`isin\`, \`cusip\`, \`sedol\`, \`ticker\` with \`mic\`, or \`custodian_code\`, in place of ids or beside them; where both are sent, they must mean the same. Only records of the account's client, and what all clients share, are found; identifier mappings say what else a word means.

With \`mode=all-or-nothing\`, a body whose rows are all refused for the same reason is refused with that code, and with \`invalid-document\` when the reasons differ. The audit log has one line for each client, with the numbers of booked, amended and unchanged transactions and the first and last booking number.`,
  right: 'write',
  mode: 'write',
  heavy: true,
  query: bulkParameters,
  bulk,
  responses: {
    200: { description: 'The result of the import.', schema: bulkResultSchema('Transactions bulk answer', counts) },
  },
  refusals: [...transactionRefusals, 'transaction-not-found', 'outside-reach', 'ambiguous-name'],
  read: () => undefined,
  async handle(request) {
    const { work } = request;
    const body = await runBulk(request, async () => {
      const bulkBooking = new TransactionBulk(work, 'meanwhile');
      const report = await writeBulk<NamedTransaction, BookedTransaction['outcome']>(request, bulk, {
        counts: bookingOutcomes,
        read: (value, at, faultDetail) => readRow(request, value, at, faultDetail),
        write: (rows) => withNamesResolved(work, rows, (input) => bulkBooking.book(input)),
        check: (rows) => withNamesResolved(work, rows, (input) => bulkBooking.check(input)),
        pointer: (field, item) => snakeCasePointer(resource, field, item),
      });
      bulkBooking.finish();
      return report;
    });
    return { status: 200, body };
  },
});
