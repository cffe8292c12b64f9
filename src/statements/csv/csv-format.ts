// Chooses how a CSV file is read: by the profile that its header fits, else as lines that wait for a mapping.

import { append, greatestOf, leastOf } from '../../kit/memory/long-list.ts';
import { CsvFault, type CsvRecord } from '../../kit/csv-reader.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Pieces } from '../../kit/turns/pieces.ts';
import type { ImportProfile } from '../../model/custody/import-profile.ts';
import { StatementFault, type UnreadLine } from '../../model/custody/statement.ts';
import { shortened } from '../short-text.ts';
import type { EmitItem, FormatReader } from '../format-reader.ts';
import type { FormatSurvey, StatementFormat } from '../statement-format.ts';
import { recognisedByPlace } from './columns-by-place.ts';
import { CsvColumns, headerTest } from './csv-header.ts';
import { CsvHead, openCsv, type FoundHeader } from './csv-layout.ts';
import { needsSurvey, SpellingSurvey, type CsvSpelling } from './csv-spelling.ts';
import { CsvStatementReader } from './csv-statement-reader.ts';
import { CsvTable } from './csv-table.ts';
import { isPlainProfile } from '../../model/custody/shipped-profiles/shipped.ts';
import { isOfAnotherList } from './movement-columns.ts';
import { likelyHeader } from './likely-header.ts';

export interface CsvRecognition {
  readonly format: StatementFormat;
  /** Absent if none fits, or if several fit equally well. */
  readonly profile?: ImportProfile;
}

export interface CsvProfiles {
  /** Those of the workspace go before the shipped ones. */
  readonly own: readonly ImportProfile[];
  readonly shipped: readonly ImportProfile[];
}

const name = 'csv';

/** Reads a file by this profile, whatever its header. */
export function csvFormat(profile: ImportProfile, spelling?: CsvSpelling): StatementFormat {
  const format: StatementFormat = {
    name,
    title: `CSV: ${profile.name}`,
    recognises: () => false,
    open: (emit) => new CsvStatementReader(emit, profile, spelling),
  };
  if (spelling !== undefined || !needsSurvey(profile)) return format;
  const survey = (latest: CalendarDate): FormatSurvey => surveyOf(profile, latest);
  if (profile.dateOrder !== 'detect') return { ...format, survey };
  return { ...format, survey, inOrder: (dateOrder) => csvFormat({ ...profile, dateOrder }) };
}

/** Looks through a file for what its profile leaves open. */
function surveyOf(profile: ImportProfile, latest: CalendarDate): FormatSurvey {
  const survey = new SpellingSurvey(profile, latest);
  const table = new CsvTable(profile, {
    above: () => {},
    header: () => {},
    record: (record, columns) => survey.add(record, columns),
  });
  return {
    push: (chunk) => table.push(chunk),
    finish() {
      table.end();
      return csvFormat(profile, survey.spelling);
    },
  };
}

/** Undefined if the text is not CSV at all. In pieces: there may be many profiles, with many names each. */
export function* recogniseCsv(head: string, { own, shipped }: CsvProfiles): Pieces<CsvRecognition | undefined> {
  const csvHead = new CsvHead(head);
  // Everyday names come last: whatever names the columns of one bank knows more about it.
  const plain = shipped.filter(isPlainProfile);
  const senders = shipped.filter((one) => !isPlainProfile(one));
  for (const profiles of [own, senders, plain]) {
    const fitting = yield* fittingProfiles(csvHead, { profiles, isOfOneSender: profiles === senders });
    const [profile, ...others] = fitting;
    if (profile !== undefined && others.length === 0) return { format: csvFormat(profile), profile };
    if (others.length > 0) {
      const names = fitting.slice(0, namedProfilesMax).map((one) => shortened(one.name, 80));
      return unmapped(head, `several profiles fit it nearly alike: ${names.join('; ')}`);
    }
  }
  return unmapped(head, 'no mapping profile fits it');
}

const namedProfilesMax = 5;

interface Fit {
  readonly profile: ImportProfile;
  readonly line: number;
  readonly columns: CsvColumns;
}

/**
 * Of those that fit the first header of the file, since others may follow with tables of their own: the profile that knows the most of its
 * columns and then demands the most of it, and those that fit nearly alike and would read it otherwise.
 */
