// Reads the audit log. Callers never write it: each change writes its own line.

import type { Id } from '../../kit/id.ts';
import { auditEntry, type AuditEntry } from '../../model/access/audit-entry.ts';
import { client } from '../../model/structure/client.ts';
import { boundClientId } from '../../model/access/scope.ts';
import { openPersonalData } from '../people/personal-data-sealing.ts';
import { readActions, type ReadActions } from '../core/record-actions.ts';
import { toResultPage } from '../core/resource.ts';
import type { Work } from '../core/work.ts';

interface ClientSnapshot {
  readonly parent_id: Id | null;
}

function clientSnapshots({ subjectType, before, after }: AuditEntry): readonly ClientSnapshot[] {
  if (subjectType !== client.type) return [];
  return [before, after].filter(Boolean) as readonly ClientSnapshot[];
}

/** Hides parents that the caller does not see, as reading the clients themselves does. */
async function hideParents({ store }: Work, entries: readonly AuditEntry[]): Promise<readonly AuditEntry[]> {
  const ownClientId = boundClientId(store.scope.visibleClients);
  if (store.scope.visibleClients.kind === 'all') return entries;
  const parentIds = entries.flatMap(clientSnapshots).flatMap(({ parent_id: parent }) => parent ?? []);
  const visible = new Set(
    parentIds.length === 0 ? [] : await store.table(client).listVisibleIds([...new Set(parentIds)]),
  );
  const hideParent = (entry: AuditEntry, snapshot: unknown): unknown => {
    const { parent_id: parent = null } = (snapshot ?? {}) as Partial<ClientSnapshot>;
    const isHidden = parent !== null && (entry.subjectId === ownClientId || !visible.has(parent));
    return isHidden ? { ...(snapshot as object), parent_id: null } : snapshot;
  };
  return entries.map((entry) =>
    entry.subjectType === client.type
      ? { ...entry, before: hideParent(entry, entry.before), after: hideParent(entry, entry.after) }
      : entry,
  );
}

/** Opens sealed personal data and hides what this caller may not see. */
export async function showAuditEntries(work: Work, entries: readonly AuditEntry[]): Promise<readonly AuditEntry[]> {
  return openPersonalData(work, await hideParents(work, entries));
}

export const auditLogActions: ReadActions<typeof auditEntry> = {
  ...readActions({ resource: auditEntry, show: showAuditEntries }),
  async list(work, query) {
    const rows = await work.store.auditLog(work.now).list({ ...query, limit: query.limit + 1 });
    const { records, hasMore } = toResultPage(rows, query.limit);
    return { records: await showAuditEntries(work, records), hasMore };
  },
};
