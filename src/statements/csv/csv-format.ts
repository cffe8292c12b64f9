// Chooses how a CSV file is read: by the profile that its header fits, else as lines that wait for a mapping.

import { append, greatestOf, leastOf } from '../../kit/memory/long-list.ts';
import { CsvFault, type CsvRecord } from '../../kit/csv-reader.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Pieces } from '../../kit/turns/pieces.ts';
import type { ImportProfile } from '../../model/custody/import-profile.ts';
import { StatementFault } from '../../model/custody/statement.ts';
import { shortened } from '../short-text.ts';
import type { EmitItem, FormatReader } from '../format-reader.ts';
import type { FormatSurvey, StatementFormat } from '../statement-format.ts';
import { recognisedByPlace } from './columns-by-place.ts';
import { CsvColumns, headerTest } from './csv-header.ts';
import { CsvHead, openCsv, type FoundHeader } from './csv-layout.ts';
import { needsSurvey, SpellingSurvey, type CsvSpelling } from './csv-spelling.ts';
import { CsvStatementReader } from './csv-statement-reader.ts';
import { CsvTable } from './csv-table.ts';
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
  return { ...format, survey: (latest) => surveyOf(profile, latest) };
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
  for (const profiles of [own, shipped]) {
    const fitting = yield* fittingProfiles(csvHead, profiles);
    const [profile, ...others] = fitting;
    if (profile !== undefined && others.length === 0) return { format: csvFormat(profile), profile };
    if (others.length > 0)
      return unmapped(head, `several profiles fit it: ${fitting.map((one) => one.name).join('; ')}`);
  }
  return unmapped(head, 'no mapping profile fits it');
}

interface Fit {
  readonly profile: ImportProfile;
  readonly line: number;
  /** How many columns it knows. */
  readonly count: number;
}

/**
 * Those that fit the first header of the file, since others may follow with tables of their own; of these, those that know the most of its
 * columns, and then those that demand the most of it.
 */
function* fittingProfiles(head: CsvHead, profiles: readonly ImportProfile[]): Pieces<ImportProfile[]> {
  const fits: Fit[] = [];
  for (const profile of profiles) {
    if (profile.header === 'none') {
      yield;
      const found = recognisedByPlace(head, profile);
      if (found !== undefined) fits.push({ profile, line: 0, count: new CsvColumns(found.header, profile).count });
      continue;
    }
    const headers = yield* head.headersWhere(profile, headerTest(profile));
    append(
      fits,
      headers.map(({ header, line }) => ({ profile, line, count: new CsvColumns(header, profile).count })),
    );
  }
  const firstLine = leastOf(fits.map(({ line }) => line));
  const ofFirst = fits.filter(({ line }) => line === firstLine);
  const most = Math.max(0, greatestOf(ofFirst.map(({ count }) => count)));
  const best = new Set(ofFirst.filter(({ count }) => count === most).map(({ profile }) => profile));
  const demands = greatestOf([...best].map(({ recognisedBy }) => recognisedBy.length));
  return [...best].filter(({ recognisedBy }) => recognisedBy.length === demands);
}

function unmapped(head: string, reason: string): CsvRecognition | undefined {
  const found = likelyHeader(head);
  if (found === undefined) return undefined;
  const columns = found.header.names.map((one) => one.trim()).filter(Boolean);
  const detail = `The header (${shortened(columns.join(', '), 500)}) cannot be read by itself: ${reason}. Name a profile, or create one for it.`;
  const format: StatementFormat = {
    name,
    title: 'CSV without a mapping',
    recognises: () => false,
    open: (emit) => new UnmappedCsvReader(emit, found, detail),
  };
  return { format };
}

/** Every line below the header waits for a mapping. */
class UnmappedCsvReader implements FormatReader {
  readonly #emit: EmitItem;
  readonly #found: FoundHeader;
  readonly #detail: string;
  readonly #reader;

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

  #read(step: () => CsvRecord[]): void {
    try {
      for (const { line, fields } of step()) {
        if (line <= this.#found.line || fields.every((field) => field.trim() === '')) continue;
        this.#emit({ item: 'problem', place: { line }, detail: this.#detail, needs: 'mapping' });
      }
    } catch (error) {
      if (!(error instanceof CsvFault)) throw error;
      throw new StatementFault({ line: error.line }, error.detail);
    }
  }
}
