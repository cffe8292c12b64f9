// What has come of the rows of a bulk body so far: counted, and the faults of those that were refused listed with their places. Knows
// neither formats nor resources.

import type { JsonSchema } from '../../../kit/field.ts';
import { Refusal, type Fault } from '../../../kit/refusal.ts';
import { refuseMany } from '../operation/declared-fields.ts';
import type { BulkRow } from './bulk-rows.ts';

/** As many as one answer lists. */
const errorsListedMax = 1_000;

export type BulkMode = 'all-or-nothing' | 'per-row';

export interface RefusedRow {
  readonly row: BulkRow;
  readonly refusal: Refusal;
}

export type BulkResult<Count extends string> = {
  readonly accepted: number;
  readonly refused: number;
  readonly errors: readonly object[];
} & Readonly<Record<Count, number>>;

/** Where a row would stand if the body were `{"data": […]}`. */
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
  #faults = 0;

  constructor(mode: BulkMode, counts: readonly Count[]) {
    this.#mode = mode;
    this.#counts = Object.fromEntries(counts.map((count) => [count, 0])) as Record<Count, number>;
  }

  /** Once all is lost, the rest is only looked through for what else is wrong with it. */
  shouldWrite(refused: readonly RefusedRow[]): boolean {
    return this.#mode === 'per-row' || this.#refused + refused.length === 0;
  }

  accept(accepted: number, counts: Readonly<Record<Count, number>>): void {
    this.#accepted += accepted;
    for (const count of Object.keys(counts) as Count[]) this.#counts[count] += counts[count];
  }

  /** In the order of the body. */
  refuse(refused: readonly RefusedRow[]): void {
    for (const one of refused) this.#refuse(one);
  }

  #refuse({ row, refusal }: RefusedRow): void {
    const { code, message, faults } = refusal;
    const listedFaults = faults.length === 0 ? [{ code, detail: message, pointer: rowPointer(row) }] : faults;
    this.#refused++;
    this.#faults += listedFaults.length;
    this.#codes.add(code);
    for (const fault of listedFaults) {
      if (this.#errors.length === errorsListedMax) return;
      const line = row.line === null ? {} : { line: row.line };
      this.#errors.push({
        index: row.index,
        ...line,
        ...(this.#mode === 'per-row' ? fault : withLineNumber(row, fault)),
      });
    }
  }

  /** Rows that were all refused for one reason refuse the body for that; for several they make it a bad document. */
  finish(): BulkResult<Count> {
    if (this.#refused > 0 && this.#mode === 'all-or-nothing') {
      const code = this.#codes.size === 1 ? [...this.#codes][0]! : 'invalid-document';
      const faults = this.#errors.map(({ index: _index, line: _line, ...fault }) => fault);
      throw refuseMany(code, faults, this.#faults);
    }
    return { accepted: this.#accepted, refused: this.#refused, ...this.#counts, errors: this.#errors };
  }
}

/** Where the body has lines, people look for the line. */
export function withLineNumber({ line }: BulkRow, fault: Fault): Fault {
  return line === null ? fault : { ...fault, detail: `Line ${line}: ${fault.detail}` };
}

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['index', 'code', 'detail', 'pointer'],
  properties: {
    index: { type: 'integer', description: 'Which row, counted from zero.' },
    line: {
      type: 'integer',
      description:
        'The line of the body that it begins on, counted from one. Absent in JSON, which has rows and no lines.',
    },
    code: { type: 'string' },
    detail: { type: 'string' },
    pointer: { type: 'string', description: 'A JSON pointer to the place, as if the body were `{"data": […]}`.' },
  },
  additionalProperties: false,
};

/** `counts` says what each count is of. */
export function bulkResultSchema(title: string, counts: Readonly<Record<string, string>>): JsonSchema {
  const counted = Object.entries(counts).map(([name, description]) => [name, { type: 'integer', description }]);
  return {
    title,
    type: 'object',
    required: ['accepted', 'refused', ...Object.keys(counts), 'errors'],
    properties: {
      accepted: { type: 'integer', description: 'How many rows were in order.' },
      refused: {
        type: 'integer',
        description: 'How many were not. Always none where one would have refused them all.',
      },
      ...Object.fromEntries(counted),
      errors: {
        type: 'array',
        items: errorSchema,
        description: `What was wrong with those that were refused: the first ${errorsListedMax}.`,
      },
    },
    additionalProperties: false,
  };
}
