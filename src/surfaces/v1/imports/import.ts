// Imports on v1: check a file, read what would become of its rows, book it, and undo it.

import { createHash } from 'node:crypto';
import { defined } from '../../../kit/assert.ts';
import { boolean, FieldFault, id, oneOf, snakeCaseStrings, text } from '../../../kit/field.ts';
import { Refusal, type Fault } from '../../../kit/refusal.ts';
import { exampleIdOfType, type ChangeOf } from '../../../kit/resource.ts';
import { importResource, type Import } from '../../../model/custody/import.ts';
import { importDecisions } from '../../../model/custody/import-decisions.ts';
import { importRowShape, rowNeeds, rowOutcomes, rowUndos } from '../../../model/custody/import-row.ts';
import { bookImport, bookImportRefusals, importActRefusals } from '../../../actions/imports/book-import.ts';
import { decideImport } from '../../../actions/imports/decide-import.ts';
import {
  importFile,
  importFileRefusals,
  importFormats,
  type ImportedFile,
} from '../../../actions/imports/import-file.ts';
import { requireRoomForImport } from '../../../actions/imports/import-quota.ts';
import { importRules } from '../../../actions/imports/import-record.ts';
import { listImportRows, type ImportRowQuery } from '../../../actions/imports/import-rows.ts';
import { undoImport } from '../../../actions/imports/undo-import.ts';
import { deleteActions } from '../../../actions/core/record-actions.ts';
import {
  readSnakeCase,
  snakeCaseBodySchema,
  snakeCaseExample,
  snakeCaseSchema,
} from '../../snake-case/snake-case-object.ts';
import { multipartBoundary, readMultipart, sliceOf, type FilePart } from '../../http/bulk/multipart.ts';
import type { Spool } from '../../http/bulk/spool.ts';
import { listFromCursor, pageSchema } from '../../http/lists/cursor-page.ts';
import {
  defineOperation,
  type OperationResponse,
  type Parameter,
  type RequestContext,
} from '../../http/operation/operation.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
import { pageParameters, pageSizeOf } from '../page.ts';
import { renderV1, v1DeletePath, v1ListPath, v1ReadPath } from '../resource-paths.ts';
import { v1 } from '../wire.ts';
import { dateOrderParameter, importGroupPaths } from './import-groups.ts';
import { importWorkPath } from './import-work.ts';

/** The longest file of an import. */
const fileBytesMax = 1024 * 1024 * 1024;
const actions = deleteActions(importRules);
const schema = snakeCaseSchema(importResource, v1);
const operationBase = { wire: v1, group: importResource.plural, resource: importResource } as const;

/** A statement with two entries, as MT940. */
const exampleFile = [
  ':20:STATEMENT',
  ':25:CH9300762011623852957',
  ':28C:00031/001',
  ':60F:C260330CHF1000,00',
  ':61:2603310331C250,00NTRFNONREF//2603310001',
  ':86:Rent, garden flat',
  ':61:2603310331D12,50NCHGNONREF//2603310002',
  ':86:Account fees',
  ':62F:C260331CHF1237,50',
  '-',
  '',
].join('\r\n');

const createsInstruments = {
  kind: boolean,
  description:
    'Whether instruments that are missing are created in the shared catalogue from what the file says about them. Default when a file is sent: false; when it is booked: what was said when it was sent.',
} as const satisfies Parameter;

const allowsCashAlone = {
  kind: boolean,
  description:
    'Whether cash is booked although trades of the same account wait. Without it, booking is refused with `cash-without-trades`. Default: false.',
} as const satisfies Parameter;

