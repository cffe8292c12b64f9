// Appends lines to a file, or to standard output. A file is opened anew for each batch, so that others can rotate it by renaming it, and a batch is taken when
// it is on the disk. Lines that a crash has cut off are ended before the next ones, which repeat them.

import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { secondMs } from '../../kit/clock.ts';
import { withDeadline } from '../../kit/concurrency/deadline.ts';
import type { LogDestination, ShippedLine, ShippingOutcome } from '../../model/operations/shipped-log.ts';

/** For a batch: a disk of another machine may not answer. */
const batchTimeoutMs = 30 * secondMs;

/** Only its owner reads the file; whoever rotates it may give it to others. */
const ownerOnly = 0o600;

/** Writes text, and resolves when whoever reads it, or the disk, has it. */
export type AppendText = (text: string) => Promise<void>;

export class FileDestination implements LogDestination {
  readonly name = 'file';
  readonly #append: AppendText;
  /** The batch under way, which may have outlived its deadline. */
  #appending: Promise<void> | undefined;

  constructor(append: AppendText) {
    this.#append = append;
  }

  async ship(lines: readonly ShippedLine[], signal: AbortSignal): Promise<ShippingOutcome> {
    if (signal.aborted) return { kind: 'stopped' };
    // One at a time: lines of two batches are not mixed, and what cannot be written does not gather in memory.
    if (this.#appending !== undefined) return failed('The lines before are still being written.');
    const text = lines.map((line) => `${line.text}\n`).join('');
    this.#appending = this.#append(text).finally(() => (this.#appending = undefined));
    try {
      const tooLate = (): Error => new Error(`They could not be written within ${batchTimeoutMs / secondMs} seconds.`);
      await withDeadline(this.#appending, batchTimeoutMs, tooLate);
      return { kind: 'acknowledged', count: lines.length };
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error));
    }
  }

  async close(): Promise<void> {
    await this.#appending?.catch(() => {});
  }
}

function failed(detail: string): ShippingOutcome {
  return { kind: 'failed', detail, retryAfterMs: null };
}

const lineBreak = 0x0a;

export function appendToFile(path: string): AppendText {
  return async (text) => {
    const file = await open(path, 'a+', ownerOnly);
    try {
      const { size } = await file.stat();
      await file.appendFile((await isCutOff(file, size)) ? `\n${text}` : text);
      await file.datasync();
      if (size === 0) await syncFolder(dirname(path));
    } finally {
      await file.close();
    }
  };
}

/** Whether the file ends in the middle of a line. */
async function isCutOff(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer } = await file.read({ buffer: Buffer.alloc(1), position: size - 1 });
  return buffer[0] !== lineBreak;
}

/** The name of a new file is on the disk, too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  await folder.sync().finally(() => folder.close());
}
