// Keeps what a person says about rows that may be entries which are booked already. Booking the import acts on it.

import { refusalForFaults } from '../../kit/refusal.ts';
import { importResource, type Import } from '../../model/custody/import.ts';
import type { RowDecision } from '../../model/custody/import-row.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import type { Work } from '../core/work.ts';
import { lockImport } from './book-import.ts';
import { auditImport } from './import-record.ts';

export const decideImportRefusals: readonly RefusalCode[] = ['import-not-found', 'import-not-possible'];

export interface ImportDecisions {
  readonly rows: readonly { readonly number: number; readonly decision: RowDecision }[];
  /** About all rows that need a decision and are not among `rows`. */
  readonly others: RowDecision | undefined;
}

export async function decideImport(work: Work, id: string, { rows, others }: ImportDecisions): Promise<Import> {
  const record = await lockImport(work, id, 'book');
  const { importRows } = work.store;
  // Written for the sake of its lock: a client that is moved meanwhile takes its imports along, and rows have no lock of their own.
  const { needsCount } = record;
  await work.store.table(importResource).update(record.id, { needsCount });
  const decided = new Set(await importRows.decide(record.id, rows));
  const faults = rows.flatMap(({ number }, index) =>
    decided.has(number)
      ? []
      : [
          {
            code: 'invalid-attribute' as const,
            detail: `Row ${number} of the import needs no decision.`,
            pointer: `/rows/${index}/number`,
          },
        ],
  );
  if (faults.length > 0) throw refusalForFaults('invalid-attribute', faults);
  if (others !== undefined)
    await importRows.decideOthers(
      record.id,
      others,
      rows.map(({ number }) => number),
    );
  auditImport(work, 'change', { before: record, after: record });
  return record;
}
