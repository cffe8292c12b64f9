// The instrument classes of a tenant, of which all its clients share one copy in memory.

import type { CacheEntry, LedgerCache } from '../../../store/ledger/ledger-cache.ts';
import type { Store } from '../../../store/store.ts';
import type { ClassNode } from './class-lookup.ts';
import { digest, digestedOnce } from './digest.ts';
import { endOfTime, listClasses } from './read-client.ts';

interface CachedClasses extends CacheEntry {
  readonly classes: readonly ClassNode[];
}

/** Estimated size of a class. */
const classBytes = 600;

export const classesDigest = digestedOnce((classes: readonly ClassNode[]) => digest(JSON.stringify(classes)));

/** Reads the classes as known now. Equal ones are the same object as before. */
export async function readSharedClasses(store: Store, memory: LedgerCache): Promise<readonly ClassNode[]> {
  const { workspaceId, environment } = store.scope;
  const key = `${workspaceId} ${environment} classes`;
  const classes = await listClasses(store, endOfTime);
  const cached = memory.find<CachedClasses>(key)?.classes;
  if (cached !== undefined && classesDigest(cached) === classesDigest(classes)) return cached;
  const entry: CachedClasses = { version: 0, bytes: classBytes * classes.length, classes };
  memory.put(key, entry);
  return classes;
}
