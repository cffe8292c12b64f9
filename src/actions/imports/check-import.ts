// Decides again what would become of the rows of an import, after names were mapped or records were created, and sets the records that count
// for rows which name none.

import { withTightHeap } from '../../kit/memory/heap-growth.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { importResource, type DateOrder, type Import } from '../../model/custody/import.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import { notFound } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import { lockImport, processImport } from './book-import.ts';
import { ownerOf } from './import-file.ts';
import { auditImport, withCounts } from './import-record.ts';
import { mapColumns } from './unmapped-lines.ts';

/** What counts for rows that name none; undefined leaves it as it is. */
export interface ImportDefaults {
  readonly client?: Id | null | undefined;
  readonly account?: Id | null | undefined;
  readonly depository?: Id | null | undefined;
  /** Of a file that waits for one. */
  readonly profile?: string | null | undefined;
}

export const importDefaultsRefusals: readonly RefusalCode[] = [
  'import-not-found',
  'import-not-possible',
  'client-not-found',
  'account-not-found',
  'depository-not-found',
  'different-client',
  'outside-reach',
  'import-profile-not-found',
  'unreadable-file',
  'import-quota-reached',
];

/** `dateOrder` is how dates are written that may be two days. */
export function checkImportAgain(work: Work, id: string, dateOrder: DateOrder | null = null): Promise<Import> {
  return withTightHeap(async () => {
    const before = await lockImport(work, id, 'check');
    const after = await decideAgain(work, before, dateOrder);
    auditImport(work, 'change', { before, after });
    return after;
  });
}

/** Books nothing. A booked import keeps its outcomes: what waits there is tried when it is booked again. */
export function decideAgain(work: Work, record: Import, dateOrder: DateOrder | null = null): Promise<Import> {
  if (record.state !== 'checked') return Promise.resolve(record);
  return processImport(work, record, { mode: 'check', createsInstruments: false, allowsCashAlone: true, dateOrder });
}

/** An import whose state allows its defaults, and the records that it names, to change. */
export async function lockOpenImport(work: Work, id: string): Promise<Import> {
  const stored = await work.store.table(importResource).lock(id, 'to-change');
  if (stored === undefined) throw notFound(importResource);
  if (stored.state !== 'undone') return withCounts(stored);
  throw new Refusal('import-not-possible', 'The import was undone. Send the file again to import it again.');
}

export function setImportDefaults(work: Work, id: string, defaults: ImportDefaults): Promise<Import> {
  return withTightHeap(async () => {
    const before = await lockOpenImport(work, id);
    const { client, custodian } = await ownerOf(work, {
      client: before.client ?? defaults.client ?? null,
      account: defaults.account === undefined ? before.account : defaults.account,
      depository: defaults.depository === undefined ? before.depository : defaults.depository,
      custodian: before.custodian,
    });
    refuseOtherClient(before, defaults);
    refuseOtherDefaults(before, defaults);
    if (client !== null && client !== before.client) await work.store.importGroups.setClient(before.id, client);
    const { account = before.account, depository = before.depository } = defaults;
    const changes = { client, custodian, account, depository };
    const changed = withCounts(await work.store.table(importResource).update(before.id, changes));
    if (defaults.profile != null) return mapColumns(work, { before, changed }, defaults.profile);
    const after = await decideAgain(work, changed);
    auditImport(work, 'change', { before, after });
    return after;
  });
}

/** The rows of a client's import stay with the client: they say what nobody else may see. */
function refuseOtherClient(before: Import, { client }: ImportDefaults): void {
  if (before.client === null || client === undefined || client === before.client) return;
  const detail = 'The import belongs to another client, with whom its rows stay. Send the file again for this client.';
  throw new Refusal('different-client', detail, { faults: [{ code: 'different-client', detail, field: 'client' }] });
}

/** What is booked is in the account that counted then: the rest of the same file must not go to another one. */
function refuseOtherDefaults(before: Import, { account, depository }: ImportDefaults): void {
  if (before.state !== 'booked') return;
  const isOther = (present: Id | null, sent: Id | null | undefined): boolean =>
    present !== null && sent !== undefined && sent !== present;
  if (!isOther(before.account, account) && !isOther(before.depository, depository)) return;
  const detail =
    'Rows of this import are booked on the account that counted for rows which name none. Undo the import first.';
  throw new Refusal('import-not-possible', detail);
}
