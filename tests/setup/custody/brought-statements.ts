// A household whose statements a test brings as items, without a file: checked, booked, booked again and undone.

import type { CalendarDate } from '../../../src/kit/calendar-date.ts';
import type { Decimal } from '../../../src/kit/decimal.ts';
import type { Id } from '../../../src/kit/id.ts';
import type { Import } from '../../../src/model/custody/import.ts';
import type { StatementEntry, StatementItem } from '../../../src/model/custody/statement.ts';
import { bookImport } from '../../../src/actions/imports/book-import.ts';
import { ImportWriter } from '../../../src/actions/imports/import-writer.ts';
import type { ImportSource } from '../../../src/actions/imports/import-source.ts';
import { undoImport } from '../../../src/actions/imports/undo-import.ts';
import { runInTransaction, serviceAuthor, type Work } from '../../../src/actions/core/work.ts';
import type { StoredImportRow } from '../../../src/store/imports/import-rows.ts';
import { tenantOf } from '../events/event-source.ts';
import type { SharedService } from '../node/test-service.ts';
import { makeHousehold, makeRecord } from '../structure/structure-document.ts';

export type EntryParts = Partial<Omit<StatementEntry, 'item' | 'amount' | 'date'>>;

export function statedEntry(date: string, amount: string, parts: EntryParts = {}): StatementEntry {
  return {
    item: 'entry',
    place: { line: 1 },
    status: 'booked',
    kind: 'flow',
    currency: 'CHF',
    date: date as CalendarDate,
    amount: amount as Decimal,
    ...parts,
  };
}

/** The outcomes of an import and how many rows had each. */
export function countsOf({ counts: { rows: _rows, ...rest } }: Import): string {
  return Object.entries(rest)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ');
}

/** The account is in Swiss francs, and that of all items which name none. */
export async function openImports(service: SharedService) {
  const admin = await service.openWorkspace();
  const household = await makeHousehold(admin, 'Amsel');
  const account = await makeRecord(admin, 'accounts', { entity_id: household.legalEntity, currency: 'CHF' });
  const author = serviceAuthor(await tenantOf(admin));
  const run = <T>(task: (work: Work) => Promise<T>): Promise<T> => runInTransaction(service.context, author, task);
  const bring = (items: readonly StatementItem[], parts: Partial<ImportSource> = {}): Promise<Import> =>
    run(async (work) => {
      const source = {
        client: household.client as Id,
        account: account as Id,
        origin: 'file',
        format: 'camt.053',
      } as const;
      const writer = await ImportWriter.open(work, { ...source, mode: 'book', ...parts });
      await writer.add(items);
      return writer.finish();
    });
  const undo = ({ id }: Import): Promise<Import> => run((work) => undoImport(work, id));
  const book = ({ id }: Import): Promise<Import> =>
    run((work) => bookImport(work, id, { createsInstruments: false, allowsCashAlone: true }));
  const rows = (record: Import, limit = 100): Promise<StoredImportRow[]> =>
    run(({ store }) => store.importRows.list({ importId: record.id, limit }));
  const list = async (): Promise<any[]> =>
    (await admin.get(`/v1/transactions?account_id=${account}&limit=100`)).body.data;
  const ledger = async (): Promise<string[]> =>
    (await list()).map((one) => `${one.date} ${one.type} ${one.amount} ${one.comment ?? ''}`.trim()).toSorted();
  return { admin, account, household, run, bring, undo, book, rows, list, ledger };
}
