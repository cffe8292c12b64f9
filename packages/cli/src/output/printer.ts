// Prints results: for people, or as JSON for programs.

import { recordColumns, recordText, tableText } from './table.ts';
import { harmless, terminalWidth } from './terminal-text.ts';

type Row = Readonly<Record<string, unknown>>;

export class Printer {
  /** Whether the output is for programs. */
  readonly isJson: boolean;

  constructor(isJson: boolean) {
    this.isJson = isJson;
  }

  get width(): number {
    return terminalWidth();
  }

  line(text = ''): void {
    process.stdout.write(`${harmless(text)}\n`);
  }

  /** Text that was made for a terminal, with its colours. */
  text(text: string): void {
    process.stdout.write(text);
  }

  json(value: unknown): void {
    process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  }

  record(value: Row): void {
    if (this.isJson) this.json(value);
    else this.text(recordText(value, this.width));
  }

  rows(rows: readonly Row[], columns?: readonly string[]): void {
    if (this.isJson) this.json(rows);
    else if (rows.length === 0) this.line('None.');
    else this.text(tableText(rows, recordColumns(rows, { names: columns, widthMax: this.width }), this.width));
  }
}
