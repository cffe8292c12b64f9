// Reads the reports of a ledger text: the line that names a report, and the expected table below it.

import type { FeeTreatment } from '../../../src/engine/returns/performance/position-days.ts';
import type { ReturnMethod } from '../../../src/engine/returns/daily-return.ts';
import type { Day } from '../../../src/kit/day.ts';
import type { Structure } from './structure.ts';
import { LedgerTextError, type Line, Words } from './words.ts';

export const reportKinds = [
  'holdings',
  'lots',
  'realised',
  'returns',
  'summary',
  'flows',
  'private-markets',
  'findings',
] as const;

export type ReportKind = (typeof reportKinds)[number];

export const ledgerTextAxes = [
  'instrument',
  'position',
  'account',
  'depository',
  'portfolio',
  'class',
  'detailed-class',
  'currency',
] as const;

export type LedgerTextAxis = (typeof ledgerTextAxes)[number];

export interface ReportText {
  readonly kind: ReportKind;
  readonly line: Line;
  /** Equal to `to` for a report on one day. */
  readonly from: Day;
  readonly to: Day;
  /** Portfolios, accounts, depositories; if empty, everything that is not excluded. */
  readonly coveredNames: readonly string[];
  readonly axis: LedgerTextAxis | null;
  readonly method: ReturnMethod;
  readonly fees: FeeTreatment;
  readonly currency: string | null;
  /** The name of the index to compare with. */
  readonly against: string | null;
  readonly expected: ExpectedTable;
}

export interface ExpectedTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The expected error, instead of a table. */
  readonly error: string | null;
}

const spanKinds: ReadonlySet<ReportKind> = new Set(['realised', 'returns', 'summary', 'flows']);
const clauseWords = ['of', 'by', 'modified-dietz', 'gross', 'in', 'against'];

/** `returns 2024-01-02 2024-01-09 by instrument, of P, modified-dietz, gross, in USD` */
export function readReportText(line: Line, table: readonly Line[], structure: Structure): ReportText {
  const words = new Words(line);
  const kind = words.oneOf(reportKinds, 'report');
  const from = words.date();
  const to = spanKinds.has(kind) ? words.date() : from;
  const expected = readTable(line, table);
  const report = { kind, line, from, to, expected };
  const stated: { -readonly [Key in keyof ReportText]?: ReportText[Key] } = {};
  words.clauses(
    new Map<string, () => void>([
      ['of', () => void (stated.coveredNames = readNames(words, structure))],
      ['by', () => void (stated.axis = words.oneOf(ledgerTextAxes, 'axis'))],
      ['modified-dietz', () => void (stated.method = 'modified-dietz')],
      ['gross', () => void (stated.fees = 'gross')],
      ['in', () => void (stated.currency = words.next('a currency'))],
      ['against', () => void (stated.against = words.next('an index'))],
    ]),
  );
  const defaults = {
    coveredNames: [],
    axis: null,
    method: 'start-end-of-day',
    fees: 'net',
    currency: null,
    against: null,
  } as const;
  return { ...defaults, ...stated, ...report };
}

function readNames(words: Words, structure: Structure): readonly string[] {
  const names = words.list(clauseWords);
  const unknown = names.find((name) => !structure.portfolios.has(name) && !structure.isPlaceName(name));
  if (unknown !== undefined) words.fail(`there is no portfolio, account or depository "${unknown}"`);
  return names;
}

function readTable(line: Line, table: readonly Line[]): ExpectedTable {
  const [first, ...rest] = table;
  if (first === undefined) throw new LedgerTextError(line, 'a table is missing');
  const error = /^error (.*)$/.exec(first.text.trim());
  if (error !== null) return { header: [], rows: [], error: error[1]! };
  const header = cellsOf(first);
  const rows = rest.map((row) => {
    const cells = cellsOf(row);
    if (cells.length !== header.length) throw new LedgerTextError(row, `has not ${header.length} columns`);
    return cells;
  });
  return { header, rows, error: null };
}

function cellsOf({ text }: Line): readonly string[] {
  return text.split('|').map((cell) => cell.trim());
}
