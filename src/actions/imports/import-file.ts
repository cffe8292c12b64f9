// Imports a file: finds its format, reads it piece by piece, and brings its items to the writer.

import { fromDayNumber, parseCalendarDate, toDayNumber } from '../../kit/calendar-date.ts';
import { inSlices, yieldWhenBusy } from '../../kit/event-loop.ts';
import { withTightHeap } from '../../kit/memory/heap-growth.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal, refusalForFaults } from '../../kit/refusal.ts';
import type { DateOrder, Import } from '../../model/custody/import.ts';
import { StatementFault, type StatementReader } from '../../model/custody/statement.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import { account as accountResource } from '../../model/structure/account.ts';
import { client as clientResource } from '../../model/structure/client.ts';
import { depository as depositoryResource } from '../../model/structure/depository.ts';
import { csvFormat, recogniseCsv } from '../../statements/csv/csv-format.ts';
import { hasReturnsOnly, StatementDecoder } from '../../statements/decode.ts';
import { otherMessage } from '../../statements/other-messages.ts';
import {
  findFormat,
  openStatementReader,
  recogniseFormat,
  recognitionLength,
  statementFormats,
} from '../../statements/recognise.ts';
import type { StatementFormat } from '../../statements/statement-format.ts';
import { documentTypeLine } from '../../statements/xml-formats.ts';
import { requireAllClients } from '../core/all-clients-access.ts';
import { notFound } from '../core/resource.ts';
import { keepOpen, type Work } from '../core/work.ts';
import type { ImportSource } from './import-source.ts';
import { quotaRefusals } from './import-quota.ts';
import { ImportWriter } from './import-writer.ts';
import { importProfileActions, listProfilesForRecognition } from './profiles/import-profile.ts';

/** The names that a caller may give as the format of a file. */
export const importFormats: readonly string[] = [...new Set([...statementFormats.map(({ name }) => name), 'csv'])];

export const importFileRefusals: readonly RefusalCode[] = [
  'client-not-found',
  'account-not-found',
  'depository-not-found',
  'import-profile-not-found',
  'different-client',
  'outside-reach',
  'unknown-file-format',
  'unreadable-file',
  ...quotaRefusals,
  'cash-without-trades',
];

