// The record of an import: created, read and listed, with its counts as one object.

import type { Id } from '../../kit/id.ts';
import { importResource, type Import } from '../../model/custody/import.ts';
import type { RowOutcome } from '../../model/custody/import-row.ts';
import type { Rules } from '../core/resource.ts';
import { snapshot } from '../core/snapshot.ts';
import { audit, type Work } from '../core/work.ts';
import { cleanText } from './entry-input.ts';
import type { ImportSource } from './import-source.ts';

const fileNameLengthMax = 200;

export const importRules: Rules<typeof importResource> = {
  resource: importResource,
  show: async (_work, stored) => stored.map(withCounts),
};

/** Adds what is stored in separate columns as objects. */
export function withCounts(stored: Import): Import {
  return {
    ...stored,
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

/** The columns of the counts; all rows are their sum. */
export function countColumns({ booked, amended, unchanged, refused, needs }: Readonly<Record<RowOutcome, number>>) {
  return {
    rowCount: booked + amended + unchanged + refused + needs,
    bookedCount: booked,
    amendedCount: amended,
    unchangedCount: unchanged,
    refusedCount: refused,
    needsCount: needs,
  };
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
    createdAt: new Date(work.now),
  });
  return withCounts(stored);
}
