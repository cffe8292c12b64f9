// Shows how far long work is, on the error stream and only where somebody looks.

import { bar } from './sparkline.ts';
import { shorten, terminalWidth } from './terminal-text.ts';

const barWidth = 24;
const redrawEveryMs = 100;

export class Progress {
  readonly #stream: NodeJS.WriteStream;
  #drawnAt = 0;

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.#stream = stream;
  }

  /** `total` is unknown while it is null. */
  show(what: string, done: number, total: number | null): void {
    const now = Date.now();
    if (!this.#stream.isTTY || now - this.#drawnAt < redrawEveryMs) return;
    this.#drawnAt = now;
    const share =
      total === null || total === 0
        ? ''
        : ` ${bar(String(done / total), barWidth).padEnd(barWidth)} ${Math.floor((done / total) * 100)} %`;
    const count = done.toLocaleString('en-GB');
    this.#stream.write(`\r\u001b[K${shorten(`${what}${share} ${count}`, terminalWidth(this.#stream) - 1)}`);
  }

  /** Removes what was shown. */
  end(): void {
    if (this.#stream.isTTY && this.#drawnAt > 0) this.#stream.write('\r\u001b[K');
  }
}