/** A file as it was sent, with what the caller says about it. */
export interface ImportedFile {
  readonly client: Id | null;
  readonly account: Id | null;
  readonly depository: Id | null;
  /** Whose words the file uses, if that is known. */
  readonly custodian?: Id | null;
  /** The only accounts that the file may name; all of the client if it is not given. */
  readonly coveredAccounts?: ReadonlySet<Id>;
  readonly coveredDepositories?: ReadonlySet<Id>;
  /** Recognised by its content if it is not given. */
  readonly format: string | null;
  readonly profile: string | null;
  readonly fileName: string | null;
  readonly digest: string;
  readonly mode: ImportSource['mode'];
  readonly createsInstruments: boolean;
  /** Whether cash is booked although trades of its account wait. */
  readonly allowsCashAlone: boolean;
  /** How dates of three numbers are written; found in the file if it is not given. */
  readonly dateOrder?: DateOrder | null;
  /** Reads the bytes from the beginning, each time. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

/** How much text is read at a time. */
const pieceLengthMax = 16 * 1024;
/** After how long the database hears of the transaction, since rows may hold nothing to write: it ends one that is silent for some seconds. */
const silentMsMax = 1_000;
/** And after how many pieces at the latest. */
const silentPiecesMax = 256;

export function importFile(work: Work, file: ImportedFile): Promise<Import> {
  return withTightHeap(() => readFile(work, file));
}

/** Reads the lines of an import again: its rows become those that the file would have now. */
export function readFileAgain(work: Work, file: ImportedFile, before: Import): Promise<Import> {
  return readFile(work, file, before);
}

async function readFile(work: Work, file: ImportedFile, before?: Import): Promise<Import> {
  const owner = await ownerOf(work, file);
  const text = new FileText(file.chunks());
  const head = await text.head();
  const { format: found, profile } = await formatOf(work, file, head);
  const format = await surveyed(work, { file, head }, found);
  const dateOrder = format.dateOrder ?? null;
  const { account, depository, fileName, digest, mode, createsInstruments, allowsCashAlone } = file;
  const { coveredAccounts, coveredDepositories } = file;
  const source = { origin: 'file', format: format.name, profile, dateOrder, ...owner, account, depository } as const;
  const covered = {
    ...(coveredAccounts === undefined ? {} : { coveredAccounts }),
    ...(coveredDepositories === undefined ? {} : { coveredDepositories }),
  };
  const options = { mode, createsInstruments, allowsCashAlone };
  const whole: ImportSource = { ...source, ...covered, fileName, digest, ...options };
  const opened = before === undefined ? ImportWriter.open(work, whole) : ImportWriter.reopen(work, whole, before);
  const writer = await opened;
  try {
    await readAll(work, text, { reader: openStatementReader(format), writer });
  } catch (error) {
    await writer.settle();
    throw error instanceof StatementFault ? unreadable(error) : error;
  }
  // A line of words is no file: without a row below it, nothing says that it is a header.
  if (format.name === 'csv' && profile === null && writer.rowCount === 0) throw unknownFormat();
  return writer.finish();
}

/** How far ahead of today a row may be dated: a year of two digits that leads further is a day. */
const daysAhead = 400;

/** Its dates are read in the order that is said, as far as the format leaves it open. */
async function surveyed(
  work: Work,
  { file, head }: { readonly file: ImportedFile; readonly head: string },
  found: StatementFormat,
): Promise<StatementFormat> {
  const { dateOrder } = file;
  if (dateOrder == null || found.inOrder === undefined) return lookedThrough(work, { file, head }, found);
  return { ...(await lookedThrough(work, { file, head }, found.inOrder(dateOrder))), dateOrder };
}

async function lookedThrough(
  work: Work,
  { file, head }: { readonly file: ImportedFile; readonly head: string },
  format: StatementFormat,
): Promise<StatementFormat> {
  const today = parseCalendarDate(new Date(work.now).toISOString().slice(0, 10));
  const survey = format.survey?.(fromDayNumber(toDayNumber(today) + daysAhead), head);
  if (survey === undefined) return format;
  const text = new FileText(file.chunks());
  await text.head();
  const stayOpen = heartbeat(work);
  try {
    for await (const piece of text.pieces()) {
      const turn = yieldWhenBusy();
      if (turn !== undefined) await turn;
      survey.push(piece);
      await stayOpen();
    }
    return survey.finish();
  } catch (error) {
    throw error instanceof StatementFault ? unreadable(error) : error;
  }
}

async function readAll(
  work: Work,
  text: FileText,
  { reader, writer }: { readonly reader: StatementReader; readonly writer: ImportWriter },
): Promise<void> {
  const stayOpen = heartbeat(work);
  for await (const piece of text.pieces()) {
    const turn = yieldWhenBusy();
    if (turn !== undefined) await turn;
    await writer.add(reader.push(piece));
    await stayOpen();
  }
  await writer.add(reader.end());
}

/** To be called after each piece of a file: the database ends a transaction that it does not hear of, and pieces may hold nothing to write. */
function heartbeat(work: Work): () => Promise<void> {
  let [pieceCount, heardAt] = [0, performance.now()];
  return async () => {
    if (++pieceCount % silentPiecesMax !== 0 && performance.now() - heardAt < silentMsMax) return;
    await keepOpen(work);
    heardAt = performance.now();
  };
}

/** The file as a whole cannot be read from this place on; nothing of it is kept. */
function unreadable({ message, place: { line, field } }: StatementFault): Refusal {
  const where = field === undefined ? '' : ` (${field})`;
  const detail = `${message.replace(/\.$/, '')}${where}. Nothing was imported.`;
  return new Refusal('unreadable-file', detail, { faults: [{ code: 'unreadable-file', detail, pointer: `/${line}` }] });
}

/** The client of the default account or depository, if none is named; all three must belong together. */
export async function ownerOf(
  work: Work,
  {
    client,
    account,
    depository,
    custodian = null,
  }: Pick<ImportedFile, 'client' | 'account' | 'depository' | 'custodian'>,
): Promise<{ client: Id | null; custodian: Id | null }> {
  const { store } = work;
  const [clients, accounts, depositories] = await Promise.all([
    client === null ? [] : store.table(clientResource).lockReferenced([client]),
    account === null ? [] : store.table(accountResource).lockReferencedRecords([account]),
    depository === null ? [] : store.table(depositoryResource).lockReferenced([depository]),
  ]);
  if (client !== null && clients.length === 0) throw notFound(clientResource, { field: 'client' });
  if (account !== null && accounts.length === 0) throw notFound(accountResource, { field: 'account' });
  if (depository !== null && depositories.length === 0) throw notFound(depositoryResource, { field: 'depository' });
  const owners = [client, ...[...accounts, ...depositories].map((one) => one.client)].filter((id) => id !== null);
  if (new Set(owners).size > 1) {
    const detail = 'The client, the account and the depository do not belong together.';
    throw new Refusal('different-client', detail);
  }
  const [owner = null] = owners;
  if (owner === null) requireAllClients(work);
  return { client: owner, custodian: custodian ?? accounts[0]?.custodian ?? null };
}

async function formatOf(
  work: Work,
  { format, profile }: ImportedFile,
  head: string,
): Promise<{ format: StatementFormat; profile: string | null }> {
  if (profile !== null) {
    const record = await importProfileActions.get(work, profile);
    return { format: csvFormat(record), profile: record.id };
  }
  refuseOtherBytes(head);
  const known = format === null || format === 'csv' ? undefined : findFormat(format);
  const found = known ?? (format === 'csv' ? undefined : recogniseFormat(head));
  if (found !== undefined) return { format: found, profile: null };
  refuseDocumentType(head);
  const other = otherMessage(head);
  if (other !== undefined) throw unknownFormat(other);
  const csv = await inSlices(recogniseCsv(head, await listProfilesForRecognition(work)));
  if (csv !== undefined) return { format: csv.format, profile: csv.profile?.id ?? null };
  throw unknownFormat();
}

/** Markup of no known format may be one that its document type hides, and no document type is read. */
function refuseDocumentType(head: string): void {
  const line = documentTypeLine(head);
  if (line === undefined) return;
  const detail = 'Document type declarations are refused. Remove the DOCTYPE and its entities.';
  throw unreadable(new StatementFault({ line }, detail));
}

/** What compressed files begin with, in any encoding that their bytes may be taken for. */
const compressed = new RegExp(String.raw`^(?:PK[\x03\x05\x07]|\x1f[\x8b\ufffd\u2039]|7z|Rar!)`);
/** No text has these; NUL is replaced where text is decoded. Messages of SWIFT may begin with one. */
const controls = new RegExp(String.raw`[\x02\x04-\x08\x0e-\x1a\x1c-\x1f]`);

/** Says of bytes that are no text what they are, instead of reading a part of them by chance. */
function refuseOtherBytes(head: string): void {
  if (compressed.test(head))
    throw unknownFormat('The file is compressed. Unpack it, and send each file that is in it.');
  if (controls.test(head)) throw unknownFormat('The file is not a text: it has control characters.');
}

function unknownFormat(
  detail = `The file is of no format that can be read. Those are ${importFormats.join(', ')}.`,
): Refusal {
  return refusalForFaults('unknown-file-format', [{ code: 'unknown-file-format', detail }]);
}

/** The text of a file: its beginning can be looked at before it is read as a whole. */
class FileText {
  readonly #texts: AsyncIterator<string>;
  #head = '';
  #hasReturnsOnly = false;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#texts = decode(chunks);
  }

  /** The beginning, by which a file is recognised: as much of it however much arrives at once. */
  async head(): Promise<string> {
    while (this.#head.length < recognitionLength) {
      const next = await this.#texts.next();
      if (next.done) break;
      this.#head += next.value;
    }
    this.#hasReturnsOnly = hasReturnsOnly(this.#head);
    this.#head = this.#withLines(this.#head);
    return this.#head.slice(0, recognitionLength);
  }

  #withLines(text: string): string {
    return this.#hasReturnsOnly ? text.replaceAll('\r', '\n') : text;
  }

  async *pieces(): AsyncGenerator<string> {
    yield* piecesOf(this.#head);
    this.#head = '';
    for (let next = await this.#texts.next(); !next.done; next = await this.#texts.next())
      yield* piecesOf(this.#withLines(next.value));
  }
}

function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; start += pieceLengthMax) yield text.slice(start, start + pieceLengthMax);
}

async function* decode(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new StatementDecoder();
  try {
    for await (const chunk of chunks) yield decoder.push(chunk);
    yield decoder.end();
  } catch (error) {
    throw error instanceof StatementFault ? unreadable(error) : error;
  }
}
