// How much room the disk of the data folder has, and whether that is enough.

import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Finding } from '../../store/postgres/verify/server-findings.ts';
import type { Config } from '../config.ts';

/** How much of a disk must be free for the check of the installation to be content, and at all. */
const freeBytes = { warn: 2 ** 30, fail: 100 * 2 ** 20 };

/** Looks at the disk of the data folder, or of what it would be created in. */
export async function diskFinding({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<Finding> {
  for (let folder = dataDir; ; folder = dirname(folder)) {
    const disk = await statfs(folder).catch(() => undefined);
    if (disk === undefined && folder !== dirname(folder)) continue;
    const free = disk === undefined ? 0 : disk.bavail * disk.bsize;
    return spaceFinding(free, { folder, holdsDatabase: databaseUrl === undefined });
  }
}

export function spaceFinding(
  free: number,
  { folder, holdsDatabase }: { readonly folder: string; readonly holdsDatabase: boolean },
): Finding {
  const what = `${Math.floor(free / 2 ** 20)} MiB are free in ${folder}`;
  if (free >= freeBytes.warn) return { level: 'ok', what };
  const remedy = 'Free some space, or move DATA_DIR to another disk.';
  return { level: free < freeBytes.fail && holdsDatabase ? 'fail' : 'warn', what, remedy };
}
