// Counts what happened to the rows of a bulk body, and lists the faults of the refused ones with their places.

import type { JsonSchema } from '../../../kit/field.ts';
import { keysOf } from '../../../kit/keys.ts';
import { faultsListedMax, isCut, refusalForFaults, type Fault, type Refusal } from '../../../kit/refusal.ts';
import { defined } from '../../../kit/assert.ts';
import type { BulkMode } from './bulk-mode.ts';
import type { BulkRow } from './bulk-row.ts';

/** How many errors one response lists. */
export const errorsListedMax: Readonly<Record<BulkMode, number>> = {
  'all-or-nothing': faultsListedMax,
  'per-row': 1_000,
  'dry-run': 1_000,
};

export interface RefusedRow {
  readonly row: BulkRow;
  readonly refusal: Refusal;
}

export type BulkResult<Count extends string> = {
  readonly accepted: number;
  readonly refused: number;
  readonly errors: readonly object[];
} & Readonly<Record<Count, number>>;

/** Points to the row as if the body were `{"data": […]}`. */
export function rowPointer({ index }: BulkRow): string {
  return `/data/${index}`;
}

export class BulkReport<Count extends string> {
  readonly #mode: BulkMode;
  readonly #counts: Record<Count, number>;
  readonly #errors: (Fault & { index: number; line?: number })[] = [];
  readonly #codes = new Set<string>();
  #accepted = 0;
  #refused = 0;
  #hasUnlisted = false;

  constructor(mode: BulkMode, counts: readonly Count[]) {
    this.#mode = mode;
    this.#counts = Object.fromEntries(counts.map((count) => [count, 0])) as Record<Count, number>;
  }

  /** In mode `all-or-nothing` the rows after a refused one are only checked, so that all faults are reported at once. */
  shouldWrite(refusedByReading: number): boolean {
    return this.#mode !== 'all-or-nothing' || this.#refused + refusedByReading === 0;
  }

  /** Whether there are more errors than the response lists. */
  get hasUnlisted(): boolean {
    return this.#hasUnlisted;
  }

  accept(accepted: number): void {
    this.#accepted += accepted;
  }

  /** Counts what became of accepted rows. */
  count(counts: Readonly<Record<Count, number>>): void {
    for (const count of keysOf(counts)) this.#counts[count] += counts[count];
  }

  /** Counts refused rows whose errors are not listed. */
  countUnlisted(rows: number): void {
    this.#refused += rows;
    this.#hasUnlisted ||= rows > 0;
  }

  /** Takes rows in the order of the body. */
  refuse({ row, refusal }: RefusedRow): void {
    const { code, message, faults } = refusal;
    const listedFaults = faults.length === 0 ? [{ code, detail: message, pointer: rowPointer(row) }] : faults;
    this.#refused++;
    this.#codes.add(code);
    this.#hasUnlisted ||= isCut(refusal) && this.#mode === 'all-or-nothing';
    for (const fault of listedFaults) {
      if (this.#errors.length === errorsListedMax[this.#mode]) {
        this.#hasUnlisted = true;
        return;
      }
      const line = row.line === null ? {} : { line: row.line };
      this.#errors.push({
        index: row.index,
        ...line,
        ...(this.#mode === 'all-or-nothing' ? withLineNumber(row, fault) : fault),
      });
    }
  }

  /** Refuses the body with the code of its rows where they share one, else with `invalid-document`. */
  finish(): BulkResult<Count> {
    if (this.#refused > 0 && this.#mode === 'all-or-nothing') {
      const code =
        this.#codes.size === 1 ? defined([...this.#codes][0], 'a set of one code has a first') : 'invalid-document';
      const faults = this.#errors.map(({ index: _index, line: _line, ...fault }) => fault);
      throw refusalForFaults(code, faults, this.#hasUnlisted ? 'and-more' : 'all');
    }
    return { accepted: this.#accepted, refused: this.#refused, ...this.#counts, errors: this.#errors };
  }
}

/** Puts the line in front of the detail, because people look for it in their file. */
export function withLineNumber({ line }: BulkRow, fault: Fault): Fault {
  return line === null ? fault : { ...fault, detail: `Line ${line}: ${fault.detail}` };
}

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['index', 'code', 'detail', 'pointer'],
  properties: {
    index: { type: 'integer', description: 'The row, counted from zero.' },
    line: {
      type: 'integer',
      description: 'The line of the body where the row begins, counted from one. Absent for JSON bodies.',
    },
    code: { type: 'string' },
    detail: { type: 'string' },
    pointer: { type: 'string', description: 'A JSON pointer to the error, as if the body were `{"data": […]}`.' },
  },
  additionalProperties: false,
};

/** `counts` describes each count. */
export function bulkResultSchema(title: string, counts: Readonly<Record<string, string>>): JsonSchema {
  const counted = Object.entries(counts).map(([name, description]) => [name, { type: 'integer', description }]);
  return {
    title,
    type: 'object',
    required: ['accepted', 'refused', ...Object.keys(counts), 'errors'],
    properties: {
      accepted: { type: 'integer', description: 'Number of rows that were accepted.' },
      refused: {
        type: 'integer',
        description:
          'Number of rows that were refused. Always 0 in mode `all-or-nothing`, where one refused row refuses the whole body.',
      },
      ...Object.fromEntries(counted),
      errors: {
        type: 'array',
        items: errorSchema,
        description: `The first ${errorsListedMax['per-row']} errors of refused rows.`,
      },
    },
    additionalProperties: false,
  };
}