const fileParameters = {
  client_id: {
    kind: id,
    example: exampleIdOfType('client'),
    description:
      'The client whose accounts and instruments the file names. Taken from the default account or depository if it is not sent; a file of rates or prices needs none.',
  },
  format: {
    kind: oneOf(importFormats),
    description: 'The format of the file. Recognised by its content if it is not sent.',
  },
  profile: {
    kind: text({ lengthMax: 64 }),
    description: 'The id of the mapping profile that a CSV file is read with. Found by its header if it is not sent.',
  },
  account_id: { kind: id, description: 'The account of rows that name none.' },
  depository_id: { kind: id, description: 'The depository of rows that name none.' },
  file_name: {
    kind: text({ lengthMax: 200 }),
    description: 'The name of the file, if it is not sent as a part of a form.',
  },
  book: { kind: boolean, description: 'Whether the import is booked at once instead of only checked. Default: false.' },
  create_instruments: createsInstruments,
  date_order: dateOrderParameter,
  cash_alone: allowsCashAlone,
} as const satisfies Record<string, Parameter>;

type FileQuery = Readonly<Record<string, any>>;

/** Fields of a form count as parameters of the address do. */
function readFields(fields: ReadonlyMap<string, string>): FileQuery {
  const query: Record<string, unknown> = {};
  for (const [name, value] of fields) {
    const parameter: Parameter | undefined = Object.hasOwn(fileParameters, name)
      ? fileParameters[name as keyof typeof fileParameters]
      : undefined;
    if (parameter === undefined) throw invalidField(name, 'is not a field of an import');
    try {
      query[name] = (parameter.kind.readText ?? parameter.kind.read)(value);
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      throw invalidField(name, error.message);
    }
  }
  return query;
}

function invalidField(name: string, fault: string): Refusal {
  const detail = `The field ${JSON.stringify(name.slice(0, 100))} ${fault}.`;
  return new Refusal('invalid-parameter', detail, { faults: [{ code: 'invalid-parameter', detail, parameter: name }] });
}

interface SentFile {
  readonly query: FileQuery;
  readonly fileName: string | null;
  readonly digest: string;
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

async function readSentFile({ query, headers, spool: received }: RequestContext): Promise<SentFile> {
  const spool = defined(received, 'an upload has a received body');
  const boundary = multipartBoundary(headers['content-type']);
  if (boundary === undefined)
    return { query, fileName: null, digest: spool.digest.toString('hex'), chunks: () => spool.chunks() };
  const { fields, file } = await readMultipart(spool, boundary);
  if (file === undefined)
    throw new Refusal('malformed-request', 'The form has no file: send it as the part `file` with a file name.');
  const sent = { ...query, ...readFields(fields) };
  return {
    query: sent,
    fileName: file.fileName,
    digest: await digestOf(spool, file),
    chunks: () => sliceOf(spool, file),
  };
}

async function digestOf(spool: Spool, file: FilePart): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of sliceOf(spool, file)) hash.update(chunk);
  return hash.digest('hex');
}

function toImportedFile({ query, fileName, digest, chunks }: SentFile): ImportedFile {
  return {
    client: query['client_id'] ?? null,
    account: query['account_id'] ?? null,
    depository: query['depository_id'] ?? null,
    format: query['format'] ?? null,
    profile: query['profile'] ?? null,
    fileName: query['file_name'] ?? fileName,
    digest,
    mode: query['book'] === true ? 'book' : 'check',
    createsInstruments: query['create_instruments'] === true,
    dateOrder: query['date_order'] ?? null,
    allowsCashAlone: query['cash_alone'] === true,
    chunks,
  };
}

/** A record that a file is for is named in a parameter, not in the body. */
function refuseParameters(error: unknown): never {
  const isParameter = ({ field }: Fault): boolean => Object.hasOwn(fileParameters, `${field}_id`);
  if (!(error instanceof Refusal) || !error.faults.some(isParameter)) throw error;
  const faults = error.faults.map((fault) => {
    const { field, ...others } = fault;
    return isParameter(fault) ? { ...others, parameter: `${field}_id` } : fault;
  });
  throw new Refusal(error.code, error.message, { faults, cause: error });
}