function* fittingProfiles(head: CsvHead, { profiles, isOfOneSender }: Candidates): Pieces<ImportProfile[]> {
  const fits: Fit[] = [];
  for (const profile of profiles) {
    const headers = yield* fittingHeaders(head, profile);
    const found = headers.map(({ header, line }) => ({ profile, line, columns: new CsvColumns(header, profile) }));
    append(
      fits,
      found.filter(({ columns }) => !isOfAnotherList(columns) && (!isOfOneSender || knowsHalf(columns))),
    );
  }
  const firstLine = leastOf(fits.map(({ line }) => line));
  const ofFirst = fits.filter(({ line }) => line === firstLine);
  const most = greatestOf(ofFirst.map(({ columns }) => columns.count));
  const likely = ofFirst.filter(({ columns }) => columns.count === most);
  const demands = greatestOf(likely.map(({ profile }) => profile.recognisedBy.length));
  const best = likely.find(({ profile }) => profile.recognisedBy.length === demands);
  if (best === undefined) return [];
  const rivals = ofFirst.filter((one) => one.profile !== best.profile && isRival(one, best));
  return [...new Set([best, ...rivals].map(({ profile }) => profile))];
}

interface Candidates {
  readonly profiles: readonly ImportProfile[];
  /** Whether each describes the file of one institution, all of which is then known. */
  readonly isOfOneSender: boolean;
}

/** Four everyday names among a dozen are no sign of an institution whose file has these four. */
function knowsHalf(columns: CsvColumns): boolean {
  return columns.count * 2 >= columns.header.names.filter((name) => name.trim() !== '').length;
}

function* fittingHeaders(head: CsvHead, profile: ImportProfile): Pieces<readonly FoundHeader[]> {
  if (profile.header === 'named') return yield* head.headersWhere(profile, headerTest(profile));
  yield;
  const found = recognisedByPlace(head, profile);
  return found === undefined ? [] : [found];
}

/** How many columns fewer a profile may know and still be as likely. */
const nearlyAlike = 1;
/** How many names more a profile is recognised by that describes the file of one sender, not of many. */
const moreSpecific = 2;

function isRival(one: Fit, best: Fit): boolean {
  const fewer = best.columns.count - one.columns.count;
  const isLessSpecific = best.profile.recognisedBy.length - one.profile.recognisedBy.length >= moreSpecific;
  if (fewer > nearlyAlike || isLessSpecific) return false;
  return fewer === 0 || readsOtherwise(one, best);
}

/** Whether a line would mean something else: other content, other signs or spellings, or a column that says another field. */
function readsOtherwise(one: Fit, other: Fit): boolean {
  const [mine, its] = [one.profile, other.profile];
  if (mine.content !== its.content) return true;
  const spellings = ['decimalMark', 'dateOrder', 'signs'] as const;
  const differ = spellings.some(
    (name) => mine[name] !== its[name] && mine[name] !== 'detect' && its[name] !== 'detect',
  );
  return differ || one.columns.readsOtherwise(other.columns);
}

function unmapped(head: string, reason: string): CsvRecognition | undefined {
  const found = likelyHeader(head);
  if (found === undefined) return undefined;
  const columns = found.header.names.map((one) => one.trim()).filter(Boolean);
  const detail = `The header (${shortened(columns.join(', '), 500)}) cannot be read by itself: ${reason}. Say what the columns mean: name a profile, or create one.`;
  const format: StatementFormat = {
    name,
    title: 'CSV without a mapping',
    recognises: () => false,
    open: (emit) => new UnmappedCsvReader(emit, found, detail),
  };
  return { format };
}

/** Every line below the header waits for a mapping, with its cells. */
class UnmappedCsvReader implements FormatReader {
  readonly #emit: EmitItem;
  readonly #found: FoundHeader;
  readonly #detail: string;
  readonly #reader;
  /** Undefined once a line was told what stands above it. */
  #above: UnreadLine[] | undefined = [];

  constructor(emit: EmitItem, found: FoundHeader, detail: string) {
    this.#emit = emit;
    this.#found = found;
    this.#detail = detail;
    this.#reader = openCsv(found.delimiter);
  }

  push(chunk: string): void {
    this.#read(() => this.#reader.push(chunk));
  }

  end(): void {
    this.#read(() => this.#reader.end());
  }

  #emitLine(line: number, cells: readonly string[]): void {
    const above = this.#above === undefined ? {} : { linesAbove: this.#above };
    this.#above = undefined;
    this.#emit({ item: 'problem', place: { line }, detail: this.#detail, needs: 'mapping', cells, ...above });
  }

  #read(step: () => CsvRecord[]): void {
    try {
      for (const { line, fields } of step()) {
        if (line <= this.#found.line) this.#above?.push({ line, cells: fields });
        else if (fields.some((field) => field.trim() !== '')) this.#emitLine(line, fields);
      }
    } catch (error) {
      if (!(error instanceof CsvFault)) throw error;
      throw new StatementFault({ line: error.line }, error.detail);
    }
  }
}
