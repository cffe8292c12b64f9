// The names of what findings are about: read from the records, or from the reports of people who may not read them.

import type { Page } from '../../signed-in-page.ts';
import { findRecordKind, nameOf } from '../resource/record-kinds.ts';
import { readHeldNames } from '../seen-records.ts';
import type { InboxFinding } from './inbox-findings.ts';

/** So many names are asked for one by one; of more, lists are read first. */
const singleReadsMax = 5;
const listedMax = 300;

type SeenKind = 'instrument' | 'account' | 'depository';

export interface Names {
  readonly types: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, string>;
  nameOf(id: string | null): string | null;
}

/** Adds the names of what the findings are about to those that are known; a record that the person may not read keeps its id. */
export async function readNames(page: Page, findings: readonly InboxFinding[], known?: Names): Promise<Names> {
  const names = new Map<string, string>(known?.names);
  const types = new Map<string, string>(known?.types);
  const entities = new Set(findings.map(({ entity }) => entity.id));
  const read = async (member: string, type: SeenKind): Promise<void> => {
    const kind = findRecordKind(type);
    if (kind === undefined) return;
    if (!page.api.may('GET', `${kind.apiPath}/{id}`)) {
      for (const [id, name] of await readHeldNames(page, entities, type)) names.set(id, name);
      return;
    }
    const missing = new Set<string>(findings.flatMap(({ finding }) => finding[member] ?? []));
    for (const id of names.keys()) missing.delete(id);
    const keep = (record: any): void => {
      if (!missing.delete(record.id)) return;
      names.set(record.id, nameOf(record));
      if (type === 'instrument') types.set(record.id, record.type);
    };
    if (missing.size > singleReadsMax)
      for (const record of (await page.api.list(kind.apiPath, {}, listedMax)).data) keep(record);
    const rest = await Promise.all(
      [...missing].map((id) => page.api.find(`${kind.apiPath}/${encodeURIComponent(id)}`)),
    );
    for (const record of rest) if (record !== undefined) keep(record);
  };
  await Promise.all([
    read('instrument_id', 'instrument'),
    read('account_id', 'account'),
    read('depository_id', 'depository'),
  ]);
  return { types, names, nameOf: (id) => (id === null ? null : (names.get(id) ?? id)) };
}
