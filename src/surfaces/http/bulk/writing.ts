// Writing the rows of a bulk body: read some, write some, and tell what came of it, all in the work's one transaction. Either
// one bad row undoes all, or each row stands for itself. Knows no resource.

import { setImmediate } from 'node:timers/promises';
import { oneOf, type JsonSchema } from '../../../kit/field.ts';
import type { Json } from '../../../kit/json.ts';
import { Refusal, type Fault } from '../../../kit/refusal.ts';
import { refuseMany } from '../fields.ts';
import type { Ask, BulkDescription, Parameter } from '../operation.ts';
import { bulkFormats, readRows, UnreadableRow, type Row } from './rows.ts';

/** Rows that go to the database together. */
const batchMin = 5_000;
/** As many as one answer lists. */
const errorsToldMax = 1_000;

export const bulkParameters = {
  mode: {
    kind: oneOf(['all-or-nothing', 'per-row']),
    description:
      '`all-or-nothing`, when it is not sent: one row that is refused refuses the whole body, and nothing is written. `per-row`: the others are written, and the answer lists those that were refused.',
  },
} as const satisfies Record<string, Parameter>;

export interface BulkWriting<T> {
  /** What a row asks for. Throws a refusal with what is wrong with it, at places that begin with `at`. */
  read(value: Json, at: string): T;
  /** Writes them in this order and answers how many said something new. */
  write(rows: readonly T[]): Promise<number>;
}

export interface BulkAnswer {
  readonly accepted: number;
  readonly refused: number;
  readonly written: number;
  readonly errors: readonly object[];
}

export async function writeBulk<T>(
  { spool, format, query }: Ask,
  { row, dialects = [] }: BulkDescription,
  { read, write }: BulkWriting<T>,
): Promise<BulkAnswer> {
  const columns = { known: Object.keys(row.properties), required: row.required, dialects };
  const report = new BulkReport(query['mode'] ?? 'all-or-nothing');
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const rows of readRows(spool!, bulkFormats[format!](columns), batchMin)) {
      const asked = report.read(rows, read);
      await writing;
      // The next rows are read while these are written.
      if (report.isWorthWriting) {
        writing = write(asked).then((count) => report.countWritten(asked.length, count));
        writing.catch(() => {}); // it is waited for, only later
      }
      await setImmediate();
    }
  } finally {
    await writing;
  }
  return report.conclude();
}

class BulkReport {
  readonly #mode: 'all-or-nothing' | 'per-row';
  readonly #errors: (Fault & { index: number; line?: number })[] = [];
  #accepted = 0;
  #written = 0;
  #refused = 0;
  #faults = 0;

  constructor(mode: 'all-or-nothing' | 'per-row') {
    this.#mode = mode;
  }

  /** Once all is lost, the rest is only looked through for what else is wrong with it. */
  get isWorthWriting(): boolean {
    return this.#mode === 'per-row' || this.#refused === 0;
  }

  countWritten(accepted: number, written: number): void {
    this.#accepted += accepted;
    this.#written += written;
  }

  read<T>(rows: readonly Row[], read: BulkWriting<T>['read']): T[] {
    const asked: T[] = [];
    for (const row of rows) {
      const at = `/data/${row.index}`;
      if (row.value instanceof UnreadableRow) this.#refuseUnreadable(row, row.value.fault, at);
      else {
        try {
          asked.push(read(row.value, at));
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          this.#refuse(row, error.faults);
        }
      }
    }
    return asked;
  }

  #refuseUnreadable(row: Row, fault: Fault, at: string): void {
    const placed = { ...fault, pointer: at + (fault.pointer ?? '') };
    if (this.#mode === 'per-row') return this.#refuse(row, [placed]);
    const told = inLine(row, placed);
    throw new Refusal(fault.code, `Row ${row.index}: ${told.detail}`, { faults: [told] });
  }

  #refuse(row: Row, faults: readonly Fault[]): void {
    this.#refused++;
    this.#faults += faults.length;
    for (const fault of faults) {
      if (this.#errors.length === errorsToldMax) return;
      const line = row.line === null ? {} : { line: row.line };
      this.#errors.push({ index: row.index, ...line, ...(this.#mode === 'per-row' ? fault : inLine(row, fault)) });
    }
  }

  conclude(): BulkAnswer {
    if (this.#refused > 0 && this.#mode === 'all-or-nothing') {
      throw refuseMany(
        'invalid-document',
        this.#errors.map(({ code, detail, pointer }) => ({
          code,
          detail,
          ...(pointer === undefined ? {} : { pointer }),
        })),
        this.#faults,
      );
    }
    return { accepted: this.#accepted, refused: this.#refused, written: this.#written, errors: this.#errors };
  }
}

/** Where the body has lines, people look for the line. */
function inLine({ line }: Row, fault: Fault): Fault {
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

export const bulkAnswerSchema: JsonSchema = {
  title: 'Bulk answer',
  type: 'object',
  required: ['accepted', 'refused', 'written', 'errors'],
  properties: {
    accepted: { type: 'integer', description: 'How many rows were in order.' },
    refused: { type: 'integer', description: 'How many were not. Always none where one would have refused them all.' },
    written: { type: 'integer', description: 'How many of the accepted said something that was not known already.' },
    errors: {
      type: 'array',
      items: errorSchema,
      description: `What was wrong with those that were refused: the first ${errorsToldMax}.`,
    },
  },
  additionalProperties: false,
};
