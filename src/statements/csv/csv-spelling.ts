// Tells from all lines of a file what its profile leaves open: the decimal mark, the order of day and month, and whether amounts are signed.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { CsvRecord } from '../../kit/csv-reader.ts';
import type { CsvField, CsvMapping } from '../../model/custody/import-profile.ts';
import { DateOrderEvidence, type DateOrder } from '../date-order.ts';
import type { CsvColumns } from './csv-header.ts';
import { isEmptyCell, readCsvNumber, type DecimalMark } from './csv-values.ts';

/** How the values of a file are written. `unclear`: its lines do not say it, or contradict each other. */
export interface CsvSpelling {
  readonly decimalMark: DecimalMark | 'unclear';
  readonly dateOrder: DateOrder | 'unclear';
  readonly signs: Exclude<CsvMapping['signs'], 'detect'> | 'trades-by-type';
  readonly hasTwoMarks?: boolean;
  /** Whether dates may begin with the day or the month, and nothing else: each line is then read in both orders. */
  readonly isDayOrMonthFirst?: boolean;
  /** What the dates contradict each other by. */
  readonly whyUnclear?: string;
}

export function needsSurvey({ decimalMark, dateOrder, signs }: CsvMapping): boolean {
  return decimalMark === 'detect' || dateOrder === 'detect' || signs === 'detect';
}

/** What the profile itself says; what it leaves open is unclear until the file was looked through. */
export function spellingOf({ decimalMark, dateOrder, signs }: CsvMapping): CsvSpelling {
  return {
    decimalMark: decimalMark === 'detect' ? 'unclear' : decimalMark,
    dateOrder: dateOrder === 'detect' ? 'unclear' : dateOrder,
    signs: signs === 'detect' ? 'as-stated' : signs,
  };
}

const dateFields: readonly CsvField[] = ['date', 'settlementDate'];
const cashFields: readonly CsvField[] = ['amount', 'grossAmount'];
/** In files without an amount, a negative price says that cash went out. */
const signedFields: readonly CsvField[] = [...cashFields, 'price'];
const numberFields: readonly CsvField[] = [
  ...cashFields,
  'debit',
  'credit',
  'balance',
  'quantity',
  'price',
  'fees',
  'taxes',
  'accruedInterest',
  'exchangeRate',
  'counterAmount',
  'value',
  'cost',
];

export class SpellingSurvey {
  readonly #profile: CsvMapping;
  readonly #marks = new Set<DecimalMark>();
  readonly #dates: DateOrderEvidence;
  #hasNegativeAmount = false;

  /** No line is dated after `latest`: it tells a year of two digits from a day. */
  constructor(profile: CsvMapping, latest?: CalendarDate) {
    this.#profile = profile;
    this.#dates = new DateOrderEvidence(latest === undefined ? {} : { latest });
  }

  add({ line, fields }: CsvRecord, columns: CsvColumns): void {
    const { decimalMark, dateOrder, signs } = this.#profile;
    if (decimalMark === 'detect') for (const cell of cellsOf(fields, columns, numberFields)) this.#addNumber(cell);
    if (signs === 'detect' && !this.#hasNegativeAmount)
      this.#hasNegativeAmount = cellsOf(fields, columns, signedFields).some(isNegative);
    if (dateOrder === 'detect') for (const cell of cellsOf(fields, columns, dateFields)) this.#dates.add(cell, line);
  }

  #addNumber(cell: string): void {
    const mark = decimalMarkOf(cell);
    if (mark !== undefined) this.#marks.add(mark);
  }

  get spelling(): CsvSpelling {
    const said = spellingOf(this.#profile);
    const { decimalMark, signs } = this.#profile;
    return {
      ...this.#dateSpelling(said),
      decimalMark: decimalMark === 'detect' ? (only(this.#marks) ?? 'unclear') : said.decimalMark,
      signs: signs === 'detect' ? (this.#hasNegativeAmount ? 'trades-by-type' : 'by-type') : said.signs,
      hasTwoMarks: this.#marks.size > 1,
    };
  }

  #dateSpelling({ dateOrder }: CsvSpelling): Pick<CsvSpelling, 'dateOrder' | 'isDayOrMonthFirst' | 'whyUnclear'> {
    if (this.#profile.dateOrder !== 'detect') return { dateOrder };
    const { finding } = this.#dates;
    switch (finding.outcome) {
      case 'certain':
        return { dateOrder: finding.order };
      case 'none':
        return { dateOrder: 'unclear' };
      case 'open':
        return { dateOrder: 'unclear', isDayOrMonthFirst: !finding.orders.includes('year-month-day') };
      case 'contradictory':
        return { dateOrder: 'unclear', whyUnclear: finding.detail };
    }
  }
}

function only<T>(values: ReadonlySet<T>): T | undefined {
  const [value] = values;
  return values.size === 1 ? value : undefined;
}

function cellsOf(cells: readonly string[], columns: CsvColumns, fields: readonly CsvField[]): string[] {
  return fields.flatMap((field) =>
    columns.indexesOf(field).flatMap((index) => {
      const cell = cells[index];
      return cell === undefined || cell.length > cellLengthMax || isEmptyCell(cell) ? [] : [cell];
    }),
  );
}

/** Longer ones are neither numbers nor dates. */
const cellLengthMax = 100;

/** `0.125`: no number has a group of zeros before another. */
const zeroBefore = /^\D{0,8}0([.,])\d{3}(?!\d)/;

/** The mark that a number can only have: read with the other it is no number. Three digits behind a single mark say nothing. */
function decimalMarkOf(cell: string): DecimalMark | undefined {
  const zero = zeroBefore.exec(cell.trim())?.[1];
  if (zero !== undefined) return zero === '.' ? 'point' : 'comma';
  const [point, comma] = [readCsvNumber(cell, 'point'), readCsvNumber(cell, 'comma')];
  if (point !== undefined && comma === undefined) return 'point';
  return comma !== undefined && point === undefined ? 'comma' : undefined;
}

function isNegative(cell: string): boolean {
  return (['point', 'comma'] as const).some((mark) => readCsvNumber(cell, mark)?.startsWith('-') === true);
}
