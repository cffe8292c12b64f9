// What a ledger text asks for and expects: the line that names a report, and the table below it. Knows not how it is made.

import type { FeeTreatment } from '../../../src/engine/returns/performance/position-days.ts';
import type { ReturnMethod } from '../../../src/engine/returns/daily-return.ts';
import type { Day } from '../../../src/kit/day.ts';
import type { Structure } from './structure.ts';
import { LedgerTextFault, type Line, Words } from './words.ts';

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

export const axes = [
  'instrument',
  'position',
  'account',
  'depository',
  'portfolio',
  'class',
  'detailed-class',
  'currency',
] as const;

export type AxisName = (typeof axes)[number];

export interface ReportText {
  readonly kind: ReportKind;
  readonly line: Line;
  /** The same day twice where the report is of one day. */
  readonly from: Day;
  readonly to: Day;
  /** Portfolios, accounts, depositories; none: all that is not excluded. */
  readonly of: readonly string[];
  readonly axis: AxisName | null;
  readonly method: ReturnMethod;
  readonly fees: FeeTreatment;
  readonly currency: string | null;
  /** The name of an index. */
  readonly against: string | null;
  readonly expected: ExpectedTable;
}

export interface ExpectedTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** In place of a table: why there is none. */
  readonly error: string | null;
}

const spanKinds: ReadonlySet<ReportKind> = new Set(['realised', 'returns', 'summary', 'flows']);
const clauseWords = ['of', 'by', 'modified-dietz', 'gross', 'in', 'against'];

/** `returns 2024-01-02 2024-01-09 by instrument, of P, modified-dietz, gross, in USD` */
export function readReport(line: Line, table: readonly Line[], structure: Structure): ReportText {
  const words = new Words(line);
  const kind = words.oneOf(reportKinds, 'report');
  const from = words.date();
  const to = spanKinds.has(kind) ? words.date() : from;
  const expected = readTable(line, table);
  const report = { kind, line, from, to, expected };
  const said: { -readonly [Key in keyof ReportText]?: ReportText[Key] } = {};
  words.clauses(
    new Map<string, () => void>([
      ['of', () => void (said.of = readNames(words, structure))],
      ['by', () => void (said.axis = words.oneOf(axes, 'axis'))],
      ['modified-dietz', () => void (said.method = 'modified-dietz')],
      ['gross', () => void (said.fees = 'gross')],
      ['in', () => void (said.currency = words.next('a currency'))],
      ['against', () => void (said.against = words.next('an index'))],
    ]),
  );
  const usual = { of: [], axis: null, method: 'start-end-of-day', fees: 'net', currency: null, against: null } as const;
  return { ...usual, ...said, ...report };
}

function readNames(words: Words, structure: Structure): readonly string[] {
  const names = words.list(clauseWords);
  const unknown = names.find((name) => !structure.portfolios.has(name) && !structure.isPlaceName(name));
  if (unknown !== undefined) words.fail(`there is no portfolio, account or depository "${unknown}"`);
  return names;
}

function readTable(line: Line, table: readonly Line[]): ExpectedTable {
  const [first, ...rest] = table;
  if (first === undefined) throw new LedgerTextFault(line, 'a table is missing');
  const error = /^error (.*)$/.exec(first.text.trim());
  if (error !== null) return { header: [], rows: [], error: error[1]! };
  const header = cellsOf(first);
  const rows = rest.map((row) => {
    const cells = cellsOf(row);
    if (cells.length !== header.length) throw new LedgerTextFault(row, `has not ${header.length} columns`);
    return cells;
  });
  return { header, rows, error: null };
}

function cellsOf({ text }: Line): readonly string[] {
  return text.split('|').map((cell) => cell.trim());
}
