// Writes figures of a command for the textfile collector of node_exporter: a command that runs at night has nobody who asks it.

import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

export interface Figure {
  readonly name: string;
  readonly help: string;
  readonly value: number;
}

/** Replaces the file at once, so that nobody reads half of it. The collector runs as another user, who may read it. */
export async function writeMetricsFile(path: string, figures: readonly Figure[]): Promise<void> {
  const text = figures
    .map(({ name, help, value }) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`)
    .join('');
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: 0o644, flag: 'wx' });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
