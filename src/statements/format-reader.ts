// How the reader of one format is written, and how it becomes a `StatementReader`: items that come before a fault are never lost.

import { StatementFault, type StatementItem, type StatementReader } from '../model/custody/statement.ts';

export type EmitItem = (item: StatementItem) => void;

/** Reads one format from text that arrives in pieces and emits each item once it is complete. May throw a `StatementFault`. */
export interface FormatReader {
  push(chunk: string): void;
  end(): void;
}

/**
 * Returns what a piece gave even if a fault follows in the same piece; the next call throws that fault. So the items do not
 * depend on how the text is cut.
 */
export class BufferedReader implements StatementReader {
  readonly #reader: FormatReader;
  #items: StatementItem[] = [];
  #fault: StatementFault | undefined;

  constructor(create: (emit: EmitItem) => FormatReader) {
    this.#reader = create((item) => this.#items.push(item));
  }

  push(chunk: string): StatementItem[] {
    return this.#run(() => this.#reader.push(chunk));
  }

  end(): StatementItem[] {
    const items = this.#run(() => this.#reader.end());
    // Nobody calls again after the end: without items, the fault is thrown at once; with items, it becomes the last of them.
    if (this.#fault === undefined) return items;
    return [...items, { item: 'problem', place: this.#fault.place, detail: this.#fault.detail }];
  }

  #run(step: () => void): StatementItem[] {
    if (this.#fault !== undefined) throw this.#fault;
    try {
      step();
    } catch (error) {
      if (!(error instanceof StatementFault)) throw error;
      this.#fault = error;
      if (this.#items.length === 0) throw error;
    }
    const items = this.#items;
    this.#items = [];
    return items;
  }
}
