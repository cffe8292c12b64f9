// The quota of a workspace: how many rows and bytes the imports of each of its environments may take. An import that would pass it is refused
// as a whole.

import { Refusal } from '../../kit/refusal.ts';
import type { StoredSize } from '../../store/imports/import-rows.ts';
import type { Work } from '../core/work.ts';

export class ImportQuota {
  readonly #work: Work;
  readonly #max: StoredSize;
  /** What other imports took when this one began. */
  readonly #taken: StoredSize;
  #added: StoredSize = { rows: 0, bytes: 0 };

  private constructor(work: Work, { max, taken }: { readonly max: StoredSize; readonly taken: StoredSize }) {
    this.#work = work;
    this.#max = max;
    this.#taken = taken;
  }

  /** Refuses where nothing more may be imported. */
  static async open(work: Work): Promise<ImportQuota> {
    const { max, taken } = await readImportUsage(work);
    if (taken.rows >= max.rows || taken.bytes >= max.bytes) throw quotaReached(taken, max);
    return new ImportQuota(work, { max, taken });
  }

  /** What the import takes so far. */
  get added(): StoredSize {
    return this.#added;
  }

  /** Refuses once the import alone passes what was left: nothing more of it has to be read. */
  add(size: StoredSize): void {
    this.#added = sumOf(this.#added, size);
    refuseBeyond(sumOf(this.#taken, this.#added), this.#max);
  }

  /** Counts the import. Imports end one after another here, each after what those before have added. */
  async close(): Promise<void> {
    refuseBeyond(await this.#work.store.importUsage.add(this.#added), this.#max);
  }
}

/** What imports take in an environment, and may take: what the operator gave the workspace, else what the settings give every workspace. */
export async function readImportUsage({
  context,
  store: { importUsage },
}: Work): Promise<{ readonly taken: StoredSize; readonly max: StoredSize }> {
  const [own, taken] = await Promise.all([importUsage.readQuota(), importUsage.read()]);
  const { rows, bytes } = context.importQuota;
  return { taken, max: { rows: own.rows ?? rows, bytes: own.bytes ?? bytes } };
}

function sumOf(one: StoredSize, other: StoredSize): StoredSize {
  return { rows: one.rows + other.rows, bytes: one.bytes + other.bytes };
}

function refuseBeyond(taken: StoredSize, max: StoredSize): void {
  if (taken.rows > max.rows || taken.bytes > max.bytes) throw quotaReached(taken, max);
}

function quotaReached(taken: StoredSize, max: StoredSize): Refusal {
  const [what, has, may] = taken.rows >= max.rows ? ['rows', taken.rows, max.rows] : ['bytes', taken.bytes, max.bytes];
  const figure = (value: number): string => value.toLocaleString('en');
  const detail = `With this import, imports would take ${figure(has)} ${what}. The quota of the workspace is ${figure(may)}. Nothing was imported. Delete imports that are checked or undone, or ask the operator for a larger quota.`;
  return new Refusal('import-quota-reached', detail);
}
