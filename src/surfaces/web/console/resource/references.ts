// Finds the names of records that others refer to, and the options of fields that take one.

import type { Page } from '../../signed-in-page.ts';
import { findRecordKind, nameOf, recordAddress } from './record-kinds.ts';

/** More options than this are not listed: the id is typed instead. */
const optionsMax = 500;
/** So many single names are asked for one by one; of more, the whole list is read. */
const singleReadsMax = 3;
const namesMax = 1_000;

export interface Reference {
  readonly to: string;
  readonly id: string;
}

interface Option {
  readonly value: string;
  readonly title: string;
}

/** The names of records, by type and id. */
export class ReferenceNames {
  readonly #page: Page;
  readonly #names = new Map<string, string>();
  /** The ids that were asked for one by one, by type; undefined for a type whose list was read. */
  readonly #idsRead = new Map<string, ReadonlySet<string> | undefined>();

  constructor(page: Page) {
    this.#page = page;
  }

  /** Reads the names of these records; those that cannot be read keep their id. */
  static async read(page: Page, references: readonly Reference[]): Promise<ReferenceNames> {
    const names = new ReferenceNames(page);
    await names.add(references);
    return names;
  }

  /** Reads the names of these records too, unless it was done before. */
  async add(references: readonly Reference[]): Promise<void> {
    const byType = Map.groupBy(references, ({ to }) => to);
    await Promise.all([...byType].map(([to, list]) => this.#readKind(to, new Set(list.map(({ id }) => id)))));
  }

  async #readKind(to: string, ids: ReadonlySet<string>): Promise<void> {
    const { api } = this.#page;
    const kind = findRecordKind(to);
    if (kind === undefined || !api.may('GET', kind.apiPath)) return;
    const before = this.#idsRead.has(to) ? this.#idsRead.get(to) : new Set<string>();
    if (before === undefined) return;
    const all = before.union(ids);
    const isFew = all.size <= singleReadsMax;
    const records = isFew
      ? await Promise.all(
          [...all.difference(before)].map((id) => api.find(`${kind.apiPath}/${encodeURIComponent(id)}`)),
        )
      : (await api.list(kind.apiPath, {}, namesMax)).data;
    this.#idsRead.set(to, isFew ? all : undefined);
    for (const record of records) {
      if (record !== undefined) this.#names.set(`${to} ${record.id}`, nameOf(record));
    }
  }

  nameOf({ to, id }: Reference): string {
    return this.#names.get(`${to} ${id}`) ?? id;
  }

  /** The page of a record that the person may read. */
  addressOf({ to, id }: Reference): string | undefined {
    return this.#names.has(`${to} ${id}`) ? recordAddress(to, id) : undefined;
  }
}

/** The records that a field may name, by name; undefined where they are too many, or not for this person to list. */
export async function referenceOptions(
  page: Page,
  to: string,
  narrowing: Readonly<Record<string, string | undefined>>,
): Promise<readonly Option[] | undefined> {
  const kind = findRecordKind(to);
  if (kind === undefined || !page.api.may('GET', kind.apiPath)) return undefined;
  const { query } = page.api.operation('GET', kind.apiPath);
  const known = Object.entries(narrowing).filter(([name]) => query[name] !== undefined);
  const { data, isCut } = await page.api.list(kind.apiPath, Object.fromEntries(known), optionsMax);
  if (isCut) return undefined;
  const options = data.map((record) => ({ value: String(record.id), title: nameOf(record) }));
  return withoutDoubles(options).toSorted((a, b) => a.title.localeCompare(b.title, page.reader.locale));
}

/** Records of the same name are told apart by the end of their id. */
function withoutDoubles(options: readonly Option[]): readonly Option[] {
  const sameTitles = [...Map.groupBy(options, ({ title }) => title).values()];
  return sameTitles.flatMap((same) =>
    same.length === 1 ? same : same.map(({ value, title }) => ({ value, title: `${title} (…${value.slice(-6)})` })),
  );
}