const createPath = defineOperation<void>({
  ...operationBase,
  id: 'v1.import.create',
  method: 'POST',
  path: '/v1/imports',
  summary: 'Check a file',
  description: `The first step of an import: reads a file of a custodian and says for each row what would become of it. Nothing is booked until \`POST /v1/imports/{id}/book\`, unless \`book=true\` is sent. Send the file as the body, with any media type, or as the part \`file\` of a form, whose other fields count as parameters: up to 1 GiB and within ten minutes. Compressed bodies are not accepted.

The format is recognised by its content: ${importFormats.map((name) => `\`${name}\``).join(', ')}. A file that cannot be read as a whole is refused with the line and field where reading ends; a row that cannot be read is a refused row.

Every row ends as \`booked\`, \`amended\`, \`unchanged\`, \`refused\` or \`needs\`, and \`counts.rows\` is their sum. What a statement says again changes nothing: entries are known by the custodian's reference, else by their content and their ordinal among equals of their statement, also if they come in another format. Of two statements that differ about a reference, the later counts, whichever arrives first. A cancellation closes what it cancels, and is kept in mind until that arrives. Pending entries are not booked; positions and balances are compared with the ledger by reconciliation; entries that do not lead from the opening to the closing balance are a warning of the import.

A row that names an account nobody has needs an account: it is never booked to the default account, which serves rows that name none.`,
  right: 'write',
  mode: 'write',
  heavy: true,
  query: fileParameters,
  upload: {
    bytesMax: fileBytesMax,
    requireRoom: requireRoomForImport,
    description: 'The file, as it came from the custodian.',
    mediaTypes: ['application/xml', 'text/plain', 'text/csv', 'application/octet-stream'],
    example: exampleFile,
    fields: fileParameters,
  },
  responses: {
    201: { description: 'The import.', schema, headers: { Location: 'Its address.' } },
  },
  refusals: [...importFileRefusals, 'malformed-request'],
  read: () => undefined,
  async handle(request) {
    const file = toImportedFile(await readSentFile(request));
    const record = await importFile(request.work, file).catch(refuseParameters);
    const location = `${request.work.context.addresses.baseUrl}/v1/imports/${record.id}`;
    return { status: 201, headers: { location }, body: renderV1(importResource, record) };
  },
});

const bookPath = defineOperation<void>({
  ...operationBase,
  id: 'v1.import.book',
  method: 'POST',
  path: '/v1/imports/{id}/book',
  summary: 'Book an import',
  description:
    'The second step, once the check says what you expect. Books all rows that can be booked, in one transaction, against the ledger as it is now. Rows that need something stay as they are: correct the names, decide about doubtful rows, and book again for those. Rows that need the order of day and month are read in that of `date_order`. Instruments that are missing are created with `create_instruments=true`. The first booking is refused if it would book the cash of an account while trades of the same account wait, unless `cash_alone=true` says that it should.',
  right: 'write',
  mode: 'write',
  heavy: true,
  query: { create_instruments: createsInstruments, date_order: dateOrderParameter, cash_alone: allowsCashAlone },
  responses: { 200: { description: 'The import with what became of its rows.', schema } },
  refusals: [...bookImportRefusals],
  read: () => undefined,
  handle: async ({ work, params, query }) =>
    render(
      await bookImport(work, pathParameter(params, 'id'), {
        createsInstruments: query['create_instruments'],
        allowsCashAlone: query['cash_alone'] === true,
        dateOrder: query['date_order'] ?? null,
      }),
    ),
});

