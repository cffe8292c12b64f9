// The record of an import: created, read and listed, with its counts as one object.

import type { Id } from '../../kit/id.ts';
import {
  deletableStates,
  importResource,
  importWarningsMax,
  type Import,
  type ImportWarning,
  type UnkeptRows,
} from '../../model/custody/import.ts';
import type { RowOutcome } from '../../model/custody/import-row.ts';
import type { StatementNotice } from '../../model/custody/statement.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { DeleteRules } from '../core/resource.ts';
import { snapshot } from '../core/snapshot.ts';
import { audit, type Work } from '../core/work.ts';
import { cleanText } from './entry-input.ts';
import type { ImportSource } from './import-source.ts';

const fileNameLengthMax = 200;

/** Deleting an import deletes its rows and what they wait for. Nothing else hangs on one that is not booked. */
export const importRules: DeleteRules<typeof importResource> = {
  resource: importResource,
  show: async (_work, stored) => stored.map(withCounts),
  async beforeDelete({ store }, { id, client, origin, state, storedRows, storedBytes }) {
    requireDeletable(state);
    await store.importRows.deleteAll(id);
    await store.importUsage.subtract({ rows: storedRows, bytes: storedBytes });
    await store.importWorks.remove(id);
    if (origin === 'feed' && client !== null) await store.custody.feedRuns.forgetImport({ id, client });
  },
};

/** Adds what is stored in separate columns as objects. */
export function withCounts(stored: Import): Import {
  return {
    ...stored,
    // Numbers within stored JSON are kept as they are written there; here they count.
    notKept: JSON.parse(JSON.stringify(stored.notKept)),
    counts: {
      rows: stored.rowCount,
      booked: stored.bookedCount,
      amended: stored.amendedCount,
      unchanged: stored.unchangedCount,
      refused: stored.refusedCount,
      needs: stored.needsCount,
    },
    undone:
      stored.state === 'undone'
        ? { closed: stored.closedCount, restored: stored.restoredCount, kept: stored.keptCount }
        : null,
  };
}

/** The columns of the counts, of kept rows and of those that are not kept; all rows are their sum. */
export function countColumns(kept: Readonly<Record<RowOutcome, number>>, notKept: UnkeptRows) {
  const counts = { ...kept };
  for (const { outcome, rows } of notKept.problems) counts[outcome] += rows;
  const { booked, amended, unchanged, refused, needs } = counts;
  return {
    rowCount: booked + amended + unchanged + refused + needs,
    bookedCount: booked,
    amendedCount: amended,
    unchangedCount: unchanged,
    refusedCount: refused,
    needsCount: needs,
  };
}

function requireDeletable(state: Import['state']): void {
  const deletable: readonly string[] = deletableStates;
  if (deletable.includes(state)) return;
  const detail = 'The import is booked. Undo it first; an import that was undone can be deleted.';
  throw new Refusal('import-not-possible', detail);
}

/** As many warnings as are kept; the last says how many there are. */
export function boundedWarnings(warnings: readonly ImportWarning[]): readonly ImportWarning[] {
  if (warnings.length <= importWarningsMax) return warnings;
  const shown = importWarningsMax - 1;
  const detail = `There are ${warnings.length} warnings, of which the first ${shown} are listed.`;
  return [...warnings.slice(0, shown), { code: 'more-warnings', detail }];
}

export function noticeWarning({ code, detail, columns }: StatementNotice): ImportWarning {
  const cleaned = columns.map((column) => ({
    ...column,
    name: cleanText(column.name, 200) ?? '',
    example: cleanText(column.example, 200) ?? '',
  }));
  return { code, detail: cleanText(detail, 1_000) ?? '', columns: cleaned };
}

/** One audit line for each act on an import; the ledger has its own for what was booked. */
export function auditImport(
  work: Work,
  act: 'create' | 'change',
  { before, after }: { readonly before?: Import; readonly after: Import },
): void {
  audit(work, {
    act,
    type: importResource.type,
    id: after.id,
    clientId: after.client,
    before: before ? snapshot(importResource, before) : null,
    after: snapshot(importResource, after),
  });
}

export async function createImport(work: Work, source: ImportSource): Promise<Import> {
  const id: Id = work.ids.next();
  const stored = await work.store.table(importResource).insert(id, {
    state: 'checked',
    origin: source.origin,
    format: source.format,
    // Whoever sends a file may call it anything.
    fileName: cleanText(source.fileName ?? undefined, fileNameLengthMax),
    digest: source.digest ?? null,
    profile: source.profile ?? null,
    client: source.client,
    account: source.account ?? null,
    depository: source.depository ?? null,
    custodian: source.custodian ?? null,
    notKept: { rows: 0, problems: [] },
    storedRows: 0,
    storedBytes: 0,
    createdAt: new Date(work.now),
  });
  return withCounts(stored);
}
