// The quotas of imports: how many rows and bytes the imports of an environment may keep, and how many rows they may bring on a day. An import
// that would pass one is refused as a whole.

import { dayMs, secondMs } from '../../kit/clock.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { EffectiveSettings } from '../../model/access/workspace-settings.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import type { ImportSums } from '../../store/imports/import-usage.ts';
import type { StoredSize } from '../../store/imports/import-rows.ts';
import { readSettings } from '../access/workspace-settings.ts';
import { storageQuotaReached } from '../access/storage-quota.ts';
import type { Work } from '../core/work.ts';

/** Any of these tells a feed to wait for room. */
export const quotaRefusals: readonly RefusalCode[] = [
  'import-quota-reached',
  'import-day-quota-reached',
  'storage-quota-reached',
];

export class ImportQuota {
  readonly #work: Work;
  readonly #settings: EffectiveSettings;
  /** What other imports took when this one began. */
  readonly #taken: ImportSums;
  #added: StoredSize = { rows: 0, bytes: 0 };
  #readRows = 0;

  private constructor(
    work: Work,
    { settings, taken }: { readonly settings: EffectiveSettings; readonly taken: ImportSums },
  ) {
    this.#work = work;
    this.#settings = settings;
    this.#taken = taken;
  }

  /** Refuses where nothing more may be imported. */
  static async open(work: Work): Promise<ImportQuota> {
    const { store, context, now } = work;
    const [settings, taken, measure] = await Promise.all([
      readSettings(context, store),
      store.importUsage.read(now),
      store.workspaceSettings.readMeasure(),
    ]);
    const { importRows, importBytes, importRowsPerDay, storageBytes } = settings;
    if (storageBytes !== null && measure !== undefined && measure.bytes >= storageBytes)
      throw storageQuotaReached({ used: measure.bytes, max: storageBytes });
    if (taken.rows >= importRows) throw keptQuotaReached('rows', taken.rows, importRows);
    if (taken.bytes >= importBytes) throw keptQuotaReached('bytes', taken.bytes, importBytes);
    if (importRowsPerDay !== null && taken.dayRows >= importRowsPerDay)
      throw dayQuotaReached({ taken: taken.dayRows, more: 0, max: importRowsPerDay, now });
    return new ImportQuota(work, { settings, taken });
  }

  /** What the import takes so far. */
  get added(): StoredSize {
    return this.#added;
  }

  /** Refuses once the import alone passes what was left: nothing more of it has to be read. */
  add(size: StoredSize): void {
    this.#added = sumOf(this.#added, size);
    this.#refuseBeyond({ ...sumOf(this.#taken, this.#added), dayRows: this.#taken.dayRows + this.#readRows });
  }

  /** Counts rows that were read, kept or not. */
  read(rows: number): void {
    this.#readRows += rows;
  }

  /** Counts the import. Imports end one after another here, each after what those before have added. */
  async close(): Promise<void> {
    const { store, now } = this.#work;
    this.#refuseBeyond(await store.importUsage.add({ ...this.#added, dayRows: this.#readRows, at: now }));
  }

  #refuseBeyond({ rows, bytes, dayRows }: ImportSums): void {
    const { importRows, importBytes, importRowsPerDay } = this.#settings;
    if (rows > importRows) throw keptQuotaReached('rows', rows, importRows);
    if (bytes > importBytes) throw keptQuotaReached('bytes', bytes, importBytes);
    if (importRowsPerDay === null || dayRows <= importRowsPerDay) return;
    const more = this.#readRows;
    throw dayQuotaReached({ taken: dayRows - more, more, max: importRowsPerDay, now: this.#work.now });
  }
}

/** Refuses a file before it is received, where nothing of it could be imported. */
export async function requireRoomForImport(work: Work): Promise<void> {
  await ImportQuota.open(work);
}

function sumOf(one: StoredSize, other: StoredSize): StoredSize {
  return { rows: one.rows + other.rows, bytes: one.bytes + other.bytes };
}

const figure = (value: number): string => value.toLocaleString('en');

function keptQuotaReached(what: 'rows' | 'bytes', has: number, may: number): Refusal {
  const detail = `With this import, imports would take ${figure(has)} ${what}. The quota of the workspace is ${figure(may)}. Nothing was imported. Delete imports that are checked or undone, or ask the operator for a larger quota.`;
  return new Refusal('import-quota-reached', detail);
}

interface DayFigures {
  readonly taken: number;
  readonly more: number;
  readonly max: number;
  readonly now: number;
}

function dayQuotaReached({ taken, more, max, now }: DayFigures): Refusal {
  const retryAfterSeconds = Math.ceil((dayMs - (now % dayMs)) / secondMs);
  const brought = more === 0 ? '' : `, and this import has at least ${figure(more)}`;
  const detail = `Imports have brought ${figure(taken)} rows today${brought}. The workspace may import ${figure(max)} rows a day. Nothing was imported. Send the file after midnight UTC, or ask the operator for more.`;
  return new Refusal('import-day-quota-reached', detail, { retryAfterSeconds });
}