const decidePath = defineOperation<ChangeOf<typeof importDecisions>>({
  wire: v1,
  group: importResource.plural,
  // Its body is no import.
  pathResource: importResource,
  id: 'v1.import.decide',
  method: 'POST',
  path: '/v1/imports/{id}/decisions',
  summary: 'Decide about doubtful rows',
  description:
    'Say whether rows that need a decision are entries that are booked already or others. Such a row has the day and the amount of a booked entry and another text, and neither a reference nor the balances of the statements prove what it is. `GET /v1/imports/{id}/rows?needs=decision` lists them, each with the transaction that it may be (`may_equal`). Decide about single rows in `rows`, and about all others in `others`. Nothing is booked by this: book the import afterwards, again if it is booked already. A later decision about a row replaces the one before.',
  right: 'write',
  mode: 'write',
  query: {},
  body: {
    schema: snakeCaseBodySchema(importDecisions, v1, 'create'),
    example: snakeCaseExample(importDecisions, v1, 'create'),
  },
  responses: { 200: { description: 'The import.', schema } },
  refusals: [...importActRefusals, 'invalid-attribute'],
  read: ({ body }) => readSnakeCase(importDecisions, body, { wire: v1, purpose: 'create' }),
  handle: async ({ work, params }, { rows = [], others }) =>
    render(await decideImport(work, pathParameter(params, 'id'), { rows, others })),
});

const undoPath = defineOperation<void>({
  ...operationBase,
  id: 'v1.import.undo',
  method: 'POST',
  path: '/v1/imports/{id}/undo',
  summary: 'Undo an import',
  description:
    'Take back an import that should not have been booked. Closes the transactions, prices and rates that the import opened, and restores those that it changed or cancelled. What was amended since is kept, and its rows say so (`undo=kept`). The same file can be imported again afterwards.',
  right: 'write',
  mode: 'write',
  addsNothing: true,
  heavy: true,
  query: {},
  responses: { 200: { description: 'The import, with what undoing did.', schema } },
  refusals: [...importActRefusals, 'outside-reach'],
  read: () => undefined,
  handle: async ({ work, params }) => render(await undoImport(work, pathParameter(params, 'id'))),
});

function render(record: Import): OperationResponse {
  return { status: 200, body: renderV1(importResource, record) };
}

const rowsPath = defineOperation<void>({
  ...operationBase,
  id: 'v1.import.rows',
  method: 'GET',
  path: '/v1/imports/{id}/rows',
  summary: 'List the rows of an import',
  description:
    'See row by row why something was not booked. In the order of the file, each with its line, what the file says, and what became of it or would become of it.',
  right: 'read',
  mode: 'read',
  query: {
    ...pageParameters,
    outcome: { kind: oneOf(rowOutcomes), description: 'Only rows with this outcome.' },
    needs: { kind: oneOf(rowNeeds), description: 'Only rows that wait for this.' },
    undo: { kind: oneOf(rowUndos), description: 'Only rows to which undoing did this.' },
  },
  responses: {
    200: {
      description: 'A page, in the order of the file.',
      schema: pageSchema(importRowShape.schema(snakeCaseStrings)),
    },
  },
  refusals: ['import-not-found', 'cursor-invalid', 'cursor-expired'],
  read: () => undefined,
  async handle(request) {
    const { work, params, query } = request;
    const importId = pathParameter(params, 'id');
    const filter: Omit<ImportRowQuery, 'after'> = {
      importId,
      outcome: query['outcome'],
      needs: query['needs'],
      undo: query['undo'],
      limit: pageSizeOf(request),
    };
    const page = await listFromCursor(request, {
      queryKey: ['import-rows', importId, filter.outcome, filter.needs, filter.undo],
      list: (after) => listImportRows(work, { ...filter, after: after === undefined ? undefined : Number(after) }),
      positionOf: ({ number }) => String(number),
    });
    return {
      status: 200,
      body: { ...page, data: page.data.map((row) => importRowShape.write(row, snakeCaseStrings)) },
    };
  },
});

const deletable = v1DeletePath({ actions });

/** An import may have millions of rows. */
const deletePath = { ...deletable, heavy: true, refusals: [...deletable.refusals, 'import-not-possible'] } as const;

export const importPaths = [
  v1ListPath({ actions, order: 'newest-first' }),
  importWorkPath,
  createPath,
  v1ReadPath({ actions }),
  deletePath,
  rowsPath,
  ...importGroupPaths,
  bookPath,
  decidePath,
  undoPath,
];
