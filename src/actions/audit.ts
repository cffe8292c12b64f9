// The audit log is read and never written by callers: its lines come with the changes they tell of.

import { auditEntry, type AuditEntry } from '../model/audit-entry.ts';
import { client } from '../model/client.ts';
import type { Rules } from './resource.ts';
import type { Work } from './work.ts';

/** What was above a caller's own client is no more shown in the log than in the client itself. */
function showToCaller(work: Work, entry: AuditEntry): AuditEntry {
  const { sight } = work.store.reach;
  if (sight.kind === 'all' || entry.subjectType !== client.type || entry.subjectId !== sight.clientId) return entry;
  return { ...entry, before: withoutParent(entry.before), after: withoutParent(entry.after) };
}

function withoutParent(snapshot: unknown): unknown {
  return snapshot === null ? null : { ...(snapshot as object), parent_id: null };
}

export const auditRules: Rules<typeof auditEntry> = {
  resource: auditEntry,
  show: showToCaller,
};
