// Creates folders on disk. Node's own recursive `mkdir` never ends in a folder such as /proc, which exists and refuses new ones as if it did not.

import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Creates a folder and those above it that are missing. Returns the topmost that it created; undefined if the folder existed. */
export async function putFolder(folder: string, mode = 0o777): Promise<string | undefined> {
  const refusal = await mkdirOrRefusal(folder, mode);
  if (refusal === undefined) return folder;
  const above = dirname(folder);
  if (refusal.code !== 'ENOENT' || above === folder) return requireFolder(folder, refusal);
  const first = await putFolder(above, mode);
  const again = await mkdirOrRefusal(folder, mode);
  if (again === undefined) return first ?? folder;
  await requireFolder(folder, again);
  return first;
}

async function mkdirOrRefusal(folder: string, mode: number): Promise<NodeJS.ErrnoException | undefined> {
  return mkdir(folder, { mode }).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );
}

/** Another process may have created it meanwhile. */
async function requireFolder(folder: string, refusal: NodeJS.ErrnoException): Promise<undefined> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) throw refusal;
}
