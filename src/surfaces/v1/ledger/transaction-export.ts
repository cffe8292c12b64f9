// Exports transactions as CSV: one column for every field of any type, written page by page. Lots are JSON within their cell.

import { csvLine } from '../../../kit/csv-line.ts';
import { oneOf } from '../../../kit/field.ts';
import { writeJson } from '../../../kit/json.ts';
import { refusalForFaults } from '../../../kit/refusal.ts';
import { snakeCaseNameOf, type Attribute, type Relation } from '../../../kit/resource.ts';
import { listTransactions } from '../../../actions/ledger/transaction.ts';
import type { ResultPage } from '../../../actions/core/resource.ts';
import type { Work } from '../../../actions/core/work.ts';
import type { LedgerQuery, LedgerRow } from '../../../store/ledger/ledger-reader.ts';
import { preferredMediaType } from '../../http/negotiation/media-types.ts';
import type { OperationResponse, RequestContext } from '../../http/operation/operation.ts';
import { toV1Transaction } from './transaction.ts';
import { v1 } from '../wire.ts';
import { v1TransactionVariants } from './transaction-variants.ts';

export const csvType = 'text/csv';

const formats = ['json', 'csv'] as const;

export const exportParameters = {
  format: {
    kind: oneOf(formats),
    description:
      '`csv` for one file with all matching transactions; `json` by default. In CSV, a text that a spreadsheet would run as a formula begins with an apostrophe, which reading CSV takes away.',
  },
} as const;

/** The `format` parameter takes precedence over the Accept header. */
export function isCsvExport({ query, headers }: RequestContext): boolean {
  const format: string | undefined = query['format'];
  const isCsv =
    format === undefined ? preferredMediaType(headers.accept, [v1.mediaType, csvType]) === csvType : format === 'csv';
  if (isCsv) refusePages(query);
  return isCsv;
}

function refusePages(query: RequestContext['query']): void {
  const sent = ['cursor', 'limit'].filter((name) => query[name] !== undefined);
  if (sent.length === 0) return;
  const detail = 'A CSV file has no pages.';
  throw refusalForFaults(
    'invalid-parameter',
    sent.map((parameter) => ({ code: 'invalid-parameter', detail, parameter })),
  );
}

const { attributes, relations } = v1TransactionVariants.resource;

/** Column names in the order of the types and their fields, each once. */
export const exportColumns: readonly string[] = [
  'id',
  ...new Set(
    [...v1TransactionVariants.variants.values()].flatMap(({ resource }) =>
      Object.entries<Attribute | Relation>({ ...resource.attributes, ...resource.relations })
        .filter(([name]) => name in attributes || name in relations)
        .map(([name, field]) => snakeCaseNameOf(name, field)),
    ),
  ),
];

function csvRow(row: LedgerRow): string {
  const fields = toV1Transaction(row);
  return csvLine(exportColumns.map((column) => cellText(fields[column])));
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : writeJson(value);
}

const pageSize = 1_000;

/** Reads the first page before anything is written, so that a refusal still gets its own status. */
export async function exportTransactions(work: Work, query: LedgerQuery): Promise<OperationResponse> {
  const first = await listTransactions(work, { ...query, limit: pageSize });
  const headers = { 'content-type': `${csvType}; charset=utf-8; header=present` };
  return { status: 200, headers, chunks: csvChunks(work, query, first) };
}

async function* csvChunks(work: Work, query: LedgerQuery, first: ResultPage<LedgerRow>): AsyncGenerator<string> {
  yield csvLine(exportColumns);
  for (let page = first; ;) {
    yield page.records.map(csvRow).join('');
    const after = page.records.at(-1);
    if (!page.hasMore || after === undefined) return;
    page = await listTransactions(work, { ...query, after, limit: pageSize });
  }
}
