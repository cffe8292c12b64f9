// The audit log is read and never written by callers: its lines come with the changes they tell of.

import type { Id } from '../../kit/id.ts';
import { auditEntry, type AuditEntry } from '../../model/access/audit-entry.ts';
import { client } from '../../model/structure/client.ts';
import { scopedClient } from '../../model/access/scope.ts';
import { openPersonalData } from '../people/personal-data-sealing.ts';
import type { Rules } from '../core/resource.ts';
import type { Work } from '../core/work.ts';

interface ClientSnapshot {
  readonly parent_id: Id | null;
}

function snapshotsOf({ subjectType, before, after }: AuditEntry): readonly ClientSnapshot[] {
  return subjectType === client.type ? ([before, after].filter(Boolean) as ClientSnapshot[]) : [];
}

/** What is above the clients that a caller sees is no more shown in the log than in the clients themselves. */
async function showToCaller({ store }: Work, entries: readonly AuditEntry[]): Promise<readonly AuditEntry[]> {
  const own = scopedClient(store.reach.sight);
  if (store.reach.sight.kind === 'all') return entries;
  const named = entries.flatMap(snapshotsOf).flatMap(({ parent_id: parent }) => parent ?? []);
  const seen = new Set(named.length === 0 ? [] : await store.table(client).listSeen([...new Set(named)]));
  const shown = (entry: AuditEntry, snapshot: unknown): unknown => {
    const { parent_id: parent = null } = (snapshot ?? {}) as Partial<ClientSnapshot>;
    const isHidden = parent !== null && (entry.subjectId === own || !seen.has(parent));
    return isHidden ? { ...(snapshot as object), parent_id: null } : snapshot;
  };
  return entries.map((entry) =>
    entry.subjectType === client.type
      ? { ...entry, before: shown(entry, entry.before), after: shown(entry, entry.after) }
      : entry,
  );
}

export const auditRules: Rules<typeof auditEntry> = {
  resource: auditEntry,
  show: async (work, entries) => openPersonalData(work, await showToCaller(work, entries)),
};
