// A small disk of our own, which a scenario can fill: a memory disk, where this process may mount one.

import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const pieceBytes = 1 << 20;
const smallPieceBytes = 1 << 12;

export class SmallDisk {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Returns undefined where this process may not mount anything. */
  static async mount(megabytes: number): Promise<SmallDisk | undefined> {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-small-disk-'));
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'none', folder]);
      return new SmallDisk(folder);
    } catch {
      await rm(folder, { recursive: true, force: true });
      return undefined;
    }
  }

  get #filler(): string {
    return join(this.folder, 'filler');
  }

  /** Writes until not one more piece fits. */
  async fill(): Promise<void> {
    const file = await open(this.#filler, 'a');
    try {
      for (const size of [pieceBytes, smallPieceBytes]) await writeUntilFull(file, Buffer.alloc(size, 1));
    } finally {
      await file.close();
    }
  }

  async free(): Promise<void> {
    await rm(this.#filler, { force: true });
  }

  async unmount(): Promise<void> {
    await run('umount', ['-l', this.folder]);
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, piece: Buffer): Promise<void> {
  for (;;) {
    try {
      await file.write(piece);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
      throw error;
    }
  }
}
