// Reads from the Containerfile what the image sets.

import { readFile } from 'node:fs/promises';

/** The settings of `ENV` in the image. */
export async function imageSettings(): Promise<Record<string, string>> {
  const [, line = ''] = /^ENV (.*)$/m.exec(await readFile('deploy/Containerfile', 'utf8')) ?? [];
  return Object.fromEntries(line.split(' ').map((word) => word.split('=') as [string, string]));
}
